import EncryptionPlugin
import Foundation
import GRDB
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// External blobs whose last stages process them in pieces.
@Suite struct SealedBlobTests {
    private let folder: Folder
    private let store: Store
    private static let chunk = 65_536 + 17
    private static let header = 72

    init() throws {
        folder = try Folder()
        store = try Self.store(folder.file())
    }

    private static func store(_ url: URL) throws -> Store {
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        let registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
        let external = AttributeOption.externalStorage(over: 500)
        let attributes: [AttributeDescription] = [
            .transformed("sealed", "sealed(padding: none)", as: Data.self, .optional, external),
            .transformed("packed", "gzip | sealed", as: Data.self, .optional, external),
            .transformed("note", "text | gzip", as: String.self, .optional, external),
            .transformed("fixed", "sealed(deterministic: true)", as: Data.self, .optional, external),
        ]
        let model = try Model(entities: [EntityDescription("Scan", attributes: attributes)])
        return try Store(at: url, model: model, transformers: registry)
    }

    private static func noise(_ count: Int) -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private func insert(_ value: some Any & Sendable, _ name: String) throws -> ObjectID {
        try store.write { context in
            let scan = try context.insert("Scan")
            try scan.setValue(any: value, for: name)
            return scan.id
        }
    }

    @Test(arguments: ["sealed", "packed", "fixed"], [0, 1, 500, 65_536, 65_537, 300_000])
    func roundTrips(name: String, count: Int) throws {
        let bytes = Self.noise(count)
        let id = try insert(bytes, name)
        try store.read { context in
            let scan = try context.object(id)
            #expect(try scan.value(name, as: Data.self) == bytes)
            #expect(try scan.stream(name)?.rest() == bytes)
            #expect(throws: StoreError(code: .unsupported)) { try scan.fileURL(name) }
            #expect(throws: StoreError(code: .unsupported)) { try scan.mappedBytes(name) }
        }
        #expect(try store.verify().isSound)
    }

    @Test func theKeysOfBlobsAreCounted() throws {
        _ = try insert(Self.noise(2000), "sealed")
        _ = try insert(Self.noise(10), "sealed")
        let keys = try store.read { try $0.countStored("sealed", of: "Scan", by: 8..<16) }
        #expect(keys.count == 1)
        #expect(keys.first?.key?.count == 8)
        #expect(keys.first?.value == 2)
    }

    @Test func sealsBlobsInChunks() throws {
        let id = try insert(Self.noise(200_000), "sealed")
        let bytes = try #require(try store.read { try $0.object(id).encodedBytes("sealed") })
        #expect(bytes[5] == 2)
        #expect(bytes.count == Self.header + 200_000 + 4 * 17)
    }

    @Test func stagesThatNeedTheWholeValueGetIt() throws {
        let text = String(repeating: "Grüße ", count: 100) + UUID().uuidString
        let long = (0..<5000).map { "\($0 &* 7919 % 10_007)" }.joined()
        let id = try insert(long, "note")
        #expect(try folder.blobs().count == 1)
        #expect(try store.read { try $0.object(id).value("note", as: String.self) } == long)
        #expect(try store.read { try $0.object(id).stream("note")?.rest() } == Data(long.utf8))
        let small = try insert(text, "note")
        #expect(try folder.blobs().count == 1)
        #expect(try store.read { try $0.object(small).value("note", as: String.self) } == text)
    }

