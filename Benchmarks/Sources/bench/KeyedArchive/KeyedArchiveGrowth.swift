import Foundation
import KeyedArchivePlugin
import Transformable

/// Archives from a thousand objects to a million: the time per object, and the memory in total.
enum KeyedArchiveGrowth {
    /// The shape of the object graph.
    enum Shape: String, CaseIterable {
        /// An array of dictionaries of two keys: three objects each.
        case dictionaries
        /// Arrays within arrays, as deep as there are objects.
        case chain

        func values(_ count: Int) throws -> ArchivedValue {
            switch self {
            case .dictionaries:
                return .array(ArchivedArray(try KeyedArchivePeer.values(count / 3).map(ArchivedValue.init)))
            case .chain:
                return (0..<count).reduce(.array([])) { value, _ in .array([value]) }
            }
        }
    }

    static let largest = 1_000_000
    static let transformer = ArchivedValueTransformer(limits: KeyedArchiveLimits(depth: KeyedArchiveLimits.deepest))

    /// Time is per object, so it is the same for all counts if the running time is linear.
    static var scenarios: [Scenario] {
        Shape.allCases.flatMap { shape in
            [1_000, 10_000, 100_000, largest]
                .flatMap { count in
                    [
                        Scenario("write one object of \(count) in \(shape)", maximumRounds: 5) {
                            let values = try shape.values(count - 1)
                            return [
                                Contender("keyed-archive", count: count) { consume(try transformer.encode(values)) }
                            ]
                        },
                        Scenario("read one object of \(count) in \(shape)", maximumRounds: 5) {
                            let archive = try transformer.encode(shape.values(count - 1))
                            return [
                                Contender("keyed-archive", count: count) { consume(try transformer.decode(archive)) }
                            ]
                        },
                    ]
                }
        }
    }

    static var footprints: [Footprint] {
        Shape.allCases.flatMap { shape in
            [
                Footprint("write \(largest) objects in \(shape)") { try writing(shape.values(largest - 1)) },
                Footprint("read \(largest) objects in \(shape)") {
                    try reading(transformer.encode(shape.values(largest - 1)))
                },
            ]
        }
    }

    /// Includes the archive, because it is the output.
    private static func writing(_ values: ArchivedValue) throws -> Footprint.Bytes {
        let gauge = try MemoryGauge()
        let archive = try transformer.encode(values)
        return Footprint.Bytes(peak: try gauge.peak(), size: archive.count)
    }

    /// Includes the archive, which exists from the beginning, but not the values.
    private static func reading(_ archive: Data) throws -> Footprint.Bytes {
        let gauge = try MemoryGauge()
        let values = try transformer.decode(archive)
        let peak = try gauge.peak()
        let rest = try gauge.rest()
        consume(values)
        return Footprint.Bytes(peak: archive.count + peak - rest, size: archive.count)
    }
}
