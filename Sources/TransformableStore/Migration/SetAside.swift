public import Foundation
public import Transformable

/// What migrations have dropped from the model, but the file still contains.
package enum SetAside {
    /// The beginning of the names of columns and tables that were set aside.
    package static let prefix = "_dropped."

    /// Returns the name under which something is set aside.
    ///
    /// - Parameters:
    ///   - name: The name of an attribute or of an entity.
    ///   - number: The number of the attribute, or the last version of the model that the entity was in.
    /// - Returns: The name of the column or of the table.
    static func name(_ name: String, _ number: some BinaryInteger) -> String {
        "\(prefix)\(name).\(number)"
    }

    static func columns(on connection: any EngineConnection) throws -> [(table: String, name: String, column: String)] {
        let sql = """
            SELECT "e"."name", "a"."name", "a"."column" FROM "_transformable_attribute" AS "a"
            JOIN "_transformable_entity" AS "e" ON "e"."id" = "a"."entity"
            WHERE "a"."state" = 'dropped' AND "e"."state" = 'live'
            """
        return try connection.rows(sql, count: 3)
            .map { ($0.text(0) ?? "", $0.text(1) ?? "", $0.text(2) ?? "") }
    }

    /// Returns the condition of the blobs of dropped attributes and entities.
    ///
    /// It states the attributes, because Citus does not join the blobs of a distributed store with other metadata.
    static func blobs(on connection: any EngineConnection) throws -> String {
        let sql = """
            SELECT "a"."id" FROM "_transformable_attribute" AS "a"
            JOIN "_transformable_entity" AS "e" ON "e"."id" = "a"."entity"
            WHERE ("a"."state" = 'dropped' AND "e"."state" = 'live') OR "e"."state" = 'dropped'
            """
        let attributes = try connection.rows(sql, count: 1).map { "\($0.integer(0))" }
        guard !attributes.isEmpty else { return "1 = 0" }
        return "\"_transformable_blob\".\"attribute\" IN (\(attributes.joined(separator: ", ")))"
    }

    package static func tables(on connection: any EngineConnection) throws -> [String] {
        let sql = """
            SELECT "name" FROM \(connection.dialect.definitions)
            WHERE "type" = 'table' AND substr("name", 1, \(prefix.utf8.count)) = '\(prefix)'
            """
        return try connection.rows(sql, count: 1).compactMap { $0.text(0) }
    }

    /// Returns the columns of dropped transformed attributes, in tables of the model and in tables that were set aside.
    static func transformed(on connection: any EngineConnection) throws -> [Column] {
        let sql = """
            SELECT "e"."name", "a"."name", "a"."column", "a"."expression", "e"."state", "a"."signature"
            FROM "_transformable_attribute" AS "a"
            JOIN "_transformable_entity" AS "e" ON "e"."id" = "a"."entity"
            WHERE "a"."expression" IS NOT NULL AND "a"."type" = 'transformed'
            AND ("e"."state" = 'dropped' OR ("e"."state" = 'live' AND "a"."state" = 'dropped'))
            """
        let tables = try tables(on: connection)
        return try connection.rows(sql, count: 6)
            .flatMap { row -> [Column] in
                let texts = (0..<6).map { row.text($0) ?? "" }
                let attribute = AttributeDescription(texts[1], .transformed, transformer: texts[3])
                let expression = attribute.expression(statingStagesOf: texts[5]) ?? texts[3]
                let places = texts[4] == "live" ? [texts[0]] : tables.filter { place(of: $0).entity == texts[0] }
                return places.map {
                    Column(table: $0, entity: texts[0], name: texts[1], column: texts[2], expression: expression)
                }
            }
            .filter { try $0.exists(on: connection) }
    }

    /// Returns the entity of a table that was set aside, and the last version of the model that it was in.
    package static func place(of table: String) -> (entity: String, version: Int) {
        guard let point = table.lastIndex(of: ".") else { return ("", 0) }
        let version = Int(table[table.index(after: point)...]) ?? 0
        return (String(table[..<point].dropFirst(prefix.count)), version)
    }

    struct Column {
        let table: String
        let entity: String
        let name: String
        let column: String
        let expression: String

        fileprivate func exists(on connection: any EngineConnection) throws -> Bool {
            try !connection.tables.columns(of: table, among: [column]).isEmpty
        }
    }
}

/// Values of an attribute that a migration has dropped and that the file still contains.
public struct SetAsideValues: Sendable {
    /// The name of the entity that had the attribute.
    public let entity: String
    /// The attribute's name.
    public let attribute: String
    /// The transformer that wrote the values, or `nil` if it is not available in this program.
    public let transformer: ResolvedTransformer?
    /// The number of values for each byte sequence.
    ///
    /// Values that are not bytes in the table are counted under `nil`.
    public let counts: [Data?: Int]
}

extension StoreContext {
    /// Counts the values that migrations have set aside by some of their bytes, without decoding any.
    ///
    /// - Parameter bytes: The range of bytes. For shorter values, it is clamped.
    /// - Returns: The dropped transformed attributes that still have values.
    /// - Throws: `StoreError` if the file cannot be read.
    public func countSetAside(by bytes: Range<Int>) throws -> [SetAsideValues] {
        try connected { try SetAside.transformed(on: $0) }
            .map { column in
                SetAsideValues(
                    entity: column.entity,
                    attribute: column.name,
                    transformer: try? store.registry.resolve(column.expression),
                    // The table itself, because a view of it for tenants lacks the column.
                    counts: try counts(of: column.column, in: SQL.main(TableName(column.table)), by: bytes)
                )
            }
            .filter { !$0.counts.isEmpty }
    }
}

extension Store {
    /// Returns the names of the columns and tables that migrations have dropped and the file still contains, such as
    /// `Patient.note`.
    ///
    /// - Returns: The names, in alphabetical order.
    /// - Throws: `StoreError` if the file cannot be read.
    public func namesSetAside() throws -> [String] {
        try Nesting.check(self)
        return try engine.read { connection in
            try (SetAside.columns(on: connection).map { "\($0.table).\($0.name)" } + SetAside.tables(on: connection))
                .sorted()
        }
    }

    /// Permanently removes what migrations have dropped.
    ///
    /// - Throws: `StoreError` if the file cannot be written. The code is `store-changed` if another
    ///   program has migrated the store since it was opened.
    public func discardSetAside() throws {
        try Nesting.check(self)
        try requireWritable()
        try engine.changeTables { connection in
            try watch.check(schema, on: connection)
            try resealing(on: connection) {
                try BlobTriggers.dispose(of: SetAside.blobs(on: connection), on: connection)
                for column in try SetAside.columns(on: connection) {
                    let (table, name) = (SQL.quoted(column.table), SQL.quoted(column.column))
                    try connection.tables.define("ALTER TABLE \(table) DROP COLUMN \(name)")
                }
                for table in try SetAside.tables(on: connection) {
                    try connection.tables.define("DROP TABLE \(SQL.quoted(table))")
                }
                for table in ["attribute", "entity"] {
                    let name = SQL.quoted("_transformable_\(table)")
                    let sql = "UPDATE \(name) SET \"state\" = 'gone' WHERE \"state\" = 'dropped'"
                    try connection.run(sql)
                }
            }
        }
        sweepGarbage()
    }
}
