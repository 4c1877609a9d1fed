import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableStore

/// Changes to a store's model and tables that an attacker with write access but without the key can make with SQLite
/// alone.
///
/// They are reported to anyone with the key before a value is opened or written.
@Suite struct ModelAttackTests {
    struct Attack: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let sql: String
        /// Whether the seal is removed, so that nothing in the file shows that anything was secret.
        var leavesNothingSecret = false

        init(_ name: String, _ sql: String) {
            testDescription = name
            self.sql = sql
        }
    }

    private static func model(_ path: String, _ value: String) -> String {
        "UPDATE _transformable_model SET json = json_set(json, '$.entities[0].\(path)', '\(value)');"
    }

    private static let note = "attributes[1]"
    private static let ssn = "attributes[2]"

    private static let plain = """
        UPDATE _transformable_model SET json = json_set(json_remove(json, '$.entities[0].attributes[1].transformer'),
            '$.entities[0].attributes[1].type', 'string');
        UPDATE _transformable_attribute SET type = 'string', expression = NULL, signature = NULL WHERE name = 'note';
        UPDATE Patient SET note = 'forged';
        """

    private static let allPlain = """
        UPDATE _transformable_model SET json = json_set(
            json_remove(json, '$.entities[0].attributes[1].transformer', '$.entities[0].attributes[2].transformer',
                '$.entities[0].attributes[2].projections'),
            '$.entities[0].attributes[1].type', 'string', '$.entities[0].attributes[2].type', 'string');
        UPDATE _transformable_attribute SET type = 'string', expression = NULL, signature = NULL WHERE name <> 'name';
        DELETE FROM _transformable_projection;
        UPDATE Patient SET note = 'forged', ssn = 'forged';
        """

    static let attacks = [
        Attack(
            "a projection shows the value",
            model("\(ssn).projections[0].transformer", "text")
                + "UPDATE _transformable_projection SET expression = 'text'"
        ),
        Attack("an index without a key", model("\(ssn).projections[0].transformer", "sha256")),
        Attack("an attribute is plain", plain),
        Attack("a signature is gone", "UPDATE _transformable_attribute SET signature = NULL WHERE name = 'note'"),
        Attack(
            "a signature is another",
            "UPDATE _transformable_attribute SET signature = 'text/1' WHERE name = 'note'"
        ),
        Attack("no padding", model("\(note).transformer", "text | sealed(padding: none)")),
        Attack("equal values agree", model("\(note).transformer", "text | sealed(deterministic: true)")),
        Attack("sealed to another", model("\(note).transformer", "text | sealed(to: \"thief\")")),
        Attack("a default is planted", model("\(note).default", "forged")),
        Attack(
            "two attributes change places",
            """
            UPDATE _transformable_attribute SET id = -id WHERE name IN ('note', 'ssn');
            UPDATE _transformable_attribute SET id = 5 + id WHERE id < 0;
            """
        ),
        Attack("the entity has another number", "UPDATE _transformable_entity SET id = 7"),
        Attack("the state is another", "UPDATE _transformable_attribute SET state = 'gone' WHERE name = 'ssn'"),
        Attack(
            "the store is another one",
            "UPDATE _transformable_store SET uuid = '00000000-0000-0000-0000-000000000000'"
        ),
        Attack("a stale index", "UPDATE _transformable_projection SET fingerprint = 'x'"),
        Attack("another note of keys", "UPDATE _transformable_projection SET keys = ''"),
        Attack(
            "a job is planted",
            "INSERT INTO _transformable_job (kind, state, detail) VALUES ('reencode', 'running', '{}')"
        ),
        Attack(
            "a trigger undoes updates",
            """
            CREATE TRIGGER undo AFTER UPDATE ON Patient
            BEGIN UPDATE Patient SET name = old.name WHERE _id = new._id; END
            """
        ),
        Attack("a view", "CREATE VIEW Visit AS SELECT * FROM Patient"),
        Attack("an index is gone", "DROP INDEX \"_index.Patient.ssn_bi\""),
        Attack("a column is added", "ALTER TABLE Patient ADD COLUMN spy TEXT"),
        Attack("the seal is deleted", "DELETE FROM _transformable_seal"),
        Attack("the seal's table is gone", "DROP TABLE _transformable_seal"),
        Attack("the tag is another", "UPDATE _transformable_seal SET tag = zeroblob(32)"),
        Attack("the tag is empty", "UPDATE _transformable_seal SET tag = x''"),
        Attack("the tag is text", "UPDATE _transformable_seal SET tag = 'tag'"),
        Attack("the seal is of no version", "UPDATE _transformable_seal SET version = 0"),
        Attack("the counter is another", "UPDATE _transformable_seal SET counter = counter - 1"),
        Attack("what was sealed is gone too", "UPDATE _transformable_seal SET message = x'00', tag = x'00'"),
        Attack("the seal is deleted and an attribute is plain", plain + "DROP TABLE _transformable_seal"),
    ]

    static let verbs: [[String]] = [
        ["store", "show", "STORE", "Patient", "--key-file", "KEYS"],
        ["store", "show", "STORE", "Patient", "--where", "ssn == 'x'", "--key-file", "KEYS"],
        ["store", "get", "STORE", "Patient", "1", "note", "--key-file", "KEYS"],
        ["store", "verify", "STORE", "--key-file", "KEYS"],
        ["store", "export", "STORE", "--out", "OUT", "--key-file", "KEYS"],
        ["store", "insert", "STORE", "Patient", "name=Eve", "note=secret-815", "--key-file", "KEYS"],
        ["store", "set", "STORE", "Patient", "1", "note=secret-815", "--key-file", "KEYS"],
        ["store", "update", "STORE", "Patient", "--where", "true", "note=secret-815", "--key-file", "KEYS"],
        ["store", "delete", "STORE", "Patient", "1", "--key-file", "KEYS"],
        ["store", "reseal", "STORE", "--key-file", "KEYS"],
        ["store", "reseal", "STORE", "--attribute", "Patient.note", "--to", "text | sealed", "--key-file", "KEYS"],
        ["store", "migrate", "STORE", "--model", "MODEL", "--key-file", "KEYS"],
        ["store", "discard", "STORE", "--yes", "--key-file", "KEYS"],
        ["store", "seal", "STORE", "--key-file", "KEYS"],
    ]

    /// Every attack with three commands, so that every command meets several attacks.
    private static let trials = attacks.indices.flatMap { index in
        (0..<3).map { (attacks[index], verbs[(3 * index + $0) % verbs.count]) }
    }

    @Test(arguments: trials) func everyCommandRejectsTheStore(attack: Attack, verb: [String]) throws {
        let attacked = try AttackedStore()
        try attacked.sqlite(attack.sql)
        let before = try attacked.dump()
        let run = try attacked.run(verb)
        #expect(run.status == 78)
        #expect(run.output == "")
        #expect(run.messages.contains("accept"))
        #expect(!run.messages.contains(AttackedStore.canary))
        #expect(try attacked.dump() == before)
        #expect(try !attacked.hasPlain(AttackedStore.canary))
        #expect(try !attacked.hasPlain("secret-815"))
    }

    @Test(arguments: attacks) func theLibraryRejectsTheStore(attack: Attack) throws {
        let attacked = try AttackedStore()
        try attacked.sqlite(attack.sql)
        let model = try Model(json: Data(AttackedStore.model.utf8))
        for options in [Store.Options.readOnly, .mustExist, .createIfMissing] {
            for model in [nil, model] {
                let error = #expect(throws: StoreError.self) { try attacked.open(options, model: model) }
                #expect(error?.code == .unauthenticatedModel)
            }
        }
        let reencoding = Store.Options(opening: .mustExist, changedTransformers: .reencode)
        let error = #expect(throws: StoreError.self) { try attacked.open(reencoding, model: model) }
        #expect(error?.code == .unauthenticatedModel)
        #expect(try !attacked.hasPlain(AttackedStore.canary))
    }

    @Test func aSealWithAnUnknownKeyIsReportedAsAMissingKey() throws {
        let attacked = try AttackedStore()
        try attacked.sqlite("UPDATE _transformable_seal SET key = '0000000000000000'")
        for verb in Self.verbs where verb[1] != "seal" { #expect(try attacked.run(verb).status == 77, "\(verb)") }
    }

    // Nothing shows that there was a secret, but the change is still reported to anyone with keys.
    @Test(arguments: verbs) func declaringEverythingPlainDoesNotHelpAnAttacker(verb: [String]) throws {
        let attacked = try AttackedStore()
        try attacked.sqlite(Self.allPlain + "DROP TABLE _transformable_seal")
        let run = try attacked.run(verb)
        if ["show", "get", "verify", "export"].contains(verb[1]) {
            #expect(run.messages.hasPrefix("warning: the store has no seal, because it was created without a key"))
        } else {
            #expect(run.status == 78)
        }
        #expect(try !attacked.hasPlain("secret-815"))
    }

    @Test func reportsTheDifferences() throws {
        let attacked = try AttackedStore()
        try attacked.sqlite(
            """
            UPDATE _transformable_attribute SET signature = NULL WHERE name = 'note';
            CREATE TRIGGER spy AFTER INSERT ON Patient BEGIN SELECT 1; END
            """
        )
        let error = #expect(throws: StoreError.self) { try attacked.open() }
        #expect(
            error?.faults == [
                "attribute 2, “note”: its signature was “text/1(encoding: utf-8) | sealed/1(deterministic: false)” and is now nothing",
                "the trigger “spy” was added",
            ]
        )
    }

    /// Describing each row would take time and memory without limit.
    @Test(arguments: [
        (
            "INSERT INTO _transformable_job (kind, state, detail) VALUES ('', '', hex(zeroblob(1 << 20)))",
            "the table “_transformable_job” had 0 rows and now has 1 row"
        ),
        (
            "UPDATE _transformable_model SET json = json || replace(hex(zeroblob(1 << 20)), '0', ' ')",
            "the tables have 2097152 bytes more than what was sealed"
        ),
    ])
    func reportsOnlyTheExtentOfLargeDifferences(sql: String, difference: String) throws {
        let attacked = try AttackedStore()
        try attacked.sqlite(sql)
        let error = #expect(throws: StoreError.self) { try attacked.open() }
        #expect(error?.faults == [difference])
    }

    @Test func anOpenStoreNoticesATrigger() throws {
        let attacked = try AttackedStore()
        let store = try attacked.open()
        #expect(try store.read { try $0.count("Patient") } == 2)
        try attacked.sqlite("CREATE TRIGGER spy AFTER INSERT ON Patient BEGIN SELECT 1; END")
        let reading = #expect(throws: StoreError.self) { try store.read { try $0.count("Patient") } }
        #expect(reading?.code == .unauthenticatedModel)
        let writing = #expect(throws: StoreError.self) {
            try store.write { try $0.insert("Patient").setValue("Eve", for: "name") }
        }
        #expect(writing?.code == .unauthenticatedModel)
    }

    // A change made by an open store must not authenticate a change made by others.
    @Test func anOpenStoreDoesNotSealChangesMadeByOthers() throws {
        let attacked = try AttackedStore()
        let store = try attacked.open()
        try attacked.sqlite("UPDATE _transformable_attribute SET signature = NULL WHERE name = 'note'")
        let error = #expect(throws: StoreError.self) { try store.reencode(Reencoding("ssn", of: "Patient")) }
        #expect(error?.code == .unauthenticatedModel)
    }
}
