internal import Synchronization
internal import TransformableModel
internal import TransformableStore

// What PostgreSQL says about the schema, and the numbers of its sequences.

extension PostgresSession {
    /// The source of a query about the relations in the store's schema, as `"table"`.
    static let relationsSource = relations(in: "current_schema()")

    /// Returns the source of a query about the relations in a schema, except for indexes, as `"table"`.
    ///
    /// They are found by their dependency on the schema. No index of `pg_class` begins with the schema, so that a
    /// database with thousands of tables would be searched as a whole.
    ///
    /// - Parameter schema: The schema's name, as an expression.
    /// - Returns: The part of the query that follows `FROM`.
    static func relations(in schema: String) -> String {
        """
        "pg_catalog"."pg_class" AS "table" JOIN "pg_catalog"."pg_depend" AS "place"
        ON "place"."objid" = "table"."oid" AND "place"."classid" = 'pg_catalog.pg_class'::regclass
        AND "place"."refclassid" = 'pg_catalog.pg_namespace'::regclass
        AND "place"."refobjid" = (SELECT "oid" FROM "pg_catalog"."pg_namespace" WHERE "nspname" = \(schema))
        """
    }

    func header() throws -> EngineHeader {
        let sql = """
            SELECT count(*), count(*) FILTER (WHERE "relname" = '_transformable_store'),
            count(*) FILTER (WHERE "relname" = '\(PostgresLayout.journalTable)')
            FROM \(Self.relationsSource) WHERE "relkind" IN ('r', 'p', 'v', 'm', 'f')
            """
        guard let counts = try rows(sql, count: 3).first, counts.integer(1) == 1 else {
            return EngineHeader(application: 0, format: 0, tableCount: try integer(sql))
        }
        guard counts.integer(2) == 0 else {
            throw StoreError(.busy, "the schema contains an unfinished copy of a store; finish it or drop the schema")
        }
        let format = try integer("SELECT \"format\" FROM \"_transformable_store\"")
        return EngineHeader(application: PostgresEngine.application, format: format, tableCount: counts.integer(0))
    }

    func filePath() -> String { "" }

    func computedTables() throws -> [(table: String, column: String?)] {
        let sql = """
            SELECT lower("relname"::text), NULL::text FROM \(Self.relationsSource) WHERE "relkind" IN ('v', 'm', 'f')
            UNION ALL SELECT lower("relname"::text), lower("attname"::text) FROM \(Self.relationsSource)
            JOIN "pg_catalog"."pg_attribute" ON "attrelid" = "table"."oid" WHERE "attgenerated" <> ''
            """
        return try rows(sql, count: 2).map { ($0.text(0) ?? "", $0.text(1)) }
    }

    func tableFaults() throws -> [StoreError] { try TableCheck(self).faults() }

    /// Returns the transaction that wrote the store's record last.
    func schemaVersion() throws -> Int64 {
        try integer("SELECT xmin::text::bigint FROM \"_transformable_store\" WHERE \"id\" = 1")
    }

    func advanceSchemaVersion() throws {
        try run("UPDATE \"_transformable_store\" SET \"format\" = \"format\" WHERE \"id\" = 1")
    }
}

// MARK: - Numbers of new objects

extension PostgresSession {
    /// How often consecutive numbers are asked for while others take some in between.
    private static let attempts = 50
    /// From this count on, the sequence is moved past all numbers at once, because taking each of them takes time.
    private static let leastSkipping: Int64 = 10_000

    func lastNumber(of table: String) throws -> Int64 {
        let sequence = try sequence(of: table)
        return try integer("SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM \(sequence)")
    }

    /// Raises the sequence, unless others have taken higher numbers since the caller has asked for the last one.
    func recordNumber(_ last: Int64, of table: String) throws {
        let sequence = try sequence(of: table)
        guard connection.isInTransaction else { return try committing { try recordNumber(last, of: table) } }
        try located { try connection.raise(sequence, to: last) }
        engine.noteStatement()
    }

    /// Reserves numbers, which no transaction gives back.
    ///
    /// Stores wait for each other, so that the numbers are consecutive. Only other programs can take some in between. If
    /// many are needed, the ones before them are left to such programs.
    func reserveNumbers(_ count: Int64, of table: String) throws -> Int64? {
        let sequence = try sequence(of: table)
        guard connection.isInTransaction else { return try committing { try reserveNumbers(count, of: table) } }
        if count >= Self.leastSkipping, let first = try located({ try connection.skipNumbers(count, sequence) }) {
            engine.noteStatement()
            return first
        }
        for _ in 0..<Self.attempts {
            let taken = try located { try connection.takeNumbers(count, sequence) }
            engine.noteStatement()
            guard let (first, last) = taken else { return nil }
            if last - first == count - 1 { return first }
        }
        throw StoreError(.busy, "other programs are taking numbers for new objects at the same time; try again")
    }

