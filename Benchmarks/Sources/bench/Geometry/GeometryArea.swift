import Foundation
import GeometryPlugin
import Transformable
import _HostileInputs

extension Area {
    /// Rects as strings, compared with Foundation's functions.
    static var geometry: Area {
        Area(name: "geometry", scenarios: RectInputs.allCases.flatMap(\.scenarios))
    }
}

/// What rects are made of.
private enum RectInputs: String, CaseIterable {
    case wholeNumbers = "whole numbers"
    case fractions = "17 digits"

    /// A thousand rects, the same in each run.
    var rects: [CGRect] {
        var generator = SeededGenerator(seed: 1)
        return (0..<1_000)
            .map { _ in
                let numbers = (0..<4).map { _ in Double.random(in: 0..<4_096, using: &generator) }
                return CGRect(numbers: self == .wholeNumbers ? numbers.map { $0.rounded() } : numbers)
            }
    }

    var scenarios: [Scenario] {
        [
            Scenario("write 1,000 rects, \(rawValue)") { writers(of: rects) },
            Scenario("read 1,000 rects, \(rawValue)") { try readers(of: rects.map(NSStringFromRect)) },
            Scenario("write 1,000 rects as %.17g, \(rawValue)") { try printers(of: rects) },
            Scenario("read 1,000 rects of %.17g, \(rawValue)") {
                try readers(of: rects.map { try GeometryTransformer(style: .apple).encode($0) })
            },
            Scenario("1,000 rects there and back by name, \(rawValue)") { try roundTrips(of: rects) },
        ]
    }

    private func writers(of rects: [CGRect]) -> [Contender] {
        let transformer = GeometryTransformer<CGRect>()
        return [
            Contender("text") { for rect in rects { consume(try transformer.encode(rect)) } },
            Contender("Foundation") { for rect in rects { consume(NSStringFromRect(rect)) } },
        ]
    }

    private func readers(of strings: [String]) throws -> [Contender] {
        let transformer = GeometryTransformer<CGRect>()
        try Disagreement.unless(strings.map { try transformer.decode($0) } == strings.map(NSRectFromString), rawValue)
        return [
            Contender("text") { for string in strings { consume(try transformer.decode(string)) } },
            Contender("Foundation") { for string in strings { consume(NSRectFromString(string)) } },
        ]
    }

    private func printers(of rects: [CGRect]) throws -> [Contender] {
        let transformer = GeometryTransformer<CGRect>(style: .apple)
        let formatted = { (rect: CGRect) in
            String(format: "{{%.17g, %.17g}, {%.17g, %.17g}}", arguments: rect.numbers)
        }
        try Disagreement.unless(rects.map { try transformer.encode($0) } == rects.map(formatted), rawValue)
        return [
            Contender("text") { for rect in rects { consume(try transformer.encode(rect)) } },
            Contender("String(format:)") { for rect in rects { consume(formatted(rect)) } },
        ]
    }

    private func roundTrips(of rects: [CGRect]) throws -> [Contender] {
        let registry = try TransformerRegistry { GeometryPlugin() }
        let text = try registry.transformer("rect", for: CGRect.self)
        let packed = try registry.transformer("rect(form: packed)", for: CGRect.self)
        return [
            Contender("rect") { for rect in rects { consume(try text.decode(text.encode(rect))) } },
            Contender("Foundation") {
                for rect in rects {
                    let bytes = Data(NSStringFromRect(rect).utf8)
                    consume(NSRectFromString(String(decoding: bytes, as: UTF8.self)))
                }
            },
            Contender("rect(form: packed)") { for rect in rects { consume(try packed.decode(packed.encode(rect))) } },
        ]
    }
}
