/// Which object: its entity and its number there.
///
/// Numbers are never used again.
public struct ObjectID: Sendable, Hashable {
    /// The name of the object's own entity.
    public let entity: String
    /// The object's number in its entity, from 1.
    public let number: Int64

    /// Names an object.
    ///
    /// - Parameters:
    ///   - entity: The name of the object's own entity.
    ///   - number: The object's number in its entity.
    public init(entity: String, number: Int64) {
        self.entity = entity
        self.number = number
    }
}

extension ObjectID: CustomStringConvertible {
    /// The entity and the number: `Patient/7`.
    public var description: String { "\(entity)/\(number)" }
}
