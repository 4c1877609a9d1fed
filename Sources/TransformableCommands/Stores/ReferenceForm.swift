internal import Foundation
internal import TransformableStore

/// The text form of a relationship's objects: `1,2,3`, or `Dog/1,Cat/2` if they can belong to several entities.
///
/// It is used for to-many relationships, and for to-one relationships whose reference is not stored in a column of the
/// same name.
struct ReferenceForm: Sendable {
    let relationship: RelationshipDescription
    /// The entities that the objects can belong to.
    private let kinds: [String]
    /// The columns that store the references, if the objects can belong to several entities.
    private let columns: [String]

    var name: String { relationship.name }

    /// Whether no other column of a listing shows the objects.
    var isShown: Bool { columns.isEmpty }

    init(_ relationship: RelationshipDescription, columns: [String], in model: Model) {
        self.relationship = relationship
        self.columns = columns
        kinds = model.entities.filter { !$0.isAbstract }.map(\.name)
            .filter { model.isKind($0, of: relationship.destination) }
    }
}

// MARK: - Reading

extension ReferenceForm {
    /// Parses objects.
    ///
    /// - Parameter bytes: Numbers separated by commas, or a JSON list of numbers. If the objects can belong to several
    ///   entities, the entity's name and a slash precede each number.
    /// - Returns: The objects, without duplicates.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/badInput`` if the text is malformed, or
    ///   ``CommandError/Code/usage`` if an entity's name is missing.
    private func objects(_ bytes: Data) throws(CommandError) -> [ObjectID] {
        var seen: Set<ObjectID> = []
        var objects: [ObjectID] = []
        for word in try words(bytes) {
            let object = try object(word)
            guard seen.insert(object).inserted else {
                throw CommandError(
                    .badInput,
                    "“\(name)” can contain each object only once, but “\(word)” is given twice"
                )
            }
            objects.append(object)
        }
        guard relationship.isToMany || objects.count <= 1 else {
            throw CommandError(.badInput, "“\(name)” can have only one object, but \(objects.count) are given")
        }
        return objects
    }

    /// Parses a change.
    ///
    /// - Parameters:
    ///   - bytes: The objects.
    ///   - operation: What to do with the objects.
    /// - Returns: The change, as a value for an object.
    /// - Throws: The same errors as ``objects(_:)``.
    func value(_ bytes: Data, _ operation: ReferenceChange.Operation) throws(CommandError) -> AttributeValue {
        let objects = try objects(bytes)
        return .references(ReferenceChange(operation: operation, objects: objects, isToMany: relationship.isToMany))
    }

    private func words(_ bytes: Data) throws(CommandError) -> [String] {
        guard let text = String(validating: bytes, as: UTF8.self)?.trimmingCharacters(in: .whitespacesAndNewlines)
        else {
            throw refusal
        }
        if text.isEmpty { return [] }
        if text.first == "[" {
            guard let words = try? JSONDecoder().decode([Word].self, from: Data(text.utf8)) else { throw refusal }
            return words.map(\.text)
        }
        return text.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private func object(_ word: String) throws(CommandError) -> ObjectID {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let digits = parts.last, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(digits)
        else { throw refusal }
        if parts.count == 2 {
            guard kinds.contains(String(parts[0])) else { throw refusal }
            return ObjectID(entity: String(parts[0]), number: number)
        }
        guard kinds.count == 1 else {
            let list = kinds.map { "“\($0)/\(number)”" }.joined(separator: " or ")
            let names = columns.isEmpty ? "" : "; or set " + columns.map { "“\($0)”" }.joined(separator: ", ")
            throw CommandError(
                .usage,
                "“\(name)” can contain objects of several entities, so name the entity of each: \(list)\(names)"
            )
        }
        return ObjectID(entity: kinds[0], number: number)
    }

    private var refusal: CommandError {
        let sample = kinds.count == 1 ? ["1", "2"] : kinds.prefix(2).map { "\($0)/1" }
        let kind = relationship.destination
        guard relationship.isToMany else {
            return CommandError(.badInput, "“\(name)” requires the number of a \(kind), as in \(sample[0])")
        }
        let list = sample.joined(separator: ",")
        return CommandError(
            .badInput,
            "“\(name)” requires the numbers of \(kind) objects, as in \(list)"
        )
    }

    /// A number, or a name with a number, in a JSON list.
    private struct Word: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            text = try (try? container.decode(Int64.self)).map(String.init) ?? container.decode(String.self)
        }
    }
}

// MARK: - Showing

extension ReferenceForm {
    /// Returns what a listing shows.
    ///
    /// - Parameter object: An object that has the relationship.
    /// - Returns: The cell.
    /// - Throws: `StoreError` if the file cannot be read.
    func cell(of object: ManagedObject) throws -> Cell {
        guard relationship.isToMany else {
            guard let other = try object.object(name) else { return .null }
            return kinds.count == 1 ? .literal("\(other.id.number)") : .text("\(other.id)")
        }
        let others = try object.objects(name).map(\.id)
        return .list(others.map { kinds.count == 1 ? .literal("\($0.number)") : .text("\($0)") })
    }
}

// MARK: - Changing

/// A change of a relationship's objects.
struct ReferenceChange: Sendable {
    /// What to do with the given objects.
    enum Operation: Sendable {
        /// Replace all objects of the relationship with the given ones: `=`.
        case replace
        /// Add the given objects to the relationship: `+=`.
        case add
        /// Remove the given objects from the relationship: `-=`.
        case remove
    }

    let operation: Operation
    let objects: [ObjectID]
    let isToMany: Bool

    /// Applies the change to an object.
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - object: The object.
    /// - Throws: `StoreError` if an object does not exist or cannot be in the relationship.
    func apply(to name: String, of object: ManagedObject) throws {
        let others = try objects.map(object.context.object)
        guard isToMany else { return try object.setObject(others.first, for: name) }
        switch operation {
        case .replace: try object.setObjects(others, for: name)
        case .add: for other in others { try object.add(other, to: name) }
        case .remove: for other in others { try object.remove(other, from: name) }
        }
    }
}

extension Store {
    /// Returns the text forms of the relationships that have no column of the same name.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - attributes: The entity's columns.
    /// - Returns: The forms, in the order of the model.
    func referenceForms(of entity: String, beside attributes: [AttributeInfo]) -> [ReferenceForm] {
        let names = attributes.map(\.name)
        return model.relationships(of: entity).filter { !names.contains($0.name) }
            .map { relationship in
                let columns = names.filter { $0.hasPrefix("\(relationship.name).") }
                return ReferenceForm(relationship, columns: columns, in: model)
            }
    }
}

extension Model {
    /// Whether an entity is the same as another one, or inherits from it.
    fileprivate func isKind(_ name: String, of other: String) -> Bool {
        var entity = self.entity(name)
        while let current = entity, current.name != other { entity = current.parent.flatMap(self.entity) }
        return entity != nil
    }
}
