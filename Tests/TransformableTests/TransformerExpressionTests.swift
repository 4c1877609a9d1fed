import Testing
import Transformable

@Suite struct TransformerExpressionTests {
    @Test(arguments: [
        ("png", "png"),
        (
            "  jpeg( quality :85 ,progressive:true)|sealed(key:\"clinic\") ",
            "jpeg(quality: 85, progressive: true) | sealed(key: \"clinic\")"
        ),
        ("acme.thumb-2x(fit: [1, 2.5, -3])", "acme.thumb-2x(fit: [1, 2.5, -3])"),
        ("list(of: (rect(style: apple) | text))", "list(of: (rect(style: apple) | text))"),
        ("a()", "a"),
        ("a(s: \"\\u00e9\\n\\\"\\ud83d\\ude00/\")", "a(s: \"é\\n\\\"😀/\")"),
    ])
    func printsCanonically(text: String, canonical: String) throws {
        let expression = try TransformerExpression(text)
        #expect(expression.description == canonical)
        #expect(try TransformerExpression(canonical) == expression)
    }

    @Test(arguments: [
        ("", 0), ("|", 0), ("a||b", 2), ("A", 0), ("a-", 1), ("a.", 1), ("a.b-.c", 3), ("a b", 2), ("a(", 2),
        ("a(b)", 3), ("a(b:)", 4), ("a(b: 1", 6), ("a(b: 1 c: 2)", 7), ("a(b: 1, b: 2)", 8), ("a(B: 1)", 2),
        ("a(b: \"x)", 8), ("a(b: \"\\x\")", 7), ("a(b: \"\\ud800\")", 6), ("a(b: 01)", 5), ("a(b: [1)", 7),
        ("a(b: (c)", 8), ("a(b: 9223372036854775808)", 5), ("a(b: 1e999)", 5), ("a(b: 1.)", 6), ("é", 0),
    ])
    func errorsIncludeTheOffset(text: String, offset: Int) {
        let error = #expect(throws: TransformerError.self) { try TransformerExpression(text) }
        #expect(error?.code == .invalidExpression)
        #expect(error?.offset == offset)
    }

    // The canonical form has spaces after commas, and writes 1E15 with 18 bytes.
    @Test func theCanonicalFormOfALongExpressionCanBeParsed() throws {
        let list = Array(repeating: "1E15", count: 800).joined(separator: ",")
        let expression = try TransformerExpression("a(b:[\(list)])")
        #expect(expression.description.utf8.count > 15_000)
        #expect(try TransformerExpression(expression.description) == expression)
    }

    @Test func rejectsALongExpression() throws {
        let text = { (count: Int) in "a(b: \"\(String(repeating: "x", count: count - 7))\")" }
        #expect(try TransformerExpression(text(4096)).stages.count == 1)
        let error = #expect(throws: TransformerError(.invalidExpression, "")) { try TransformerExpression(text(4097)) }
        #expect(error?.message == "the expression is longer than 4096 bytes")
        let spaces = String(repeating: " ", count: 65_536)
        #expect(throws: TransformerError(.invalidExpression, "")) { try TransformerExpression("a" + spaces) }
    }
}

@Suite struct TransformerNameTests {
    @Test(arguments: ["a", "rect", "blind-index", "acme.thumb-2x", "a.b.c", "base64", "a-1"])
    func accepts(name: String) {
        #expect(TransformerName(rawValue: name).isValid)
    }

    @Test(arguments: [
        "", "A", "rEct", "1a", "-a", "a-", "a--b", ".a", "a.", "a..b", "a.1", "a b", "a_b", "é", "a|b", "a\n",
    ])
    func rejects(name: String) {
        #expect(!TransformerName(rawValue: name).isValid)
    }

    @Test func sortsByText() {
        #expect(
            ["b", "a.b", "a", "a-b"].map(TransformerName.init(rawValue:)).sorted().map(\.description) == [
                "a", "a-b", "a.b", "b",
            ]
        )
    }
}
