import Testing

@Suite struct RelationshipFaultTests {
    /// A class with one line, which is the third.
    private func with(_ line: String) -> String { "@Entity\nfinal class Patient {\n    \(line)\n}" }

    @Test(arguments: ["String?", "[Int]", "Data"])
    func rejectsATypeThatIsNotAnEntity(type: String) {
        Expansion.refuses(
            with("@Relationship var visits: \(type)"),
            "a relationship must have an entity type: “Visit?” for one object, “[Visit]” for many",
            line: 3,
            column: 31,
            fix: "make it an @Attribute",
            to: with("@Attribute var visits: \(type)")
        )
    }

    @Test func rejectsARelationshipThatIsNotOptional() {
        Expansion.refuses(
            with("@Relationship var ward: Ward"),
            "a to-one relationship must be optional; to check it when saving, use “isRequired: true”",
            line: 3,
            column: 29,
            fix: "make it optional",
            to: with("@Relationship var ward: Ward?")
        )
    }

    @Test func rejectsSets() {
        Expansion.refuses(
            with("@Relationship var visits: Set<Visit>"),
            "a to-many relationship must be an array",
            line: 3,
            column: 31,
            fix: "make it an array",
            to: with("@Relationship var visits: [Visit]")
        )
    }

    @Test func rejectsInitialValues() {
        Expansion.refuses(
            with("@Relationship var ward: Ward? = Ward()"),
            "a relationship cannot have an initial value; set it in an initializer",
            line: 3,
            column: 37
        )
    }

    @Test func rejectsInversesWithSeveralComponents() {
        Expansion.refuses(
            with("@Relationship(inverse: \\Visit.patient.name) var visits: [Visit]"),
            "an inverse must be a key path with one component, such as “\\Visit.patient”",
            line: 3,
            column: 28
        )
    }
}
