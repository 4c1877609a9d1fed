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
        static let all: Self = [.store, .entity, .attribute, .object]
    }

    /// The number of bytes for the store, entity, attribute, and object.
    static let count = 32
    /// A binding to no location.
    static let none = Self(.none, includingObject: false)

    let parts: Parts
    let store: UUID
    let entity: UInt32
    let attribute: UInt32
    let object: Int64

    /// Creates a binding from a context.
    ///
    /// Missing parts are zero and not bound.
    init(_ context: TransformContext, includingObject: Bool) {
        let object = includingObject ? context.object : nil
        var parts: Parts = []
        if context.store != nil { parts.insert(.store) }
        if context.entity != nil { parts.insert(.entity) }
        if context.attribute != nil { parts.insert(.attribute) }
        if object != nil { parts.insert(.object) }
        self.parts = parts
        store = context.store ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        entity = context.entity ?? 0
        attribute = context.attribute ?? 0
        self.object = object ?? 0
    }

    /// Writes the bytes that are authenticated after the header, in little-endian order.
    func write(to output: UnsafeMutableRawBufferPointer) {
        unsafe output.storeBytes(of: store.uuid, as: uuid_t.self)
        unsafe output.storeBytes(of: entity.littleEndian, toByteOffset: 16, as: UInt32.self)
        unsafe output.storeBytes(of: attribute.littleEndian, toByteOffset: 20, as: UInt32.self)
        unsafe output.storeBytes(of: object.littleEndian, toByteOffset: 24, as: Int64.self)
    }
}
