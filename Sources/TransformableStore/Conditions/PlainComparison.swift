internal import Foundation

/// Comparisons of a plain column or a term with values and terms.
struct PlainComparison {
    /// The left side of the comparison.
    var subject: Subject
    /// Whether the left side is a bare column, which may have an index and may contain anything.
    let isColumn: Bool
    /// Renders SQL for a term.
    let bind: (Term) throws -> Subject
    /// Returns the expression that orders a column of text.
    var key: (() throws -> SQLFragment)?

    var sql: SQLFragment { subject.sql }

    func bind(_ comparison: Condition.Comparison, _ options: TextOptions) throws -> BoundCondition {
        guard options.isEmpty else { return try folded(comparison, options) }
        if let (test, operand) = comparison.textTest { return try text(test, operand, []) }
        return switch comparison {
        case .isNull: isNull
        case .equal(let operand): try equal(operand)
        case .less(let operand): try ordered(operand, "<", ">=") { $0 < 0 }
        case .lessOrEqual(let operand): try ordered(operand, "<=", ">") { $0 <= 0 }
        case .greater(let operand): try ordered(operand, ">", "<=") { $0 > 0 }
        case .greaterOrEqual(let operand): try ordered(operand, ">=", "<") { $0 >= 0 }
        case .between(let least, let most):
            .and([try bind(.greaterOrEqual(least), []), try bind(.lessOrEqual(most), [])])
        case .within(let operands): try within(operands)
        case .contains, .startsWith, .endsWith, .like: .constant(false)
        }
    }

    var isNull: BoundCondition {
        BoundCondition(holds: "\(sql) IS NULL", fails: "\(sql) IS NOT NULL")
    }

    // MARK: - Operands

    /// Returns an operand in SQL, and whether it is a constant.
    private func operand(_ operand: Operand) throws -> (sql: SQLFragment, isConstant: Bool) {
        guard case .term(let term) = operand else {
            return ("\(try subject.column(of: operand))", true)
        }
        let other = try bind(term)
        guard other.kind.compares(with: subject.kind) else {
            throw subject.failure(
                .invalidCondition,
                "it is \(subject.kind.words), and cannot be compared with \(other.kind.words)"
            )
        }
        return (other.sql, false)
    }

    private func isNull(_ operand: Operand) throws -> Bool {
        if case .term = operand { return false }
        return try subject.column(of: operand) == .null
    }

    // MARK: - Comparisons

    private func equal(_ operand: Operand) throws -> BoundCondition {
        guard try !isNull(operand) else { return isNull }
        if hasText, case .text(let text) = try subject.column(of: operand) { return equal(text) }
        let other = try self.operand(operand)
        guard subject.kind != .decimal else { return decimals(other.sql, isNullEqual: true) { $0 == 0 } }
        let sql = hasText ? TextColumn.composed(sql) : sql
        return other.isConstant
            ? BoundCondition(holds: "\(sql) = \(other.sql)", fails: "\(sql) IS NOT \(other.sql)")
            : BoundCondition(holds: "\(sql) IS \(other.sql)", fails: "\(sql) IS NOT \(other.sql)")
    }

    private func ordered(
        _ operand: Operand,
        _ sign: String,
        _ opposite: String,
        _ accepts: @escaping (Int) -> Bool
    ) throws -> BoundCondition {
        guard try !isNull(operand) else {
            throw subject.failure(.invalidCondition, "null has no order; compare it with “==” or “!=”")
        }
        let other = try self.operand(operand)
        guard subject.kind != .decimal else { return decimals(other.sql, isNullEqual: false, accepts) }
        guard isColumn else { return BoundCondition("\(sql) \(raw: sign) \(other.sql)") }
        let key = try hasText ? key?() ?? sql : sql
        // In SQLite, every text is greater than any number, and every blob is greater than any text.
        let isValue: SQLFragment = "typeof(\(sql)) = '\(raw: subject.kind.storageClass)'"
        return BoundCondition(
            holds: "(\(key) \(raw: sign) \(other.sql) AND \(isValue))",
            fails: "((\(key) \(raw: opposite) \(other.sql) AND \(isValue)) OR \(sql) IS NULL)"
        )
    }

