internal import Foundation
internal import Transformable

/// The location that a sealed value is bound to.
struct SealedBinding: Sendable, Hashable {
    /// The parts of the location that a sealed value is bound to, as stored in its header.
    struct Parts: OptionSet, Sendable, Hashable {
        let rawValue: UInt8

        static let store = Self(rawValue: 1 << 0)
        static let entity = Self(rawValue: 1 << 1)
        static let attribute = Self(rawValue: 1 << 2)
        static let object = Self(rawValue: 1 << 3)
        static let tenant = Self(rawValue: 1 << 4)
        static let all: Self = [.store, .entity, .attribute, .object, .tenant]
    }

    private static let tenantOffset = 32
    private static let longestCount = tenantOffset + MemoryLayout<Int64>.size
    /// A binding to no location.
    static let none = Self(.none, includingObject: false)

    let parts: Parts
    let store: UUID
    let entity: UInt32
    let attribute: UInt32
    let object: Int64
    /// The tenant, or nil if the value belongs to no tenant.
    ///
    /// Unlike the other parts, a missing tenant is left out of everything that is authenticated or derived, because
    /// values were sealed before there were tenants.
    let tenant: Int64?

    /// Creates a binding from a context.
    ///
    /// Missing parts are not bound, and are zero, except for the tenant.
    init(_ context: TransformContext, includingObject: Bool) {
        let object = includingObject ? context.object : nil
        var parts: Parts = []
        if context.store != nil { parts.insert(.store) }
        if context.entity != nil { parts.insert(.entity) }
        if context.attribute != nil { parts.insert(.attribute) }
        if object != nil { parts.insert(.object) }
        if context.tenant != nil { parts.insert(.tenant) }
        self.parts = parts
        store = context.store ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        entity = context.entity ?? 0
        attribute = context.attribute ?? 0
        self.object = object ?? 0
        tenant = context.tenant
    }

    /// Creates a binding to a tenant alone, or to no location if there is no tenant.
    init(tenant: Int64?) {
        self.init(TransformContext(tenant: tenant), includingObject: false)
    }

    /// The number of bytes for the store, entity, attribute, and object, and for the tenant if there is one.
    var count: Int { tenant == nil ? Self.tenantOffset : Self.longestCount }

    /// Writes the bytes that are authenticated after the header, in little-endian order.
    func write(to output: UnsafeMutableRawBufferPointer) {
        unsafe output.storeBytes(of: store.uuid, as: uuid_t.self)
        unsafe output.storeBytes(of: entity.littleEndian, toByteOffset: 16, as: UInt32.self)
        unsafe output.storeBytes(of: attribute.littleEndian, toByteOffset: 20, as: UInt32.self)
        unsafe output.storeBytes(of: object.littleEndian, toByteOffset: 24, as: Int64.self)
        if let tenant {
            unsafe output.storeBytes(of: tenant.littleEndian, toByteOffset: Self.tenantOffset, as: Int64.self)
        }
    }
}
