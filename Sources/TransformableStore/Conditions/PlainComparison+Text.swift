internal import Transformable

/// Comparisons of text.
///
/// An index finds the bytes that equal characters can have, and Swift decides the other cases.
extension PlainComparison {
    /// The largest number of strings for which a list comparison looks up every variant.
    private static let mostTexts = 4000

    static func equal(_ column: SQLFragment, _ text: String, _ dialect: Dialect) -> BoundCondition {
        let variants = CanonicalVariants(of: text)
        guard !variants.isComplete else { return within(column, variants.texts.map(ColumnValue.text)) }
        let check = Expression.swift([.sql(column)]) { arguments in
            guard case .text(let other) = try arguments[0] else { return .integer(0) }
            return .integer(other == text ? 1 : 0)
        }
        return BoundCondition(Criterion(begins(column, with: variants, dialect), check: check))
    }

    func within(texts values: [ColumnValue], _ column: SQLFragment) throws -> BoundCondition {
        var all: [ColumnValue] = []
        for value in values {
            guard case .text(let text) = value, !text.hasOneForm else {
                all.append(value)
                continue
            }
            let variants = CanonicalVariants(of: text)
            guard variants.isComplete, all.count < Self.mostTexts else { return try within(composed: values) }
            all += variants.texts.map(ColumnValue.text)
        }
        return Self.within(column, all)
    }

    /// The same for more strings than SQLite allows parameters, without using an index.
    private func within(composed values: [ColumnValue]) throws -> BoundCondition {
        let key = try key()
        if let sql = key.sql { return Self.within(sql, values) }
        // Cells with equal text are equal.
        let known = Set(values)
        return BoundCondition(
            Criterion(.always, check: .swift([key]) { .integer(known.contains(try $0[0]) ? 1 : 0) })
        )
    }

    /// Tests whether a column contains one of several UUIDs.
    ///
    /// In SQLite they are text, which another program may have written in lowercase.
    func within(uuids values: [ColumnValue], _ column: SQLFragment) -> BoundCondition {
        guard dialect.has(.dynamicTypes) else { return Self.within(column, values) }
        guard values.count <= Self.mostTexts else { return Self.within(manyUUIDs: values, column) }
        let lowercase = values.map { value in
            if case .text(let text) = value { ColumnValue.text(text.lowercased()) } else { value }
        }
        return Self.within(column, values + lowercase)
    }

    /// The same for more UUIDs, each of which is only one parameter.
    private static func within(manyUUIDs values: [ColumnValue], _ column: SQLFragment) -> BoundCondition {
        let rows = SQLFragment.list(values.map { "(\($0))" as SQLFragment })
        let known: SQLFragment = """
            WITH "known" ("key") AS (VALUES \(rows)) \
            SELECT "key" FROM "known" UNION ALL SELECT lower("key") FROM "known"
            """
        return BoundCondition(
            holds: "\(column) IN (\(known))",
            fails: "(\(column) NOT IN (\(known)) OR \(column) IS NULL)"
        )
    }

    // MARK: - Parts

    func text(_ test: TextTest, _ operand: Operand, _ options: TextOptions) throws -> BoundCondition {
        guard subject.kind == .text || subject.kind == .url else {
            throw subject.failure(.unsupported, "only text has parts and patterns")
        }
        if case .term(let term) = operand { return try text(test, bind(term), options) }
        guard case .text(let text) = try part(operand) else {
            throw subject.failure(.invalidCondition, "expected text")
        }
        if test == .like { try LikePattern.check(text, of: subject) }
        guard let column, options.isEmpty else { return matching(test, text, options) }
        guard test != .like else { return like(text, column) }
        guard !text.isEmpty else { return isNull.negated }
        return switch test {
        case .startsWith: beginning(text, column)
        case .endsWith: part(test, text, column, dialect.text.ends(column, text))
        case .contains, .like: part(test, text, column, dialect.text.contains(column, text))
        }
    }

