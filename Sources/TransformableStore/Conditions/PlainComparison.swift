/// Comparisons of a term with values and other terms.
struct PlainComparison {
    /// The left side of the comparison.
    let subject: Subject
    /// The left side if it is a bare column, which may have an index and may contain anything.
    let column: SQLFragment?
    let dialect: Dialect
    /// Binds a term.
    let bind: (Term) throws -> Subject
    /// Returns the expression that a column of text is compared by.
    var key: () throws -> Expression

    /// Creates the comparison of a computed term.
    init(_ subject: Subject, _ dialect: Dialect, bind: @escaping (Term) throws -> Subject) {
        self.subject = subject
        self.dialect = dialect
        column = nil
        self.bind = bind
        key = { subject.value }
    }

    /// Creates the comparison of a column.
    init(
        column subject: Subject,
        _ dialect: Dialect,
        key: @escaping () throws -> Expression,
        bind: @escaping (Term) throws -> Subject
    ) {
        self.subject = subject
        self.dialect = dialect
        column = subject.value.sql
        self.bind = bind
        self.key = key
    }

    func bind(_ comparison: Condition.Comparison, _ options: TextOptions) throws -> BoundCondition {
        guard options.isEmpty else { return try folded(comparison, options) }
        if let (test, operand) = comparison.textTest { return try text(test, operand, []) }
        return switch comparison {
        case .isNull: isNull
        case .equal(let operand): try equal(operand)
        case .less(let operand): try ordered(operand, .less)
        case .lessOrEqual(let operand): try ordered(operand, .lessOrEqual)
        case .greater(let operand): try ordered(operand, .greater)
        case .greaterOrEqual(let operand): try ordered(operand, .greaterOrEqual)
        case .between(let least, let most):
            .and([try bind(.greaterOrEqual(least), []), try bind(.lessOrEqual(most), [])])
        case .within(let operands): try within(operands)
        case .contains, .startsWith, .endsWith, .like: .constant(false)
        }
    }

    var isNull: BoundCondition { .isNull(subject.value) }

    // MARK: - Operands

    private func operand(_ operand: Operand) throws -> Expression {
        guard case .term(let term) = operand else { return .constant(try subject.column(of: operand)) }
        let other = try bind(term)
        guard other.kind.compares(with: subject.kind) else {
            throw subject.failure(
                .invalidCondition,
                "it is \(subject.kind.words), and cannot be compared with \(other.kind.words)"
            )
        }
        return isRounded(with: other.kind) ? .swift([other.value]) { try $0[0] } : other.value
    }

    private func isNull(_ operand: Operand) throws -> Bool {
        if case .term = operand { return false }
        return try subject.column(of: operand) == .null
    }

    // MARK: - Comparisons

    private func equal(_ operand: Operand) throws -> BoundCondition {
        guard try !isNull(operand) else { return isNull }
        if let column = textColumn, case .text(let text) = try subject.column(of: operand) {
            return Self.equal(column, text, dialect)
        }
        let other = try self.operand(operand)
        guard subject.kind != .decimal else { return decimals(other, .equal, isNullEqual: true) }
        let value = try textColumn == nil ? subject.value : key()
        guard case .constant(let constant) = other, constant != .null, let sql = value.sql else {
            return BoundCondition(Criterion.equating(value, other, dialect))
        }
        guard let cell = equivalent(constant) else { return .constant(false) }
        if subject.kind == .uuid, let column { return within(uuids: [cell], column) }
        // The SQL of nested comparisons would double with each level if a computed value occurred twice.
        guard column != nil else { return BoundCondition("\(sql) = \(cell)") }
        return BoundCondition(holds: "\(sql) = \(cell)", fails: "(\(sql) <> \(cell) OR \(sql) IS NULL)")
    }

