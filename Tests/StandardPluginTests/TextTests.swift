import StandardPlugin
import Testing
import Transformable

@Suite struct TextTests {
    @Test(arguments: [
        Sample("uppercase", "Straße", "STRASSE"), Sample("lowercase", "ÀÉÎ", "àéî"),
        Sample("capitalized", "capitalized string", "Capitalized String"),
        Sample("lowercase", "ΟΔΟΣ ΣΑΣ", "οδος σας"), Sample("lowercase", "ὈΔΥΣΣΕΎΣ", "ὀδυσσεύς"),
        Sample("lowercase", "Σ 1Σ ΑΣΒ ΑΣ.", "σ 1σ ασβ ας."),
        Sample("lowercase", "ΑΣ\u{301}Α aΣ'b aΣ-b", "ασ\u{301}α aσ'b aς-b"),
        Sample("title-case", "HELLO wORLD", "Hello World"), Sample("title-case", "don't ǆ ß", "Don't ǅ Ss"),
        Sample("title-case", "ΟΔΟΣ größe", "Οδος Größe"), Sample("title-case", "", ""),
        Sample("slug", "Hello, World!", "hello-world"), Sample("slug", "  Łódź & Kraków  ", "lodz-krakow"),
        Sample("slug", "Straße 12b", "strasse-12b"), Sample("slug", "Москва", "moskva"),
        Sample("slug", "œuvre Æther", "oeuvre-aether"), Sample("slug", "日本", "ri-ben"),
        Sample("slug", "--a--b--", "a-b"),
        Sample("slug", "!?", ""), Sample("trim", "\u{200B} a \u{200B}", "\u{200B} a \u{200B}"),
        Sample("trim", "\u{85}\u{3000}a\u{A0}", "a"), Sample("trim", " \n ", ""),
        Sample("trim", "\u{2003} a b \r\n", "a b"), Sample("digits", "+49 (0) 151-23 ٣", "49015123"),
        Sample("last(count: 4)", "4111111111111234", "1234"), Sample("last(count: 2)", "ae\u{301}", "ae\u{301}"),
        Sample("last(count: 9)", "abc", "abc"), Sample("first(count: 1)", "👨‍👩‍👧x", "👨‍👩‍👧"),
        Sample("remove-diacritics", "Rémövê Dîaçritics", "Remove Diacritics"),
        Sample("remove-diacritics", "Łødź", "Łødz"),
        Sample("latin", "ट्रांस्लितेराते स्ट्रिंग", "ṭrānslitērātē sṭriṅga"), Sample("latin", "Москва", "Moskva"),
    ])
    func filtersEncode(sample: Sample<String, String>) throws {
        #expect(try encode(sample.expression, sample.value, to: String.self) == sample.encoded)
        #expect(try !standardRegistry().resolve(sample.expression).isReversible)
    }

