internal import Foundation

/// Comparisons of text.
///
/// An index finds the bytes that equal characters can have, and Swift decides the other cases.
extension PlainComparison {
    /// The largest number of strings for which a list comparison looks up every variant.
    private static let mostTexts = 4000

    func equal(_ text: String) -> BoundCondition {
        let variants = CanonicalVariants(of: text)
        guard !variants.isComplete else { return within(variants.texts.map(ColumnValue.text)) }
        return BoundCondition("(\(begins(with: variants)) AND \(TextColumn.composed(sql)) = \(.text(text.composed)))")
    }

    func within(texts values: [ColumnValue]) -> BoundCondition {
        var all: [ColumnValue] = []
        for value in values {
            guard case .text(let text) = value, !text.hasOneForm else {
                all.append(value)
                continue
            }
            let variants = CanonicalVariants(of: text)
            guard variants.isComplete, all.count < Self.mostTexts else { return within(composed: values) }
            all += variants.texts.map(ColumnValue.text)
        }
        return within(all)
    }

    /// The same for more strings than SQLite allows parameters, without using an index.
    private func within(composed values: [ColumnValue]) -> BoundCondition {
        var comparer = self
        comparer.subject.sql = TextColumn.composed(sql)
        return comparer.within(values)
    }

    // MARK: - Parts

    func text(_ test: TextTest, _ operand: Operand, _ options: TextOptions) throws -> BoundCondition {
        guard subject.kind == .text || subject.kind == .url else {
            throw subject.failure(.unsupported, "only text has parts and patterns")
        }
        if case .term(let term) = operand { return try text(test, bind(term), options) }
        guard case .text(let text) = try subject.column(of: operand) else {
            throw subject.failure(.invalidCondition, "expected text")
        }
        if test == .like { try LikePattern.check(text, of: subject) }
        guard isColumn, options.isEmpty else { return matching(test, text, options) }
        guard test != .like else { return like(text) }
        guard !text.isEmpty else { return isNull.negated }
        return switch test {
        case .startsWith: beginning(text)
        case .endsWith: part(test, text, "\(end(of: text)) = \(.blob(Data(text.utf8)))")
        case .contains, .like: part(test, text, "instr(\(sql), \(.text(text))) > 0")
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
            throw subject.failure(.invalidCondition, "expected text")
        }
        let function = SQLFunction.deciding { cells in
            guard case .text(let text) = cells[0], case .text(let operand) = cells[1] else { return false }
            return test.matcher(operand, options)(text)
        }
        return BoundCondition(function.call(sql, other.sql))
    }

    /// Tests a part of the text.
    ///
    /// The bytes decide if each byte is a character.
    private func part(_ test: TextTest, _ text: String, _ hasBytes: SQLFragment) -> BoundCondition {
        let matches = matching(test, text, []).holds
        let isASCII = TextColumn.isASCII(sql)
        guard text.hasOneForm else {
            guard text.isPlain else { return BoundCondition("(NOT (\(isASCII)) AND \(matches))") }
            return BoundCondition("CASE WHEN \(isASCII) THEN \(hasBytes) ELSE \(matches) END")
        }
        return BoundCondition("(\(hasBytes) AND \(text.isPlain ? "(\(isASCII) OR \(matches))" : matches))")
    }

    private func beginning(_ text: String) -> BoundCondition {
        let matches = matching(.startsWith, text, []).holds
        let isSettled = text.hasOneForm && text.isPlain
        let decision = isSettled ? "(\(TextColumn.isASCII(sql)) OR \(matches))" : matches
        return BoundCondition("(\(begins(with: CanonicalVariants(of: text))) AND \(decision))")
    }

    private func begins(with variants: CanonicalVariants) -> SQLFragment {
        .joined(variants.texts.map(range), by: "OR")
    }

    /// Returns a range for a prefix, which can use an index because bytes compare like the text.
    private func range(_ text: String) -> SQLFragment {
        let bytes = Array(text.utf8)
        guard var last = bytes.last else { return "\(sql) IS NOT NULL" }
        // UTF-8 never contains the byte 255, so the last byte has a successor.
        last += 1
        return "(\(sql) >= \(.text(text)) AND \(sql) < \(.brokenText(Data(bytes.dropLast() + [last]))))"
    }

    /// Returns the last bytes of a cell.
    ///
    /// SQLite counts characters only up to a NUL.
    private func end(of text: String) -> SQLFragment {
        "substr(CAST(\(sql) AS BLOB), \(.integer(-Int64(text.utf8.count))))"
    }

    private func like(_ pattern: String) -> BoundCondition {
        let beginning = String(pattern.unicodeScalars.prefix { $0 != "%" && $0 != "_" }).beginningOfOneForm
        let matches = matching(.like, pattern, [])
        return BoundCondition(holds: "(\(range(beginning)) AND \(matches.holds))", fails: matches.fails)
    }
}
