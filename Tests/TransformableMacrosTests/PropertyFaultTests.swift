import Testing

@Suite struct PropertyFaultTests {
    /// A class with one line, which is the third.
    private func with(_ line: String) -> String { "@Entity\nfinal class Patient {\n    \(line)\n}" }

    @Test func refusesALet() {
        Expansion.refuses(
            with("let name: String = \"\""),
            "an attribute must be a “var”: fetching an object gives it its value",
            line: 3,
            column: 5,
            fix: "replace “let” with “var”",
            to: with("var name: String = \"\"")
        )
    }

    @Test func refusesAMissingType() {
        Expansion.refuses(
            with("var tags = Set<String>(names)"),
            "write out the type of “tags”: its column follows from it",
            line: 3,
            column: 9,
            fix: "add “: Set<String>”",
            to: with("var tags: Set<String> = Set<String>(names)")
        )
    }

    @Test func refusesAMissingTypeOfACase() {
        Expansion.refuses(
            with("var mood = Severity.low"),
            "write out the type of “mood”: its column follows from it",
            line: 3,
            column: 9,
            fix: "add “: Severity”",
            to: with("var mood: Severity = Severity.low")
        )
    }

    @Test func refusesAMissingTypeThatNobodyCanGuess() {
        Expansion.refuses(
            with("var tags = makeTags()"),
            "write out the type of “tags”: its column follows from it",
            line: 3,
            column: 9,
            fix: "add “: Type”",
            to: with("var tags: <#Type#> = makeTags()")
        )
    }

    @Test func refusesAMarkOnAComputedProperty() {
        Expansion.refuses(
            with("@Attribute(.indexed) var name: String { \"\" }"),
            "a computed property is not stored, so @Attribute does not apply to it",
            line: 3,
            column: 5,
            fix: "remove @Attribute",
            to: with("var name: String { \"\" }")
        )
    }

    @Test func refusesAMarkOnAStaticProperty() {
        Expansion.refuses(
            with("@Attribute static var name = \"\""),
            "a static property belongs to no object, so @Attribute does not apply to it",
            line: 3,
            column: 5
        )
    }

    @Test func refusesTwoMarks() {
        Expansion.refuses(
            with("@Transient @Attribute var name = \"\""),
            "a property cannot be both @Attribute and @Transient",
            line: 3,
            column: 16
        )
    }

    @Test(arguments: ["willSet", "didSet"])
    func refusesObservers(name: String) {
        Expansion.refuses(
            with("var name = \"\" { \(name) {} }"),
            "an attribute cannot have “\(name)”: its accessors are the entity's",
            line: 3,
            column: 21,
            fix: "mark it @Transient, to keep it in memory only",
            to: with("@Transient var name = \"\" { \(name) {} }")
        )
    }

    @Test(arguments: ["lazy", "weak", "unowned"])
    func refusesModifiers(name: String) {
        Expansion.refuses(
            with("\(name) var name: String? = nil"),
            "an attribute cannot be “\(name)”: the store keeps its value",
            line: 3,
            column: 5,
            fix: "mark it @Transient, to keep it in memory only",
            to: with("@Transient \(name) var name: String? = nil")
        )
    }

    @Test(arguments: ["() -> Void", "(Int, Int)", "any Equatable", "Any", "AnyObject", "Any?"])
    func refusesTypes(name: String) {
        let type = name.hasPrefix("()") || name.hasPrefix("any") ? "(\(name))?" : name
        let shown = type.hasSuffix(")?") ? type : name
        Expansion.refuses(
            with("var body: \(type)"),
            "a value of type “\(shown)” cannot be stored",
            line: 3,
            column: 15,
            fix: "mark it @Transient, to keep it in memory only",
            to: with("@Transient var body: \(type)")
        )
    }

    @Test func refusesImplicitlyUnwrappedOptionals() {
        Expansion.refuses(
            with("var name: String!"),
            "an attribute may be optional or not, and “!” hides which",
            line: 3,
            column: 21,
            fix: "replace “!” with “?”",
            to: with("var name: String?")
        )
    }

    @Test func refusesSeveralPropertiesInOne() {
        Expansion.refuses(
            with("var first = 1, second = 2"),
            "declare each attribute with a “var” of its own",
            line: 3,
            column: 9
        )
    }

    @Test func refusesATransientWithoutAValue() {
        Expansion.refuses(
            with("@Transient var flag: Bool"),
            "a transient property needs an initial value, which it has in a fetched object",
            line: 3,
            column: 20
        )
    }

    @Test func refusesNamesOfTheStore() {
        Expansion.refuses(
            with("var _name = \"\""),
            "the name “_name” begins with “_”, which is kept for the store",
            line: 3,
            column: 9
        )
    }

    @Test func refusesMarksElsewhere() {
        Expansion.refuses(
            "struct Patient {\n    @Attribute(.indexed) var name = \"\"\n}",
            "@Attribute belongs on a stored property of a class that is an @Entity",
            line: 2,
            column: 5
        )
    }

    @Test(arguments: ["Attribute", "Relationship", "Transient"])
    func refusesOneMarkTwice(name: String) {
        Expansion.refuses(
            with("@\(name) @\(name) var visits: [Visit]"),
            "a property has one @\(name)",
            line: 3,
            column: 7 + name.count
        )
    }

    @Test(arguments: ["#if DEBUG", "#if !DEBUG\n    #elseif os(Linux)", "#if DEBUG\n    #if os(Linux)\n    #endif"])
    func refusesConditions(condition: String) {
        Expansion.refuses(
            with("\(condition)\n    var name = \"\"\n    #endif"),
            "an attribute cannot stand in “#if”: a file keeps it whatever the program was built for",
            line: 4 + condition.count { $0 == "\n" },
            column: 9,
            fix: "mark it @Transient, to keep it in memory only",
            to: with("\(condition)\n    @Transient var name = \"\"\n    #endif")
        )
    }

    @Test(arguments: [
        (".optional", "the type says whether an attribute is optional"),
        (".transient", "a property that is not stored is marked @Transient"),
        (".default(\"a\")", "an initial value says what a new object begins with: “= …”"),
    ])
    func refusesOptionsThatTheDeclarationSays(option: String, message: String) {
        Expansion.refuses(with("@Attribute(.indexed, \(option)) var name: String?"), message, line: 3, column: 26)
    }

    @Test(arguments: ["Int??", "Optional<Int?>"])
    func refusesOptionalsOfOptionals(type: String) {
        Expansion.refuses(
            with("var count: \(type)"),
            "an attribute has a value or none; “\(type)” knows two kinds of none",
            line: 3,
            column: 16
        )
    }

    @Test(arguments: [
        "static var made = 0", "var next: Int { 1 }", "@Transient var flag = false", "func willSave() {}",
    ])
    func takesConditionsAroundWhatIsNotStored(line: String) {
        Expansion.accepts(with("#if DEBUG\n    \(line)\n    #endif"))
    }
}
