import Foundation
import Testing
import TransformableCoreData
import TransformableModel
import _HostileInputs

/// Damaged models are models or typed errors, whatever the damage.
struct DamagedModelTests {
    private static func read(_ read: () throws -> CoreDataModel) {
        do {
            let model = try read()
            let conversion = try model.converted()
            #expect(conversion.model.entities.count == model.entities.count)
        } catch let error as CoreDataError {
            #expect(!error.message.isEmpty)
        } catch {
            Issue.record("an error of another type: \(error)")
        }
    }

    /// Returns bytes of which a few are changed, removed, or repeated.
    private static func damaged(_ bytes: Data, _ generator: inout SeededGenerator) -> Data {
        var bytes = [UInt8](bytes)
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let position = Int.random(in: bytes.indices, using: &generator)
            let part = position..<min(bytes.count, position + Int.random(in: 1...60, using: &generator))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[position] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: bytes.removeSubrange(part)
            default: bytes.insert(contentsOf: bytes[part], at: Int.random(in: bytes.indices, using: &generator))
            }
        }
        return Data(bytes)
    }

    @Test(arguments: 0..<4)
    func damagedXMLThrowsOrIsRead(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<250 {
            let bytes = Self.damaged(Data(XMLModelTests.library.utf8), &generator)
            Self.read { try CoreDataModel(xml: bytes) }
        }
    }

    @Test(arguments: 0..<4)
    func damagedCompiledModelsThrowOrAreRead(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<250 {
            let bytes = Self.damaged(ModelArchive.animals, &generator)
            Self.read { try CoreDataModel(compiled: bytes) }
            Self.read { try CoreDataModel(cache: ModelArchive.deflated(bytes)) }
        }
    }

    @Test func truncatedXMLIsAnError() {
        let bytes = Data(XMLModelTests.library.utf8)
        for count in stride(from: 0, to: bytes.count - 8, by: 7) {
            #expect(throws: CoreDataError(.invalidModel, ""), "\(count) bytes") {
                try CoreDataModel(xml: bytes.prefix(count))
            }
        }
    }

    /// 2.5 MB of zeros in 16 KB.
    @Test func compressedZerosAreAnError() throws {
        // A block with the fixed codes: a zero, and copies of 258 bytes from a distance of 1, whose code and distance
        // have 13 bits in all (RFC 1951, section 3.2.6).
        var bits: [Bool] = [true, true, false] + [false, false, true, true, false, false, false, false]
        for _ in 0..<10_000 {
            bits += [true, true, false, false, false, true, false, true] + [false, false, false, false, false]
        }
        bits += [Bool](repeating: false, count: 7)
        var bytes = Data(count: (bits.count + 7) / 8)
        for (index, bit) in bits.enumerated() where bit { bytes[index / 8] |= 1 << UInt8(index % 8) }
        #expect(throws: CoreDataError(.limitExceeded, "")) { try CoreDataModel(cache: bytes) }
    }

    /// 1,000 entities that share a dictionary of 1,000 properties.
    @Test func sharedDictionariesAreAnError() {
        var archive = ModelArchive()
        let proxy = archive.add("_NSPropertyDescriptionProxy", [:])
        let names = (0..<1000).map { archive.string("n\($0)") }.joined()
        let proxies = String(repeating: proxy, count: 1000)
        let properties = archive.add(
            "NSDictionary",
            ["NS.keys": "<array>\(names)</array>", "NS.objects": "<array>\(proxies)</array>"]
        )
        let entities = (0..<1000).map { _ in archive.add("NSEntityDescription", ["NSProperties": properties]) }.joined()
        let all = archive.add(
            "NSDictionary",
            ["NS.keys": "<array>\(names)</array>", "NS.objects": "<array>\(entities)</array>"]
        )
        let model = archive.add("NSManagedObjectModel", ["NSEntities": all])
        #expect(throws: CoreDataError(.limitExceeded, "")) { try CoreDataModel(compiled: archive.data(root: model)) }
    }

    /// A dictionary in which the same long key occurs many times.
    @Test func sharedKeysAreAnError() {
        func model(keys: Int) -> Data {
            ModelArchive.people { archive, _ in
                let key = archive.string(String(repeating: "x", count: 100_000))
                let proxy = archive.add("_NSPropertyDescriptionProxy", [:])
                let (names, proxies) = (
                    String(repeating: key, count: keys), String(repeating: proxy, count: keys)
                )
                let properties = archive.add(
                    "NSDictionary",
                    ["NS.keys": "<array>\(names)</array>", "NS.objects": "<array>\(proxies)</array>"]
                )
                return (properties, archive.array([]), ModelArchive.null)
            }
        }
        #expect(throws: Never.self) { try CoreDataModel(compiled: model(keys: 10)) }
        #expect(throws: CoreDataError(.limitExceeded, "")) { try CoreDataModel(compiled: model(keys: 200)) }
    }
}
