import Foundation
import Testing
import TransformableEntities

struct Shade: Equatable {
    var red: UInt8 = 0
    var green: UInt8 = 0
    var blue: UInt8 = 0

    init(red: UInt8 = 0, green: UInt8 = 0, blue: UInt8 = 0) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    init(packed: Int) {
        self.init(red: UInt8(packed >> 16 & 255), green: UInt8(packed >> 8 & 255), blue: UInt8(packed & 255))
    }

    var packed: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }
}

@Entity
final class LazySwatch {
    var packed = 0
    @Transient private var known: Shade?

    var shade: Shade {
        if let known { return known }
        let shade = Shade(packed: packed)
        known = shade
        return shade
    }
}

@Entity
final class EagerSwatch {
    var packed = 0
    @Transient var shade = Shade()

    func awakeFromFetch() { shade = Shade(packed: packed) }
}

@Entity
final class DirectSwatch {
    private(set) var packed = 0

    var shade: Shade {
        get { Shade(packed: packed) }
        set { packed = newValue.packed }
    }
}

@Entity
final class DelayedSwatch {
    private(set) var packed = 0
    @Transient var shade = Shade()

    func awakeFromFetch() { shade = Shade(packed: packed) }

    func willSave() { packed = shade.packed }
}

@Suite struct TransientSampleTests {
    private static let teal = Shade(red: 0, green: 128, blue: 127)

    private func store() throws -> Store {
        let registry = try TransformerRegistry {}
        return try Store.inMemory(
            for: LazySwatch.self,
            EagerSwatch.self,
            DirectSwatch.self,
            DelayedSwatch.self,
            transformers: registry
        )
    }

    @Test func computesValuesWhenReading() throws {
        let store = try store()
        try store.write { context in
            context.insert(LazySwatch()).packed = 0x00807F
            context.insert(EagerSwatch()).packed = 0x00807F
        }
        try store.read { context in
            let lazy = try context.first(LazySwatch.self)
            let eager = try context.first(EagerSwatch.self)
            #expect(lazy?.shade == Self.teal && eager?.shade == Self.teal)
        }
    }

    @Test func writesValuesWhenTheyAreSet() throws {
        let store = try store()
        try store.write { context in
            context.insert(DirectSwatch()).shade = Self.teal
            let count = try context.count(DirectSwatch.self, where: \DirectSwatch.packed == 0x00807F)
            #expect(count == 1)
        }
        #expect(try store.read { try $0.first(DirectSwatch.self)?.shade } == Self.teal)
    }

    @Test func writesValuesWhenObjectsAreSaved() throws {
        let store = try store()
        let id = try store.write { context in
            let swatch = context.insert(DelayedSwatch())
            swatch.shade = Shade(red: 1)
            swatch.shade.red = 2
            #expect(swatch.packed == 0)
            try context.save()
            #expect(swatch.packed == 0x020000)
            return swatch.persistentID
        }
        try store.write { context in
            let swatch = try context.object(id)
            #expect(swatch.shade == Shade(red: 2))
            swatch.shade = Self.teal
            try context.save()
        }
        #expect(try store.read { try $0.object(id).shade } == Self.teal)
    }
}
