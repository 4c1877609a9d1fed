import Foundation
import Testing
import Transformable

@Suite struct FamilyTests {
    let registry: TransformerRegistry

    init() throws {
        registry = try TransformerRegistry {
            Registration.family("reflected", default: Int.self) { request in
                guard let type = request.valueType as? any (LosslessStringConvertible & SendableMetatype).Type else {
                    throw TransformerError.unsupportedType(request.valueType ?? Void.self, expected: "text and back")
                }
                return Self.reflected(type)
            }
            Registration.family(
                "twice",
                default: Optional<Never>.self,
                .reading("of", "what is done twice")
            ) { (request: FamilyRequest, inner: TransformerExpression) in
                try request.resolve(inner, for: request.valueType == Never?.self ? nil : request.valueType).transformer
            }
            Registration("digits", version: 3, .writing("width", "of the field", default: 0)) { (_: Int) in
                Stages.digits
            }
        }
    }

    private static func reflected<Value: LosslessStringConvertible & SendableMetatype>(_ type: Value.Type)
        -> any OneWayTransformer
    {
        FunctionTransformer<Value, String>(
            encode: { $0.description },
            decode: { text in
                guard let value = Value(text) else { throw TransformerError.invalidData("no \(Value.self)") }
                return value
            }
        )
    }

    @Test func familiesUseTheRequestedType() throws {
        #expect(try registry.transformer("reflected", for: Bool.self).decode(Data("true".utf8)) == true)
        #expect(try registry.transformer("reflected", for: Double.self).encode(0.5) == Data("0.5".utf8))
    }

    @Test func familiesUseTheirDefaultIfNoTypeIsRequested() throws {
        let resolved = try registry.resolve("reflected")
        #expect("\(resolved.valueType)" == "Int")
        #expect(try resolved.encode(any: 5, in: .none) as? Data == Data("5".utf8))
    }

    @Test func familiesUseTheTypeOfThePrecedingStage() throws {
        let resolved = try registry.resolve("digits | reflected")
        #expect(resolved.stages.map { "\($0.encodedType)" } == ["String", "String", "Data"])
    }

    @Test func aValueThatExceedsALimitHasNoUntypedForm() throws {
        let form = HumanForm<Int>(
            isText: true,
            parse: { _ in throw TransformerError.limitExceeded("too long") },
            print: { _, _ in throw TransformerError.limitExceeded("too long") }
        )
        let registry = try TransformerRegistry {
            Registration.family("limited", default: Int.self, form: form) { request in
                request.valueType == UInt8.self ? Self.reflected(UInt8.self) : Self.reflected(Int.self)
            }
        }
        let untyped = try #require(try registry.resolve("limited", for: UInt8.self).untypedForm)
        let printed = #expect(throws: TransformerError.self) { try untyped.print(UInt8(5), nil) }
        #expect(printed?.code == .limitExceeded)
        let parsed = #expect(throws: TransformerError.self) { try untyped.parse(Data("5".utf8)) }
        #expect(parsed?.code == .limitExceeded)
    }

    @Test func rejectsUnsupportedTypes() {
        let error = #expect(throws: TransformerError.self) { try registry.transformer("reflected", for: Date.self) }
        #expect(error?.code == .unsupportedType)
        #expect(error?.transformer == "reflected")
    }

    @Test func resolvesInnerExpressions() throws {
        let resolved = try registry.resolve("twice(of: (digits(width: 0)))", for: Int.self)
        #expect(resolved.expression.description == "twice(of: (digits))")
        #expect(resolved.signature.description == "twice/1(of: (digits/3)) | text/1(encoding: utf-8)")
        #expect(try resolved.encode(any: 5, in: .none) as? Data == Data("5".utf8))
        let padded = try registry.resolve("twice(of: (digits(width: 4)))", for: Int.self)
        #expect(padded.expression.description == "twice(of: (digits(width: 4)))")
        #expect(padded.signature == resolved.signature)
    }

    @Test func reportsErrorsInInnerExpressions() {
        let error = #expect(throws: TransformerError.self) { try registry.resolve("twice(of: (digit))", for: Int.self) }
        #expect(error?.code == .unknownName)
        #expect(error?.transformer == "digit")
    }
}
