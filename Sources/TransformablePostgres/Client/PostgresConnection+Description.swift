internal import CPostgres
internal import TransformableModel

/// What the server says about a statement before it runs.
struct PostgresDescription: Sendable {
    /// A column of the statement's rows.
    struct Column: Sendable {
        let name: String
        /// The number of its type.
        let type: UInt32
    }

    /// The numbers of the types of the parameters, as far as their use determines them.
    let parameters: [UInt32]
    let columns: [Column]

    fileprivate init(_ result: borrowing PostgresResult) {
        parameters = (0..<result.parameterCount).map { result.parameterType($0) }
        columns = (0..<result.columnCount).map { Column(name: result.columnName($0), type: result.columnType($0)) }
    }
}

extension PostgresConnection {
    /// Asks the server for the types of a statement's parameters and columns.
    ///
    /// Its parameters are `$1`, `$2`, and so on. It costs a round trip, along with whatever was sent before.
    ///
    /// - Throws: `StoreError` if the statement does not fit the tables, or the connection was lost.
    func describe(_ sql: String) throws -> PostgresDescription {
        var description: PostgresDescription?
        try exclusively {
            if !isInTransaction { loss = .outcomeUnknown }
            guard unsafe PQsendPrepare(handle, "", sql, 0, nil) == 1 else { throw lost() }
            steps.append(PipelineStep())
            guard unsafe PQsendDescribePrepared(handle, "") == 1 else { throw lost() }
            steps.append(PipelineStep(describer: { description = PostgresDescription($0) }))
            try synchronize()
        }
        guard let description else { throw StoreError(.statementFailed, "the server did not describe a statement") }
        return description
    }
}