    @Test(arguments: Tampering.allCases)
    func reorderedChunksAreDetected(tampering: Tampering) throws {
        let id = try insert(Self.noise(4 * 65_536 + 10), "sealed")
        let url = folder.blob(try #require(try folder.blobs().first))
        let bytes = try Data(contentsOf: url)
        let changed = tampering.apply(bytes, header: Self.header, chunk: Self.chunk)
        try changed.write(to: url)
        // As an attacker who can also write to the database.
        let checksum = try #require(try Self.checksum(of: url))
        try shell(folder.file()) {
            try $0.execute(sql: "UPDATE _transformable_blob SET length = \(changed.count), checksum = x'\(checksum)'")
        }
        try store.read { context in
            let error = #expect(throws: StoreError.self) { try context.object(id).value("sealed", as: Data.self) }
            #expect(error?.transformerError?.code.rawValue == "authentication-failed")
            #expect(throws: StoreError(code: .undecodable)) { try context.object(id).stream("sealed")?.rest() }
        }
        #expect(try store.verify().faultCount == 1)
    }

    enum Tampering: CaseIterable {
        case swapped, repeated, left, cut

        func apply(_ bytes: Data, header: Int, chunk: Int) -> Data {
            func part(_ index: Int) -> Data {
                bytes[(header + index * chunk)..<min(header + (index + 1) * chunk, bytes.count)]
            }
            let head = bytes.prefix(header)
            return switch self {
            case .swapped: head + part(1) + part(0) + part(2) + part(3) + part(4)
            case .repeated: head + part(0) + part(0) + part(1) + part(2) + part(3) + part(4)
            case .left: head + part(0) + part(2) + part(3) + part(4)
            case .cut: head + part(0) + part(1) + part(2) + part(3)
            }
        }
    }

    /// The checksum according to coreutils.
    private static func checksum(of url: URL) throws -> String? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/b2sum")
        process.arguments = ["-l", "256", url.path]
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).split(separator: " ").first.map(String.init)
    }

    @Test func aBlobOfAnotherObjectDoesNotOpen() throws {
        let first = try insert(Self.noise(2000), "sealed")
        let second = try insert(Self.noise(2000), "sealed")
        let names = try store.read { context in
            try [first, second].map { try context.object($0).storedValue("sealed") }
        }
        let urls = names.map { cell -> URL in
            guard case .text(let text) = cell else { return folder.url }
            return folder.blob(String(text.dropFirst(5)))
        }
        let bytes = try Data(contentsOf: urls[0])
        try bytes.write(to: urls[1])
        #expect(throws: StoreError(code: .damagedBlob)) {
            try store.read { try $0.object(second).value("sealed", as: Data.self) }
        }
    }

    @Test(arguments: [0, 400, 5_000_000])
    func readsAndWritesPieces(count: Int) throws {
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) })
        let id = try store.write { context in
            let scan = try context.insert("Scan")
            var rest = bytes
            try scan.setStream(for: "packed") {
                defer { rest = Data(rest.dropFirst(100_003)) }
                return rest.prefix(100_003)
            }
            #expect(throws: StoreError(code: .misuse)) { try scan.value("packed", as: Data.self) }
            try context.save()
            #expect(try scan.value("packed", as: Data.self) == bytes)
            return scan.id
        }
        #expect(try store.read { try $0.object(id).stream("packed")?.rest() } == bytes)
        if count > 500 { #expect(try folder.unfinished().isEmpty) }
        #expect(try store.verify().isSound)
    }

    @Test func aStreamThatFailsLeavesNothing() throws {
        struct Refusal: Error {}
        try store.write { context in
            let scan = try context.insert("Scan")
            var count = 0
            #expect(throws: Refusal.self) {
                try scan.setStream(for: "packed") {
                    count += 1
                    if count > 3 { throw Refusal() }
                    return Self.noise(100_000)
                }
            }
        }
        #expect(try folder.blobs().isEmpty)
        #expect(try folder.unfinished().isEmpty)
    }

    @Test func aStreamWorksInAsynchronousCode() async throws {
        let bytes = Self.noise(200_000)
        let id = try await store.write { context in
            let scan = try context.insert("Scan")
            try scan.setValue(bytes, for: "sealed")
            return scan.id
        }
        var received = Data()
        for try await piece in store.bytes("sealed", of: id) {
            // A read that has begun continues to the end.
            if received.isEmpty { try await store.write { try $0.delete($0.object(id)) } }
            received += piece
        }
        #expect(received == bytes)
        #expect(try folder.blobs().isEmpty)
    }

    @Test func aBulkInsertionMovesItsBytesToFiles() throws {
        let values = (0..<40).map { Self.noise($0 * 100) }
        try store.insert(many: values, into: "Scan") { scan, value in
            try scan.setValue(value, for: "sealed")
        }
        let stored = try store.read { context in
            try context.fetch("Scan").map { try $0.value("sealed", as: Data.self) }
        }
        #expect(stored == values)
        #expect(try folder.blobs().count == 35)
        #expect(try store.verify().isSound)
    }

    /// Writes and reads a value in pieces, and returns the increase of the peak memory use.
    private static func growth(streaming count: Int, _ url: URL) throws -> Int {
        let store = try store(url)
        _ = try transfer(1_000_000, store)
        let before = try PeakMemory.bytes
        guard try transfer(count, store) == count else { return .max }
        return try PeakMemory.bytes - before
    }

    private static func transfer(_ count: Int, _ store: Store) throws -> Int {
        let id = try store.write { context in
            let scan = try context.insert("Scan")
            var left = count
            try scan.setStream(for: "sealed") {
                defer { left -= 1 << 20 }
                return left > 0 ? Data(repeating: UInt8(truncatingIfNeeded: left), count: min(left, 1 << 20)) : nil
            }
            return scan.id
        }
        return try store.read { context in
            let stream = try context.object(id).stream("sealed")
            var total = 0
            while let piece = try stream?.next() { total += piece.count }
            return total
        }
    }

    @Test func memoryDoesNotGrowWithTheValue() async throws {
        let path = folder.file("large.sqlite").path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let count =
                ProcessInfo.processInfo.environment["TRANSFORMABLE_STREAM_BYTES"].flatMap(Int.init) ?? 24_000_000
            let growth = try Self.growth(streaming: count, URL(filePath: path))
            print("\(count) bytes streamed, peak memory grew by \(growth)")
            guard growth < 12_000_000 else { exit(5) }
        }
    }
}
