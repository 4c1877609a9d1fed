internal import Foundation
internal import TransformableModel
internal import TransformableStore

/// The external values of a store, whose pieces are in a table of their own.
struct PostgresPieces: PieceStorage {
    private let session: PostgresSession
    private var engine: PostgresEngine { session.engine }
    private var connection: PostgresConnection { session.connection }

    init(_ session: PostgresSession) {
        self.session = session
    }

    /// The number of pieces that are sent before the server's answer is awaited, which limits the memory that they take.
    private static let piecesAtOnce = 16

    func insert(_ uuid: UUID, _ next: (Int) throws -> Data) throws {
        let sql = "INSERT INTO \(table) (\"blob\", \"index\", \"bytes\") VALUES ($1, $2, $3)"
        let statement = PostgresStatement(sql, .uuid, .int8, .bytea)
        var index: Int64 = 0
        while case let piece = try nextPiece(next), !piece.isEmpty {
            engine.noteStatement()
            try session.located { try connection.send(statement, [.uuid(uuid), .int8(index), .bytea(piece)]) }
            index += 1
            if index % Int64(Self.piecesAtOnce) == 0 { try session.settle() }
        }
    }

    /// Returns the bytes of the next piece, which is shorter than the others only at the end.
    private func nextPiece(_ next: (Int) throws -> Data) throws -> Data {
        var piece = try next(PostgresLayout.chunkSize)
        while !piece.isEmpty, piece.count < PostgresLayout.chunkSize {
            let rest = try next(PostgresLayout.chunkSize - piece.count)
            guard !rest.isEmpty else { break }
            piece += rest
        }
        return piece
    }

    func read(_ uuids: [UUID], _ body: (UUID, Int64, Data) throws -> Void) throws {
        try query("\"index\", \"bytes\"", of: uuids, "ORDER BY \"blob\", \"index\"") { row in
            try body(row.value(0), row.value(1), row.value(2))
        }
    }

    func firstBytes(of uuids: [UUID], count: Int) throws -> [UUID: Data] {
        var first: [UUID: Data] = [:]
        try query("substr(\"bytes\", 1, \(count))", of: uuids, "AND \"index\" = 0") { row in
            first[try row.value(0)] = try row.value(1)
        }
        return first
    }

    private var table: String { engine.qualified(PostgresLayout.chunkTable) }

    /// Passes the names of external values and columns of their pieces to a closure as they arrive.
    private func query(
        _ columns: String,
        of uuids: [UUID],
        _ end: String,
        _ body: (borrowing PostgresRow) throws -> Void
    ) throws {
        guard connection.isInTransaction else {
            return try session.committing { try query(columns, of: uuids, end, body) }
        }
        guard !uuids.isEmpty else { return }
        engine.noteStatement()
        // Citus then asks only the server that has the tenant.
        let tenant = engine.isDistributed ? session.tenantSettings.owner : nil
        let marks = uuids.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let condition = tenant == nil ? "" : " AND \(PostgresTable.tenant) = $\(uuids.count + 1)"
        let sql = "SELECT \"blob\", \(columns) FROM \(table) WHERE \"blob\" IN (\(marks))\(condition) \(end)"
        let types = uuids.map { _ in PostgresType.uuid } + (tenant == nil ? [] : [.int8])
        let values = uuids.map { PostgresValue.uuid($0) } + (tenant.map { [.int8($0)] } ?? [])
        try session.located { try connection.query(PostgresStatement(sql, parameters: types), values, body) }
    }
}
