internal import TransformableStore

extension Store {
    /// Returns the stored attributes, including inherited ones and the references of to-one relationships.
    ///
    /// - Parameter name: The entity's name. An abstract entity has the attributes that its children share.
    /// - Returns: The attributes, in the order of their columns.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/noInput`` if there is no such entity.
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

    /// Returns a stored attribute.
    ///
    /// - Parameters:
    ///   - attribute: The attribute's name.
    ///   - entity: The entity's name.
    /// - Returns: The attribute.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/noInput`` if there is no such entity, or
    ///   ``CommandError/Code/usage`` if it has no such attribute.
    func storedAttribute(_ attribute: String, of entity: String) throws(CommandError) -> AttributeInfo {
        let attributes = try storedAttributes(of: entity)
        guard let found = attributes.first(where: { $0.name == attribute }) else {
            throw unknown(attribute, of: entity, attributes.map(\.name))
        }
        return found
    }

    /// Returns a stored attribute, where the name of a relationship would also have been valid.
    func storedProperty(_ name: String, of entity: String) throws(CommandError) -> AttributeInfo {
        let attributes = try storedAttributes(of: entity)
        let references = referenceForms(of: entity, beside: attributes)
        guard let found = attributes.first(where: { $0.name == name }) else {
            throw unknown(name, of: entity, attributes.map(\.name) + references.map(\.name))
        }
        return found
    }

    private func unknown(_ name: String, of entity: String, _ names: [String]) -> CommandError {
        if model.attributes(of: entity).contains(where: { $0.name == name && $0.isTransient && $0.derivation != nil }) {
            let ways = "use it in conditions (--where) and sort orders (--sort)"
            return CommandError(.usage, "“\(entity).\(name)” is a count, which has no column; \(ways)")
        }
        let list = names.map { "“\($0)”" }.joined(separator: ", ")
        return CommandError(.usage, "“\(entity)” has no attribute “\(name)”; it has \(list)")
    }

    /// Whether other entities inherit from an entity, in which case fetching it also fetches their objects.
    func hasChildren(_ entity: String) -> Bool {
        model.entities.contains { $0.parent == entity }
    }
}
