import Foundation
import Testing
import TransformableStore

/// Programs that are killed at random moments while they change what a seal covers.
///
/// The store must then open with its key, either in the old or in the new state.
/// While an earlier state is being read, SQLite only appends to its log, so every prefix of the log is a state that a
/// kill can leave behind.
@Suite struct SealCrashTests {
    struct Work: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let preparation: [[String]]
        let verb: [String]

        init(_ name: String, after preparation: [[String]] = [], _ verb: [String]) {
            testDescription = name
            self.preparation = preparation
            self.verb = verb
        }
    }

    private static let next = AttackedStore.model.replacing("\"entities\"", with: "\"version\": 2, \"entities\"")
        .replacing("{ \"name\": \"note\", \"transformer\": \"text | sealed\", \"optional\": true },", with: "")
    private static let key = ["--key-file", "KEYS"]
    private static let migrate = ["store", "migrate", "STORE", "--model", "NEXT"] + key
    private static let rotate = ["keys", "rotate", "KEYS"]
    private static let note = ["store", "reseal", "STORE", "--attribute", "Patient.note"] + key

    static let works: [Work] = [
        Work("migrates", migrate),
        Work("discards", after: [migrate], ["store", "discard", "STORE", "--yes"] + key),
        Work(
            "inserts under a new key",
            after: [rotate],
            ["store", "insert", "STORE", "Patient", "name=Eve", "note=x"] + key
        ),
        Work("seals under a new key", after: [rotate], ["store", "seal", "STORE"] + key),
        Work("reseals under a new key", after: [rotate], ["store", "reseal", "STORE"] + key),
        Work("re-encodes", note + ["--to", "text | sealed(deterministic: true)"]),
        Work("makes values plain", note + ["--plain"]),
    ]

    @Test(arguments: works) func aKillLeavesAGenuineStore(work: Work) throws {
        let attacked = try AttackedStore()
        let next = try attacked.folder.write(Data(Self.next.utf8), "next.json")
        let run = { (verb: [String]) in try attacked.run(verb.map { $0 == "NEXT" ? next : $0 }) }
        for verb in work.preparation { #expect(try run(verb).status == 0) }
        let start = try Data(contentsOf: URL(filePath: attacked.store))
        let keys = try Data(contentsOf: URL(filePath: attacked.keys))

        let reader = try attacked.open(.readOnly)
        let log = try reader.read { context in
            #expect(try context.count("Patient") == 2)
            let done = try run(work.verb)
            #expect(done.status == 0, "\(done.messages)")
            return try Data(contentsOf: URL(filePath: attacked.store + "-wal"))
        }
        try reader.close()
        for beginning in try beginnings(of: log) {
            let left = try AttackedStore()
            try start.write(to: URL(filePath: left.store))
            try keys.write(to: URL(filePath: left.keys))
            try log.prefix(beginning).write(to: URL(filePath: left.store + "-wal"))
            #expect(throws: Never.self, "after \(beginning) of \(log.count) bytes") { try check(left) }
        }
    }

    /// The sizes of the log after each page, and halfway through some.
    ///
    /// See “The WAL File Format” in SQLite's documentation.
    private func beginnings(of log: Data) throws -> [Int] {
        let (header, frameHeader) = (32, 24)
        try #require(log.count > header)
        let page = log[8..<12].reduce(0) { $0 << 8 | Int($1) }
        let frame = frameHeader + page
        let count = (log.count - header) / frame
        try #require(count > 0)
        let whole = (0...count).map { header + $0 * frame }
        return [0] + whole + stride(from: 0, to: count, by: 4).map { header + $0 * frame + frame / 2 }
    }

    private func check(_ left: AttackedStore) throws {
        for options in [Store.Options.readOnly, .mustExist, .readOnly] {
            let store = try left.open(options)
            defer { try? store.close() }
            #expect(store.isAuthenticated)
            let hasNote = store.model.entity("Patient")?.attribute("note") != nil
            let values = try store.read { context in
                try context.fetch("Patient").prefix(2)
                    .map { patient in
                        let note = try hasNote ? patient.value("note", as: String?.self) : nil
                        return [try patient.value("name", as: String.self), note]
                    }
            }
            let notes = hasNote ? [AttackedStore.canary, "other"] : [nil, nil]
            #expect(values == [["Ada", notes[0]], ["Bob", notes[1]]])
            #expect(try store.verify().faults.isEmpty)
        }
    }
}