    /// Returns the cell of text that is part of a value, or a pattern.
    ///
    /// If the values are URLs, it usually is not one itself.
    private func part(_ operand: Operand) throws -> ColumnValue {
        let text: String? =
            switch operand {
            case .literal(.string(let text)): text
            case .held(let value): value.content as? String
            case .literal, .term: nil
            }
        guard subject.kind == .url, let text else { return try subject.column(of: operand) }
        return .text(text.composed)
    }

    private func matching(_ test: TextTest, _ text: String, _ options: TextOptions) -> BoundCondition {
        let matches = test.matcher(text, options)
        return BoundCondition(Criterion(Self.checking(subject.value, matches)))
    }

    private static func checking(_ value: Expression, _ matches: @escaping (String) -> Bool) -> Expression {
        .swift([value]) { arguments in
            if case .text(let text) = try arguments[0] { .integer(matches(text) ? 1 : 0) } else { .integer(0) }
        }
    }

    private func text(_ test: TextTest, _ other: Subject, _ options: TextOptions) throws -> BoundCondition {
        guard other.kind == .text || other.kind == .url else {
            throw subject.failure(.invalidCondition, "expected text")
        }
        let check = Expression.swift([subject.value, other.value]) { arguments in
            guard case .text(let text) = try arguments[0], case .text(let operand) = try arguments[1] else {
                return .integer(0)
            }
            return .integer(test.matcher(operand, options)(text) ? 1 : 0)
        }
        return BoundCondition(Criterion(check))
    }

    /// Tests a part of the text.
    ///
    /// The bytes decide if each byte is a character.
    private func part(
        _ test: TextTest,
        _ text: String,
        _ column: SQLFragment,
        _ hasBytes: SQLFragment
    ) -> BoundCondition {
        let isASCII = dialect.text.isASCII(column)
        let check = Self.checking(.sql(column), test.matcher(text, []))
        guard text.hasOneForm else {
            let others: SQLFragment = "NOT (\(isASCII))"
            guard text.isPlain else { return BoundCondition(Criterion(others, check: check)) }
            return BoundCondition(.any([Criterion("(\(isASCII) AND \(hasBytes))"), Criterion(others, check: check)]))
        }
        return BoundCondition(Criterion(hasBytes, check: text.isPlain ? Self.unless(isASCII, check) : check))
    }

    /// Returns a check that is only made if SQL has not decided already.
    private static func unless(_ isSettled: SQLFragment, _ check: Expression) -> Expression {
        .swift([.sql(isSettled), check]) { try $0[0].isTrue ? .integer(1) : $0[1] }
    }

    private func beginning(_ text: String, _ column: SQLFragment) -> BoundCondition {
        let check = Self.checking(.sql(column), TextTest.startsWith.matcher(text, []))
        let isSettled = text.hasOneForm && text.isPlain
        return BoundCondition(
            Criterion(
                Self.begins(column, with: CanonicalVariants(of: text), dialect),
                check: isSettled ? Self.unless(dialect.text.isASCII(column), check) : check
            )
        )
    }

    private static func begins(
        _ column: SQLFragment,
        with variants: CanonicalVariants,
        _ dialect: Dialect
    ) -> SQLFragment {
        .joined(variants.texts.map { begins(column, $0, dialect) }, by: "OR")
    }

    private static func begins(_ column: SQLFragment, _ text: String, _ dialect: Dialect) -> SQLFragment {
        text.isEmpty ? "\(column) IS NOT NULL" : dialect.text.begins(column, text)
    }

    private func like(_ pattern: String, _ column: SQLFragment) -> BoundCondition {
        let beginning = String(pattern.unicodeScalars.prefix { $0 != "%" && $0 != "_" }).beginningOfOneForm
        let matches = matching(.like, pattern, [])
        return BoundCondition(
            holds: .all([Criterion(Self.begins(column, beginning, dialect)), matches.holds]),
            fails: matches.fails
        )
    }
}
