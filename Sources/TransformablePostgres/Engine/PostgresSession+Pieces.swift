internal import Foundation
internal import TransformableModel
internal import TransformableStore

// External values, whose pieces are in a table of their own.

extension PostgresSession {
    /// The number of pieces that are sent before the server's answer is awaited, which limits the memory that they take.
    private static let piecesAtOnce = 16

    func insertPieces(of uuid: UUID, _ next: (Int) throws -> Data) throws {
        let sql = "INSERT INTO \(pieces) (\"blob\", \"index\", \"bytes\") VALUES ($1, $2, $3)"
        let statement = PostgresStatement(sql, .uuid, .int8, .bytea)
        var index: Int64 = 0
        while case let piece = try nextPiece(next), !piece.isEmpty {
            engine.noteStatement()
            try located { try connection.send(statement, [.uuid(uuid), .int8(index), .bytea(piece)]) }
            index += 1
            if index % Int64(Self.piecesAtOnce) == 0 { try settle() }
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

    func readPieces(of uuid: UUID, _ body: (Data) throws -> Void) throws {
        var next: Int64 = 0
        try query("SELECT \"index\", \"bytes\" FROM \(pieces) WHERE \"blob\" = $1", uuid, order: "ORDER BY \"index\"") {
            row in
            guard try row.value(0, as: Int64.self) == next else {
                throw StoreError(.damagedBlob, "the piece number \(next) is missing; restore it from a backup")
            }
            try body(row.value(1))
            next += 1
        }
    }

    func firstPiece(of uuid: UUID) throws -> Data? {
        var piece: Data?
        let sql = "SELECT \"bytes\" FROM \(pieces) WHERE \"blob\" = $1 AND \"index\" = 0"
        try query(sql, uuid) { row in piece = try row.value(0) }
        return piece
    }

    private var pieces: String { engine.qualified(PostgresLayout.chunkTable) }

    /// Passes the rows of a statement to a closure as they arrive.
    private func query(
        _ sql: String,
        _ uuid: UUID,
        order: String = "",
        _ body: (borrowing PostgresRow) throws -> Void
    ) throws {
        guard connection.isInTransaction else { return try committing { try query(sql, uuid, order: order, body) } }
        engine.noteStatement()
        // Citus then asks only the server that has the tenant.
        let tenant = engine.isDistributed ? limit?.owner : nil
        let condition = tenant == nil ? "" : " AND \(PostgresTable.tenant) = $2"
        let types: [PostgresType] = tenant == nil ? [.uuid] : [.uuid, .int8]
        let statement = PostgresStatement("\(sql)\(condition) \(order)", parameters: types)
        let values = [PostgresValue.uuid(uuid)] + (tenant.map { [.int8($0)] } ?? [])
        try located { try connection.query(statement, values, body) }
    }
}
