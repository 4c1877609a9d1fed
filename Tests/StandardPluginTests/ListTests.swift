import Foundation
import StandardPlugin
import Testing
import Transformable

@Suite struct ListTests {
    @Test func writesElementsAccordingToTheirColumnType() throws {
        let dates = [Date(timeIntervalSince1970: 1.5), Date(timeIntervalSince1970: 0)]
        #expect(
            try encode("list(of: (iso8601))", dates, to: String.self)
                == #"["1970-01-01T00:00:01.5Z","1970-01-01T00:00:00Z"]"#
        )
        #expect(try encode("list(of: (unix-time))", dates, to: String.self) == "[1.5,0.0]")
        #expect(try encode("list(of: (unix-time(form: integer)))", dates, to: String.self) == "[2,0]")
        #expect(try encode("list(of: (uint16(order: big)))", [1, 258], to: String.self) == #"["AAE=","AQI="]"#)
    }

    @Test(arguments: ["iso8601", "unix-time", "unix-time(form: integer)", "reference-time | double"])
    func arraysRoundTrip(element: String) throws {
        let dates = (0..<5).map { Date(timeIntervalSince1970: Double($0 * 1_000_000)) }
        let transformer = try standardRegistry().transformer("list(of: (\(element)))", for: [Date].self)
        #expect(try transformer.decode(transformer.encode(dates)) == dates)
        #expect(try transformer.decode(transformer.encode([])) == [])
    }

    // Otherwise, a search would find only what was written with the newest key.
    @Test func looksForEveryCandidateOfAnElement() throws {
        struct Rotating: OneWayTransformer {
            let traits = TransformerTraits.plain
            func encode(_ value: String, in context: TransformContext) -> Int64 { 2 }
            func candidates(for value: String, in context: TransformContext) -> [Int64] { [2, 1] }
        }
        let registry = try TransformerRegistry {
            StandardPlugin()
            Registration("rotating", Rotating())
        }
        let list = try registry.projection("list(of: (rotating))", for: [String].self, to: String.self)
        #expect(try list.candidates(for: ["a", "b"], in: .none) == ["[2,2]", "[2,1]", "[1,2]", "[1,1]"])
    }

    @Test func usesTheElementsOwnTypeByDefault() throws {
        let resolved = try standardRegistry().resolve("list(of: (uuid))")
        #expect(resolved.valueType is [UUID].Type)
        #expect(resolved.isReversible)
        #expect(resolved.signature.description.hasPrefix("list/1(of: (uuid/1(form: text))) | text/1"))
        #expect(try !standardRegistry().resolve("list(of: (digits))").isReversible)
    }

    /// Elements keep their own form: JSON if that is JSON, and strings otherwise.
    @Test(arguments: [
        ("list(of: (iso8601))", #"["1970-01-01T00:00:01Z"]"#), ("list(of: (integer-text))", "[1,2]"),
        ("list(of: (json))", #"["12",12,{"a":null}]"#), ("list(of: (list(of: (uuid))))", "[[],[]]"),
        ("list(of: (decimal))", "[1.2345678901234567890123456789,-7,738032340.5,100000000000000000000001]"),
        ("list(of: (list(of: (decimal))))", "[[0.10000000000000000000000000000001]]"),
        ("list(of: (uuid))", #"["00000000-0000-0000-0000-00000000000A"]"#),
    ])
    func usesTheHumanFormOfItsElements(expression: String, text: String) throws {
        let resolved = try standardRegistry().resolve(expression)
        let form = try #require(resolved.form)
        let value = try form.parse(Data(text.utf8))
        #expect(try String(decoding: form.print(value, nil), as: UTF8.self) == text)
        #expect(throws: TransformerError.invalidData("")) {
            try form.parse(Data(#"["no value of these", {"x": [1]}, 1e999]"#.utf8))
        }
    }

    // JSON has no dates, so the form of a property list that contains one is XML.
    @Test func aStringInTheFormOfAListIsNotReadAsAnotherElement() throws {
        let form = try #require(standardRegistry().resolve("list(of: (plist))").form)
        let date = PropertyListValue.date(Date(timeIntervalSinceReferenceDate: 0.125))
        let list = [date, .string("<plist/>"), .string("5"), .integer(5)]
        let text = try form.print(list, nil)
        #expect(try form.parse(text) as? [PropertyListValue] == list)
        let xml = try #require((JSONSerialization.jsonObject(with: text) as? [Any])?.first as? String)
        #expect(throws: TransformerError.invalidValue("")) { try form.print([PropertyListValue.string(xml)], nil) }
    }

    @Test func errorsIncludeTheIndex() throws {
        let error = #expect(throws: TransformerError.self) {
            try decode("list(of: (integer-text))", #"["1","x"]"#, as: [Int].self)
        }
        #expect(error?.code == .invalidData)
        #expect(error?.message.hasPrefix("at index 1: ") == true)
    }

    @Test(arguments: ["", "{}", "[1]", "[\"1\"", "[[\"1\"]]", "[null]"])
    func rejectsOtherJSON(text: String) {
        expectFailure(.invalidData) { try decode("list(of: (integer-text))", text, as: [Int].self) }
    }

    @Test func rejectsContextualElements() throws {
        struct Bound: Transformer {
            var traits: TransformerTraits { [.deterministic, .contextual] }
            func encode(_ value: String, in context: TransformContext) -> String { value }
            func decode(_ encoded: String, in context: TransformContext) -> String { encoded }
        }
        let registry = try TransformerRegistry {
            StandardPlugin()
            Registration("acme.bound", Bound())
            Registration("acme.self", IdentityTransformer<UUID>())
        }
        expectFailure(.contextualElement) { try registry.resolve("list(of: (acme.bound))") }
        expectFailure(.stagesDoNotFit) { try registry.resolve("list(of: (acme.self))") }
        expectFailure(.unsupportedType) { try registry.resolve("list(of: (iso8601))", for: [String].self) }
        expectFailure(.unknownName) { try registry.resolve("list(of: (no-such))") }
    }
}
