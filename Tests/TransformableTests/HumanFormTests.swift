import Foundation
import Testing
import Transformable

@Suite struct HumanFormTests {
    struct Point: Codable, Equatable, Sendable {
        var x: Int
        var y: Int
    }

    struct Opaque: Sendable {}

    @Test func textIsText() throws {
        let form = try #require(AnyHumanForm.automatic(for: String.self))
        #expect(form.isText)
        #expect(try form.parse(Data("größe".utf8)) as? String == "größe")
        #expect(try form.print("größe", nil) == Data("größe".utf8))
        #expect(throws: TransformerError.invalidData("")) { try form.parse(Data([0xFF])) }
    }

    @Test(arguments: [("0.1", 0.1), ("-0", -0.0), ("1e300", 1e300), ("inf", .infinity)])
    func numbersAreWrittenLikeSwift(text: String, number: Double) throws {
        let form = try #require(AnyHumanForm.automatic(for: Double.self))
        #expect(try form.parse(Data(text.utf8)) as? Double == number)
        #expect(try form.parse(form.print(number, nil)) as? Double == number)
    }

    @Test(arguments: [("1e400", false), ("-1e400", false), ("1e-400", false), ("1e39", true), ("1e-50", true)])
    func numbersThatDoNotFitAreRejected(text: String, isFloat: Bool) throws {
        let type: any Any.Type = isFloat ? Float.self as Any.Type : Double.self
        let form = try #require(AnyHumanForm.automatic(for: type))
        let error = #expect(throws: TransformerError.self) { try form.parse(Data(text.utf8)) }
        #expect(error?.code == .invalidData)
    }

    @Test func errorsQuoteInvalidNumbers() throws {
        let form = try #require(AnyHumanForm.automatic(for: Int.self))
        let error = #expect(throws: TransformerError.self) { try form.parse(Data("ten".utf8)) }
        #expect(error?.code == .invalidData)
        #expect(error?.message == "“ten” is not a value of type Int")
    }

    @Test func bytesAreRaw() throws {
        let form = try #require(AnyHumanForm.automatic(for: Data.self))
        #expect(!form.isText)
        #expect(try form.parse(Data([0xFF, 0])) as? Data == Data([0xFF, 0]))
        #expect(try form.print(Data([0xFF, 0]), "bin") == Data([0xFF, 0]))
    }

    @Test func codableTypesAreJSON() throws {
        let form = try #require(AnyHumanForm.automatic(for: Point.self))
        #expect(form.isText)
        #expect(try form.parse(Data("{\"y\":2,\"x\":1}".utf8)) as? Point == Point(x: 1, y: 2))
        #expect(try form.print(Point(x: 1, y: 2), nil) == Data("{\n  \"x\" : 1,\n  \"y\" : 2\n}".utf8))
        let error = #expect(throws: TransformerError.self) { try form.parse(Data("{}".utf8)) }
        #expect(error?.code == .invalidData)
        #expect(error?.underlying is DecodingError)
    }

    @Test func otherTypesHaveNoForm() {
        #expect(AnyHumanForm.automatic(for: Opaque.self) == nil)
    }

    @Test func aRegistrationCanSpecifyAForm() throws {
        let registry = try TransformerRegistry {
            Registration("digits", form: .text(Stages.digits), Stages.digits)
            Registration("size", Stages.size)
            Registration(
                "upside",
                form: HumanForm(isText: false, parse: { $0 }, print: { $1 == "up" ? Data() : $0 }),
                Stages.flipped
            )
        }
        let digits = try #require(registry.resolve("digits").form)
        #expect(try digits.parse(Data("12".utf8)) as? Int == 12)
        #expect(throws: TransformerError.invalidData("")) { try digits.parse(Data("x".utf8)) }
        #expect(throws: TransformerError(.unsupportedType, "")) { try digits.print("12", nil) }
        let upside = try #require(registry.resolve("upside").form)
        #expect(try upside.print(Data([1]), "up") == Data())
        #expect(try upside.print(Data([1]), nil) == Data([1]))
    }

    @Test func textBeforeBytesIsEnteredAsText() throws {
        let registry = try TransformerRegistry { Registration("flipped", Stages.flipped) }
        #expect(try registry.resolve("flipped").form?.isText == false)
        #expect(try registry.resolve("flipped", for: String.self).form?.isText == true)
    }

    /// Text whose human-readable form has an asterisk at both ends.
    private struct Marked: Transformer, HumanFormProviding {
        let traits = TransformerTraits.plain

        func encode(_ value: String, in context: TransformContext) -> Data { Data(value.utf8) }
        func decode(_ bytes: Data, in context: TransformContext) -> String { String(decoding: bytes, as: UTF8.self) }

        var humanForm: AnyHumanForm? {
            AnyHumanForm(
                .text(
                    parse: { text in
                        guard text.hasPrefix("*"), text.hasSuffix("*") else { throw TransformerError(.unsupported, "") }
                        return String(text.dropFirst().dropLast())
                    },
                    print: { "*\($0)*" }
                )
            )
        }
    }

    @Test func stagesThatOnlyChangeValuesUseTheFormOfTheNextOne() throws {
        let registry = try TransformerRegistry {
            Registration("word", form: .text(Stages.word), Stages.word)
            Registration("marked", Marked())
            Registration("flipped", Stages.flipped)
        }
        let form = try #require(registry.resolve("word | word | marked | flipped").form)
        #expect(try form.parse(Data("word".utf8)) as? String == "word")
        #expect(try form.parse(Data("*two words*".utf8)) as? String == "two words")
        #expect(throws: TransformerError(.unsupported, "")) { try form.parse(Data("two words".utf8)) }
        #expect(try form.print("word", nil) == Data("*word*".utf8))
        #expect(try form.print("two words", nil) == Data("*two words*".utf8))
        let alone = try #require(registry.resolve("word").form)
        #expect(throws: (any Error).self) { try alone.parse(Data("*word*".utf8)) }
    }
}
