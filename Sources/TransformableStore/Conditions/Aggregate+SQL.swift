extension Aggregate.Function {
    /// Returns the SQL of the aggregate and the kind of its result.
    func sql(of subject: Subject) throws(StoreError) -> (sql: SQLFragment, kind: ValueKind) {
        let kind = subject.kind
        switch self {
        case .count: return ("count(\(subject.sql))", .integer)
        case .min, .max:
            guard kind != .boolean, kind != .data else { throw refusal(subject) }
            guard kind != .decimal else {
                return (DecimalOrder.text("\(raw: rawValue)(\(DecimalOrder.key(subject.sql)))"), kind)
            }
            return ("\(raw: rawValue)(\(subject.sql))", kind)
        case .average:
            guard kind != .decimal else { return (DecimalSum.average(subject.sql), kind) }
            guard kind.isNumber else { throw refusal(subject) }
            return ("avg(\(subject.sql))", .double)
        case .sum:
            guard kind != .decimal else { return (DecimalSum.sum(subject.sql), kind) }
            guard kind.isNumber else { throw refusal(subject) }
            // The sum of no values is NULL in SQL.
            return kind == .integer
                ? ("coalesce(sum(\(subject.sql)), 0)", kind) : ("coalesce(sum(\(subject.sql)), 0.0)", .double)
        }
    }

    private func refusal(_ subject: Subject) -> StoreError {
        subject.failure(.unsupported, "“\(rawValue)” cannot be computed for it, because it is \(subject.kind.words)")
    }
}
