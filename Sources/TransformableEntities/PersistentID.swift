public import TransformableStore

/// Which object of a class: what leaves a block in an object's stead.
public struct PersistentID<Object: Entity>: Sendable, Hashable {
    /// The object's number in its entity, from 1 and never used again; 0 of an object that was not inserted yet.
    public let number: Int64

    /// Names an object.
    ///
    /// - Parameter number: The object's number in its entity.
    public init(number: Int64) {
        self.number = number
    }

    /// The same by name.
    public var objectID: ObjectID { ObjectID(entity: Object.entityName, number: number) }
}

extension PersistentID: CustomStringConvertible {
    /// The entity and the number: `Patient/7`.
    public var description: String { objectID.description }
}

extension PersistentID: Codable {
    /// Reads the number.
    public init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes the number; the 0 of an object that was not inserted leads nowhere, and is refused.
    public func encode(to encoder: any Encoder) throws {
        guard number > 0 else {
            let message = "the object had no id yet: insert it, then ask for its id"
            throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: message))
        }
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

extension Entity {
    /// Which object it is: what leaves a block in its stead, and what a predicate compares objects by.
    ///
    /// Before the insertion its number is 0, by which no object is found.
    public var persistentID: PersistentID<Self> {
        PersistentID(number: _record.object?.id.number ?? 0)
    }

    /// The store's object behind this one, for what is done by name; nil before the insertion.
    public var managedObject: ManagedObject? { _record.object }

    /// The context that the object was inserted in or fetched from; nil before the insertion.
    public var context: StoreContext? { _record.object?.context }

    /// Whether the object has been deleted.
    public var isDeleted: Bool { _record.object?.isDeleted ?? false }
}