    /// Returns the name of the sequence that numbers the rows of a table, as it is written in SQL.
    private func sequence(of table: String) throws -> String {
        if let name = engine.sequences.withLock({ $0[table] }) { return name }
        let row = try rows("SELECT pg_get_serial_sequence(?, '_id')", [.text(engine.qualified(table))], count: 1).first
        guard let name = row?.text(0) else {
            throw StoreError(.corruptFile, "the table has no sequence for its numbers", entity: table)
        }
        engine.sequences.withLock { $0[table] = name }
        return name
    }
}

extension PostgresConnection {
    /// Takes numbers of a sequence in one round trip, and returns the first and the last one.
    ///
    /// - Returns: `nil` if the sequence does not have so many numbers left.
    fileprivate func takeNumbers(_ count: Int64, _ sequence: String) throws -> (first: Int64, last: Int64)? {
        let name = PostgresValue.text(sequence)
        // Looking the sequence up for each number would take as long as taking it.
        let sql = """
            WITH "own" AS MATERIALIZED (SELECT $1::text::regclass AS "sequence",
            CASE WHEN last_value < $3 THEN $2 ELSE 0 END AS "count" FROM \(sequence))
            SELECT min("number"), max("number") FROM (SELECT nextval("sequence") AS "number" FROM
            (SELECT "sequence", generate_series(1, "count") FROM "own") AS "each") AS "taken"
            """
        let take = PostgresStatement(sql, .text, .int8, .int8)
        var numbers: (Int64, Int64)?
        try locking(sequence) { pipeline in
            try pipeline.add(take, [name, .int8(count), .int8(.max - count)]) { row in
                guard !row.isNull(0) else { return }
                numbers = (try row.value(0), try row.value(1))
            }
        }
        return numbers
    }

    /// Moves a sequence past consecutive numbers in one round trip, and returns the first one.
    ///
    /// - Returns: `nil` if the sequence does not have so many numbers left, and those for other programs.
    fileprivate func skipNumbers(_ count: Int64, _ sequence: String) throws -> Int64? {
        // More numbers than other programs can take after `nextval` and before `setval`.
        let gap = 1000 + count / 16
        let sql = """
            WITH "next" AS MATERIALIZED (SELECT nextval($1::text::regclass) + $3 AS "first" FROM \(sequence)
            WHERE last_value < $4)
            SELECT "first", setval($1::text::regclass, "first" + $2 - 1) FROM "next"
            """
        let skip = PostgresStatement(sql, .text, .int8, .int8, .int8)
        var first: Int64?
        try locking(sequence) { pipeline in
            let values: [PostgresValue] = [.text(sequence), .int8(count), .int8(gap), .int8(.max - count - gap)]
            try pipeline.add(skip, values) { first = try $0.value(0) }
        }
        return first
    }

    /// Makes a sequence continue after a number, in one round trip, unless it already does.
    fileprivate func raise(_ sequence: String, to last: Int64) throws {
        // A sequence begins with 1, which is also its last value until it is taken.
        let sql = """
            SELECT setval($1::text::regclass, $2) FROM \(sequence)
            WHERE last_value < $2 OR last_value = $2 AND NOT is_called
            """
        try locking(sequence) { try $0.add(PostgresStatement(sql, .text, .int8), [.text(sequence), .int8(last)]) }
    }

    /// Runs statements while no store takes numbers of a sequence, in one round trip.
    private func locking(_ sequence: String, _ body: (borrowing PostgresPipeline) throws -> Void) throws {
        let lock = PostgresStatement("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", .text)
        _ = try pipeline { pipeline in
            // Going back to a savepoint releases the lock, and keeps the numbers.
            try pipeline.add(PostgresStatement("SAVEPOINT \"_numbers\""))
            try pipeline.add(lock, [.text("transformable.numbers:\(sequence)")])
            try body(pipeline)
            try pipeline.add(PostgresStatement("ROLLBACK TO SAVEPOINT \"_numbers\""))
            try pipeline.add(PostgresStatement("RELEASE SAVEPOINT \"_numbers\""))
        }
    }
}
