internal import Synchronization
internal import TransformableModel
internal import TransformableStore

/// Checks the tags of the rows of a statement, as ``RowSeal/check(besides:)`` describes it.
final class RowChecker: Sendable {
    /// Where the cells are that a tag covers: in a column of the statement, or next in the row.
    private struct Places {
        /// By the columns that the tag covers, the column of the statement, or `nil`.
        var columns: [Int?]
        let seal: RowSeal
    }

    private let authenticator: RowAuthenticator
    private let text: RowText
    /// The names of the statement's columns, as the server reports them.
    private let names: [String]
    /// The columns of the rows to check.
    private let rows: [Int]
    // The tenant whose rows the statement is to return, or nil if they belong to several tenants or to none.
    private let tenant: Int64?
    private let known = Mutex<[UInt32: [Places]]>([:])

    /// Returns `nil` if there is nothing to check.
    ///
    /// - Parameters:
    ///   - text: What the statement selects.
    ///   - columns: The columns that the server reports.
    ///   - authenticator: The keys.
    ///   - tenant: The tenant whose rows the statement is to return, or `nil` if they belong to several tenants
    ///     or to none.
    /// - Throws: `StoreError` with the code `unauthenticated-row` if the server does not send all rows that are to be checked.
    init?(
        _ text: RowText,
        _ columns: [PostgresDescription.Column],
        _ authenticator: RowAuthenticator,
        of tenant: Int64? = nil
    ) throws(StoreError) {
        rows = columns.indices.filter { columns[$0].type == PostgresType.byteaArray.rawValue }
        guard rows.count >= text.rows.count, (text.rows + text.related).allSatisfy(rows.contains) else {
            throw Self.malformed
        }
        guard !rows.isEmpty else { return nil }
        self.authenticator = authenticator
        self.text = text
        self.tenant = tenant
        names = columns.map(\.name)
    }

    /// Returns a Boolean value that indicates whether a row says nothing about the cells that the statement selects.
    static func hasOwnCells(_ row: borrowing PostgresRow, _ column: Int) -> Bool {
        unsafe row.withBytes(column) { unsafe RecordFields($0).first.map { $0 < 0 } } == true
    }

    /// Checks the tag of a row.
    ///
    /// - Parameters:
    ///   - row: The row as the server sent it.
    ///   - packed: The cells that the store gets.
    /// - Throws: `StoreError` with the code `unauthenticated-row` if the tag does not match, or if the server sent the row of
    ///   another tenant.
    func check(_ row: borrowing PostgresRow, _ packed: PackedRow) throws {
        for (position, column) in rows.enumerated() {
            guard !row.isNull(column) else {
                guard text.hasExemptions || text.related.contains(column) else { throw Self.malformed }
                continue
            }
            var fields = try unsafe row.withBytes(column) { try unsafe RecordFields.cells(of: $0) } ?? []
            let isRelated = text.related.contains(column)
            guard fields.count >= 2, case .integer(let entity) = fields[0], text.entities.contains(entity),
                isRelated || entity > -RowSeal.relatedOffset
            else { throw Self.malformed }
            let tag = fields[1]
            fields.removeFirst(2)
            let number = UInt32(truncatingIfNeeded: entity.magnitude)
            let places = try places(number)[position]
            let cells = try cells(places, fields, packed, isCompared: entity > 0 && !isRelated)
            try StoreError.describingRows { try authenticator.check(tag, of: number, cells) }
            if let tenant, let owner = places.seal.tenant(in: cells), owner != tenant {
                throw Self.forged(places, cells)
            }
        }
    }

    /// Returns the cells that a tag covers.
    private func cells(
        _ places: Places,
        _ fields: [ColumnValue],
        _ packed: PackedRow,
        isCompared: Bool
    ) throws -> [ColumnValue] {
        guard fields.count == places.columns.count else {
            var rest = fields[...]
            let cells = places.columns.map { column in column.map(packed.value) ?? rest.popFirst() ?? .null }
            let count = places.columns.count { $0 == nil }
            guard isCompared, fields.count == count else { throw Self.malformed }
            return cells
        }
        guard isCompared else { return fields }
        let isSame = zip(places.columns, fields)
            .allSatisfy { column, field in column.map { packed.value($0).isIdentical(to: field) } ?? true }
        guard isSame else { throw Self.forged(places, fields) }
        return fields
    }

    private static func forged(_ places: Places, _ cells: [ColumnValue]) -> StoreError {
        let number: Int64 = if case .integer(let number) = cells[0] { number } else { 0 }
        return StoreError(RowFault(.forged, "", places.seal, of: number))
    }

    /// Returns the places of an entity's cells for each column with rows.
    private func places(_ entity: UInt32) throws -> [Places] {
        try known.withLock { known in
            if let places = known[entity] { return places }
            guard let seal = authenticator.rows(of: entity)?.seal else { throw Self.malformed }
            let places = rows.map { column in
                let before = text.columns(before: column, names)
                return Places(columns: seal.names.map { before[PostgresName.shortened($0)] }, seal: seal)
            }
            known[entity] = places
            return places
        }
    }

    private static let malformed = StoreError(
        .unauthenticatedRow,
        "the server did not send what the tags of rows are compared with"
    )
}
