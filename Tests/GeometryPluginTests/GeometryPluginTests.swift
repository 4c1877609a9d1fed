import Foundation
import GeometryPlugin
import Testing
import Transformable

@Suite struct GeometryPluginTests {
    private let registry: TransformerRegistry

    init() throws {
        registry = try TransformerRegistry {
            GeometryPlugin()
            Registration("reversed", FunctionTransformer<Data, Data>(bothWays: { Data($0.reversed()) }))
        }
    }

    @Test(arguments: [
        ("point", "{3, 4}", "{x, y}"), ("size", "{3, 4}", "{width, height}"),
        ("rect", "{{1, 2}, {3, 4}}", "{{x, y}, {width, height}}"), ("vector", "{3, 4}", "{dx, dy}"),
        ("range", "{2, 5}", "{location, length}"), ("insets", "{1, 2, 3, 4}", "{top, left, bottom, right}"),
        ("affine-transform", "{1, 0, 0, 1, 2, 3}", "{a, b, c, d, tx, ty}"),
    ])
    func showsValuesAsText(name: String, text: String, layout: String) throws {
        let resolved = try registry.resolve(name)
        let form = try #require(resolved.form)
        let value = try form.parse(Data(text.utf8))
        #expect(try form.print(value, nil) == Data(text.utf8))
        #expect(try resolved.encode(any: value, in: .none) as? Data == Data(text.utf8))
        let summary = try registry.explain(name).stages[0].summary
        #expect(summary.contains(layout))
    }

    @Test func stagesThatTakeBytesCanFollow() throws {
        let text = try registry.transformer("rect | reversed", for: CGRect.self)
        #expect(try text.encode(CGRect(x: 1, y: 2, width: 3, height: 4)) == Data("}}4 ,3{ ,}2 ,1{{".utf8))
        let packed = try registry.transformer("rect(form: packed) | reversed", for: CGRect.self)
        #expect(try packed.encode(CGRect(x: 0, y: 0, width: 0, height: 1)).prefix(2) == Data([0x3F, 0xF0]))
        #expect(try packed.decode(packed.encode(.zero)) == .zero)
    }

    @Test func theSignatureIncludesTheFormButNotTheStyle() throws {
        let text = try registry.resolve("rect(style: apple)").signature.description
        #expect(text == "rect/1(form: text) | text/1(encoding: utf-8)")
        #expect(try registry.resolve("rect(form: packed)").signature.description == "rect/1(form: packed)")
    }

    @Test func writesInAppleStyle() throws {
        let point = try registry.transformer("point(style: apple)", for: CGPoint.self)
        #expect(try point.encode(CGPoint(x: 0.1, y: 2)) == Data("{0.10000000000000001, 2}".utf8))
        #expect(point.traits.contains(.lossy))
    }

    @Test func rejectsStylesOfPackedNumbers() throws {
        let error = try #require(throws: TransformerError.self) {
            try registry.resolve("rect(form: packed, style: apple)")
        }
        #expect(error.code == .invalidArgument)
        #expect(error.transformer == "rect")
    }

    @Test(arguments: ["rect(form: binary)", "rect(style: json)", "rect(form: 3)"])
    func rejectsUnknownWords(expression: String) {
        #expect(throws: TransformerError(.invalidArgument, "")) { try registry.resolve(expression) }
    }

    @Test func supportsOnlyItsOwnTypes() {
        #expect(throws: TransformerError(.unsupportedType, "")) { try registry.transformer("rect", for: CGSize.self) }
        #expect(throws: TransformerError(.unsupportedType, "")) { try registry.transformer("range", for: String.self) }
    }

    @Test func doesNotDecodeMeasures() throws {
        let area = try registry.resolve("rect-area", ending: .column)
        #expect(!area.isReversible)
        #expect(try area.encode(any: CGRect(x: 0, y: 0, width: 3, height: 4), in: .none) as? Double == 12)
    }

    @Test func supportsSwiftRanges() throws {
        let range = try registry.transformer("range(form: packed)", for: Range<Int>.self)
        #expect(try range.decode(range.encode(3..<9)) == 3..<9)
    }

    @Test func errorsNameTheTransformer() throws {
        let point = try registry.transformer("point", for: CGPoint.self)
        let error = try #require(throws: TransformerError.self) { try point.decode(Data("{3; 4}".utf8)) }
        #expect(error.description == "point: expected “,”; the format is {x, y} (at byte 2)")
    }
}
