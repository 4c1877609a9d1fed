import Foundation
import Synchronization
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

enum Grade: Int, Codable, CaseIterable, Comparable, Sendable {
    case low, middle, high

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// An enumeration whose raw values have a different order than its cases.
enum Rank: String, Codable, CaseIterable, Comparable, Sendable {
    case low, middle, high

    static func < (left: Self, right: Self) -> Bool {
        Self.allCases.firstIndex(of: left) ?? 0 < Self.allCases.firstIndex(of: right) ?? 0
    }
}

/// A type with raw values that cannot be enumerated.
struct Size: RawRepresentable, Codable, Comparable, Hashable, Sendable {
    var rawValue: Int

    static func < (left: Self, right: Self) -> Bool { abs(left.rawValue) < abs(right.rawValue) }
}

@Entity
final class Room {
    var name = ""
    var floor = 0
    @Relationship var annex: Room?

    init() {}
}

@Entity
final class Stay {
    var cost = 0.0
    var days = 0
    var note: String?
    @Relationship var guest: Guest?

    init() {}
}

@Entity
final class Guest {
    @Attribute(.indexed) var name = ""
    var nick: String?
    var age: Int?
    var small: Int16 = 0
    var weight = 0.0
    var ratio: Float = 0
    var isActive = false
    var born: Date = Date(timeIntervalSinceReferenceDate: 0)
    var price: Decimal = 0
    var grade: Grade = .low
    var rank: Rank = .low
    var size: Size?
    var token: UUID = UUID()
    var tags: [String] = []
    @Attribute(transformer: "counted", .projected("initial")) var secret: String?
    @Relationship(inverse: \Stay.guest) var stays: [Stay]
    @Relationship var room: Room?

    init() {}

    var initials: String { String(name.prefix(1)) }
}

/// A transformer that leaves text unchanged and counts how often it is decoded.
struct CountedText: Transformer {
    static let reads = Mutex(0)

    var traits: TransformerTraits { .plain }

    func encode(_ value: String, in context: TransformContext) -> Data { Data(value.utf8) }

    func decode(_ encoded: Data, in context: TransformContext) -> String {
        Self.reads.withLock { $0 += 1 }
        return String(decoding: encoded, as: UTF8.self)
    }
}

/// The first byte of a text, as an index that also finds other texts.
struct Initial: OneWayTransformer {
    var traits: TransformerTraits { .plain }

    func encode(_ value: String, in context: TransformContext) -> Int64 { Int64(value.utf8.first ?? 0) }
}

/// Random guests in a store.
enum Hotel {
    static let store = Result { try make() }

    static func empty() throws -> Store {
        let registry = try TransformerRegistry {
            Registration("counted", CountedText())
            Registration("initial", Initial())
            Registration("json", CodableText())
        }
        return try Store.inMemory(for: Guest.self, Stay.self, Room.self, transformers: registry)
    }

    private static func make() throws -> Store {
        let store = try empty()
        try store.write { context in
            var random = Xorshift(state: 42)
            let rooms = (0..<8)
                .map { index in
                    let room = context.insert(Room())
                    room.name = word(&random)
                    room.floor = index
                    return room
                }
            for room in rooms where Bool.random(using: &random) { room.annex = rooms.randomElement(using: &random) }
            let guests = (0..<1_000).map { _ in guest(rooms, in: context, &random) }
            for _ in 0..<1_500 {
                let stay = context.insert(Stay())
                stay.cost = Double(Int.random(in: 0..<30, using: &random)) / 2
                stay.days = Int.random(in: 1..<6, using: &random)
                stay.note = maybe(word(&random), &random)
                stay.guest = maybe(guests.randomElement(using: &random), &random).flatMap { $0 }
            }
        }
        return store
    }

    private static func guest(_ rooms: [Room], in context: StoreContext, _ random: inout Xorshift) -> Guest {
        let guest = context.insert(Guest())
        guest.name = word(&random)
        guest.nick = maybe(word(&random), &random)
        guest.age = maybe(Int.random(in: -3..<8, using: &random), &random)
        guest.small = Int16.random(in: 0..<5, using: &random)
        guest.weight = Double(Int.random(in: 0..<20, using: &random)) / 4
        guest.ratio = Float(Int.random(in: 0..<20, using: &random)) / 10
        guest.isActive = Bool.random(using: &random)
        guest.born = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -5..<5, using: &random)) * 86_400)
        guest.price = Decimal(Int.random(in: 0..<40, using: &random)) / 10
        guest.grade = Grade.allCases.randomElement(using: &random) ?? .low
        guest.rank = Rank.allCases.randomElement(using: &random) ?? .low
        guest.secret = maybe(word(&random), &random)
        guest.room = maybe(rooms.randomElement(using: &random), &random).flatMap { $0 }
        return guest
    }

    private static func maybe<Value>(_ value: Value, _ random: inout Xorshift) -> Value? {
        Int.random(in: 0..<4, using: &random) > 0 ? value : nil
    }

    /// Text in Unicode's composed form, of characters of one, two and more bytes.
    private static func word(_ random: inout Xorshift) -> String {
        String(
            (0..<Int.random(in: 0..<4, using: &random)).map { _ in "aAbBéÉz漢👩‍👧".randomElement(using: &random) ?? "a" }
        )
    }
}

/// A list of texts as JSON, whose elements conditions cannot access.
private struct CodableText: Transformer {
    var traits: TransformerTraits { .plain }

    func encode(_ value: [String], in context: TransformContext) throws -> Data { try JSONEncoder().encode(value) }

    func decode(_ encoded: Data, in context: TransformContext) throws -> [String] {
        try JSONDecoder().decode([String].self, from: encoded)
    }
}

/// A generator of random numbers that are the same in every run.
struct Xorshift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
