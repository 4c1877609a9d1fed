import Foundation
import StandardPlugin
import Testing
import Transformable

@Suite struct BaseNTests {
    /// RFC 4648, section 10; base 85 as Python's `base64.b85encode` writes it.
    @Test(arguments: [
        Sample("base64", "", ""), Sample("base64", "f", "Zg=="), Sample("base64", "fo", "Zm8="),
        Sample("base64", "foo", "Zm9v"), Sample("base64", "foob", "Zm9vYg=="), Sample("base64", "fooba", "Zm9vYmE="),
        Sample("base64", "foobar", "Zm9vYmFy"), Sample("base64(padding: false)", "foob", "Zm9vYg"),
        Sample("base64url", "foob", "Zm9vYg"), Sample("base64url(padding: true)", "foob", "Zm9vYg=="),
        Sample("base32", "", ""), Sample("base32", "f", "MY======"), Sample("base32", "fo", "MZXQ===="),
        Sample("base32", "foo", "MZXW6==="), Sample("base32", "foob", "MZXW6YQ="),
        Sample("base32", "fooba", "MZXW6YTB"), Sample("base32", "foobar", "MZXW6YTBOI======"),
        Sample("base32(padding: false)", "foobar", "MZXW6YTBOI"),
        Sample("base16", "", ""), Sample("base16", "foobar", "666F6F626172"),
        Sample("base16(lowercase: true)", "foobar", "666f6f626172"),
        Sample("base85", "", ""), Sample("base85", "Hello, world!", "NM&qnZ!92pZ*pv8Ap"),
    ])
    func encodesPublishedVectors(sample: Sample<String, String>) throws {
        let bytes = Data(sample.value.utf8)
        #expect(try encode(sample.expression, bytes, to: String.self) == sample.encoded)
        #expect(try decode(sample.expression, sample.encoded, as: Data.self) == bytes)
    }

    /// Python's `base64.a85encode`, and the example of ZeroMQ's RFC 32.
    @Test(arguments: [
        Sample("ascii85", "", ""), Sample("ascii85", "61", "@/"), Sample("ascii85", "6162", "@:B"),
        Sample("ascii85", "616263", "@:E^"), Sample("ascii85", "61626364", "@:E_W"),
        Sample("ascii85", "68656c6c6f20776f726c64", "BOu!rD]j7BEbo7"), Sample("ascii85", "00000000", "z"),
        Sample("ascii85", "0000000000", "z!!"), Sample("ascii85", "20202020", "+<VdL"),
        Sample("ascii85", "ffffffffff", "s8W-!rr"), Sample("ascii85(frame: true)", "", "<~~>"),
        Sample("ascii85(frame: true)", "0000000000", "<~z!!~>"),
        Sample("z85", "864fd26fb559f75b", "HelloWorld"), Sample("z85", "", ""),
    ])
    func encodesOtherBase85(sample: Sample<String, String>) throws {
        #expect(try encode(sample.expression, Data(hex: sample.value), to: String.self) == sample.encoded)
        #expect(try decode(sample.expression, sample.encoded, as: Data.self) == Data(hex: sample.value))
    }

    @Test func z85RequiresWholeGroups() {
        expectFailure(.invalidValue) { try encode("z85", Data([1, 2, 3]), to: String.self) }
        expectFailure(.invalidData, at: 3) { try decode("z85", "Hell", as: Data.self) }
    }

