internal import ArgumentParser
internal import Foundation
internal import Transformable
internal import TransformableStore

/// The file of a store.
struct StorePath: ParsableArguments {
    @Argument(help: "The store's file.", completion: .file())
    var store: String

    var url: URL { URL(filePath: store) }

    /// The files that belong to the store, whether they are there or not; of a folder, all that are in it.
    var files: [String] { Self.files(of: store) }

    static func files(of store: String) -> [String] {
        ["", "-wal", "-shm", "-journal", "-blobs", "-blobs/unfinished"].map { store + $0 }
    }

    func validate() throws {
        if store.isEmpty { throw ValidationError("the store's file has an empty name") }
    }
}

/// The store that a verb works with, and what is believed of it.
struct StoreArgument: ParsableArguments {
    @OptionGroup var path: StorePath
    @OptionGroup var trust: TrustOptions

    var store: String { path.store }
    var url: URL { path.url }
    var files: [String] { path.files }

    /// Opens the store for showing it: never writes, and takes what it cannot read as it is.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - session: The run.
    /// - Returns: The store, and the transformers it was opened with.
    /// - Throws: `StoreError`, and what the registry's maker throws.
    func openForReading(_ keys: KeyOptions, _ session: Session) throws -> (Store, TransformerRegistry) {
        try session.requireOutput(apartFrom: keys.files(session))
        let registry = try keys.registry(session)
        return try (openForReading(registry, session), registry)
    }

    /// Does the same with transformers that are at hand, and says what nothing shows to be genuine.
    func openForReading(_ registry: TransformerRegistry, _ session: Session) throws -> Store {
        let store = try Store.openedToRead(self.store, registry, session, believing: trust)
        if let warning = store.trustWarning { session.tell("warning: \(ErrorLine.sentence(for: warning))") }
        return store
    }

    /// Opens the store for changing it, takes what it cannot read as it is, and closes it when a body is done.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - session: The run.
    ///   - body: Changes the store.
    /// - Returns: What the body gives.
    /// - Throws: `StoreError`, what the registry's maker throws, and what the body throws.
    func change<Result>(_ keys: KeyOptions, _ session: Session, _ body: (Store) throws -> Result) throws -> Result {
        try change(keys.registry(session), body)
    }

    /// Does the same with transformers that are at hand.
    func change<Result>(_ registry: TransformerRegistry, _ body: (Store) throws -> Result) throws -> Result {
        guard access(store, R_OK) == 0 else { throw CommandError.cannotRead(store, errno) }
        try Session.current.requireOutput(apartFrom: files)
        let options = Store.Options(opening: .mustExist, unresolved: .keepBytes)
        let opened = try trust.open(url, registry, options, Session.current)
        let result = Swift.Result { try body(opened) }
        try? opened.close()
        return try result.get()
    }
}

extension Store {
    /// The attributes that are stored, inherited ones too, and the references of relationships to one.
    ///
    /// - Parameter name: An entity's name; an abstract one has what its children share.
    /// - Returns: The attributes, in the order of their columns.
    /// - Throws: ``CommandError/Code/noInput`` if there is no such entity.
    func storedAttributes(of name: String) throws(CommandError) -> [AttributeInfo] {
        guard model.entity(name) != nil else {
            let names = model.entities.map { "“\($0.name)”" }.joined(separator: ", ")
            throw CommandError(.noInput, "the store has no entity “\(name)”; it has \(names)")
        }
        do {
            return try attributes(of: name).filter { !$0.description.isTransient }
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
    /// - Throws: ``CommandError/Code/noInput`` if there is no such entity; ``CommandError/Code/usage`` if it has no
    ///   such attribute.
    func storedAttribute(_ attribute: String, of entity: String) throws(CommandError) -> AttributeInfo {
        let attributes = try storedAttributes(of: entity)
        guard let found = attributes.first(where: { $0.name == attribute }) else {
            throw unknown(attribute, of: entity, attributes.map(\.name))
        }
        return found
    }

    /// An attribute that a value is meant for, where relationships could be meant, too.
    func storedProperty(_ name: String, of entity: String) throws(CommandError) -> AttributeInfo {
        let attributes = try storedAttributes(of: entity)
        let references = referenceForms(of: entity, beside: attributes)
        guard let found = attributes.first(where: { $0.name == name }) else {
            throw unknown(name, of: entity, attributes.map(\.name) + references.map(\.name))
        }
        return found
    }

    private func unknown(_ name: String, of entity: String, _ names: [String]) -> CommandError {
        let list = names.map { "“\($0)”" }.joined(separator: ", ")
        return CommandError(.usage, "“\(entity)” has no attribute “\(name)”; it has \(list)")
    }

    /// Whether other entities inherit from an entity, so that fetching it fetches theirs, too.
    func hasChildren(_ entity: String) -> Bool {
        model.entities.contains { $0.parent == entity }
    }
}
