/// The identifier of an object: its entity and its number.
///
/// Numbers are never reused.
public struct ObjectID: Sendable, Hashable {
    /// The name of the object's own entity.
    public let entity: String
    /// The object's number in its entity, from 1.
    public let number: Int64

    /// Creates an identifier.
    ///
    /// - Parameters:
    ///   - entity: The name of the object's own entity.
    ///   - number: The object's number in its entity.
    public init(entity: String, number: Int64) {
        self.entity = entity
        self.number = number
    }
}

/// An identifier of an object, of any type.
package protocol ObjectIdentifying {
    var objectID: ObjectID { get }
}

extension ObjectID: ObjectIdentifying {
    package var objectID: ObjectID { self }
}

extension ObjectID: CustomStringConvertible {
    /// The entity and the number, as in `Patient/7`.
    public var description: String { "\(entity)/\(number)" }
}