    @Test(arguments: [
        Sample("camel-case", "camel case string", "CamelCaseString"),
        Sample("lower-camel-case", "llama case string", "llamaCaseString"),
        Sample("snake-case", "snake case string", "snake_case_string"),
        Sample("kebab-case", "train case string", "train-case-string"),
        Sample("reversed", "reversed string", "gnirts desrever"),
        Sample("reversed", "gnirtS desreveR", "Reversed String"), Sample("reversed", "ae\u{301}", "e\u{301}a"),
        Sample("reversed", #"s\v'ErStS"#, #"StSrE'v\s"#), Sample("reversed", "", ""),
        Sample("transliterate(transform: \"Latin-Cyrillic\")", "privet", "привет"),
        Sample("transliterate(transform: \"Any-Hex/Unicode\")", "A", "U+0041"),
    ])
    func roundTrips(sample: Sample<String, String>) throws {
        #expect(try encode(sample.expression, sample.value, to: String.self) == sample.encoded)
        #expect(try decode(sample.expression, sample.encoded, as: String.self) == sample.value)
    }

    /// As `underscore` of Ruby's and Python's inflection libraries splits.
    @Test(arguments: [
        ("helloWorld", "hello_world"), ("HTTPServer", "http_server"), ("parseJSONText", "parse_json_text"),
        ("DeviceType2X", "device_type2_x"), ("already_snake-case words", "already_snake_case_words"),
        ("ABc", "a_bc"), ("ÄrgerÜber", "ärger_über"), ("X", "x"), ("__", ""), ("a\u{200B}b", "a\u{200B}b"),
    ])
    func splitsWordsAtChangesOfCase(text: String, expected: String) throws {
        #expect(try encode("snake-case", text, to: String.self) == expected)
        let hyphens = expected.replacing("_", with: "-")
        #expect(try encode("kebab-case", text, to: String.self) == hyphens)
    }

    @Test func camelCaseIsIdempotent() throws {
        #expect(try encode("camel-case", "helloWorld", to: String.self) == "HelloWorld")
        #expect(try encode("lower-camel-case", "HTTPServer", to: String.self) == "httpServer")
    }

    @Test func splitsWordsAtWhiteSpaceAndDropsCase() throws {
        #expect(try encode("camel-case", "  Two\tWORDS\n", to: String.self) == "TwoWords")
        #expect(try encode("snake-case", "Two  WORDS", to: String.self) == "two_words")
        #expect(try encode("camel-case", "ß ǆ", to: String.self) == "Ssǅ")
        expectFailure(.invalidData, at: 3) { try decode("snake-case", "two words", as: String.self) }
    }

    @Test(arguments: ["\n\r", "\u{301}a", "🇩🇪🇫"])
    func rejectsTextThatCannotBeReversedBack(text: String) {
        expectFailure(.invalidValue) { try encode("reversed", text, to: String.self) }
        expectFailure(.invalidData) { try decode("reversed", text, as: String.self) }
    }

    @Test func normalizesToNFC() throws {
        let registry = try standardRegistry()
        let bytes = try registry.transformer("nfc", for: String.self)
        #expect(try bytes.encode("e\u{301}") == bytes.encode("\u{E9}"))
        #expect(try bytes.encode("e\u{301}").count == 2)
        #expect(bytes.traits.contains(.canonical))
        #expect(try !registry.transformer("text", for: String.self).traits.contains(.canonical))
    }

    // UAX #15: of these, only the Hangul syllable and the final consonant are composed.
    @Test(arguments: [
        ("nfc", "\u{2304B}\u{3099}", "\u{2304B}\u{3099}"), ("nfc", "\u{20061}\u{308}", "\u{20061}\u{308}"),
        ("nfc", "\u{10041}\u{301}", "\u{10041}\u{301}"), ("nfc", "\u{AC00}\u{11A8}", "\u{AC01}"),
        ("remove-diacritics", "\u{109C7}\u{9BE}", "\u{109C7}\u{9BE}"),
    ])
    func composesOnlyWhatUnicodeComposes(expression: String, text: String, composed: String) throws {
        let encoded = try encode(expression, text, to: String.self)
        #expect(Array(encoded.unicodeScalars) == Array(composed.unicodeScalars))
    }

    // Of Python's unicodedata.normalize("NFC", text): old Hangul, letters above U+FFFF, and Tibetan vowels of two marks.
    @Test(arguments: [
        ("\u{1100}\u{1176}", "\u{1100}\u{1176}"), ("\u{1113}\u{1176}", "\u{1113}\u{1176}"),
        ("\u{1113}\u{1161}", "\u{1113}\u{1161}"), ("\u{AC00}\u{11C3}", "\u{AC00}\u{11C3}"),
        ("\u{AC38}\u{11A7}\u{AE0C}", "\u{AC38}\u{11A7}\u{AE0C}"), ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}"),
        ("\u{1109B}\u{338}\u{110BA}", "\u{1109C}\u{338}"), ("\u{110A5}\u{336}\u{110BA}", "\u{110AB}\u{336}"),
        ("\u{F73}\u{323}", "\u{F71}\u{F72}\u{323}"), ("\u{301}\u{F75}", "\u{F71}\u{F74}\u{301}"),
        ("\u{F81}", "\u{F71}\u{F80}"),
    ])
    func composesRareLetters(text: String, composed: String) throws {
        let encoded = try encode("nfc", text, to: String.self)
        #expect(Array(encoded.unicodeScalars) == Array(composed.unicodeScalars))
    }

    @Test func columnsOfTheFirstVersionOfNFCRemainReadable() throws {
        let signature = try standardRegistry().resolve("nfc", for: String.self).signature
        #expect(try signature.canRead(TransformerSignature("nfc/1 | text/1(encoding: utf-8)")))
    }

    @Test func rejectsTextThatCannotBeTransliteratedBack() throws {
        // ICU's inverse makes “l” and a combining circumflex of each letter: 2 × 16,384 code units.
        let expression = "transliterate(transform: \"Latin-Cyrillic\")"
        let growing = String(repeating: "љ", count: 1 << 14)
        expectFailure(.limitExceeded) { try encode(expression, growing, to: String.self) }
        let half = String(growing.prefix(1 << 13))
        let encoded = try encode(expression, half, to: String.self)
        let value = try decode(expression, encoded, as: String.self)
        #expect(value.utf16.count == 1 << 14)
        #expect(try decode(expression, encode(expression, value, to: String.self), as: String.self) == value)
    }

    @Test func rejectsUnknownTransforms() {
        expectFailure(.invalidArgument) { try standardRegistry().resolve("transliterate(transform: \"no-such\")") }
        expectFailure(.missingArgument) { try standardRegistry().resolve("transliterate") }
        expectFailure(.invalidArgument) { try standardRegistry().resolve("last(count: -1)") }
    }
}
