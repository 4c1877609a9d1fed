public import Foundation

/// The location of a value: its store, entity, attribute, object, and tenant, each given by a stable identifier.
///
/// A contextual transformer, such as one that encrypts, binds its output to this location. The identifiers do not
/// change when something is renamed. Unknown identifiers are nil.
public struct TransformContext: Sendable, Hashable {
    /// The store's UUID.
    public var store: UUID?
    /// The number of the entity in its store.
    public var entity: UInt32?
    /// The number of the attribute in its store.
    public var attribute: UInt32?
    /// The number of the object in its entity.
    public var object: Int64?
    /// The number of the tenant that the object belongs to, or nil for an object that belongs to no tenant.
    public var tenant: Int64?

    /// Creates a context.
    public init(
        store: UUID? = nil,
        entity: UInt32? = nil,
        attribute: UInt32? = nil,
        object: Int64? = nil,
        tenant: Int64? = nil
    ) {
        self.store = store
        self.entity = entity
        self.attribute = attribute
        self.object = object
        self.tenant = tenant
    }

    /// A context without any location.
    public static let none = Self()
}
