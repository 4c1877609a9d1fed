public import TransformableStore

/// The identity of an object, which unlike the object itself can be passed between contexts and tasks.
public struct PersistentID<Object: Entity>: Sendable {
    /// The untyped id.
    ///
    /// Its entity is the object's entity, which may be a child of the class.
    public let objectID: ObjectID

    /// The object's number within its own entity.
    ///
    /// Numbers start at 1 and are never reused. The number is 0 before insertion.
    public var number: Int64 { objectID.number }

    /// Creates the id of an object of the class itself.
    ///
    /// - Parameter number: The object's number within its entity.
    public init(number: Int64) {
        objectID = ObjectID(entity: Object.entityName, number: number)
    }

    /// Creates the id of an object of the class or of one of its children.
    ///
    /// For example, `PersistentID<Animal>(dog.persistentID.objectID)` is the id of a dog as an animal.
    ///
    /// - Parameter objectID: The untyped id. The methods that use the new id throw an error if the object belongs to any
    ///   other class.
    public init(_ objectID: ObjectID) {
        self.objectID = objectID
    }
}

extension PersistentID: ObjectIdentifying {}

extension PersistentID: Hashable {
    /// Returns whether two ids belong to the same object.
    public static func == (left: Self, right: Self) -> Bool {
        left.number == right.number && left.objectID.entity == right.objectID.entity
    }

    /// Hashes the number.
    ///
    /// Few objects of a family have the same one.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension PersistentID: CustomStringConvertible {
    /// The entity and the number, for example `Patient/7`.
    public var description: String { objectID.description }
}

extension PersistentID: Codable {
    /// Decodes the number, or the text for an object of a child, such as `Dog/7`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self.init(number: try container.decode(Int64.self))
        } catch {
            guard let text = try? container.decode(String.self) else { throw error }
            try self.init(text, in: container)
        }
    }

    private init(_ text: String, in container: any SingleValueDecodingContainer) throws {
        let slash = text.lastIndex(of: "/")
        let digits = slash.map { text[text.index(after: $0)...] } ?? ""
        // Numbers read from text may have a sign, which an id does not have.
        guard let slash, let number = Int64(digits), number > 0, digits.first != "+" else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "“\(text)” is not an id, as in “Dog/7”"
            )
        }
        self.init(ObjectID(entity: String(text[..<slash]), number: number))
    }

    /// Encodes the number, or the entity and the number if the object belongs to a child of the class.
    ///
    /// The id of an object that is not inserted cannot be encoded.
    public func encode(to encoder: any Encoder) throws {
        guard number > 0 else {
            let message = "the object has no id yet; insert it before you use its id"
            throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: message))
        }
        var container = encoder.singleValueContainer()
        if objectID.entity == Object.entityName {
            try container.encode(number)
        } else {
            try container.encode(description)
        }
    }
}

extension Entity {
    /// The identity of the object, which can be passed between contexts and used in predicates.
    ///
    /// Before insertion its number is 0, which no stored object has.
    public var persistentID: PersistentID<Self> {
        _record.object.map { PersistentID($0.id) } ?? PersistentID(number: 0)
    }

    /// The underlying managed object, for access by name, or nil before insertion.
    public var managedObject: ManagedObject? { _record.object }

    /// The context that the object was inserted into or fetched from, or nil before insertion.
    public var context: StoreContext? { _record.object?.context }

    /// Whether the object is deleted.
    public var isDeleted: Bool { _record.object?.isDeleted ?? false }
}
