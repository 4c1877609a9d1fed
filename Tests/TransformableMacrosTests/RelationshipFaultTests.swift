import Testing

@Suite struct RelationshipFaultTests {
    /// A class with one line, which is the third.
    private func with(_ line: String) -> String { "@Entity\nfinal class Patient {\n    \(line)\n}" }

    @Test(arguments: ["String?", "[Int]", "Data"])
    func refusesATypeThatIsNoEntity(type: String) {
        Expansion.refuses(
            with("@Relationship var visits: \(type)"),
            "a relationship leads to objects of an entity: “Visit?” for one, “[Visit]” for many",
            line: 3,
            column: 31,
            fix: "make it an @Attribute",
            to: with("@Attribute var visits: \(type)")
        )
    }

    @Test func refusesOneThatIsNotOptional() {
        Expansion.refuses(
            with("@Relationship var ward: Ward"),
            "a relationship to one is optional: its object may be deleted; “isRequired: true” has saving check it",
            line: 3,
            column: 29,
            fix: "make it optional",
            to: with("@Relationship var ward: Ward?")
        )
    }

    @Test func refusesSets() {
        Expansion.refuses(
            with("@Relationship var visits: Set<Visit>"),
            "a relationship to many is an array",
            line: 3,
            column: 31,
            fix: "make it an array",
            to: with("@Relationship var visits: [Visit]")
        )
    }

    @Test func refusesInitialValues() {
        Expansion.refuses(
            with("@Relationship var ward: Ward? = Ward()"),
            "a relationship leads nowhere at first; let an initialiser set it",
            line: 3,
            column: 37
        )
    }

    @Test func refusesInversesOfSeveralSteps() {
        Expansion.refuses(
            with("@Relationship(inverse: \\Visit.patient.name) var visits: [Visit]"),
            "an inverse is a key path of one step from the other class: “\\Visit.patient”",
            line: 3,
            column: 28
        )
    }
}
