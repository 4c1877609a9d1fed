import Foundation
import StandardPlugin
import Testing
import Transformable

/// Texts that brought Foundation or the standard library to a halt.
@Suite struct HostileTextTests {
    @Test(arguments: ["2001-01-01\u{301}", "2001\u{301}-01-01", "2001-01-01 \u{301}", "2001-01-01\r\n"])
    func rejectsDatesWithCombinedCharacters(text: String) throws {
        let transformer = try DateFormatTransformer(pattern: "yyyy-MM-dd")
        #expect(throws: TransformerError.invalidData("")) { try transformer.decode(text) }
    }

    /// Hindi writes February as “फ़रवरी”, whose letters are of several code points.
    @Test func doesNotWriteDatesThatItCannotRead() throws {
        let transformer = try DateFormatTransformer(pattern: "d MMMM yyyy", locale: "hi_IN")
        #expect(throws: TransformerError.invalidValue("")) {
            try transformer.encode(Date(timeIntervalSince1970: 951_782_400))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func reversesManyFlagsInReasonableTime() throws {
        let flags = String(repeating: "\u{1F1E9}\u{1F1EA}", count: 50_000)
        #expect(try ReversedTextTransformer().encode(flags).utf8.elementsEqual(flags.utf8))
    }
}
