import Testing
import TransformableSQLite
import TransformableStore

// What a store records of its tables is an implementation detail.
@testable import TransformablePostgres

struct RecordedDefinitionsTests {
    private static let definitions = [
        RawDefinition(
            type: "table",
            name: "Pet",
            table: "Pet",
            sql: """
                CREATE TABLE "Pet" ("_id" INTEGER PRIMARY KEY, "name" TEXT, "age" INTEGER, "owner" INTEGER REFERENCES "Owner")
                """
        ),
        RawDefinition(
            type: "table",
            name: "Owner",
            table: "Owner",
            sql: "CREATE TABLE \"Owner\" (\"_id\" INTEGER PRIMARY KEY, \"name\" TEXT)"
        ),
        RawDefinition(
            type: "index",
            name: "_index.Pet.name",
            table: "Pet",
            sql: "CREATE INDEX \"_index.Pet.name\" ON \"Pet\" (\"name\")"
        ),
        RawDefinition(
            type: "index",
            name: "_index.Owner.name",
            table: "Owner",
            sql: "CREATE INDEX \"_index.Owner.name\" ON \"Owner\" (\"name\")"
        ),
        RawDefinition(
            type: "trigger",
            name: "_blob.entity.1",
            table: "Pet",
            sql: """
                CREATE TRIGGER "_blob.entity.1" AFTER DELETE ON "Pet" \
                BEGIN DELETE FROM "Owner" WHERE "_id" = OLD."owner"; END
                """
        ),
    ]

    /// Only the definitions of some tables are read again, so none of the others may change.
    @Test(arguments: [
        "CREATE TABLE \"Vet\" (\"_id\" INTEGER PRIMARY KEY)",
        "CREATE TABLE \"_dropped.Pet.1\" AS SELECT * FROM \"Pet\"",
        "CREATE UNIQUE INDEX \"_index.Pet.owner\" ON \"Pet\" (\"owner\")",
        "CREATE TRIGGER \"_blob.entity.2\" AFTER DELETE ON \"Owner\" BEGIN DELETE FROM \"Pet\"; END",
        "DROP TABLE \"Pet\"",
        "DROP INDEX \"_index.Owner.name\"",
        "DROP TRIGGER \"_blob.entity.1\"",
        "ALTER TABLE \"Owner\" RENAME TO \"_old.2\"",
        "ALTER TABLE \"Pet\" RENAME TO \"_old.1\"",
        "ALTER TABLE \"Owner\" RENAME COLUMN \"_id\" TO \"number\"",
        "ALTER TABLE \"Pet\" ADD COLUMN \"size\" INTEGER",
        "ALTER TABLE \"Pet\" DROP COLUMN \"age\"",
    ])
    func findsEverythingThatAStatementChanges(sql: String) throws {
        let recorded = try RecordedDefinitions(RawCatalog(Self.definitions))
        let statement = try #require(DefinitionStatement(sql))
        let changes = try recorded.run(sql, statement)
        #expect(!changes.isEmpty)
        var known = Set(Self.definitions).subtracting(changes.removed)
        for new in changes.replaced { known = known.filter { $0.type != new.type || $0.name != new.name } }
        known.formUnion(changes.replaced + changes.added)
        #expect(try known == Set(recorded.catalog.definitions()))
    }

    @Test func aStatementThatHasNothingToDoChangesNothing() throws {
        let recorded = try RecordedDefinitions(RawCatalog(Self.definitions))
        let sql = "CREATE INDEX IF NOT EXISTS \"_index.Pet.name\" ON \"Pet\" (\"name\")"
        let statement = try #require(DefinitionStatement(sql))
        #expect(try recorded.run(sql, statement).isEmpty)
        #expect(recorded.index("_index.Pet.name") == Self.definitions[2])
        #expect(recorded.table(shortened: "Owner") == "Owner")
    }
}
