import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Conditions with computations or related objects, compared with Swift's result for the same values.
@Suite(.eachEngine) struct ComputedConditionTests {
    static let hospital = Hospital(patients: 600, visits: 900, seed: 7)
    private static let inMemory = Result { try Trial.keepingStores { try hospital.store() } }
    private static let postgres = Result { try Trial.keepingStores { try hospital.store() } }
    static var store: Result<Store, any Error> { EachEngine.current == .postgres ? postgres : inMemory }

    /// The text of a condition, and the equivalent function.
    struct Rule: CustomTestStringConvertible, Sendable {
        let text: String
        let holds: @Sendable (Hospital.Patient, [Hospital.Visit]) -> Bool

        init(_ text: String, _ holds: @escaping @Sendable (Hospital.Patient, [Hospital.Visit]) -> Bool) {
            self.text = text
            self.holds = holds
        }

        var testDescription: String { text }
    }

    private static func folded(_ text: String?) -> String? {
        text?.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    private static func doctor(_ patient: Hospital.Patient) -> Hospital.Doctor? {
        patient.doctor.map { hospital.doctors[$0] }
    }

    static let plain: [Rule] = [
        Rule("age + 1 > 3") { patient, _ in patient.age.map { $0 + 1 > 3 } ?? false },
        Rule("3 < age + 1") { patient, _ in patient.age.map { $0 + 1 > 3 } ?? false },
        Rule("2 < age") { patient, _ in patient.age.map { $0 > 2 } ?? false },
        Rule("-age * 2 <= small - 4") { patient, _ in patient.age.map { -$0 * 2 <= Int(patient.small) - 4 } ?? false },
        Rule("age / 2 == 1") { patient, _ in patient.age.map { $0 / 2 == 1 } ?? false },
        Rule("age % 3 == -1") { patient, _ in patient.age.map { $0 % 3 == -1 } ?? false },
        Rule("age == small") { patient, _ in patient.age == Int(patient.small) },
        Rule("age != small") { patient, _ in patient.age != Int(patient.small) },
        Rule("weight > age") { patient, _ in
            patient.weight.flatMap { weight in patient.age.map { weight > Double($0) } } ?? false
        },
        Rule("weight * 2 between 3 and small + 4.5") { patient, _ in
            patient.weight.map { $0 * 2 >= 3 && $0 * 2 <= Double(patient.small) + 4.5 } ?? false
        },
        Rule("small + 1 in (age, 3, null)") { patient, _ in
            [patient.age, 3].contains(Int(patient.small) + 1)
        },
        Rule("1 / -weight > 1") { patient, _ in patient.weight.map { 1 / -$0 > 1 } ?? false },
        Rule("price + 0.1 == 1.2") { patient, _ in
            patient.price.map { $0 + Decimal(1) / 10 == Decimal(12) / 10 } ?? false
        },
        Rule("price * small > 2") { patient, _ in patient.price.map { $0 * Decimal(Int(patient.small)) > 2 } ?? false },
        Rule("name == nick") { patient, _ in patient.name == patient.nick },
        Rule("name < nick") { patient, _ in patient.nick.map { patient.name < $0 } ?? false },
        Rule("name.@length > 1") { patient, _ in patient.name.count > 1 },
        Rule("nick.@length == 2") { patient, _ in patient.nick?.count == 2 },
        Rule("(age > 2) == (small > 2)") { patient, _ in (patient.age.map { $0 > 2 } ?? false) == (patient.small > 2) },
        Rule("nick is null or (age + 1) * 2 > 6") { patient, _ in
            patient.nick == nil || patient.age.map { ($0 + 1) * 2 > 6 } ?? false
        },
        Rule("age != 0 and 6 / age == 3") { patient, _ in patient.age.map { $0 != 0 && 6 / $0 == 3 } ?? false },
        Rule("not (age + 1 > 3 and secret == 'a')") { patient, _ in
            !((patient.age.map { $0 + 1 > 3 } ?? false) && patient.secret == "a")
        },
        // An even number of comparisons with the same value cancel each other. The SQL must not double with each of them.
        Rule(nested("age == small", 24) { "(\($0)) == isActive" }) { patient, _ in patient.age == Int(patient.small) },
        Rule(nested("age == small", 20) { "not (\($0)) == 1" }) { patient, _ in patient.age == Int(patient.small) },
    ]

    private static func nested(_ text: String, _ count: Int, _ body: (String) -> String) -> String {
        (0..<count).reduce(text) { text, _ in body(text) }
    }

    static let texts: [Rule] = [
        Rule("name ==[c] 'AÉ'") { patient, _ in patient.name.lowercased() == "aé" },
        Rule("name ==[cd] 'ae'") { patient, _ in folded(patient.name) == "ae" },
        Rule("name !=[cd] 'ae'") { patient, _ in folded(patient.name) != "ae" },
        Rule("nick contains[c] 'É'") { patient, _ in patient.nick?.lowercased().contains("é") ?? false },
        Rule("nick contains[d] 'e'") { patient, _ in patient.nick?.contains { $0 == "é" || $0 == "e" } ?? false },
        Rule("nick startsWith[cd] 'EA'") { patient, _ in folded(patient.nick)?.hasPrefix("ea") ?? false },
        Rule("nick endsWith[c] 'B'") { patient, _ in patient.nick?.lowercased().hasSuffix("b") ?? false },
        Rule("name like[cd] 'e%B'") { patient, _ in
            folded(patient.name).map { $0.hasPrefix("e") && $0.hasSuffix("b") } ?? false
        },
        Rule("name in[c] ('AB', 'é')") { patient, _ in ["ab", "é"].contains(patient.name.lowercased()) },
        Rule("name contains nick") { patient, _ in
            patient.nick.map { $0.isEmpty || patient.name.contains($0) } ?? false
        },
        Rule("secret ==[c] 'ab'") { patient, _ in patient.secret?.lowercased() == "ab" },
        Rule("secret contains[d] 'e'") { patient, _ in patient.secret?.contains { $0 == "é" || $0 == "e" } ?? false },
        Rule("secret == 'a' or secret is null") { patient, _ in patient.secret == nil || patient.secret == "a" },
    ]

    static let related: [Rule] = [
        Rule("any visits.cost > 10") { _, visits in visits.contains { $0.cost > 10 } },
        Rule("ANY visits.cost != 3") { _, visits in visits.contains { $0.cost != 3 } },
        Rule("all visits.cost > 3") { _, visits in visits.allSatisfy { $0.cost > 3 } },
        Rule("all visits.cost != 3") { _, visits in visits.allSatisfy { $0.cost != 3 } },
        Rule("none visits.note is null") { _, visits in !visits.contains { $0.note == nil } },
        Rule("none visits.note is not null") { _, visits in !visits.contains { $0.note != nil } },
        Rule("not any visits.note startsWith 'a'") { _, visits in
            !visits.contains { $0.note?.hasPrefix("a") ?? false }
        },
        Rule("any visits (cost > 5 and days * cost < 20)") { _, visits in
            visits.contains { $0.cost > 5 && Double($0.days) * $0.cost < 20 }
        },
        Rule("all visits (note is null or days > 2)") { _, visits in visits.allSatisfy { $0.note == nil || $0.days > 2 }
        },
        Rule("visits.@count > 1") { _, visits in visits.count > 1 },
        Rule("visits.@count == 0") { _, visits in visits.isEmpty },
        Rule("visits.@sum.days >= 4") { _, visits in visits.reduce(0) { $0 + $1.days } >= 4 },
        Rule("visits.@max.cost - visits.@min.cost > 3") { _, visits in
            guard let most = visits.map(\.cost).max(), let least = visits.map(\.cost).min() else { return false }
            return most - least > 3
        },
        Rule("visits.@avg.cost < 4") { _, visits in
            !visits.isEmpty && visits.reduce(0) { $0 + $1.cost } / Double(visits.count) < 4
        },
        Rule("doctor.name == 'a'") { patient, _ in doctor(patient)?.name == "a" },
        Rule("doctor.name != 'a'") { patient, _ in doctor(patient)?.name != "a" },
        Rule("doctor.boss.name is null") { patient, _ in doctor(patient)?.boss == nil },
        Rule("doctor.boss.name == doctor.name") { patient, _ in
            doctor(patient)?.boss.map { hospital.doctors[$0].name } == doctor(patient)?.name
        },
        Rule("doctor.patients.@count > 150") { patient, _ in
            guard let doctor = patient.doctor else { return false }
            return hospital.patients.count { $0.doctor == doctor } > 150
        },
        Rule("any doctor.patients.secret == 'zz'") { patient, _ in
            guard let doctor = patient.doctor else { return false }
            return hospital.patients.contains { $0.doctor == doctor && $0.secret == "zz" }
        },
        Rule("none doctor.patients.age == 7") { patient, _ in
            guard let doctor = patient.doctor else { return true }
            return !hospital.patients.contains { $0.doctor == doctor && $0.age == 7 }
        },
        Rule("any hosts.boss is null") { patient, _ in patient.small == 1 },
        Rule("hosts.@count == 1 and all hosts.name is not null") { patient, _ in patient.small == 1 },
        Rule("doctor is null") { patient, _ in patient.doctor == nil },
        Rule("isActive") { patient, _ in patient.isActive },
        Rule("not isActive and age > 2 || small between 1 and 2") { patient, _ in
            (!patient.isActive && (patient.age ?? 0) > 2) || (1...2).contains(patient.small)
        },
        Rule("isActive == (age > 2)") { patient, _ in patient.isActive == ((patient.age ?? 0) > 2) },
        Rule("any doctor.patients.isActive") { patient, _ in
            hospital.patients.contains { $0.doctor != nil && $0.doctor == patient.doctor && $0.isActive }
        },
        Rule("any doctor.patients (isActive and age == 7)") { patient, _ in
            hospital.patients.contains {
                $0.doctor != nil && $0.doctor == patient.doctor && $0.isActive && $0.age == 7
            }
        },
    ]

    @Test(arguments: plain + texts + related)
    func agreesWithSwift(rule: Rule) {
        #expect(throws: Never.self) {
            try Self.store.get().read { try rule.check(Self.hospital, Array(1...600), in: $0) }
        }
    }

