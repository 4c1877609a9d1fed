import Foundation
import KeyedArchivePlugin
import Testing
import Transformable
import _HostileInputs

/// Damaged archives are values or typed errors, whatever the damage.
@Suite struct MutationTests {
    /// Archives of every kind of value and of Codable types, and a small one in both formats.
    static let seeds: [Data] = {
        let small: ArchivedValue = ["a": [1, 2.5, true], "b": .set(["x"]), "c": .data(Data([1])), "d": "é"]
        return [
            try? ArchivedValueTransformer().encode(ArchivedValueTransformerTests.everything),
            try? ArchivedValueTransformer().encode(small),
            try? ArchivedValueTransformer(format: .xml).encode(small),
            try? KeyedArchiveTransformer<Settings>().encode(.sample),
        ]
        .compactMap { $0 }
    }()

    /// Reads damaged bytes by every reader, and writes again what was read.
    static func read(_ data: Data) {
        let transformer = ArchivedValueTransformer()
        do {
            let value = try transformer.decode(data)
            let bytes = try transformer.encode(value)
            #expect(try transformer.decode(bytes) == value)
            #expect(try ArchivedValue(json: Data(value.json.utf8)) == value)
        } catch let error as TransformerError {
            #expect(!error.message.isEmpty)
        } catch {
            Issue.record("an error that is no TransformerError: \(error)")
        }
        #expect(throws: Never.self) {
            do {
                _ = try KeyedArchiveTransformer<Settings>().decode(data)
            } catch is TransformerError {
                return
            }
        }
        if let archive = try? Archive(data) {
            #expect(archive.description.isEmpty == archive.topKeys.isEmpty)
        }
    }

    /// A sample: `make fuzz` reads millions, in a release build.
    @Test(arguments: 0..<8)
    func mutationsAreValuesOrTypedErrors(seed: Int) {
        var mutator = Mutator(seed: UInt64(seed))
        for round in 0..<200 {
            Self.read(mutator.mutate(Self.seeds[round % Self.seeds.count]))
        }
    }

    @Test(arguments: seeds)
    func truncationsAreTypedErrors(data: Data) {
        // The last byte of an XML archive is the end of a line, and can be spared.
        for count in 0..<data.count - 1 {
            #expect(throws: TransformerError.self) {
                try ArchivedValueTransformer().decode(data.prefix(count))
            }
        }
    }
}

/// A seeded source of damage: bit flips, changed bytes and numbers, splices, deletions, truncations.
struct Mutator {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    private mutating func below(_ bound: Int) -> Int {
        Int(generator.next() % UInt64(max(1, bound)))
    }

    mutating func mutate(_ data: Data) -> Data {
        var bytes = [UInt8](data)
        // Half of the time a single byte changes, which most often leaves an archive that can be opened.
        let isGentle = below(2) == 0
        for _ in 0...(isGentle ? 0 : below(4)) where !bytes.isEmpty {
            apply(isGentle ? below(4) : below(8), to: &bytes)
        }
        return Data(bytes)
    }

    private mutating func apply(_ damage: Int, to bytes: inout [UInt8]) {
        // The trailer and the table of offsets deserve more than their share.
        let isNearEnd = below(3) == 0
        let position = isNearEnd ? max(0, bytes.count - 1 - below(200)) : below(bytes.count)
        switch damage {
        case 0, 1: bytes[position] ^= 1 << UInt8(below(8))
        case 2: bytes[position] = [0, 1, 0x7F, 0x80, 0xFF, 0x0F, 0xD1, 0xA1][below(8)]
        case 3: bytes[position] = UInt8(truncatingIfNeeded: generator.next())
        case 4: bytes.removeSubrange(position..<min(bytes.count, position + 1 + below(8)))
        case 5:
            let start = below(bytes.count)
            let piece = Array(bytes[start..<min(bytes.count, start + 1 + below(32))])
            bytes.insert(contentsOf: piece, at: position)
        case 6:
            let other = below(bytes.count)
            bytes.swapAt(position, other)
        default: bytes.removeLast(below(2) == 0 ? 1 : min(bytes.count, below(64)))
        }
    }
}
