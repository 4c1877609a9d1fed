internal import Foundation
internal import Transformable

/// The place that a sealed value belongs to: the part of a context that it is bound to.
struct SealedBinding: Sendable, Hashable {
    /// What is bound, as a sealed value's header says it.
    struct Parts: OptionSet, Sendable, Hashable {
        let rawValue: UInt8

        static let store = Self(rawValue: 1 << 0)
        static let entity = Self(rawValue: 1 << 1)
        static let attribute = Self(rawValue: 1 << 2)
        static let object = Self(rawValue: 1 << 3)
        static let all: Self = [.store, .entity, .attribute, .object]
    }

    /// Store, entity, attribute and object as bytes.
    static let count = 32
    /// No place at all.
    static let none = Self(.none, includingObject: false)

    let parts: Parts
    let store: UUID
    let entity: UInt32
    let attribute: UInt32
    let object: Int64

    /// Takes what a context says; what it leaves out is zero and not bound.
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

    /// Writes the bytes that are authenticated after the header, little-endian.
    func write(to output: UnsafeMutableRawBufferPointer) {
        unsafe output.storeBytes(of: store.uuid, as: uuid_t.self)
        unsafe output.storeBytes(of: entity.littleEndian, toByteOffset: 16, as: UInt32.self)
        unsafe output.storeBytes(of: attribute.littleEndian, toByteOffset: 20, as: UInt32.self)
        unsafe output.storeBytes(of: object.littleEndian, toByteOffset: 24, as: Int64.self)
    }
}
