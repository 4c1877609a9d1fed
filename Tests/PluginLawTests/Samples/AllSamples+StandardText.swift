import Foundation

extension AllSamples {
    static var standardText: [any SampleSet] {
        cases + parts + filters + baseN
    }

    private static let words = [
        "", "a", "hello world", "HTTPServer", "größe und ärger", "e\u{301}t\u{e9}", "snake_case-x 9",
    ]

    private static var cases: [any SampleSet] {
        [
            "uppercase", "lowercase", "capitalized", "title-case", "slug", "camel-case", "lower-camel-case",
            "snake-case", "kebab-case",
        ]
        .map { Samples($0, words) }
    }

    private static var parts: [any SampleSet] {
        [
            Samples("reversed", ["", "abc", "größe", "👨‍👩‍👧‍👦🇩🇪"]),
            Samples("first(count: 2)", words),
            Samples("first(count: 0)", words),
            Samples("last(count: 3)", words),
            Samples("digits", ["", "a1b22", "٣", "+49 (0)30 1234"]),
            Samples("trim", ["", " a ", "\n\t", "\u{A0}x\u{2003}"]),
        ]
    }

    private static var filters: [any SampleSet] {
        [
            Samples("nfc", Texts.many),
            Samples("remove-diacritics", words),
            Samples("latin", words + ["Ελλάδα", "Москва", "日本"]),
            Samples("transliterate(transform: \"Latin-Cyrillic\")", ["Moskva"]),
            Samples("transliterate(transform: \"Any-Upper\")", words),
        ]
    }

    private static var baseN: [any SampleSet] {
        let rejected: [any Sendable] = ["!", "é", "\u{0}", "=", "A=A="]
        return [
            "base16", "base16(lowercase: true)", "base32", "base32(padding: false)", "base64", "base64(padding: false)",
            "base64url", "base64url(padding: true)", "base85", "ascii85", "ascii85(frame: true)",
            "base64(ignoreSpace: true)",
        ]
        .map { Samples($0, Bytes.many, rejected: $0.contains("85") ? ["é"] : rejected) }
            + [
                Samples(
                    "z85",
                    Bytes.many.filter { $0.count.isMultiple(of: 4) },
                    refused: [Data([1])],
                    rejected: ["é", "abcd"]
                )
            ]
    }
}

/// Bytes with what is hard about bytes.
enum Bytes {
    static let many = [Data()] + (1...9).map { Data(0..<$0) } + [Data(0...255), Data(repeating: 0, count: 300)]
}
