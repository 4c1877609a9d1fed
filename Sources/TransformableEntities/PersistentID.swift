public import TransformableStore

/// The identity of an object, which unlike the object itself can be passed between contexts and tasks.
public struct PersistentID<Object: Entity>: Sendable, Hashable {
    /// The object's number within its entity.
    ///
    /// Numbers start at 1 and are never reused. The number is 0 before insertion.
    public let number: Int64

    /// Creates the id of an object.
    ///
    /// - Parameter number: The object's number within its entity.
    public init(number: Int64) {
        self.number = number
    }

    /// The untyped id.
    public var objectID: ObjectID { ObjectID(entity: Object.entityName, number: number) }
}

extension PersistentID: CustomStringConvertible {
    /// The entity and the number, for example `Patient/7`.
    public var description: String { objectID.description }
}

extension PersistentID: Codable {
    /// Decodes the number.
    public init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes the number.
    ///
    /// The id of an object that is not inserted cannot be encoded.
    public func encode(to encoder: any Encoder) throws {
        guard number > 0 else {
            let message = "the object has no id yet; insert it before you use its id"
            throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: message))
        }
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

extension Entity {
    /// The identity of the object, which can be passed between contexts and used in predicates.
    ///
    /// Before insertion its number is 0, which no stored object has.
    public var persistentID: PersistentID<Self> {
        PersistentID(number: _record.object?.id.number ?? 0)
    }

    /// The underlying managed object, for access by name, or nil before insertion.
    public var managedObject: ManagedObject? { _record.object }

    /// The context that the object was inserted into or fetched from, or nil before insertion.
    public var context: StoreContext? { _record.object?.context }

    /// Whether the object is deleted.
    public var isDeleted: Bool { _record.object?.isDeleted ?? false }
}
