import Foundation
import GeometryPlugin
import Testing
import Transformable

@Suite struct GeometryTransformerTests {
    @Test func writesEachTypeLikeApple() throws {
        #expect(try GeometryTransformer<CGPoint>().encode(CGPoint(x: 3, y: 4)) == "{3, 4}")
        #expect(try GeometryTransformer<CGSize>().encode(CGSize(width: 0.5, height: -4)) == "{0.5, -4}")
        let rect = CGRect(x: 1, y: 2, width: 3, height: 4)
        #expect(try GeometryTransformer<CGRect>().encode(rect) == "{{1, 2}, {3, 4}}")
        #expect(try GeometryTransformer<Vector>().encode(Vector(dx: 1, dy: -1)) == "{1, -1}")
        let insets = NSEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        #expect(try GeometryTransformer<NSEdgeInsets>().encode(insets) == "{1, 2, 3, 4}")
        let transform = AffineTransform(m11: 1, m12: 2, m21: 3, m22: 4, tX: 5, tY: 6)
        #expect(try GeometryTransformer<AffineTransform>().encode(transform) == "{1, 2, 3, 4, 5, 6}")
    }

    @Test func preservesNegativeSizes() throws {
        let rect = CGRect(x: 1, y: 2, width: -3, height: -4)
        let text = try GeometryTransformer<CGRect>().encode(rect)
        #expect(text == "{{1, 2}, {-3, -4}}")
        #expect(try GeometryTransformer<CGRect>().decode(text).size.width == -3)
    }

    @Test(
        arguments: [
            (0.1, "0.1", "0.10000000000000001"),
            (1.0 / 3, "0.3333333333333333", "0.33333333333333331"),
            (-0.0, "-0", "-0"),
            (1e-5, "1e-05", "1.0000000000000001e-05"),
            (0.0001, "0.0001", "0.0001"),
            (123_456_789_012_345_680, "1.2345678901234568e+17", "1.2345678901234568e+17"),
            (9_007_199_254_740_992, "9007199254740992", "9007199254740992"),
            (1e15, "1000000000000000", "1000000000000000"),
            (1e16, "1e+16", "10000000000000000"),
            (1e17, "1e+17", "1e+17"),
            (1e22, "1e+22", "1e+22"),
            (1e23, "1e+23", "9.9999999999999992e+22"),
            (.leastNonzeroMagnitude, "5e-324", "4.9406564584124654e-324"),
            (2.2250738585072014e-308, "2.2250738585072014e-308", "2.2250738585072014e-308"),
            (1.7976931348623157e308, "1.7976931348623157e+308", "1.7976931348623157e+308"),
            (.infinity, "inf", "inf"),
            (-.infinity, "-inf", "-inf"),
            (.nan, "nan", "nan"),
            (-.nan, "-nan", "nan"),
            (Double(nan: 0x2A, signaling: false), "nan(0x2a)", "nan"),
            (Double(bitPattern: 0x7FF0_0000_0000_0001), "snan(0x1)", "nan"),
        ] as [(Double, String, String)]
    )
    func writesNumbers(number: Double, shortest: String, printed: String) throws {
        let vector = Vector(dx: number, dy: 0)
        #expect(try GeometryTransformer<Vector>().encode(vector) == "{\(shortest), 0}")
        #expect(try GeometryTransformer<Vector>(style: .apple).encode(vector) == "{\(printed), 0}")
        #expect(try GeometryTransformer<Vector>().decode("{\(shortest), 0}").dx.bitPattern == number.bitPattern)
    }

