import Foundation
import Testing
import Transformable

@Suite struct ArgumentTests {
    enum Shape: String, CaseIterable, Sendable, ArgumentConvertible {
        case round
        case square = "sharp-edged"
    }

    /// Only the first case is a word of the grammar.
    enum Unit: String, CaseIterable, Sendable, ArgumentConvertible {
        case knots
        case metersPerSecond
        case double = "2x"
        case yes = "true"
    }

    /// Encodes to what its arguments were, so that a test can read them.
    private func echo(_ text: String) -> OneWayFunctionTransformer<String, String> {
        OneWayFunctionTransformer { _ in text }
    }

    private func registry() throws -> TransformerRegistry {
        try TransformerRegistry {
            Registration(
                "all",
                .reading("count", "how many", default: 3, in: 0...10),
                .writing("ratio", "how much", default: 0.5, in: 0...1),
                .reading("shape", "what form", default: Shape.round),
                .writing("label", "what to call it", default: "none"),
                .writing("isOn", "whether", default: false),
                .writing("sizes", "how large", default: [1])
            ) { (count: Int, ratio: Double, shape: Shape, label: String, isOn: Bool, sizes: [Int]) in
                echo("\(count) \(ratio) \(shape) \(label) \(isOn) \(sizes)")
            }
            Registration("needy", .reading("key", "which key")) { (key: String) in echo(key) }
            Registration(
                "maybe",
                .writing("limit", "at most", default: .some(nil))
            ) { (limit: Int?) in echo(limit.map { "\($0)" } ?? "unlimited") }
            Registration(
                "speed",
                .reading("unit", "what unit", default: Unit.metersPerSecond)
            ) { unit in echo("\(unit)") }
            Registration("either", .reading("of", "which")) { (choices: [TransformerExpression]) in
                echo("\(choices.count)")
            }
            Registration.text
        }
    }

    private func given(_ expression: String) throws -> String {
        try registry().projection(expression, for: String.self, to: String.self).encode("")
    }

    @Test(arguments: [
        ("all", "3 0.5 round none false [1]"),
        ("all()", "3 0.5 round none false [1]"),
        ("all(count: 10, ratio: 1, shape: sharp-edged)", "10 1.0 square none false [1]"),
        ("all(ratio: 2.5e-1, label: \"a b\", isOn: true, sizes: [])", "3 0.25 round a b true []"),
        ("all(sizes: [1, -2, 3], label: word, shape: \"round\")", "3 0.5 round word false [1, -2, 3]"),
        ("needy(key: \"clinic\")", "clinic"),
        ("maybe", "unlimited"),
        ("maybe(limit: 5)", "5"),
        ("speed", "metersPerSecond"),
        ("speed(unit: \"2x\")", "double"),
        ("either(of: [(text), (text)])", "2"),
    ])
    func passesArgumentsWithTheirTypes(expression: String, arrived: String) throws {
        #expect(try given(expression) == arrived)
    }

    @Test(arguments: [
        ("all(count: 11)", "an integer from 0 to 10, not 11"),
        ("all(count: -1)", "an integer from 0 to 10, not -1"),
        ("all(count: 1.5)", "an integer from 0 to 10, not 1.5"),
        ("all(count: true)", "an integer from 0 to 10, not true"),
        ("all(count: \"3\")", "an integer from 0 to 10, not \"3\""),
        ("all(ratio: 1.5)", "a number from 0.0 to 1.0, not 1.5"),
        ("all(shape: oval)", "one of round, sharp-edged, not oval"),
        ("all(label: 3)", "text in double quotes, not 3"),
        ("all(isOn: yes)", "true or false, not yes"),
        ("all(sizes: [1, x])", "a list in brackets, each an integer, not [1, x]"),
        ("all(sizes: 1)", "a list in brackets, each an integer, not 1"),
        ("all(count: (text))", "an integer from 0 to 10, not (text)"),
        ("maybe(limit: lots)", "an integer, not lots"),
        ("speed(unit: fast)", "one of knots, \"metersPerSecond\", \"2x\", \"true\", not fast"),
    ])
    func checksArgumentsAgainstTheirDeclarations(expression: String, sentence: String) throws {
        let error = #expect(throws: TransformerError.self) { try given(expression) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.hasSuffix(sentence) == true, "\(error?.message ?? "")")
        #expect(error?.transformer == String(expression.prefix { $0 != "(" }))
    }

