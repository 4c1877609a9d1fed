internal import TransformableModel
internal import TransformableSQLite

/// What a schema of a PostgreSQL database contains.
enum SchemaState: Hashable {
    /// The schema does not exist.
    case missing
    /// The schema has no tables.
    case empty
    /// A copy that was begun.
    case unfinishedCopy
    case store
    /// Tables of another program.
    case other

    /// Looks at a schema.
    ///
    /// - Throws: `StoreError` with the code `unsupported` if the database's encoding is not UTF-8.
    init(of schema: String, _ connection: PostgresConnection) throws {
        let encoding = try connection.rows(PostgresStatement("SELECT current_setting('server_encoding')")) {
            try $0.value(0, as: String.self)
        }
        guard encoding == ["UTF8"] else {
            throw StoreError(
                .unsupported,
                "the database's encoding is not UTF8; create a database with the encoding UTF8"
            )
        }
        // The schema itself is a row without a table.
        let sql = """
            SELECT NULL FROM "pg_catalog"."pg_namespace" WHERE "nspname" = $1
            UNION ALL SELECT "table"."relname"::text FROM \(PostgresSession.relations(in: "$1"))
            WHERE "table"."relkind" IN ('r', 'p', 'v', 'm', 'f')
            """
        let name = PostgresName.shortened(schema)
        let rows = try connection.rows(PostgresStatement(sql, .text), [.text(name)]) { row in
            try row.valueIfPresent(0, as: String.self)
        }
        self = rows.isEmpty ? .missing : Self(tables: Set(rows.compactMap(\.self)))
    }

    private init(tables: Set<String>) {
        if tables.contains(PostgresLayout.journalTable) {
            self = .unfinishedCopy
        } else if tables.contains("_transformable_store") {
            self = .store
        } else {
            self = tables.isEmpty ? .empty : .other
        }
    }
}

extension SchemaState {
    /// Waits until no other program is creating a store in a schema, and keeps others from it until the transaction
    /// ends.
    ///
    /// - Throws: `StoreError` with the code `busy` if that takes too long.
    static func lockCreation(
        in schema: String,
        _ connection: PostgresConnection,
        waiting limit: Duration = .seconds(30)
    ) throws {
        try connection.limitWaits(to: limit)
        let lock = PostgresStatement("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", .text)
        try connection.execute(lock, [.text("transformable:\(schema)")])
    }

    /// Makes sure that a schema stays in this state until the transaction ends, or until it changes the state itself.
    ///
    /// Without this, PostgreSQL would only say that a name in its own catalog is taken.
    ///
    /// - Throws: `StoreError` with the code `busy` if another program has changed the state since it was read.
    func keep(in schema: String, _ connection: PostgresConnection) throws {
        try Self.lockCreation(in: schema, connection)
        guard try Self(of: schema, connection) == self else {
            let remedy = "try again when it has finished"
            throw StoreError(.busy, "another program is creating a store in the schema “\(schema)”; \(remedy)")
        }
    }
}

/// The statements and the highest numbers of a store's file, as they are recorded in PostgreSQL.
struct FileRecord {
    /// A file with more tables, indexes, and triggers than this cannot be that of a store.
    private static let limit = 1_000_000

    let definitions: [RawDefinition]
    let sequences: [RawSequence]

    /// Reads what a file's copy consists of.
    init(_ reader: RawReader) throws {
        definitions = try reader.definitions()
        sequences = try reader.sequences()
    }

    /// Reads what PostgreSQL has recorded.
    init(_ layout: PostgresLayout, _ connection: PostgresConnection) throws {
        var definitions: [RawDefinition] = []
        let name = layout.name(of: PostgresLayout.definitionTable)
        let sql = "SELECT \"type\", \"name\", \"table\", \"sql\" FROM \(name) ORDER BY \"id\" LIMIT \(Self.limit)"
        try connection.query(PostgresStatement(sql)) { row in
            let texts = try (0..<4).map { try row.value($0, as: String.self) }
            definitions.append(RawDefinition(type: texts[0], name: texts[1], table: texts[2], sql: texts[3]))
        }
        self.definitions = definitions
        let numbers = "SELECT \"table\", \"number\" FROM \(layout.name(of: PostgresLayout.sequenceTable))"
        let recorded = try connection.rows(PostgresStatement("\(numbers) ORDER BY \"table\" LIMIT \(Self.limit)")) {
            row in
            RawSequence(table: try row.value(0), number: try row.value(1))
        }
        sequences = try Self.merge(recorded, Self.taken(layout, connection), definitions)
    }

