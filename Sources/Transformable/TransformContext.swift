public import Foundation

/// Where a value lives: its store, entity, attribute and object, each by a stable identifier.
///
/// A contextual transformer, such as one that encrypts, binds what it writes to this place. The
/// identifiers survive renames; what is not known is nil.
public struct TransformContext: Sendable, Hashable {
    /// The store's UUID.
    public var store: UUID?
    /// The entity's number in its store.
    public var entity: UInt32?
    /// The attribute's number in its store.
    public var attribute: UInt32?
    /// The object's number in its entity.
    public var object: Int64?

    /// Makes a context of what is known.
    public init(store: UUID? = nil, entity: UInt32? = nil, attribute: UInt32? = nil, object: Int64? = nil) {
        self.store = store
        self.entity = entity
        self.attribute = attribute
        self.object = object
    }

    /// A value that lives nowhere in particular.
    public static let none = Self()
}
