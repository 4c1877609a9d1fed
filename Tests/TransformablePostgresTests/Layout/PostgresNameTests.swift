import Testing

// The statements are an implementation detail that the documentation of the layout states.
@testable import TransformablePostgres

struct PostgresNameTests {
    @Test(arguments: [
        ("Patient", "\"Patient\""),
        ("owner.Dog", "\"owner.Dog\""),
        ("_pairs.Patient.visits", "\"_pairs.Patient.visits\""),
        ("say \"hi\"", "\"say \"\"hi\"\"\""),
        ("order", "\"order\""),
        ("xmin", "\"xmin~\""),
    ])
    func quotesNames(name: String, expected: String) {
        #expect(PostgresName.quoted(name) == expected)
    }

    @Test func keepsNamesOf63Bytes() {
        let name = String(repeating: "a", count: 63)
        #expect(PostgresName.shortened(name) == name)
    }

    /// The hashes come from a program in Python that agrees with the published vectors of FNV-1a.
    @Test func shortensLongNamesByTheirHash() {
        let name = String(repeating: "a", count: 64)
        #expect(PostgresName.shortened(name) == String(repeating: "a", count: 46) + "~db007849f35ebbe5")
        let greek = String(repeating: "π", count: 40)
        #expect(PostgresName.shortened(greek) == String(repeating: "π", count: 23) + "~c7c91837fb0cd385")
        #expect(PostgresName.shortened(greek).utf8.count == 63)
    }

    @Test func shortNamesOfDifferentLongNamesDiffer() {
        let start = String(repeating: "a", count: 70)
        #expect(PostgresName.shortened(start + "b") != PostgresName.shortened(start + "c"))
    }
}
