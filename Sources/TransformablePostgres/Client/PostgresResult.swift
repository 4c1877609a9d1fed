internal import CPostgres
internal import TransformableModel

/// An answer of the server, which libpq allocated.
@safe
struct PostgresResult: ~Copyable {
    private let pointer: OpaquePointer

    @unsafe init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe PQclear(pointer)
    }

    var status: ExecStatusType { unsafe PQresultStatus(pointer) }
    var rowCount: Int { unsafe Int(PQntuples(pointer)) }
    var columnCount: Int { unsafe Int(PQnfields(pointer)) }

    /// The memory that it takes, in bytes.
    var size: Int { unsafe PQresultMemorySize(pointer) }

    /// Whether the rows of a COPY are in the binary format.
    var isBinary: Bool { unsafe PQbinaryTuples(pointer) != 0 }

    /// The number of parameters of the statement that the result describes.
    var parameterCount: Int { unsafe Int(PQnparams(pointer)) }

    /// Returns the number of a parameter's type.
    func parameterType(_ index: Int) -> UInt32 { unsafe PQparamtype(pointer, Int32(index)) }

    /// Returns the name of a column.
    func columnName(_ index: Int) -> String {
        unsafe PQfname(pointer, Int32(index)).map { unsafe String(cString: $0) } ?? ""
    }

    /// Returns the number of a column's type.
    func columnType(_ index: Int) -> UInt32 { unsafe PQftype(pointer, Int32(index)) }

    /// The number of rows that a statement inserted, changed, deleted, returned, or copied.
    var affectedRows: Int { unsafe Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    /// The name of the command that the server ran.
    var command: String { unsafe String(cString: PQcmdStatus(pointer)) }

    /// The fields of an error, which are valid for as long as the result.
    var errorFields: ErrorFields { unsafe ErrorFields(pointer) }

    /// Prepares a row for the columns of the result.
    ///
    /// - Throws: `StoreError` if a column is not in the binary format that was asked for.
    func begin(_ row: inout PostgresRow) throws(StoreError) {
        let columns = Int32(columnCount)
        guard (0..<columns).allSatisfy({ unsafe PQfformat(pointer, $0) == 1 }) else {
            throw StoreError(.corruptFile, "the server sent text where the binary format was asked for")
        }
        row.begin(columns: Int(columns), types: (0..<columns).map { unsafe PQftype(pointer, $0) })
    }

    /// Points a row's columns to the values of one of the rows.
    func fill(_ row: inout PostgresRow, from index: Int) {
        for column in 0..<row.count {
            let (line, position) = (Int32(index), Int32(column))
            let length = unsafe Int(PQgetlength(pointer, line, position))
            // Only an empty value may be NULL, and most values are not empty.
            guard unsafe length > 0 || PQgetisnull(pointer, line, position) == 0 else {
                unsafe row.set(column, to: nil)
                continue
            }
            let start = unsafe PQgetvalue(pointer, line, position)
            unsafe row.set(column, to: UnsafeRawBufferPointer(start: start, count: length))
        }
    }
}

/// The fields of an error or a warning.
@safe
struct ErrorFields {
    private let result: OpaquePointer

    @unsafe init(_ result: OpaquePointer) {
        unsafe self.result = result
    }

    /// A field, by the letter of the protocol that PQresultErrorField takes.
    subscript(_ letter: Unicode.Scalar) -> String? {
        unsafe PQresultErrorField(result, Int32(letter.value)).map { unsafe String(cString: $0) }
    }
}
