import Foundation
import Synchronization
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Long reads, in which values are decoded before the closure reads them.
@Suite(.eachEngine) struct DecodeAheadTests {
    private struct Stop: Error {}

    /// Counts how often bytes are decoded.
    private final class Counter: Sendable {
        private let value = Atomic(0)

        var count: Int { value.load(ordering: .relaxed) }

        func increment() { value.add(1, ordering: .relaxed) }
    }

    private struct CountingTransformer: Transformer {
        let counter: Counter
        let traits: TransformerTraits

        func encode(_ value: String, in context: TransformContext) -> Data { Data(value.utf8) }

        func decode(_ encoded: Data, in context: TransformContext) -> String {
            counter.increment()
            return String(decoding: encoded, as: UTF8.self)
        }
    }

    // More objects than any window of rows has on few cores.
    private static let count = 3000

    private let folder: Folder
    private let counter = Counter()

    init() throws {
        folder = try Folder()
    }

    private func notes(_ traits: TransformerTraits = .plain, _ text: String = "a") throws -> Store {
        let model = try Model(entities: [
            EntityDescription("Note", attributes: [.transformed("text", "counting", as: String.self)])
        ])
        let registry = try TransformerRegistry {
            Registration("counting", CountingTransformer(counter: counter, traits: traits))
        }
        let store = try Store.trial(at: folder.file(), model: model, transformers: registry)
        try store.insert(many: 1...Self.count, into: "Note") { note, number in
            try note.setValue("\(text)\(number)", for: "text")
        }
        return store
    }

    /// Reads the texts of notes, and stops when as many have been read.
    private func read(_ count: Int, of store: Store) throws -> [String] {
        var texts: [String] = []
        #expect(throws: Stop.self) {
            try store.read { context in
                try context.forEach("Note") { note in
                    guard texts.count < count else { throw Stop() }
                    texts.append(try note.value("text", as: String.self))
                }
            }
        }
        return texts
    }

    /// When a closure reads the secrets of people.
    enum Reader: CaseIterable {
        case always, never, late, ofEverySecond, ofTheFirst

        func reads(at index: Int) -> Bool {
            switch self {
            case .always: true
            case .never: false
            case .late: index >= 500
            case .ofEverySecond: index.isMultiple(of: 2)
            case .ofTheFirst: index < 100
            }
        }
    }

    private static func secret(_ number: Int) -> String? {
        switch number % 50 {
        case 17: nil
        // Too large to be decoded ahead, and so large that it is read by itself.
        case 23: String(repeating: "s\(number)", count: 2000)
        case 31 where number < 1000: String(repeating: "s\(number)", count: 20_000)
        default: "secret \(number)"
        }
    }

    @Test(arguments: Reader.allCases)
    func objectsHaveTheirOwnValues(reader: Reader) throws {
        let store = try Store.people(in: folder)
        try store.insert(many: 1...Self.count, into: "Person") { person, number in
            try person.setValue("name \(number)", for: "name")
            try person.setValue(Box(width: number, height: 1), for: "box")
            try person.setValue(Self.secret(number), for: "secret")
        }
        try Trial.run(
            "UPDATE \"Person\" SET \"secret\" = \(Trial.bytes("00FF00")) WHERE \"_id\" % 97 = 5",
            in: folder.file()
        )
        var kept: [ManagedObject] = []
        try store.read { context in
            var number = 0
            try context.forEach("Person") { person in
                number += 1
                #expect(person.id.number == Int64(number))
                #expect(try person.value("name", as: String.self) == "name \(number)")
                if number.isMultiple(of: 700) { #expect(try context.count("Person") == Self.count) }
                if number.isMultiple(of: 300) { kept.append(person) }
                guard reader.reads(at: number - 1) else { return }
                try Self.check(person, number)
            }
            #expect(number == Self.count)
            // Objects that are kept stay as they are.
            #expect(kept.count == Self.count / 300)
            for person in kept { try Self.check(person, Int(person.id.number)) }
            kept = []
        }
    }

    private static func check(_ person: ManagedObject, _ number: Int) throws {
        #expect(try person.value("box", as: Box.self) == Box(width: number, height: 1))
        guard number % 97 == 5 else {
            return #expect(try person.value("secret", as: String?.self) == secret(number))
        }
        #expect(throws: StoreError(code: .undecodable)) { try person.value("secret", as: String?.self) }
        #expect(try person.failure(of: "secret")?.object == person.id)
        #expect(try person.encodedBytes("secret") == Data([0, 255, 0]))
    }

    @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
    func valuesAreDecodedBeforeTheyAreRead() throws {
        let texts = try read(1500, of: notes())
        #expect(texts == (1...1500).map { "a\($0)" })
        #expect(counter.count > 1500)
    }

    @Test(arguments: [0, 1, 63, 64, 65, 319, 320, 321, 2999])
    func anErrorOfTheClosureEndsTheRead(count: Int) throws {
        #expect(try read(count, of: notes()) == (0..<count).map { "a\($0 + 1)" })
    }

    @Test func valuesThatAreNotReadAreNotDecoded() throws {
        let store = try notes()
        var visited = 0
        try store.read { try $0.forEach("Note") { _ in visited += 1 } }
        #expect(visited == Self.count)
        #expect(counter.count == 0)
    }

    /// What is read ahead must not take much memory.
    @Test(arguments: [(TransformerTraits.compressing, 1), (.plain, 5000)])
    func largeValuesAreDecodedWhenTheyAreRead(traits: TransformerTraits, size: Int) throws {
        let text = String(repeating: "a", count: size)
        let texts = try read(1500, of: notes(traits, text))
        #expect(texts == (1...1500).map { "\(text)\($0)" })
        #expect(counter.count == 1500)
    }
}