    private func ordered(_ operand: Operand, _ sign: ComparisonSign) throws -> BoundCondition {
        guard try !isNull(operand) else {
            throw subject.failure(.invalidCondition, "null has no order; compare it with “==” or “!=”")
        }
        var (sign, other) = (sign, try self.operand(operand))
        guard subject.kind != .decimal else { return decimals(other, sign, isNullEqual: false) }
        // What Swift computes may be a whole number although its kind is that of real numbers.
        if case .constant(let cell) = other, subject.value.sql != nil { (sign, other) = equivalent(sign, cell) }
        guard let column else {
            return BoundCondition(Criterion.comparing(withoutNaN(subject.value), sign, withoutNaN(other)))
        }
        let key = try textColumn == nil ? subject.value : key()
        let isValue = isValue(column)
        return BoundCondition(
            holds: .all([.comparing(key, sign, other), isValue]),
            fails: .any([.all([.comparing(key, sign.opposite, other), isValue]), .isNull(subject.value)])
        )
    }

    /// Tests whether a column contains a value of its type.
    private func isValue(_ column: SQLFragment) -> Criterion {
        let storageClass = subject.kind.storageClass
        // In SQLite, every text is greater than any number, and every blob is greater than any text.
        if dialect.has(.dynamicTypes) { return Criterion("typeof(\(column)) = '\(raw: storageClass)'") }
        // In PostgreSQL, NaN is greater than any number.
        return storageClass == "real" ? Criterion("\(column) <> 'NaN'") : .isNotNull(subject.value)
    }

    /// Returns one side of a comparison, with null in place of NaN.
    ///
    /// If SQL compares the sides, both have the subject's type.
    private func withoutNaN(_ value: Expression) -> Expression {
        // SQLite has no NaN.
        guard !dialect.has(.dynamicTypes) else { return value }
        switch value {
        case .constant: return value
        case .sql(let sql): return subject.kind.storageClass == "real" ? .sql("NULLIF(\(sql), 'NaN')") : value
        case .swift:
            return .swift([value]) { arguments in
                let cell = try arguments[0]
                if case .real(let number) = cell, number.isNaN { return .null }
                return cell
            }
        }
    }

    /// Compares decimal numbers.
    ///
    /// They are stored as text, so SQL cannot compare them.
    private func decimals(_ other: Expression, _ sign: ComparisonSign, isNullEqual: Bool) -> BoundCondition {
        let check = Expression.swift([subject.value, other]) { arguments in
            let (left, right) = (try arguments[0], try arguments[1])
            guard left != .null || right != .null else { return .integer(isNullEqual ? 1 : 0) }
            return .integer(left.comparedAsDecimal(to: right).map(sign.accepts) == true ? 1 : 0)
        }
        return BoundCondition(Criterion(.always, check: check))
    }

    private func within(_ operands: [Operand]) throws -> BoundCondition {
        guard let column, subject.kind != .decimal else { return .or(try operands.map(equal)) }
        let values = try operands.compactMap { listed(try subject.column(of: $0)) }
        if subject.kind == .uuid { return within(uuids: values, column) }
        return try textColumn == nil ? Self.within(column, values) : within(texts: values, column)
    }

    /// The column if it contains text, which may not be in the composed form of the condition's text.
    private var textColumn: SQLFragment? { subject.kind == .text ? column : nil }

    static func within(_ column: SQLFragment, _ cells: [ColumnValue]) -> BoundCondition {
        let values = cells.filter { $0 != .null }
        let known = SQLFragment.list(values.map { "\($0)" as SQLFragment })
        let list =
            values.isEmpty
            ? .constant(false)
            : BoundCondition(
                holds: "\(column) IN (\(known))",
                fails: "(\(column) NOT IN (\(known)) OR \(column) IS NULL)"
            )
        return cells.contains(.null) ? .or([list, .isNull(.sql(column))]) : list
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
        subject.value = Self.fold(subject.value, options)
        subject.attribute = nil
        let comparer = PlainComparison(subject, dialect) { term in
            var other = try bind(term)
            if other.kind == .text || other.kind == .url { other.value = Self.fold(other.value, options) }
            return other
        }
        return try comparer.bind(comparison.mapped { try fold($0, options) }, [])
    }

    private func fold(_ operand: Operand, _ options: TextOptions) throws -> Operand {
        if case .term = operand { return operand }
        guard case .text(let text) = try subject.column(of: operand) else { return operand }
        return .literal(.string(options.folded(text)))
    }

    private static func fold(_ value: Expression, _ options: TextOptions) -> Expression {
        .swift([value]) { arguments in
            if case .text(let text) = try arguments[0] { .text(options.folded(text)) } else { .null }
        }
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
