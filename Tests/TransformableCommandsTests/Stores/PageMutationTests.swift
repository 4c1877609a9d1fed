import EncryptionPlugin
import Foundation
import Glibc
import Testing
import Transformable
import TransformableCommands
import TransformableSQLite
import TransformableStore

/// Every command on stores with damaged pages: none crashes, and none hangs.
///
/// There are a few dozen mutations by default. The variable `TRANSFORMABLE_MUTATIONS`, as in `make soak`, sets their
/// number, and then every command is run on each. `TRANSFORMABLE_FIRST_MUTATION` sets the first seed.
struct PageMutationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let demanded = environment["TRANSFORMABLE_MUTATIONS"].flatMap(Int.init)
    private static let first = environment["TRANSFORMABLE_FIRST_MUTATION"].flatMap(Int.init) ?? 0
    private static let batches = 0..<4

    // In a separate process, so that a signal does not end the other tests.
    @Test(arguments: batches)
    func everyCommandFinishes(batch: Int) async throws {
        let folder = try TemporaryFolder()
        try MutatedStore.make(in: folder.url)
        let path = folder.url.path
        let count = (Self.demanded ?? 32) / Self.batches.count
        let start = Self.first + batch * count
        let isWhole = Self.demanded != nil
        await #expect(processExitsWith: .success) {
            [path = path as String, start = start as Int, count = count as Int, isWhole = isWhole as Bool] in
            let store = MutatedStore(folder: URL(filePath: path))
            for seed in UInt64(start)..<UInt64(start + count) {
                try store.run(seed: seed, isWhole: isWhole)
            }
            try store.note("done")
        }
        let journal = try String(contentsOf: MutatedStore(folder: folder.url).journal, encoding: .utf8)
        #expect(journal == "done")
    }
}

/// A store in a folder, and its copy with damaged pages in another folder.
private struct MutatedStore {
    private static let seconds: UInt32 = 60
    private static let documented: Set<Int32> = [0, 1, 64, 65, 66, 73, 74, 75, 77, 78]

    let folder: URL
    var journal: URL { folder.appending(path: "journal") }
    private var whole: URL { folder.appending(path: "whole") }
    private var damaged: URL { folder.appending(path: "damaged") }
    private var keys: URL { folder.appending(path: "clinic.keys") }

    init(folder: URL) {
        self.folder = folder
    }

    private static let verbs = [
        "inspect STORE", "store schema STORE", "store show STORE", "store show STORE Note --key-file KEYS",
        "store show STORE Note --where title==\"note77\" --key-file KEYS",
        "store get STORE Note 77 text --key-file KEYS",
        "store get STORE Note 3 scan --out OUT", "store verify STORE --key-file KEYS",
        "store export STORE --out OUT --key-file KEYS", "store copy STORE OUT",
        "store set STORE Note 78 title=changed --key-file KEYS",
        "store insert STORE Note title=new text=new --key-file KEYS",
        "store update STORE Note title=x --where title==\"note5\" --key-file KEYS",
        "store delete STORE Note 79 --key-file KEYS",
        "store reseal STORE --dry-run --key-file KEYS", "store sweep STORE", "store reseal STORE --key-file KEYS",
        "store reseal STORE --attribute Note.text --to text --key-file KEYS",
        "store reseal STORE --attribute Note.text --plain --scrub --key-file KEYS", "store discard STORE",
    ]

    /// Damages a copy, and runs all or some commands on it.
    func run(seed: UInt64, isWhole: Bool) throws {
        let bytes = PageMutation.apply(to: try Data(contentsOf: whole.appending(path: "clinic.sqlite")), seed: seed)
        for (index, verb) in Self.verbs.enumerated() where isWhole || (index + Int(seed)).isMultiple(of: 5) {
            try? FileManager.default.removeItem(at: damaged)
            try FileManager.default.copyItem(at: whole, to: damaged)
            try bytes.write(to: damaged.appending(path: "clinic.sqlite"))
            try note("seed \(seed): \(verb)")
            alarm(Self.seconds)
            let run = try CommandRun(arguments: arguments(of: verb), registry: Self.registry)
            alarm(0)
            guard Self.documented.contains(run.status), run.status == 0 || !run.messages.isEmpty || !run.output.isEmpty
            else {
                try note("seed \(seed): \(verb): status \(run.status): \(run.messages)")
                exit(5)
            }
        }
    }

    func note(_ text: String) throws {
        try Data(text.utf8).write(to: journal)
    }

    private func arguments(of verb: String) -> [String] {
        let paths = [
            "STORE": damaged.appending(path: "clinic.sqlite").path, "OUT": damaged.appending(path: "out").path,
            "KEYS": keys.path,
        ]
        return verb.split(separator: " ").map { paths[String($0)] ?? String($0) }
    }

    @Sendable private static func registry(_ ring: KeyRing) throws -> TransformerRegistry {
        try TransformerRegistry {
            Registration.text
            EncryptionPlugin(keys: ring)
        }
    }

    static func make(in folder: URL) throws {
        let new = MutatedStore(folder: folder)
        let ring = try KeyRing.empty.addingKey()
        try ring.write(to: new.keys)
        try FileManager.default.createDirectory(at: new.whole, withIntermediateDirectories: false)
        let url = new.whole.appending(path: "clinic.sqlite")
        let store = try Store(at: url, model: model, transformers: registry(ring))
        try store.write { context in
            let shelves = try (1...4).map { _ in try context.insert("Shelf") }
            for number in 1...150 {
                let note = try context.insert("Note")
                try note.setValue("note\(number)", for: "title")
                try note.setValue("a sealed text, number \(number)", for: "text")
                try note.setValue(Data(repeating: 7, count: number == 5 ? 20_000 : 300), for: "page")
                if number < 8 { try note.setValue(Data(repeating: 8, count: 2000), for: "scan") }
                try note.setObject(shelves[number % 4], for: "shelf")
                try note.add(shelves[(number + 1) % 4], to: "labels")
            }
        }
        // Free pages also contain links.
        try store.write { context in
            for number in 100..<120 {
                try context.delete(context.object(ObjectID(entity: "Note", number: Int64(number))))
            }
        }
        try store.close()
    }

    private static var model: Model {
        get throws {
            try Model(entities: [
                EntityDescription(
                    "Note",
                    attributes: [
                        .string("title", .indexed),
                        .transformed("text", "text | sealed", as: String.self, .projected("blind-index(bits: 16)")),
                        .data("page", .optional), .data("scan", .optional, .externalStorage(over: 500)),
                    ],
                    relationships: [
                        .toOne("shelf", "Shelf", optional: true),
                        .toMany("labels", "Shelf", ordered: true, inverse: "labeled"),
                    ]
                ),
                EntityDescription(
                    "Shelf",
                    attributes: [.string("label", .optional)],
                    relationships: [
                        .toMany("notes", "Note", ordered: true, inverse: "shelf"),
                        .toMany("labeled", "Note", inverse: "labels"),
                    ]
                ),
            ])
        }
    }
}
