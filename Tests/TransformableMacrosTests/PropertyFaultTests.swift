import Testing

@Suite struct PropertyFaultTests {
    /// A class with one line, which is the third.
    private func with(_ line: String) -> String { "@Entity\nfinal class Patient {\n    \(line)\n}" }

    @Test func rejectsALet() {
        Expansion.refuses(
            with("let name: String = \"\""),
            "an attribute must be a “var”, because its value is set when the object is fetched",
            line: 3,
            column: 5,
            fix: "replace “let” with “var”",
            to: with("var name: String = \"\"")
        )
    }

    @Test func rejectsAMissingType() {
        Expansion.refuses(
            with("var tags = Set<String>(names)"),
            "the type of “tags” must be written out, because it determines the column",
            line: 3,
            column: 9,
            fix: "add “: Set<String>”",
            to: with("var tags: Set<String> = Set<String>(names)")
        )
    }

    @Test func rejectsAMissingTypeOfACase() {
        Expansion.refuses(
            with("var mood = Severity.low"),
            "the type of “mood” must be written out, because it determines the column",
            line: 3,
            column: 9,
            fix: "add “: Severity”",
            to: with("var mood: Severity = Severity.low")
        )
    }

    @Test func rejectsAMissingTypeThatCannotBeGuessed() {
        Expansion.refuses(
            with("var tags = makeTags()"),
            "the type of “tags” must be written out, because it determines the column",
            line: 3,
            column: 9,
            fix: "add “: Type”",
            to: with("var tags: <#Type#> = makeTags()")
        )
    }

    @Test func rejectsAMacroOnAComputedProperty() {
        Expansion.refuses(
            with("@Attribute(.indexed) var name: String { \"\" }"),
            "@Attribute cannot be used with a computed property",
            line: 3,
            column: 5,
            fix: "remove @Attribute",
            to: with("var name: String { \"\" }")
        )
    }

    @Test func rejectsAMacroOnAStaticProperty() {
        Expansion.refuses(
            with("@Attribute static var name = \"\""),
            "@Attribute cannot be used with a static property",
            line: 3,
            column: 5
        )
    }

    @Test func rejectsTwoMacros() {
        Expansion.refuses(
            with("@Transient @Attribute var name = \"\""),
            "a property cannot be both @Attribute and @Transient",
            line: 3,
            column: 16
        )
    }

    @Test(arguments: ["willSet", "didSet"])
    func rejectsObservers(name: String) {
        Expansion.refuses(
            with("var name = \"\" { \(name) {} }"),
            "an attribute cannot have “\(name)”, because @Entity generates its accessors",
            line: 3,
            column: 21,
            fix: "mark it @Transient to keep it in memory only",
            to: with("@Transient var name = \"\" { \(name) {} }")
        )
    }

    @Test(arguments: ["lazy", "weak", "unowned"])
    func rejectsModifiers(name: String) {
        Expansion.refuses(
            with("\(name) var name: String? = nil"),
            "an attribute cannot be “\(name)”, because the store keeps its value",
            line: 3,
            column: 5,
            fix: "mark it @Transient to keep it in memory only",
            to: with("@Transient \(name) var name: String? = nil")
        )
    }

    @Test(arguments: ["() -> Void", "(Int, Int)", "any Equatable", "Any", "AnyObject", "Any?"])
    func rejectsTypes(name: String) {
        let type = name.hasPrefix("()") || name.hasPrefix("any") ? "(\(name))?" : name
        let shown = type.hasSuffix(")?") ? type : name
        Expansion.refuses(
            with("var body: \(type)"),
            "a value of type “\(shown)” cannot be stored",
            line: 3,
            column: 15,
            fix: "mark it @Transient to keep it in memory only",
            to: with("@Transient var body: \(type)")
        )
    }

    @Test func rejectsImplicitlyUnwrappedOptionals() {
        Expansion.refuses(
            with("var name: String!"),
            "an attribute cannot be implicitly unwrapped; make it optional or not",
            line: 3,
            column: 21,
            fix: "replace “!” with “?”",
            to: with("var name: String?")
        )
    }

    @Test func rejectsSeveralPropertiesInOneDeclaration() {
        Expansion.refuses(
            with("var first = 1, second = 2"),
            "declare each attribute in a separate “var”",
            line: 3,
            column: 9
        )
    }

    @Test func rejectsATransientPropertyWithoutAValue() {
        Expansion.refuses(
            with("@Transient var flag: Bool"),
            "a transient property must have an initial value, which it gets when its object is fetched",
            line: 3,
            column: 20
        )
    }

    @Test func rejectsReservedNames() {
        Expansion.refuses(
            with("var _name = \"\""),
            "the name “_name” begins with “_”, which is reserved for the store",
            line: 3,
            column: 9
        )
    }

    @Test func rejectsMacrosOutsideOfEntities() {
        Expansion.refuses(
            "struct Patient {\n    @Attribute(.indexed) var name = \"\"\n}",
            "@Attribute can only be used with a stored property of an @Entity class",
            line: 2,
            column: 5
        )
    }

    @Test(arguments: ["Attribute", "Relationship", "Transient"])
    func rejectsARepeatedMacro(name: String) {
        Expansion.refuses(
            with("@\(name) @\(name) var visits: [Visit]"),
            "a property can have only one @\(name)",
            line: 3,
            column: 7 + name.count
        )
    }

    @Test(arguments: ["#if DEBUG", "#if !DEBUG\n    #elseif os(Linux)", "#if DEBUG\n    #if os(Linux)\n    #endif"])
    func rejectsConditionalCompilation(condition: String) {
        Expansion.refuses(
            with("\(condition)\n    var name = \"\"\n    #endif"),
            "an attribute cannot be in “#if”, because the store's file must have the same attributes in every build",
            line: 4 + condition.count { $0 == "\n" },
            column: 9,
            fix: "mark it @Transient to keep it in memory only",
            to: with("\(condition)\n    @Transient var name = \"\"\n    #endif")
        )
    }

    @Test(arguments: [
        (".optional", "“.optional” is not allowed here; use an optional type"),
        (".transient", "“.transient” is not allowed here; mark the property @Transient"),
        (".default(\"a\")", "“.default” is not allowed here; give the property an initial value"),
    ])
    func refusesOptionsThatTheDeclarationSays(option: String, message: String) {
        Expansion.refuses(with("@Attribute(.indexed, \(option)) var name: String?"), message, line: 3, column: 26)
    }

    @Test(arguments: ["Int??", "Optional<Int?>"])
    func rejectsNestedOptionals(type: String) {
        Expansion.refuses(
            with("var count: \(type)"),
            "an attribute cannot have the type “\(type)”, because it has two kinds of nil",
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
