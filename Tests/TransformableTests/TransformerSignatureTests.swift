import Testing
import Transformable

@Suite struct TransformerSignatureTests {
    @Test(arguments: [
        ("jpeg/1 | sealed/1", "jpeg/1 | sealed/1", true),
        ("jpeg/2 | sealed/1", "jpeg/1 | sealed/1", true),
        ("jpeg/1 | sealed/1", "jpeg/2 | sealed/1", false),
        ("jpeg/1", "png/1", false),
        ("jpeg/2", "png/1", false),
        ("jpeg/1", "jpeg/1 | sealed/1", false),
        ("int/1(width: 8)", "int/1(width: 4)", false),
        ("int/2(width: 8)", "int/1(width: 4)", false),
        ("int/2(width: 4, order: little)", "int/1(width: 4)", true),
        ("int/1(width: 4, order: little)", "int/1(width: 4)", false),
        ("int/2(width: 4)", "int/1(width: 4, order: little)", false),
        ("list/1(of: (rect/1))", "list/1(of: (rect/1))", true),
        ("list/1(of: (rect/1))", "list/1(of: (size/1))", false),
        ("any/1(of: [(rect/2)])", "any/1(of: [(rect/1)])", true),
        ("any/1(of: [(rect/1)])", "any/1(of: [(rect/2)])", false),
        ("any/1(of: [(rect/1), (size/1)])", "any/1(of: [(rect/1)])", false),
        ("map/1(pairs: [[1, 2]])", "map/1(pairs: [[1, 3]])", false),
    ])
    func readsOlderVersions(reader: String, writer: String, canRead: Bool) throws {
        #expect(try TransformerSignature(reader).canRead(TransformerSignature(writer)) == canRead)
    }

    /// The inner stage is newer than what wrote the list, as an outer one may be.
    @Test func readsOlderVersionsOfInnerStages() throws {
        let reader = try TransformerSignature("list/1(of: (rect/2))")
        #expect(reader.canRead(try TransformerSignature("list/1(of: (rect/1))")))
        #expect(!(try TransformerSignature("list/1(of: (rect/1))").canRead(reader)))
    }

    @Test(arguments: [
        "jpeg/1 | sealed/12(key: \"clinic\")", "text/1(encoding: utf-8)", "list/1(of: (rect/1 | text/1))",
    ])
    func roundTripsThroughText(text: String) throws {
        #expect(try TransformerSignature(text).description == text)
    }

    @Test(arguments: ["jpeg/", "jpeg/x", "jpeg/1/2", "", "/1", "jpeg/99999999999999999999"])
    func rejectsInvalidSignatures(text: String) {
        #expect(throws: TransformerError(.invalidExpression, "")) { try TransformerSignature(text) }
    }

    // It states versions, default arguments, and implied stages, so it is longer than its expression.
    @Test func canBeLongerThanAnExpression() throws {
        let stage = "map/1(pairs: [[1, \"\(String(repeating: "x", count: 500))\"]])"
        let text = Array(repeating: stage, count: 64).joined(separator: " | ")
        #expect(try TransformerSignature(text).description == text)
        #expect(throws: TransformerError(.invalidExpression, "")) { try TransformerSignature("\(text) | text/1") }
        let long = "text/1(note: \"\(String(repeating: "x", count: 65_536))\")"
        #expect(throws: TransformerError(.invalidExpression, "")) { try TransformerSignature(long) }
    }

    @Test func expressionsHaveNoVersions() {
        let error = #expect(throws: TransformerError.self) { try TransformerExpression("jpeg/1") }
        #expect(error?.code == .invalidExpression)
        #expect(error?.offset == 4)
    }
}