    @Test func codeGivesTheSameResults() throws {
        let pairs: [(Condition, String)] = [
            (Field("age") + 1 > 3, "age + 1 > 3"),
            (Field("weight") * Field("small") - 1 < 2.5, "weight * small - 1 < 2.5"),
            (Field("age") / 2 == Field("small") % 2, "age / 2 == small % 2"),
            ((Field("age") ?? 4) > 3, "age > 3 or age is null"),
            (Field("name").length == 2, "name.@length == 2"),
            (Field("name").contains("É", .caseInsensitive), "name contains[c] 'É'"),
            (Field("name").isEqual(to: "ae", [.caseInsensitive, .diacriticInsensitive]), "name ==[cd] 'ae'"),
            (Field("visits").count > 1, "visits.@count > 1"),
            (Field("visits").any(Field("cost") > 5 && Field("days") == 1), "any visits (cost > 5 and days == 1)"),
            (Field("visits").all(Field("cost") > 5), "all visits.cost > 5"),
            (Field("visits").none(Field("note") == nil), "none visits.note is null"),
            (Field("doctor.boss.name") == "a", "doctor.boss.name == 'a'"),
        ]
        try Self.store.get()
            .read { context in
                for (code, text) in pairs {
                    let ids = try context.ids("Patient", where: Condition(text))
                    #expect(!ids.isEmpty && ids.count < 600, "\(text)")
                    #expect(try context.ids("Patient", where: code) == ids, "\(text)")
                }
                let few = try context.count("Patient", where: Field("visits").count(where: Field("days") == 1) == 1)
                let visits = Dictionary(grouping: Self.hospital.visits.filter { $0.days == 1 }) { $0.patient }
                #expect(few == visits.count { $0.key != nil && $0.value.count == 1 })
            }
    }

