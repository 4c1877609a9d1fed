import Testing
import Transformable

@Suite struct TransformerTraitsTests {
    struct Case: Sendable, CustomStringConvertible {
        let first: TransformerTraits
        let second: TransformerTraits
        let both: TransformerTraits

        var description: String { "[\(first)] then [\(second)]" }
    }

    @Test(arguments: [
        Case(first: .plain, second: .plain, both: .plain),
        // The second stage sees one form of equal values: it need only repeat itself.
        Case(first: .plain, second: .deterministic, both: .plain),
        Case(first: .deterministic, second: .plain, both: .deterministic),
        Case(first: .plain, second: [], both: []),
        Case(first: [], second: .plain, both: []),
        Case(first: [.plain, .ordered], second: [.plain, .ordered], both: [.plain, .ordered]),
        Case(first: [.plain, .ordered], second: .plain, both: .plain),
        Case(first: .plain, second: [.plain, .ordered], both: .plain),
        Case(first: [.plain, .lossy], second: .plain, both: [.plain, .lossy]),
        Case(
            first: .plain,
            second: [.contextual, .authenticated, .confidential],
            both: [.contextual, .authenticated, .confidential]
        ),
        Case(first: [.plain, .compressing], second: .plain, both: [.plain, .compressing]),
        Case(first: .plain, second: [.plain, .compressing], both: [.plain, .compressing]),
        Case(first: [.confidential, .deterministic], second: .plain, both: [.confidential, .deterministic]),
    ])
    func composesTraits(example: Case) {
        #expect(example.first.then(example.second) == example.both)
    }

    @Test func describesTraitsInOrder() {
        let all: TransformerTraits = [
            .compressing, .confidential, .authenticated, .contextual, .lossy, .ordered, .canonical, .deterministic,
        ]
        #expect(
            all.description
                == "deterministic, canonical, ordered, lossy, contextual, authenticated, confidential, compressing"
        )
        #expect(TransformerTraits([]).description == "")
        #expect(TransformerTraits.plain.descriptions == ["deterministic", "canonical"])
    }
}
