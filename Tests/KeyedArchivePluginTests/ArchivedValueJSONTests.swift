import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

@Suite struct ArchivedValueJSONTests {
    @Test func jsonIsLossless() throws {
        let value = ArchivedValueTransformerTests.everything
        #expect(try ArchivedValue(json: Data(value.json.utf8)) == value)
    }

    @Test(arguments: [
        (ArchivedValue.integer(1), "1"),
        (.real(1), "1.0"),
        (.real(-0.0), "-0.0"),
        (.real(.nan), #"{"$real": "nan"}"#),
        (.real(-.infinity), #"{"$real": "-infinity"}"#),
        (.null, "null"),
        (.string("a\"\\\n\u{1}é"), #""a\"\\\n\u0001é""#),
        (.data(Data([0, 1, 2])), #"{"$data": "AAEC"}"#),
        (.date(Date(timeIntervalSinceReferenceDate: 0.125)), #"{"$date": "2001-01-01T00:00:00.125Z"}"#),
        (.date(Date(timeIntervalSinceReferenceDate: -1)), #"{"$date": "2000-12-31T23:59:59Z"}"#),
        (.date(Date(timeIntervalSinceReferenceDate: 0.1.nextUp)), #"{"$date": 0.10000000000000002}"#),
        (.url(ArchivedURL("a", bases: ["b:c"])), #"{"$url": ["a", "b:c"]}"#),
        (.decimal(Decimal(sign: .minus, exponent: -1, significand: 15)), #"{"$decimal": "-1.5"}"#),
        (.dictionary([1: "one"]), #"{"$dictionary": [[1, "one"]]}"#.replacing("[[", with: "[\n    [")),
        (.set(["b", "a"]), #"{"$set": ["a", "b"]}"#),
        (.range(NSRange(location: 1, length: 2)), #"{"$range": [1, 2]}"#),
        (.point(CGPoint(x: 1, y: 2.5)), #"{"$point": [1.0, 2.5]}"#),
        (.transform(.identity), #"{"$transform": [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]}"#),
        (.countedSet(ArchivedCountedSet([.init("a", count: 2)])), #"{"$countedSet": [["a", 2]]}"#),
        (.indexSet(ArchivedIndexSet([0, 1, 7])), #"{"$indexSet": [[0, 2], [7, 1]]}"#),
        (.indexPath(ArchivedIndexPath([1, 2])), #"{"$indexPath": [1, 2]}"#),
        (.locale(ArchivedLocale("de_DE")), #"{"$locale": "de_DE"}"#),
        (.timeZone(ArchivedTimeZone("GMT")), #"{"$timeZone": "GMT"}"#),
        (.error(ArchivedError(domain: "d", code: 4)), #"{"$error": {"code": 4, "domain": "d"}}"#),
        (.notification(ArchivedNotification("n")), #"{"$notification": {"name": "n"}}"#),
        (.calendar(ArchivedCalendar("gregorian")), #"{"$calendar": {"identifier": "gregorian"}}"#),
        (
            .attributedString(ArchivedAttributedString("é", attributes: ["a": 1])),
            #"{"$attributedString": {"runs": [[1, {"a": 1}]], "string": "é"}}"#
        ),
    ])
    func statesTypes(value: ArchivedValue, json: String) throws {
        let squeezed = value.json.filter { !$0.isWhitespace }
        #expect(squeezed == json.filter { !$0.isWhitespace })
        #expect(try ArchivedValue(json: Data(json.utf8)) == value)
    }

    @Test(arguments: [
        "", "{", "[1,]", "01", "1.", "nul", "\"", "\"\\x\"", "\"\\ud800\"", "[1] 2", "{\"a\":1,\"a\":2}", "{a:1}",
        #"{"$what": 1}"#, #"{"$data": "?"}"#, #"{"$date": "yesterday"}"#, #"{"$uuid": "1"}"#, #"{"$point": [1]}"#,
        #"{"$set": 1}"#, #"{"$set": [], "b": 1}"#, #"{"$dictionary": [[1]]}"#, #"{"$decimal": "a"}"#,
        #"{"$range": [1.5, 2]}"#, #"{"$object": 1}"#, "\u{1}", "1e999", #"{"$indexSet": [[1, 2], [2, 2]]}"#,
        #"{"$indexSet": [[9223372036854775807, 2]]}"#, #"{"$countedSet": [["a", 0]]}"#, #"{"$error": {"code": 1}}"#,
        #"{"$attributedString": {"string": "ab", "runs": [[1, {}]]}}"#, #"{"$inline": 1}"#, #"[{"$nil": null}]"#,
        #"{"$color": {"space": "deviceRGB", "components": [1.0], "alpha": 1.0}}"#, #"{"$timeZone": {"name": "a"}}"#,
        #"{"$object": "A", "$fields": {"a": [{"$nil": null}]}}"#, #"{"$object": "A", "$fields": {"a": 1, "a": 1}}"#,
        "1" + String(repeating: "0", count: 50),
    ])
    func rejectsInvalidValues(json: String) {
        let error = #expect(throws: TransformerError.self) { try ArchivedValue(json: Data(json.utf8)) }
        #expect(error?.code == .invalidData)
    }

    @Test func deepJSONIsAnError() {
        let count = 100_001
        let json = String(repeating: "[", count: count) + String(repeating: "]", count: count)
        let error = #expect(throws: TransformerError.self) { try ArchivedValue(json: Data(json.utf8)) }
        #expect(error?.code == .limitExceeded)
    }
}