    /// Memory is reserved for these numbers, with the most braces that a layout can have.
    @Test(
        arguments: [
            (-2.2250738585072014e-308, "-2.2250738585072014e-308", "-2.2250738585072014e-308"),
            (-0.00012345678901234567, "-0.00012345678901234567", "-0.00012345678901234567"),
            (Double(bitPattern: 0xFFF7_FFFF_FFFF_FFFF), "-snan(0x7ffffffffffff)", "nan"),
        ] as [(Double, String, String)]
    )
    func writesTheLongestNumbers(number: Double, shortest: String, printed: String) throws {
        let pair = Pair(numbers: [number, number])
        #expect(try GeometryTransformer<Pair>().encode(pair) == "{{\(shortest)}, {\(shortest)}}")
        #expect(try GeometryTransformer<Pair>(style: .apple).encode(pair) == "{{\(printed)}, {\(printed)}}")
    }

    private struct Pair: GeometryValue {
        static let layout = GeometryLayout(["first"], ["second"])
        let numbers: [Double]
    }

    @Test(arguments: [
        ("{3,4}", 3, 4),
        (" \t\r\n{ 3 , 4 } \n", 3, 4),
        ("{3.50, 04}", 3.5, 4),
        ("{1e-05, -0}", 0.00001, -0.0),
        ("{1E5, 1e+06}", 100_000, 1_000_000),
        ("{-1.17549e-38, 3e0}", -1.17549e-38, 3),
        ("{0.10000000000000001, 0.33333333333333331}", 0.1, 1.0 / 3),
        // Halfway between two doubles, and a hair above (IEEE 754-2019, section 4.3.1: ties to even).
        ("{9007199254740993, 9007199254740993.00000000000000000001}", 9_007_199_254_740_992, 9_007_199_254_740_994),
        ("{2.4703282292062327e-324, 2.4703282292062328e-324}", 0, .leastNonzeroMagnitude),
        ("{1e-400, 0e999999999999999999999}", 0, 0),
        ("{inf, -inf}", .infinity, -.infinity),
        ("{nan(0x0000000000000002A), 0}", Double(nan: 42, signaling: false), 0),
    ])
    func readsNumbers(text: String, dx: Double, dy: Double) throws {
        let vector = try GeometryTransformer<Vector>().decode(text)
        #expect([vector.dx, vector.dy].map(\.bitPattern) == [dx, dy].map(\.bitPattern))
    }