    /// Returns the highest numbers that PostgreSQL's own sequences have given to new objects, by their tables.
    private static func taken(_ layout: PostgresLayout, _ connection: PostgresConnection) throws -> [String: Int64] {
        // The functions fail for anything but a sequence, so these are found first. From PostgreSQL 18 on, the number of
        // a sequence that the role cannot read is NULL, like that of one that has given none.
        let sql = """
            WITH "own" AS MATERIALIZED (
            SELECT "table"."relname" AS "name", "sequence"."oid" AS "sequence"
            FROM \(PostgresSession.relations(in: "$1"))
            JOIN "pg_catalog"."pg_depend" AS "link" ON "link"."refobjid" = "table"."oid"
            AND "link"."refclassid" = 'pg_catalog.pg_class'::regclass
            AND "link"."classid" = 'pg_catalog.pg_class'::regclass AND "link"."deptype" = 'i'
            JOIN "pg_catalog"."pg_class" AS "sequence" ON "sequence"."oid" = "link"."objid"
            WHERE "sequence"."relkind" = 'S')
            SELECT "name", has_sequence_privilege("sequence", 'SELECT, USAGE') AS "isReadable",
            CASE WHEN has_sequence_privilege("sequence", 'SELECT, USAGE') THEN pg_sequence_last_value("sequence") END
            FROM "own"
            """
        let name = PostgresName.shortened(layout.name)
        let rows = try connection.rows(PostgresStatement(sql, .text), [.text(name)]) { row in
            let table = try row.value(0, as: String.self)
            guard try row.value(1, as: Bool.self) else { throw StoreError.unreadableSequence(of: table) }
            return (table, try row.valueIfPresent(2, as: Int64.self))
        }
        return Dictionary(rows) { first, _ in first }.compactMapValues(\.self)
    }

    /// Returns the higher number of each table.
    private static func merge(
        _ recorded: [RawSequence],
        _ taken: [String: Int64],
        _ definitions: [RawDefinition]
    ) -> [RawSequence] {
        guard !taken.isEmpty else { return recorded }
        var numbers = Dictionary(recorded.map { ($0.table, $0.number) }) { first, _ in first }
        for definition in definitions where definition.type == "table" {
            guard let number = taken[PostgresName.shortened(definition.name)] else { continue }
            numbers[definition.name] = max(number, numbers[definition.name] ?? 0)
        }
        return numbers.map { RawSequence(table: $0.key, number: $0.value) }.sorted { $0.table < $1.table }
    }

    /// Writes the record.
    func write(_ layout: PostgresLayout, _ connection: PostgresConnection) throws {
        let definition = PostgresStatement(
            "INSERT INTO \(layout.name(of: PostgresLayout.definitionTable)) VALUES ($1, $2, $3, $4, $5)",
            .int8,
            .text,
            .text,
            .text,
            .text
        )
        let sequence = PostgresStatement(
            "INSERT INTO \(layout.name(of: PostgresLayout.sequenceTable)) VALUES ($1, $2)",
            .text,
            .int8
        )
        _ = try connection.pipeline { pipeline in
            for (index, own) in definitions.enumerated() {
                let texts = [own.type, own.name, own.table, own.sql].map(PostgresValue.text)
                try pipeline.add(definition, [.int8(Int64(index + 1))] + texts)
            }
            for own in sequences { try pipeline.add(sequence, [.text(own.table), .int8(own.number)]) }
        }
    }
}

extension StoreError {
    fileprivate static func unreadableSequence(of table: String) -> Self {
        let problem = "the role cannot read the sequence of the table “\(table)”, which has its highest number"
        return Self(.accessDenied, "\(problem); grant it SELECT on all sequences in the schema")
    }
}

extension FileRecord: Equatable {
    /// What a file contains does not depend on the order in which it was created.
    static func == (left: Self, right: Self) -> Bool {
        Set(left.definitions) == Set(right.definitions) && Set(left.sequences) == Set(right.sequences)
    }
}
