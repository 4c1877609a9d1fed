import Testing
import Transformable

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
