internal import Foundation

/// Comparisons of a column that holds values as they are, or of a term, with values and terms.
struct PlainComparison {
    /// What is compared.
    let subject: Subject
    /// Whether it is a bare column, which an index may serve and which may hold anything.
    let isColumn: Bool
    /// Makes SQL of a term.
    let bind: (Term) throws -> Subject

    private var sql: SQLFragment { subject.sql }

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

    private var isNull: BoundCondition {
        BoundCondition(holds: "\(sql) IS NULL", fails: "\(sql) IS NOT NULL")
    }

    // MARK: - Operands

    /// An operand in SQL, and whether it is a constant.
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
        let other = try self.operand(operand)
        guard subject.kind != .decimal else { return decimals(other.sql, isNullEqual: true) { $0 == 0 } }
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
            throw subject.failure(.invalidCondition, "nothing is smaller or larger than null")
        }
        let other = try self.operand(operand)
        guard subject.kind != .decimal else { return decimals(other.sql, isNullEqual: false, accepts) }
        guard isColumn else { return BoundCondition("\(sql) \(raw: sign) \(other.sql)") }
        // SQLite takes every text for larger than any number, and every blob for larger than any text.
        let isValue: SQLFragment = "typeof(\(sql)) = '\(raw: subject.kind.storageClass)'"
        return BoundCondition(
            holds: "(\(sql) \(raw: sign) \(other.sql) AND \(isValue))",
            fails: "((\(sql) \(raw: opposite) \(other.sql) AND \(isValue)) OR \(sql) IS NULL)"
        )
    }

    /// Decimals are text in the file, so SQL cannot compare them.
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
        let known = SQLFragment.list(values.filter { $0 != .null }.map { "\($0)" as SQLFragment })
        let list = BoundCondition(
            holds: "\(sql) IN (\(known))",
            fails: "(\(sql) NOT IN (\(known)) OR \(sql) IS NULL)"
        )
        return values.contains(.null) ? .or([list, isNull]) : list
    }
}

// MARK: - Text

extension PlainComparison {
    /// The same comparison of texts without what the options take no notice of.
    private func folded(_ comparison: Condition.Comparison, _ options: TextOptions) throws -> BoundCondition {
        if case .isNull = comparison { return isNull }
        guard subject.kind == .text || subject.kind == .url else {
            throw subject.failure(.unsupported, "it is \(subject.kind.words), and only text has upper and lower case")
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

    private func text(_ test: TextTest, _ operand: Operand, _ options: TextOptions) throws -> BoundCondition {
        guard subject.kind == .text || subject.kind == .url else {
            throw subject.failure(.unsupported, "only text has parts and patterns")
        }
        if case .term(let term) = operand { return try text(test, bind(term), options) }
        guard case .text(let text) = try subject.column(of: operand) else {
            throw subject.failure(.invalidCondition, "a text is expected")
        }
        if test == .like { try LikePattern.check(text, of: subject) }
        guard isColumn, options.isEmpty else { return matching(test, text, options) }
        return switch test {
        case .contains:
            BoundCondition(
                holds: "instr(\(sql), \(.text(text))) > 0",
                fails: "(instr(\(sql), \(.text(text))) = 0 OR \(sql) IS NULL)"
            )
        case .startsWith: prefix(text)
        case .endsWith: suffix(text)
        case .like: like(text)
        }
    }

    private func matching(_ test: TextTest, _ text: String, _ options: TextOptions) -> BoundCondition {
        let matches = test.matcher(text, options)
        let function = SQLFunction.deciding { cells in
            if case .text(let text) = cells[0] { matches(text) } else { false }
        }
        return BoundCondition(function.call(sql))
    }

    private func text(_ test: TextTest, _ other: Subject, _ options: TextOptions) throws -> BoundCondition {
        guard other.kind == .text || other.kind == .url else {
            throw subject.failure(.invalidCondition, "a text is expected")
        }
        let function = SQLFunction.deciding { cells in
            guard case .text(let text) = cells[0], case .text(let operand) = cells[1] else { return false }
            return test.matcher(operand, options)(text)
        }
        return BoundCondition(function.call(sql, other.sql))
    }

    /// Bytes compare as the text does, so a beginning is a range, which an index serves.
    private func prefix(_ text: String) -> BoundCondition {
        let bytes = Array(text.utf8)
        guard var last = bytes.last else { return isNull.negated }
        // UTF-8 has no byte 255, so the last one has a successor.
        last += 1
        let start = ColumnValue.text(text)
        let end = ColumnValue.brokenText(Data(bytes.dropLast() + [last]))
        return BoundCondition(
            holds: "(\(sql) >= \(start) AND \(sql) < \(end))",
            fails: "(\(sql) < \(start) OR \(sql) >= \(end) OR \(sql) IS NULL)"
        )
    }

    private func suffix(_ text: String) -> BoundCondition {
        guard !text.isEmpty else { return prefix("") }
        let bytes = Data(text.utf8)
        // Cut as bytes: characters are counted up to a NUL only. Of no bytes there is no end but NULL.
        let end: SQLFragment = "substr(CAST(\(sql) AS BLOB), \(.integer(-Int64(bytes.count))))"
        return BoundCondition(holds: "\(end) = \(.blob(bytes))", fails: "\(end) IS NOT \(.blob(bytes))")
    }

    private func like(_ pattern: String) -> BoundCondition {
        let beginning = String(pattern.unicodeScalars.prefix { $0 != "%" && $0 != "_" })
        let matches = matching(.like, pattern, [])
        return BoundCondition(holds: "(\(prefix(beginning).holds) AND \(matches.holds))", fails: matches.fails)
    }
}

extension LikePattern {
    /// A pattern in the manner of file names is more likely a mistake than meant.
    static func check(_ pattern: String, of subject: Subject) throws(StoreError) {
        let hasOwn = pattern.contains { $0 == "%" || $0 == "_" }
        guard !hasOwn, pattern.contains(where: { $0 == "*" || $0 == "?" }) else { return }
        throw subject.failure(
            .invalidCondition,
            "“like” has % for any text and _ for any character, and not * and ?; to find these, use == or contains"
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

    /// The same comparison with other operands.
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