    @Test(arguments: [
        ("visits.cost > 3", StoreError.Code.unsupported), ("any doctor.name == 'a'", .unsupported),
        ("any name == 'a'", .unsupported), ("any visits.cots > 3", .unknownAttribute),
        ("any vists.cost > 3", .unknownAttribute), ("none vists (cost > 3)", .unknownAttribute),
        ("doctor.@count > 1", .invalidCondition), ("visits.@sum.note > 1", .unsupported),
        ("visits.@max > 1", .invalidCondition), ("visits.@most.cost > 1", .invalidCondition),
        ("name + 1 > 2", .invalidCondition), ("weight % 2 == 1", .invalidCondition),
        ("age.@length > 1", .invalidCondition),
        ("secret.@length > 1", .unsupported), ("secret == name", .unsupported), ("name == age", .invalidCondition),
        ("age >[c] 1", .unsupported), ("name like 'A*'", .invalidCondition), ("secret like 'A?'", .invalidCondition),
        ("secret == 5", .invalidCondition), ("name == 5", .invalidCondition), ("doctor == 'x'", .invalidCondition),
        ("isActive > 3", .invalidCondition), ("doctor", .invalidCondition), ("visits", .unsupported),
        ("any visits", .invalidCondition), ("any visits.note", .invalidCondition), ("secret", .invalidCondition),
    ])
    func refusesWhatHasNoMeaning(text: String, code: StoreError.Code) throws {
        let error = #expect(throws: StoreError.self) {
            _ = try Self.store.get().read { try $0.count("Patient", where: Condition(text)) }
        }
        #expect(error?.code == code, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        "10 / small > 3", "age % small == 1", "age * 9223372036854775807 > 0", "-9223372036854775808 - small < 0",
        "weight / 0.0 - weight / 0.0 == 1", "price / small > 0",
    ])
    func expressionsThatTrapInSwiftThrow(text: String) throws {
        #expect(throws: StoreError(code: .arithmeticFailure)) {
            _ = try Self.store.get().read { try $0.count("Patient", where: Condition(text)) }
        }
    }

    @Test(arguments: [
        String(repeating: "-", count: 10_000) + "1 > 0", "1" + String(repeating: "+1", count: 30_000) + " > 0",
        String(repeating: "any visits (", count: 65) + "true" + String(repeating: ")", count: 65),
        nested("1", 4) { "(" + $0 + String(repeating: "+1", count: 60) + ")" } + " > 0",
        nested("1", 4) { "((" + $0 + String(repeating: "+1", count: 60) + " > 0) == true)" },
    ])
    func limitsTheLengthOfATerm(text: String) {
        #expect(throws: StoreError(code: .limitExceeded)) { try Condition(text) }
    }

    private static let large: [String: Condition] = {
        var conditions: [String: Condition] = [:]
        let sum = (0..<1000).reduce(Field("age")) { field, _ in field + 1 }
        conditions["terms"] = sum > 0
        // The SQL of a range contains its subject twice.
        conditions["SQL"] = (0..<30)
            .reduce(Condition.all) { condition, _ in
                Field("doctor.patients").count(where: condition).isBetween(1, and: 9)
            }
        for count in [40, 2000] {
            let path = String(repeating: "doctor.", count: count)
            conditions["path of \(count)"] = Field(path + "name") == "a"
            conditions["quantified path of \(count)"] = Field(path + "patients").any(.all)
        }
        return conditions
    }()

    @Test(arguments: large.keys.sorted()) func limitsConditionsInCode(name: String) throws {
        let condition = try #require(Self.large[name])
        #expect(throws: StoreError(code: .limitExceeded)) {
            try Self.store.get().read { try $0.count("Patient", where: condition) }
        }
    }

    @Test(arguments: [32, 2000]) func limitsPathsOfSortKeys(count: Int) throws {
        let key = SortKey.ascending(String(repeating: "boss.", count: count) + "name")
        #expect(throws: StoreError(code: .limitExceeded)) {
            try Self.store.get().read { try $0.ids("Doctor", sortedBy: [key]) }
        }
    }

    @Test func followsLongPaths() throws {
        let condition = try Condition(String(repeating: "boss.", count: 10) + "name is null")
        #expect(try Self.store.get().read { try $0.count("Doctor", where: condition) } == 10)
        #expect(try Self.store.get().read { try $0.count("Doctor", where: !condition) } == 0)
    }

    @Test(.sqliteOnly("cells of another type than their column"))
    func comparisonsSkipCellsThatAreNotNumbersAndArithmeticRejectsThem() throws {
        let folder = try Folder()
        try Store(at: folder.file(), model: Hospital.model(), transformers: Transformers().registry()).close()
        try shell(folder.file()) { database in
            try database.execute(
                sql: """
                    INSERT INTO Patient (name, age, small, isActive, weight) VALUES
                    ('text', 'many', 1, 1, 'heavy'), ('blob', x'00', 1, 1, x'00'), ('number', 3, 1, 1, 1.5)
                    """
            )
        }
        let store = try Store(at: folder.file(), transformers: Transformers().registry())
        for text in ["age > 0", "age >= -5", "weight > 0", "not age <= 0", "age between 0 and 9"] {
            #expect(try store.read { try $0.ids("Patient", where: Condition(text)).map(\.number) } == [3], "\(text)")
        }
        #expect(throws: StoreError(code: .undecodable)) {
            try store.read { try $0.count("Patient", where: Condition("age + 1 > 0")) }
        }
        #expect(throws: StoreError(code: .undecodable)) {
            try store.read { try $0.aggregate("Patient", [.sum("age")]) }
        }
    }
}

