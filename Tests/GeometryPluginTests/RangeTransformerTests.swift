import Foundation
import GeometryPlugin
import Testing
import Transformable

@Suite struct RangeTransformerTests {
    @Test(arguments: [
        (NSRange(location: 2, length: 5), "{2, 5}"),
        (NSRange(location: 0, length: 0), "{0, 0}"),
        (NSRange(location: NSNotFound, length: 0), "{9223372036854775807, 0}"),
        (NSRange(location: -3, length: 3), "{-3, 3}"),
    ])
    func writesLocationAndLength(range: NSRange, text: String) throws {
        #expect(try RangeTransformer<NSRange>().encode(range) == text)
        #expect(try RangeTransformer<NSRange>().decode(text) == range)
        let packed = PackedRangeTransformer<NSRange>()
        #expect(try packed.decode(packed.encode(range)) == range)
    }

    @Test func supportsSwiftRanges() throws {
        #expect(try RangeTransformer<Range<Int>>().encode(-5..<7) == "{-5, 12}")
        #expect(try RangeTransformer<Range<Int>>().decode(" { -5,12 } ") == -5..<7)
        let packed = PackedRangeTransformer<Range<Int>>()
        #expect(try Array(packed.encode(-1..<1)) == [UInt8](repeating: 0xFF, count: 8) + [2, 0, 0, 0, 0, 0, 0, 0])
        #expect(try packed.decode(packed.encode(-5..<7)) == -5..<7)
    }

    @Test(arguments: [
        ("{2 5}", 3), ("{2, -5}", 4), ("{2.0, 5}", 2), ("{2, 5e1}", 5), ("2..<7", 0), ("{2, 5", 5), ("{2, 5} 6", 7),
        ("{9223372036854775808, 0}", 1), ("{0, 99999999999999999999}", 4), ("{9223372036854775807, 1}", 22),
        ("{-9223372036854775809, 0}", 1), ("{+2, 5}", 1), ("{, 5}", 1), ("{-, 5}", 2),
    ])
    func errorsIncludeTheOffset(text: String, offset: Int) throws {
        let error = try #require(throws: TransformerError.self) { try RangeTransformer<NSRange>().decode(text) }
        #expect(error.code == .invalidData)
        #expect(error.offset == offset)
    }

    @Test(arguments: [NSRange(location: 0, length: -1), NSRange(location: .max, length: 1)])
    func rejectsInvalidRanges(range: NSRange) {
        #expect(throws: TransformerError.invalidValue("")) { try RangeTransformer<NSRange>().encode(range) }
        #expect(throws: TransformerError.invalidValue("")) { try PackedRangeTransformer<NSRange>().encode(range) }
    }

    @Test func rejectsLengthsBeyond64Bits() {
        #expect(throws: TransformerError.invalidValue("")) { try RangeTransformer<Range<Int>>().encode(.min ..< .max) }
    }

    @Test(arguments: [Data(), Data(count: 15), Data(count: 17), Data(repeating: 0xFF, count: 16)])
    func rejectsInvalidBytes(bytes: Data) {
        #expect(throws: TransformerError.invalidData("")) { try PackedRangeTransformer<NSRange>().decode(bytes) }
    }
}