    /// Compares decimal numbers.
    ///
    /// They are stored as text, so SQL cannot compare them.
    private func decimals(
        _ other: SQLFragment,
        isNullEqual: Bool,
        _ accepts: @escaping (Int) -> Bool
    ) -> BoundCondition {
        let function = SQLFunction.deciding { cells in
            guard cells[0] != .null || cells[1] != .null else { return isNullEqual }
            return cells[0].comparedAsDecimal(to: cells[1]).map(accepts) ?? false
        }
        return BoundCondition(function.call(sql, other))
    }

    private func within(_ operands: [Operand]) throws -> BoundCondition {
        guard isColumn, subject.kind != .decimal else { return .or(try operands.map(equal)) }
        let values = try operands.map(subject.column)
        return hasText ? within(texts: values) : within(values)
    }

    /// Whether the column contains text, which may not be in the composed form of the condition's text.
    private var hasText: Bool { isColumn && subject.kind == .text }

    func within(_ values: [ColumnValue]) -> BoundCondition {
        let known = SQLFragment.list(values.filter { $0 != .null }.map { "\($0)" as SQLFragment })
        let list = BoundCondition(
            holds: "\(sql) IN (\(known))",
            fails: "(\(sql) NOT IN (\(known)) OR \(sql) IS NULL)"
        )
        return values.contains(.null) ? .or([list, isNull]) : list
    }
}

// MARK: - Text without case or accents

extension PlainComparison {
    /// Returns the same comparison, ignoring the differences that the options name.
    private func folded(_ comparison: Condition.Comparison, _ options: TextOptions) throws -> BoundCondition {
        if case .isNull = comparison { return isNull }
        guard subject.kind == .text || subject.kind == .url else {
            throw subject.failure(.unsupported, "it is \(subject.kind.words), and only text has case and accents")
        }
        if let (test, operand) = comparison.textTest { return try text(test, operand, options) }
        var subject = subject
        subject.sql = Self.fold(sql, options)
        subject.attribute = nil
        let comparer = PlainComparison(subject: subject, isColumn: false) { term in
            var other = try bind(term)
            if other.kind == .text || other.kind == .url { other.sql = Self.fold(other.sql, options) }
            return other
        }
        return try comparer.bind(comparison.mapped { try fold($0, options) }, [])
    }

    private func fold(_ operand: Operand, _ options: TextOptions) throws -> Operand {
        if case .term = operand { return operand }
        guard case .text(let text) = try subject.column(of: operand) else { return operand }
        return .literal(.string(options.folded(text)))
    }

    private static func fold(_ sql: SQLFragment, _ options: TextOptions) -> SQLFragment {
        SQLFunction { cells in
            if case .text(let text) = cells[0] { .text(options.folded(text)) } else { .null }
        }
        .call(sql)
    }
}

extension LikePattern {
    /// Throws an error for a pattern with the wildcards of file names, which is more likely a mistake than intended.
    static func check(_ pattern: String, of subject: Subject) throws(StoreError) {
        let hasOwn = pattern.contains { $0 == "%" || $0 == "_" }
        guard !hasOwn, pattern.contains(where: { $0 == "*" || $0 == "?" }) else { return }
        throw subject.failure(
            .invalidCondition,
            "the wildcards of “like” are % and _, not * and ?; to find * or ?, use “==” or “contains”"
        )
    }
}

extension Condition.Comparison {
    /// All operands.
    var operands: [Operand] {
        switch self {
        case .equal(let operand), .less(let operand), .lessOrEqual(let operand), .greater(let operand),
            .greaterOrEqual(let operand), .contains(let operand), .startsWith(let operand), .endsWith(let operand),
            .like(let operand):
            [operand]
        case .within(let operands): operands
        case .between(let least, let most): [least, most]
        case .isNull: []
        }
    }

    /// Returns the same comparison with transformed operands.
    func mapped(_ transform: (Operand) throws -> Operand) rethrows -> Self {
        switch self {
        case .equal(let operand): .equal(try transform(operand))
        case .less(let operand): .less(try transform(operand))
        case .lessOrEqual(let operand): .lessOrEqual(try transform(operand))
        case .greater(let operand): .greater(try transform(operand))
        case .greaterOrEqual(let operand): .greaterOrEqual(try transform(operand))
        case .within(let operands): .within(try operands.map(transform))
        case .between(let least, let most): .between(try transform(least), try transform(most))
        case .contains(let operand): .contains(try transform(operand))
        case .startsWith(let operand): .startsWith(try transform(operand))
        case .endsWith(let operand): .endsWith(try transform(operand))
        case .like(let operand): .like(try transform(operand))
        case .isNull: .isNull
        }
    }
}
