import Foundation
import Testing
import Transformable

@Suite struct SpanTransformerTests {
    /// The sample of the protocol's documentation.
    private struct SeverityTransformer: SpanTransformer {
        let traits: TransformerTraits = .plain

        func encode(_ value: UInt8, in context: TransformContext) -> Data { Data([value]) }

        func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws(TransformerError) -> UInt8 {
            guard encoded.count == 1 else { throw .invalidData("a severity must be one byte", offset: encoded.count) }
            return encoded[0]
        }
    }

    private func decode<Value>(_ bytes: [UInt8], by transformer: any SpanTransformer<Value>) throws -> Value {
        try transformer.decode(bytes.span, in: .none)
    }

    @Test func dataIsDecodedInPlace() throws {
        #expect(try SeverityTransformer().decode(Data([1, 7, 9])[1..<2]) == 7)
        #expect(throws: TransformerError.invalidData("a severity must be one byte", offset: 2)) {
            try SeverityTransformer().decode(Data([1, 7, 9])[1...])
        }
    }

    @Test func aCompositionPassesBytesToItsSecondStage() throws {
        let doubled = FunctionTransformer<Int, UInt8>(encode: { UInt8($0 / 2) }, decode: { Int($0) * 2 })
        #expect(try decode([21], by: doubled.then(SeverityTransformer())) == 42)
    }

    @Test func anExpressionPassesBytesAndErrorsNameTheStage() throws {
        let registry = try TransformerRegistry {
            Registration.text
            Registration("severity", SeverityTransformer())
        }
        let resolved = try registry.resolve("severity", for: UInt8.self)
        let transformer = try #require(resolved.transformer as? any SpanTransformer<UInt8>)
        #expect(try decode([3], by: transformer) == 3)
        let error = #expect(throws: TransformerError.self) { try decode([], by: transformer) }
        #expect(error?.transformer == "severity")
        #expect(try registry.resolve("text", for: String.self).transformer is any SpanTransformer<String>)
    }

    /// The offsets that Python's `bytes.decode` names.
    @Test(arguments: [
        (TextEncoding.utf8, [0x61, 0xC3], 1), (.utf8, [0x61, 0x62, 0xED, 0xA0, 0x80], 2), (.utf16BigEndian, [0x00], 1),
    ])
    func errorsIncludeTheOffsetOfInvalidText(encoding: TextEncoding, bytes: [UInt8], offset: Int) {
        let error = #expect(throws: TransformerError.self) {
            try decode(bytes, by: TextTransformer(encoding: encoding))
        }
        #expect(error?.offset == offset)
    }

    @Test(arguments: [
        (TextEncoding.utf8, [0xC3, 0xA9]), (.utf16, [0xFE, 0xFF, 0x00, 0xE9]), (.utf16, [0xFF, 0xFE, 0xE9, 0x00]),
        (.utf16, [0x00, 0xE9]), (.utf16BigEndian, [0x00, 0xE9]), (.utf16LittleEndian, [0xE9, 0x00]), (.latin1, [0xE9]),
    ])
    func textIsReadInEveryEncoding(encoding: TextEncoding, bytes: [UInt8]) throws {
        #expect(try decode(bytes, by: TextTransformer(encoding: encoding)) == "é")
    }
}
