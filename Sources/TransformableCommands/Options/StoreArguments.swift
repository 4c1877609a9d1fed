internal import ArgumentParser
internal import Foundation
internal import TransformableStore

/// The store that a verb works with.
struct StoreArgument: ParsableArguments {
    @Argument(help: "The store's file.", completion: .file())
    var store: String

    var url: URL { URL(filePath: store) }

    /// Opens the store for showing it: never writes, and takes what it cannot read as it is.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - session: The run.
    /// - Returns: The store, and a reader of its attributes.
    /// - Throws: `StoreError`, and what the registry's maker throws.
    func openForReading(_ keys: KeyOptions, _ session: Session) throws -> (store: Store, reader: AttributeReader) {
        let registry = try keys.registry(session)
        return try (Store(openingToRead: store, registry), AttributeReader(registry: registry))
    }
}

extension Store {
    /// The attributes that are stored, inherited ones too, and the references of relationships to one.
    ///
    /// - Parameter name: An entity's name.
    /// - Returns: The attributes, in the order of their columns.
    /// - Throws: ``CommandError/Code/noInput`` if there is no such entity.
    func storedAttributes(of name: String) throws(CommandError) -> [AttributeDescription] {
        guard model.entity(name) != nil else {
            let names = model.entities.map { "“\($0.name)”" }.joined(separator: ", ")
            throw CommandError(.noInput, "the store has no entity “\(name)”; it has \(names)")
        }
        do {
            return try attributes(of: name).map(\.description).filter { !$0.isTransient }
        } catch {
            throw CommandError(.noInput, ErrorLine.sentence(for: error))
        }
    }

    /// An attribute that is stored.
    ///
    /// - Parameters:
    ///   - attribute: Its name.
    ///   - entity: Its entity's name.
    /// - Returns: The attribute.
    /// - Throws: ``CommandError/Code/noInput`` if there is no such entity or attribute.
    func storedAttribute(_ attribute: String, of entity: String) throws(CommandError) -> AttributeDescription {
        let attributes = try storedAttributes(of: entity)
        guard let found = attributes.first(where: { $0.name == attribute }) else {
            let names = attributes.map { "“\($0.name)”" }.joined(separator: ", ")
            throw CommandError(.noInput, "“\(entity)” has no attribute “\(attribute)”; it has \(names)")
        }
        return found
    }
}
