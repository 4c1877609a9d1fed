import Foundation

/// Shows outcomes to a person, or as JSON to a program.
enum Report {
    private static let width = 76

    static func json(_ outcomes: [any Encodable]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(outcomes.map(Row.init)), as: UTF8.self)
    }

    /// Measurements of time and of memory have different fields.
    private struct Row: Encodable {
        let outcome: any Encodable

        func encode(to encoder: any Encoder) throws {
            try outcome.encode(to: encoder)
        }
    }

    static let header =
        row("", "ours", "peer", "ours / peer", "spread") + "\n" + String(repeating: "-", count: width + 48)

    /// One line for each peer.
    static func lines(_ outcome: Outcome) -> [String] {
        let ours = outcome.measurements[0]
        let peers = outcome.measurements.dropFirst()
        let lines = peers.map { peer in
            row(
                "\(outcome.area): \(outcome.scenario), \(peer.contender)",
                duration(ours.nanoseconds),
                duration(peer.nanoseconds),
                decimal(outcome.ratio(to: peer), digits: 2),
                "±\(decimal(100 * max(ours.spread, peer.spread), digits: 0)) %"
            )
        }
        return lines.isEmpty
            ? [row("\(outcome.area): \(outcome.scenario)", duration(ours.nanoseconds), "", "", "")]
            : lines
    }

    /// One line for a memory footprint.
    static func line(_ outcome: FootprintOutcome) -> String {
        row(
            "\(outcome.area): \(outcome.scenario), memory beside the size of the bytes",
            bytes(outcome.bytes.peak),
            bytes(outcome.bytes.size),
            decimal(outcome.ratio, digits: 2)
        )
    }

    private static func bytes(_ count: Int) -> String {
        decimal(Double(count) / 1e6, digits: 1) + " MB"
    }

    private static func row(_ name: String, _ columns: String...) -> String {
        let first = name.padding(toLength: max(width, name.count), withPad: " ", startingAt: 0)
        return columns.reduce(first) { line, column in
            line + String(repeating: " ", count: max(1, 12 - column.count)) + column
        }
    }

    private static func duration(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1e3: decimal(nanoseconds, digits: 1) + " ns"
        case ..<1e6: decimal(nanoseconds / 1e3, digits: 1) + " µs"
        case ..<1e9: decimal(nanoseconds / 1e6, digits: 1) + " ms"
        default: decimal(nanoseconds / 1e9, digits: 2) + " s"
        }
    }

    private static func decimal(_ number: Double, digits: Int) -> String {
        String(format: "%.\(digits)f", number)
    }
}