extension ComputedConditionTests.Rule {
    /// Compares what a context finds with Swift's result for the patients of a hospital.
    func check(_ hospital: Hospital, _ numbers: [Int64], in context: StoreContext) throws {
        let visits = Dictionary(grouping: hospital.visits.filter { $0.patient != nil }) { $0.patient ?? 0 }
        let expected = hospital.patients.indices
            .filter { holds(hospital.patients[$0], visits[$0] ?? []) }
            .map { numbers[$0] }
        let condition = try Condition(text)
        let found = try context.ids("Patient", where: condition).map(\.number)
        #expect(found == expected)
        let others = try context.ids("Patient", where: !condition).map(\.number)
        #expect(Set(others).union(found).count == hospital.patients.count && Set(others).isDisjoint(with: found))
        #expect(try context.count("Patient", where: condition) == expected.count)
        let page = try context.fetch("Patient", where: condition, limit: 3, offset: 2).map(\.id.number)
        #expect(page == Array(expected.dropFirst(2).prefix(3)))
    }
}

/// The same conditions, on changes that have not been saved.
@Suite(.eachEngine) struct PendingConditionTests {
    @Test(arguments: [1, 2] as [UInt64]) func pendingConditionsAgreeWithSwift(seed: UInt64) {
        // The functions of other rules know the doctors of a certain hospital.
        let rules = (ComputedConditionTests.plain + ComputedConditionTests.texts + ComputedConditionTests.related)
            .filter { !$0.text.contains("doctor") && !$0.text.contains("hosts") }
        let hospital = Hospital(patients: 60, visits: 80, seed: seed)
        #expect(throws: Never.self) {
            let store = try Hospital(patients: 40, visits: 50, seed: seed + 10).store()
            let context = store.makeContext()
            let numbers = try hospital.write(in: context, saved: (patients: 40, visits: 50))
            for rule in rules { try rule.check(hospital, numbers, in: context) }
        }
    }
}