    @Test func readsBracketsOnlyInAffineTransforms() throws {
        let transform = try GeometryTransformer<AffineTransform>().decode("[1, 0, 0, 1, 2.5, 3]")
        #expect(transform == AffineTransform(translationByX: 2.5, byY: 3))
        #expect(throws: TransformerError.invalidData("")) { try GeometryTransformer<CGPoint>().decode("[1, 2]") }
        #expect(throws: TransformerError.invalidData("")) {
            try GeometryTransformer<AffineTransform>().decode("[1, 0, 0, 1, 2.5, 3}")
        }
    }

    @Test(arguments: [
        ("", 0), ("  ", 2), ("3, 4", 0), ("{{1, 2}, {3, 4}", 15), ("{1, 2}", 1), ("{{1, 2} {3, 4}}", 8),
        ("{{1, 2}, {3, 4}}}", 16), ("{{1, 2}, {3, 4}} x", 17), ("{{1 2}, {3, 4}}", 4), ("{{1, 2, 3}, {4}}", 6),
        ("{{-, -}, {7, 8}}", 3), ("{{.5, 2}, {3, 4}}", 2), ("{{5., 2}, {3, 4}}", 4), ("{{+1, 2}, {3, 4}}", 2),
        ("{{1e, 2}, {3, 4}}", 4), ("{{0x1p3, 2}, {3, 4}}", 3), ("{{1,5, 2}, {3, 4}}", 5), ("{{1_0, 2}, {3, 4}}", 3),
        ("{{1e400, 2}, {3, 4}}", 2), ("{{-1e309, 2}, {3, 4}}", 2), ("{{NaN, 2}, {3, 4}}", 2),
        ("{{infinity, 2}, {3, 4}}", 5), ("{{- 1, 2}, {3, 4}}", 3), ("{{1, ٣}, {3, 4}}", 5), ("{{1, 2}, {3, 4\0}}", 14),
        ("{{nan(0x), 2}, {3, 4}}", 8), ("{{nan(5), 2}, {3, 4}}", 5), ("{{nan(0x8000000000000), 2}, {3, 4}}", 8),
        ("{{snan, 2}, {3, 4}}", 6), ("{{snan(0x0), 2}, {3, 4}}", 9), ("{{nan(0x1, 2}, {3, 4}}", 9),
    ])
    func errorsIncludeTheOffset(text: String, offset: Int) throws {
        let error = try #require(throws: TransformerError.self) { try GeometryTransformer<CGRect>().decode(text) }
        #expect(error.code == .invalidData)
        #expect(error.offset == offset)
        #expect(error.message.hasSuffix("the format is {{x, y}, {width, height}}"))
    }

    @Test func limitsTheLengthOfNumbers() throws {
        let longest = "0." + String(repeating: "0", count: 1_000) + "1"
        #expect(try GeometryTransformer<CGPoint>().decode("{\(longest), 2}") == CGPoint(x: 0, y: 2))
        let error = try #require(throws: TransformerError.self) {
            try GeometryTransformer<CGPoint>().decode("{1, \(String(repeating: "1", count: 100_000))}")
        }
        #expect(error.code == .limitExceeded)
        #expect(error.offset == 4)
    }

    @Test(arguments: ["{{1.5, -2}, {3e+20, 4}}", "{{nan(0x1), -inf}, {inf, snan(0x2)}}"])
    func rejectsEveryTruncation(text: String) throws {
        for length in 0..<text.utf8.count {
            let part = String(text.utf8.prefix(length)) ?? ""
            let error = #expect(throws: TransformerError.self) { try GeometryTransformer<CGRect>().decode(part) }
            #expect(error?.code == .invalidData)
            #expect((0...length).contains(error?.offset ?? -1))
        }
    }

    @Test func supportsCustomTypes() throws {
        let transformer = GeometryTransformer<Circle>()
        #expect(try transformer.encode(Circle(x: 1, y: 2, radius: 3)) == "{{1, 2}, {3}}")
        #expect(try transformer.decode("{{1, 2}, {3}}") == Circle(x: 1, y: 2, radius: 3))
        #expect(try PackedGeometryTransformer<Circle>().encode(Circle(x: 1, y: 2, radius: 3)).count == 24)
    }
}

struct Circle: Hashable {
    var x, y, radius: Double
}

extension Circle: GeometryValue {
    static let layout = GeometryLayout(["x", "y"], ["radius"])

    var numbers: [Double] { [x, y, radius] }

    init(numbers: [Double]) {
        self.init(x: numbers[0], y: numbers[1], radius: numbers[2])
    }
}

/// Strings that Apple's frameworks wrote into files of public projects.
@Suite(.enabled(if: AppleStrings.folder != nil)) struct AppleStringsTests {
    @Test func applesStringsRoundTrip() throws {
        let strings = try AppleStrings.all()
        #expect(strings.count > 700)
        for (kind, string) in strings {
            let again =
                string.hasPrefix("{{")
                ? try rewritten(string, GeometryTransformer<CGRect>(style: .apple))
                : try rewritten(string, GeometryTransformer<CGPoint>(style: .apple))
            #expect(again == string || !kind.hasPrefix("NSValue"), "\(kind)")
        }
    }

    private func rewritten<Value>(_ string: String, _ transformer: GeometryTransformer<Value>) throws -> String {
        try transformer.encode(transformer.decode(string))
    }
}

enum AppleStrings {
    static let folder = ProcessInfo.processInfo.environment["TRANSFORMABLE_CORPORA"]

    static func all() throws -> [(kind: String, string: String)] {
        let file = URL(filePath: try #require(folder)).appending(path: "geometry/apple-geometry-strings.tsv")
        return try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n").dropFirst()
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
            .map { ($0[0], $0[1]) }
    }
}
