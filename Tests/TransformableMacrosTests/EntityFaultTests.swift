import Testing

@Suite struct EntityFaultTests {
    @Test func refusesAStruct() {
        Expansion.refuses(
            "@Entity\nstruct Patient {\n}",
            "an entity is a final class: its objects have an identity, which a struct has not",
            line: 2,
            column: 1,
            fix: "make it a final class",
            to: "@Entity\nfinal class Patient {\n}"
        )
    }

    @Test(arguments: ["enum", "actor"])
    func refusesOtherKinds(keyword: String) {
        Expansion.refuses(
            "@Entity\n\(keyword) Patient {\n}",
            "an entity is a final class: its objects have an identity, which an \(keyword) has not",
            line: 2,
            column: 1
        )
    }

    @Test func refusesAClassThatIsNotFinal() {
        Expansion.refuses(
            "@Entity\nclass Patient {\n}",
            "an entity's class must be final: a fetched object is of the class itself",
            line: 2,
            column: 1,
            fix: "make it final",
            to: "@Entity\nfinal class Patient {\n}"
        )
    }

    @Test func refusesAnOpenClass() {
        Expansion.refuses(
            "@Entity\nopen class Patient {\n}",
            "an entity's class must be final: a fetched object is of the class itself",
            line: 2,
            column: 1,
            fix: "make it public and final",
            to: "@Entity\npublic final class Patient {\n}"
        )
    }

    @Test func refusesAGenericClass() {
        Expansion.refuses(
            "@Entity\nfinal class Patient<Kind> {\n}",
            "an entity's class cannot be generic: an entity has one table",
            line: 2,
            column: 20
        )
    }

    @Test func asksForAnInitializer() {
        Expansion.refuses(
            "@Entity\nfinal class Patient {\n    var name: String\n    var age: Int?\n    var count = 0\n}",
            "“Patient” needs an initialiser that sets “name”",
            line: 2,
            column: 13,
            fix: "add one",
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

    @Test func refusesAnInitializerThatForgetsAProperty() {
        Expansion.refuses(
            "@Entity\nfinal class Patient {\n    var name: String\n    var age: Int\n    init() { self.name = \"\" }\n}",
            "the initialiser does not set “age”, which has no initial value and is not optional",
            line: 5,
            column: 5
        )
    }

    @Test func refusesAUniqueGroupOfAnUnknownName() {
        Expansion.refuses(
            "@Entity(unique: [[\"name\"]])\nfinal class Patient {\n    var title = \"\"\n}",
            "the class has no property “name” that is stored",
            line: 1,
            column: 19
        )
    }

    @Test(arguments: ["MainActor", "Clinic.WardActor"])
    func refusesActors(name: String) {
        Expansion.refuses(
            "@Entity\n@\(name)\nfinal class Patient {\n}",
            "an entity's objects belong to their context, so the class cannot be @\(name)",
            line: 2,
            column: 1
        )
    }

    @Test(arguments: [
        ("var name: String?", "an attribute"), ("func willSave() {}", "a method that a store calls"),
    ])
    func refusesActorsOfMembers(member: String, what: String) {
        Expansion.refuses(
            "@Entity\nfinal class Patient {\n    @MainActor \(member)\n}",
            "an entity's objects belong to their context, so \(what) cannot be @MainActor",
            line: 3,
            column: 5
        )
    }

    @Test(arguments: ["Sendable", "@unchecked Sendable", "Swift.Sendable"])
    func refusesSendableClasses(name: String) {
        Expansion.refuses(
            "@Entity\nfinal class Patient: Named, \(name) {\n}",
            "an entity's objects belong to their context and are not Sendable; their “persistentID” is",
            line: 2,
            column: 29
        )
    }

    @Test func refusesAsynchronousHooks() {
        Expansion.refuses(
            "@Entity\nfinal class Patient {\n    func willSave() async throws {}\n}",
            "a store calls this method within a transaction, so it cannot be “async”",
            line: 3,
            column: 21
        )
    }
}
