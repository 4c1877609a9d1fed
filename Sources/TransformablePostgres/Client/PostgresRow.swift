internal import CPostgres
package import TransformableModel

/// A row that the server sent, which is valid while the closure that it is passed to runs.
@safe
package struct PostgresRow: ~Copyable {
    private var cells: [UnsafeRawBufferPointer?] = unsafe []
    /// The types of the columns, or none for COPY, which does not say them.
    private var types: [UInt32] = []

    init() {}

    /// The number of columns.
    package var count: Int { unsafe cells.count }

    /// Returns a Boolean value that indicates whether the columns have other types than those of a description.
    func differs(from types: [UInt32]) -> Bool { !self.types.elementsEqual(types) }

    /// Returns a Boolean value that indicates whether a column is NULL or missing from the row.
    package func isNull(_ column: Int) -> Bool {
        unsafe !cells.indices.contains(column) || cells[column] == nil
    }

    /// Throws an error unless the row has the given number of columns.
    func requireColumns(_ number: Int) throws(StoreError) {
        guard count >= number else {
            throw StoreError(.corruptFile, "the server sent a row of \(count) columns instead of \(number)")
        }
    }

    /// Returns the value of a column.
    ///
    /// - Throws: `StoreError` if it is NULL, or of a different type.
    package func value<Value: PostgresCodable>(
        _ column: Int,
        as type: Value.Type = Value.self
    ) throws(StoreError) -> Value {
        guard let value = try valueIfPresent(column, as: type) else {
            throw StoreError(.missingValue, "the server sent NULL in column \(column + 1) of a result")
        }
        return value
    }

    /// Returns the value of a column, or `nil` if it is NULL.
    ///
    /// - Throws: `StoreError` if it is of a different type.
    package func valueIfPresent<Value: PostgresCodable>(
        _ column: Int,
        as type: Value.Type = Value.self
    ) throws(StoreError) -> Value? {
        try requireColumns(column + 1)
        guard types.isEmpty || Value.canRead(types[column]) else {
            throw StoreError(
                .wrongType,
                "column \(column + 1) of a result has the type number \(types[column]), not \(Value.postgresType)"
            )
        }
        guard let bytes = unsafe cells[column] else { return nil }
        return try unsafe Value(wire: bytes)
    }

    /// Calls a closure with the bytes of a column in the binary format, or returns `nil` if it is NULL.
    package func withBytes<Result>(
        _ column: Int,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? {
        guard unsafe cells.indices.contains(column) else { return nil }
        return try unsafe cells[column].map { try unsafe body($0) }
    }
}

// MARK: - Filling

extension PostgresRow {
    /// Begins a result whose columns have these types, or a COPY.
    mutating func begin(columns: Int, types: [UInt32] = []) {
        unsafe cells = .init(repeating: nil, count: columns)
        self.types = types
    }

    @unsafe mutating func set(_ column: Int, to bytes: UnsafeRawBufferPointer?) {
        unsafe cells[column] = bytes
    }
}