    @Test func unknownArgumentsAreReportedWithTheKnownOnes() throws {
        let error = #expect(throws: TransformerError.self) { try given("all(size: 3)") }
        #expect(error?.code == .unknownArgument)
        #expect(error?.message.contains("“size”") == true)
        #expect(error?.message.contains("count, ratio, shape, label, isOn, sizes") == true)
        let none = #expect(throws: TransformerError.self) {
            try TransformerRegistry { Registration("plain", Stages.digits) }.resolve("plain(size: 3)")
        }
        #expect(none?.message.contains("it takes none") == true)
    }

    @Test func missingArgumentsAreReported() throws {
        let error = #expect(throws: TransformerError.self) { try given("needy") }
        #expect(error?.code == .missingArgument)
        #expect(error?.message == "the argument “key” is missing; it must be text in double quotes")
        #expect(error?.transformer == "needy")
    }

    @Test(arguments: [
        ("all( label:\"x\" , count : 5 )", "all(count: 5, label: \"x\")"),
        ("all(count: 3, ratio: 0.5, shape: round, label: none, isOn: false, sizes: [1])", "all"),
        ("all(label: word)", "all(label: \"word\")"),
        ("all(shape: \"sharp-edged\")", "all(shape: sharp-edged)"),
        ("all(ratio: 1)", "all(ratio: 1.0)"),
        ("maybe(limit: 5)", "maybe(limit: 5)"),
        ("needy(key: word)", "needy(key: \"word\")"),
        ("speed(unit: \"metersPerSecond\")", "speed"),
        ("speed(unit: \"knots\")", "speed(unit: knots)"),
        ("speed(unit: \"2x\")", "speed(unit: \"2x\")"),
        ("speed(unit: \"true\")", "speed(unit: \"true\")"),
        ("either(of: [(all(label: x, count: 3)), (text)])", "either(of: [(all(label: \"x\")), (text)])"),
    ])
    func writesArgumentsInCanonicalForm(expression: String, canonical: String) throws {
        let resolved = try registry().resolve(expression, ending: .anything)
        #expect(resolved.expression.description == canonical)
        let again = try registry().resolve(canonical, ending: .anything)
        #expect(again.expression == resolved.expression)
        #expect(again.signature == resolved.signature)
    }

    @Test(arguments: [
        ("all", "all/1(count: 3, shape: round)"),
        ("all(label: x, count: 5)", "all/1(count: 5, shape: round)"),
        ("needy(key: word)", "needy/1(key: \"word\")"),
        ("maybe(limit: 5)", "maybe/1"),
        ("speed", "speed/1(unit: \"metersPerSecond\")"),
        ("speed(unit: \"true\")", "speed/1(unit: \"true\")"),
        ("either(of: [(all(label: x))])", "either/1(of: [(all/1(count: 3, shape: round))])"),
        ("either(of: [(text), (maybe)])", "either/1(of: [(text/1(encoding: utf-8)), (maybe/1)])"),
    ])
    func signaturesContainArgumentsThatReadingDependsOn(expression: String, signature: String) throws {
        let resolved = try registry().resolve(expression, ending: .anything)
        #expect(resolved.signature.description == signature)
        // A store compares it with the one that it reads from its file.
        #expect(try TransformerSignature(signature) == resolved.signature)
    }

    // The text of the signature would not be a signature, so no store could be opened again.
    @Test(arguments: [Double.infinity, -.infinity, .nan])
    func refusesNumbersThatCannotBeWritten(limit: Double) throws {
        let registry = try TransformerRegistry {
            Registration("below", .reading("limit", "the limit", default: limit)) { (limit: Double) in
                echo("\(limit)")
            }
        }
        let error = #expect(throws: TransformerError.self) { try registry.resolve("below", ending: .anything) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.transformer == "below")
        #expect(error?.message.contains("“limit” has the value \(limit)") == true)
        let finite = try registry.resolve("below(limit: 1)", ending: .anything)
        #expect(finite.signature.description == "below/1(limit: 1.0)")
    }

    // The default is one level deeper than an expression can be.
    @Test func signaturesCanBeDeeperThanExpressions() throws {
        let registry = try TransformerRegistry {
            Registration("sized", .reading("sizes", "how large", default: [1])) { (sizes: [Int]) in echo("\(sizes)") }
            Registration("outer", .reading("of", "which")) { (inner: TransformerExpression) in echo("\(inner)") }
        }
        let expression = "outer(of: (outer(of: (outer(of: (sized))))))"
        let signature = try registry.resolve(expression, ending: .anything).signature
        #expect(signature.description.hasSuffix("(sized/1(sizes: [1])))))))"))
        #expect(try TransformerSignature(signature.description) == signature)
    }

    // It is neither in the expression nor in the signature.
    @Test func acceptsAnInfiniteDefaultOfAWritingArgument() throws {
        let registry = try TransformerRegistry {
            Registration("below", .writing("limit", "the limit", default: Double.infinity)) { (limit: Double) in
                echo("\(limit)")
            }
        }
        let resolved = try registry.resolve("below", ending: .anything)
        #expect(resolved.expression.description == "below")
        #expect(resolved.signature.description == "below/1")
    }

    @Test func describesParameters() throws {
        let parameters = try registry().registration("all").parameters
        #expect(parameters.map(\.label) == ["count", "ratio", "shape", "label", "isOn", "sizes"])
        #expect(parameters.map(\.role) == [.reading, .writing, .reading, .writing, .writing, .writing])
        #expect(parameters[0].type == "an integer from 0 to 10")
        #expect(parameters[0].defaultValue == .integer(3))
        #expect(parameters.allSatisfy { !$0.isRequired })
        let key = try #require(registry().registration("needy").parameters.first)
        #expect(key.isRequired)
        #expect(key.defaultValue == nil)
        let limit = try #require(registry().registration("maybe").parameters.first)
        #expect(!limit.isRequired)
        #expect(limit.defaultValue == nil)
    }
}
