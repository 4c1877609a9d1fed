import Foundation
import TransformablePostgres
import TransformableSQLite
import TransformableStore
import _PostgresServer

/// A clinic in a file, and the schema that it is copied to.
struct ClinicCopy {
    let clinic: ClinicStore
    let schema = "clinic-\(UUID().uuidString)"

    init() throws {
        clinic = try ClinicStore()
    }

    func address() throws -> PostgresAddress { try PostgresServer.shared.get().address }

    /// Copies the store to PostgreSQL.
    @discardableResult
    func copy(progress: @escaping (Int) -> Void = { _ in }) throws -> PostgresCopyReport {
        let store = try Store(at: clinic.url, transformers: clinic.registry, options: .readOnly)
        defer { try? store.close() }
        var options = PostgresOptions()
        options.applicationName = schema
        return try store.copy(to: address(), schema: schema, options: options, progress: progress)
    }

    /// Copies the store back.
    @discardableResult
    func back(to url: URL) throws -> PostgresCopyReport {
        try Store.copy(from: address(), schema: schema, to: url, transformers: clinic.registry)
    }

    func text(_ sql: String) throws -> [String?] {
        let connection = try PostgresServer.connect()
        return try connection.rows(PostgresStatement(sql.replacing("@", with: "\"\(schema)\""))) { row in
            try row.valueIfPresent(0, as: String.self)
        }
    }

    func run(_ sql: String) throws {
        try PostgresServer.connect().run(script: sql.replacing("@", with: "\"\(schema)\""))
    }

    var remains: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: clinic.folder.path)
                .filter { !$0.hasPrefix("clinic.sqlite") }
        }
    }
}
