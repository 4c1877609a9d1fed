/// The rows of the tables that a store's seal covers, each read once for both the seal and the metadata.
struct SealedTables {
    private static let current = """
        SELECT "version", "json" FROM "_transformable_model"
        WHERE "version" IN (SELECT "model_version" FROM "_transformable_store")
        """

    private var rows: [String: [PackedRow]] = [:]

    /// Reads everything that a seal covers.
    init(reading connection: any EngineConnection) throws {
        for section in SealMessage.sections { try read(section, on: connection) }
    }

    /// Reads only what the metadata needs, without earlier versions of the model, jobs, and the schema.
    init(describing connection: any EngineConnection) throws {
        for section in SealMessage.sections where !["job", "schema"].contains(section.name) {
            try read(section, section.name == "model" ? Self.current : nil, on: connection)
        }
    }

    private mutating func read(
        _ section: SealMessage.Section,
        _ sql: String? = nil,
        on connection: any EngineConnection
    ) throws {
        rows[section.name] = try connection.rows(
            sql ?? section.sql(in: connection.dialect),
            count: section.columns.count
        )
    }

    /// The rows of a section.
    subscript(section: String) -> [PackedRow] { rows[section] ?? [] }

    /// Returns whether the file has a table.
    func hasTable(_ name: String) -> Bool {
        self["schema"].contains { $0.text(1) == name && $0.text(0) == "table" }
    }

    /// The names of all triggers, or `nil` if the schema was not read.
    var triggers: [String]? {
        rows["schema"]?.filter { $0.text(0) == "trigger" }.compactMap { $0.text(1) }
    }
}
