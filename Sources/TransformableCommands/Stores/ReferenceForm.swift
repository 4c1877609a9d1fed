internal import Foundation
internal import TransformableStore

/// How a person gives and sees what a relationship leads to: `1,2,3`, or `Dog/1,Cat/2` where it may lead to objects of
/// several entities.
///
/// It serves relationships to many, and those to one whose reference is not in a column of its name.
struct ReferenceForm: Sendable {
    let relationship: RelationshipDescription
    /// The entities whose objects it may lead to.
    private let kinds: [String]
    /// The columns of a family's references, in the entity's own table.
    private let columns: [String]

    var name: String { relationship.name }

    /// Whether no other column of a listing shows what it leads to.
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
    /// Reads objects.
    ///
    /// - Parameter bytes: Numbers with commas between them, each with its entity's name and a slash before it where
    ///   there are several entities; or the same as a JSON list.
    /// - Returns: The objects, each once.
    /// - Throws: ``CommandError/Code/badInput``, or ``CommandError/Code/usage`` if a number does not say of which entity
    ///   it is.
    func objects(_ bytes: Data) throws(CommandError) -> [ObjectID] {
        var seen: Set<ObjectID> = []
        var objects: [ObjectID] = []
        for word in try words(bytes) {
            let object = try object(word)
            guard seen.insert(object).inserted else {
                throw CommandError(.badInput, "“\(name)” leads to each object once, and “\(word)” is given twice")
            }
            objects.append(object)
        }
        guard relationship.isToMany || objects.count <= 1 else {
            throw CommandError(.badInput, "“\(name)” leads to one object, and \(objects.count) are given")
        }
        return objects
    }

    /// Reads a change.
    ///
    /// - Parameters:
    ///   - bytes: The objects.
    ///   - operation: What becomes of them.
    /// - Returns: The change, as a value for an object.
    /// - Throws: As ``objects(_:)``.
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
                "“\(name)” leads to objects of several entities, each with numbers of its own: write \(list)\(names)"
            )
        }
        return ObjectID(entity: kinds[0], number: number)
    }

    private var refusal: CommandError {
        let sample = kinds.count == 1 ? ["1", "2"] : kinds.prefix(2).map { "\($0)/1" }
        let kind = relationship.destination
        guard relationship.isToMany else {
            return CommandError(.badInput, "“\(name)” leads to a \(kind), so it takes its number, as in \(sample[0])")
        }
        let list = sample.joined(separator: ",")
        return CommandError(
            .badInput,
            "“\(name)” leads to objects of \(kind), so it takes their numbers, as in \(list)"
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
    /// What a listing shows.
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

/// A change of what a relationship leads to.
struct ReferenceChange: Sendable {
    /// What becomes of what it has led to.
    enum Operation: Sendable {
        /// It leads to the objects that are given, and to no others: `=`.
        case replace
        /// It leads to the objects that are given, too: `+=`.
        case add
        /// It leads to the objects that are given no longer: `-=`.
        case remove
    }

    let operation: Operation
    let objects: [ObjectID]
    let isToMany: Bool

    /// Changes one object.
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - object: The object.
    /// - Throws: `StoreError` if an object is not there, or cannot be led to.
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
    /// How the relationships of an entity are given and shown that have no column of their name.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - attributes: The columns that the entity has.
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
    /// Whether an entity is another one, or inherits from it.
    fileprivate func isKind(_ name: String, of other: String) -> Bool {
        var entity = self.entity(name)
        while let current = entity, current.name != other { entity = current.parent.flatMap(self.entity) }
        return entity != nil
    }
}