    @Test(arguments: [
        Sample("base64(ignoreSpace: true)", "Zm9v\r\n Ym Fy\n", "foobar"),
        Sample("base32(ignoreSpace: true)", "MZXW 6YTB\tOI== ====", "foobar"),
        Sample("base16(ignoreSpace: true)", "66 6F 6f\n", "foo"),
        Sample("base64url(ignoreSpace: true)", " Zm9v ", "foo"),
        Sample("base85(ignoreSpace: true)", "NM&qn Z!92p\nZ*pv8 Ap", "Hello, world!"),
        Sample("ascii85(frame: true, ignoreSpace: true)", "<~ @:E^ ~>\n", "abc"),
        Sample("z85(ignoreSpace: true)", "Hello\nWorld", "\u{FFFD}"),
    ])
    func passesOverSpaceWhereAsked(sample: Sample<String, String>) throws {
        let bytes = try decode(sample.expression, sample.value, as: Data.self)
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(sample.encoded))
    }

    @Test(arguments: [
        Sample("base64(ignoreSpace: true)", "Zm9v\n!m9v", 5), Sample("base16(ignoreSpace: true)", "0 0 0", 5),
        Sample("base64(ignoreSpace: true)", "\u{A0}Z\ng", 0),
    ])
    func errorOffsetsIncludeWhiteSpace(sample: Sample<String, Int>) {
        expectFailure(.invalidData, at: sample.encoded) { try decode(sample.expression, sample.value, as: Data.self) }
    }

    @Test(arguments: [
        Sample("ascii85", "z!", 1), Sample("ascii85", "!z!!!", 1), Sample("ascii85", "v!!!!", 0),
        Sample("ascii85", "s8W-\"", 0), Sample("ascii85", "@: E^", 2), Sample("ascii85(frame: true)", "@/", 0),
        Sample("ascii85(frame: true)", "<~>", 0), Sample("z85", "Hello~orld", 5), Sample("z85", "#####", 0),
    ])
    func refusesOtherBase85(sample: Sample<String, Int>) {
        expectFailure(.invalidData, at: sample.encoded) { try decode(sample.expression, sample.value, as: Data.self) }
    }

    @Test(arguments: [
        Sample("base85", "ff", "{{"),
        Sample("base85", "ffffffff", "|NsC0"),
        Sample("base85", "00000000", "00000"),
        Sample("base85", "f9", "`2"),
        Sample("base85", "f8f9fafbfcfdfeff", "`1$(#{Qds_"),
        Sample("base85", "0001", "009"),
        Sample("base85", "000102", "009C"),
        Sample("base64url", "fbff", "-_8"),
        Sample("base64", "fbff", "+/8="),
        Sample("base16", "00ff", "00FF"),
    ])
    func encodesExtremes(sample: Sample<String, String>) throws {
        #expect(try encode(sample.expression, Data(hex: sample.value), to: String.self) == sample.encoded)
        #expect(try decode(sample.expression, sample.encoded, as: Data.self) == Data(hex: sample.value))
    }

    @Test func readsBase16InEitherCase() throws {
        #expect(try decode("base16", "DeadBEef", as: Data.self) == Data([0xDE, 0xAD, 0xBE, 0xEF]))
    }

    @Test(arguments: [
        Sample("base16", "0", 1), Sample("base16", "0g", 1), Sample("base16", "é", 0), Sample("base16", "00 0", 2),
        Sample("base32", "my======", 0), Sample("base32", "MY=====", 7), Sample("base32", "MZ======", 1),
        Sample("base32", "M=======", 1), Sample("base32", "MZX=====", 3), Sample("base32", "MY======MY======", 2),
        Sample("base32(padding: false)", "M", 1), Sample("base32(padding: false)", "MY======", 2),
        Sample("base64", "Zg", 2), Sample("base64", "Zg=", 3), Sample("base64", "Zh==", 1), Sample("base64", "Z===", 1),
        Sample("base64", "Zg==Zg==", 2), Sample("base64", "====", 4), Sample("base64", "Zm\n9v", 5),
        Sample("base64", "Zm9\u{0}", 3), Sample("base64", "-_8=", 0), Sample("base64url", "+/8", 0),
        Sample("base64url", "Zg==", 2), Sample("base64(padding: false)", "Z", 1), Sample("base64", "Zm9=", 2),
        Sample("base85", "0", 0), Sample("base85", "000000", 5), Sample("base85", "~~~~~", 0),
        Sample("base85", "00\"00", 2), Sample("base85", "01", 1), Sample("base85", "0000 ", 4),
    ])
    func rejectsInexactText(sample: Sample<String, Int>) {
        expectFailure(.invalidData, at: sample.encoded) { try decode(sample.expression, sample.value, as: Data.self) }
    }

    /// Long enough for Foundation's reader, which is asked first.
    @Test(arguments: [("=", 400), ("\n", 400), ("é", 400), ("Zg==", 402)])
    func rejectsFaultsInTheMiddleOfLongText(fault: String, offset: Int) {
        let text = String(repeating: "Zm9v", count: 100) + fault + String(repeating: "Zm9v", count: 100)
        let padded = text + String(repeating: "v", count: (4 - text.utf8.count % 4) % 4)
        expectFailure(.invalidData, at: offset) { try decode("base64", padded, as: Data.self) }
        let idle = String(repeating: "Zm9v", count: 100) + "Zh=="
        expectFailure(.invalidData, at: 401) { try decode("base64", idle, as: Data.self) }
    }

    @Test(arguments: ["base16", "base32", "base64", "base64url", "base85"])
    func slicesOfEveryLengthRoundTrip(name: String) throws {
        let all = Data((0..<200).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) })
        for length in 0...64 {
            let slice = all.dropFirst(length).prefix(length)
            let text = try encode(name, slice, to: String.self)
            #expect(try decode(name, text, as: Data.self) == slice)
        }
    }

    /// Text that begins with the identifier of its key.
    private struct Keyed: Transformer, KeyIdentifyingTransformer {
        let traits = TransformerTraits.plain
        let currentKey: String? = "2"

        func requireKeys(_ identifiers: [String]) {}

        func encode(_ value: Data, in context: TransformContext) -> String {
            "2" + Base16Transformer().encode(value, in: context)
        }

        func candidates(for value: Data, in context: TransformContext) -> [String] {
            ["2", "1"].map { $0 + Base16Transformer().encode(value, in: context) }
        }

        func decode(_ encoded: String, in context: TransformContext) throws -> Data {
            try Base16Transformer().decode(String(encoded.dropFirst()), in: context)
        }
    }

    // Otherwise, its key could be retired, and a search would find only what was written with the newest key.
    @Test func findsTheKeysOfTheTransformerWhoseSpacesItIgnores() throws {
        let transformer = SpaceIgnoringTransformer(Keyed())
        #expect(transformer.components.map { ($0 as? any KeyIdentifyingTransformer)?.currentKey } == ["2"])
        #expect(try transformer.candidates(for: Data([0xAB]), in: .none) == ["2AB", "1AB"])
        #expect(try transformer.candidates(forAnyOf: [Data([0xAB])], in: .none) == ["2AB", "1AB"])
        #expect(try transformer.decode("1 AB\n") == Data([0xAB]))
    }
}
