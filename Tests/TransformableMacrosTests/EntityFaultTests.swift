import Testing

@Suite struct EntityFaultTests {
    @Test func rejectsAStruct() {
        Expansion.refuses(
            "@Entity\nstruct Patient {\n}",
            "an entity must be a class, not a struct",
            line: 2,
            column: 1,
            fix: "make it a final class",
            to: "@Entity\nfinal class Patient {\n}"
        )
    }

    @Test(arguments: ["enum", "actor"])
    func rejectsOtherKinds(keyword: String) {
        Expansion.refuses(
            "@Entity\n\(keyword) Patient {\n}",
            "an entity must be a class, not an \(keyword)",
            line: 2,
            column: 1
        )
    }

    @Test func rejectsAnAbstractFinalClass() {
        Expansion.refuses(
            "@Entity(isAbstract: true)\nfinal class Patient {\n}",
            "an abstract entity cannot be a final class, because only its children have objects",
            line: 1,
            column: 21
        )
    }

    @Test func rejectsAGenericClass() {
        Expansion.refuses(
            "@Entity\nfinal class Patient<Kind> {\n}",
            "an entity class cannot be generic, because an entity has a single table",
            line: 2,
            column: 20
        )
    }

    @Test func requiresAnInitializer() {
        Expansion.refuses(
            "@Entity\nfinal class Patient {\n    var name: String\n    var age: Int?\n    var count = 0\n}",
            "“Patient” needs an initializer that sets “name”",
            line: 2,
            column: 13,
            fix: "add an initializer",
            to: """
                @Entity
                final class Patient {
                    var name: String
                    var age: Int?
                    var count = 0

                    init(name: String, age: Int? = nil, count: Int = 0) {
                        self.name = name
                        self.age = age
                        self.count = count
                    }
                }
                """
        )
    }

    @Test func rejectsAnInitializerThatOmitsAProperty() {
        Expansion.refuses(
            "@Entity\nfinal class Patient {\n    var name: String\n    var age: Int\n    init() { self.name = \"\" }\n}",
            "the initializer does not set “age”, which has no initial value and is not optional",
            line: 5,
            column: 5
        )
    }

    @Test(arguments: ["", "@Attribute(.indexed) ", "@Attribute(.projected(\"sha256\", as: \"key\")) "])
    func rejectsAUniqueGroupWithAnUnknownName(mark: String) {
        Expansion.refuses(
            "@Entity(unique: [[\"name\"]])\nfinal class Patient {\n    \(mark)var title = \"\"\n}",
            "the class has no stored property “name”",
            line: 1,
            column: 19
        )
    }

    /// The second name is the default one, and the third one is known only when the program runs.
    @Test(arguments: [
        (#".projected("sha256", as: "titleKey")"#, "titleKey"), (#".projected("text | sha256")"#, "title_sha256"),
        (#".projected("sha256", as: Self.key)"#, "anything"),
    ])
    func acceptsAUniqueGroupWithAProjection(option: String, name: String) {
        let mark = "@Attribute(.indexed, \(option))"
        Expansion.accepts("@Entity(unique: [[\"\(name)\"]])\nfinal class Patient {\n    \(mark) var title = \"\"\n}")
    }

    @Test(arguments: ["MainActor", "Clinic.WardActor"])
    func rejectsActors(name: String) {
        Expansion.refuses(
            "@Entity\n@\(name)\nfinal class Patient {\n}",
            "an entity class cannot be @\(name), because entity objects belong to their context",
            line: 2,
            column: 1
        )
    }

    @Test(arguments: [
        ("var name: String?", "an attribute"), ("func willSave() {}", "a method that stores call"),
    ])
    func rejectsActorIsolatedMembers(member: String, what: String) {
        Expansion.refuses(
            "@Entity\nfinal class Patient {\n    @MainActor \(member)\n}",
            "\(what) cannot be @MainActor, because entity objects belong to their context",
            line: 3,
            column: 5
        )
    }

    @Test(arguments: ["Sendable", "@unchecked Sendable", "Swift.Sendable"])
    func refusesSendableClasses(name: String) {
        Expansion.refuses(
            "@Entity\nfinal class Patient: Named, \(name) {\n}",
            "an entity class cannot be Sendable, because its objects belong to their context; use “persistentID” instead",
            line: 2,
            column: 29
        )
    }

    @Test func rejectsAsynchronousHooks() {
        Expansion.refuses(
            "@Entity\nfinal class Patient {\n    func willSave() async throws {}\n}",
            "this method cannot be “async”, because stores call it within a transaction",
            line: 3,
            column: 21
        )
    }
}
