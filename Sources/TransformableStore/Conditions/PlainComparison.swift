internal import Foundation

/// Comparisons of a column that holds values as they are.
struct PlainComparison {
    let entity: StoredEntity
    let column: BoundColumn
    let name: String

    private var sql: String { SQL.quoted(name) }

    func bind(_ comparison: Condition.Comparison) throws -> BoundCondition {
        switch comparison {
        case .isNull: .test(isNull)
        case .equal(let operand): try equal(operand)
        case .less(let operand): try ordered(operand, "<", ">=") { $0 < 0 }
        case .lessOrEqual(let operand): try ordered(operand, "<=", ">") { $0 <= 0 }
        case .greater(let operand): try ordered(operand, ">", "<=") { $0 > 0 }
        case .greaterOrEqual(let operand): try ordered(operand, ">=", "<") { $0 >= 0 }
        case .within(let operands): try within(operands)
        case .between(let least, let most):
            .and([try bind(.greaterOrEqual(least)), try bind(.lessOrEqual(most))])
        case .contains(let operand): try contains(operand)
        case .startsWith(let operand): .test(try prefix(text(operand)))
        case .endsWith(let operand): try suffix(operand)
        case .like(let operand): try like(operand)
        }
    }

    // MARK: - Values

    private var isDecimal: Bool {
        if case .plain(let attribute) = column { return attribute.description.type == .decimal }
        return false
    }

    private func value(_ operand: Operand) throws -> ColumnValue {
        switch operand {
        case .value(let value): return try OperandConversion.column(of: value, for: column, name, entity.name)
        case .literal(let literal): return try OperandConversion.column(of: literal, for: column, name, entity.name)
        }
    }

    private func text(_ operand: Operand) throws -> String {
        let isText =
            switch column {
            case .number: false
            case .plain(let attribute): [.string, .url].contains(attribute.description.type)
            case .projection(let attribute, let index): attribute.projections[index].columnType == "TEXT"
            }
        guard isText else {
            throw StoreError(.unsupported, "only text has parts and patterns", entity: entity.name, attribute: name)
        }
        guard case .text(let text) = try value(operand) else {
            throw StoreError(.invalidCondition, "a text is expected", entity: entity.name, attribute: name)
        }
        return text
    }

    /// What an object's cell holds.
    private func cell(_ object: ManagedObject) throws -> ColumnValue? {
        switch column {
        case .number: return .integer(object.number)
        case .plain(let attribute): return try object.cell(attribute)
        case .projection(let attribute, let index):
            let slot = try object.slot(attribute)
            guard slot.failure == nil else { return try object.undecided(slot) }
            return try attribute.project(slot, in: object.place(attribute))[index]
        }
    }

    private func test(
        _ holds: SQLFragment?,
        _ fails: SQLFragment?,
        isExact: Bool = true,
        _ decide: @escaping (ColumnValue) throws -> Bool
    ) -> ConditionTest {
        ConditionTest(holds: holds, fails: fails, isExact: isExact && !isDecimal) { object in
            try cell(object).map(decide)
        }
    }

    // MARK: - Comparisons

    private var isNull: ConditionTest {
        var test = test(SQLFragment("\(sql) IS NULL"), SQLFragment("\(sql) IS NOT NULL")) { $0 == .null }
        test.isExact = true
        return test
    }

    private func equal(_ operand: Operand) throws -> BoundCondition {
        let value = try value(operand)
        guard value != .null else { return .test(isNull) }
        guard !isDecimal else { return .test(decimal(value) { $0 == 0 }) }
        return .test(
            test(SQLFragment("\(sql) = ?", [value]), SQLFragment("\(sql) IS NOT ?", [value])) {
                $0.compared(to: value) == 0
            }
        )
    }

    private func ordered(
        _ operand: Operand,
        _ sign: String,
        _ opposite: String,
        _ accepts: @escaping (Int) -> Bool
    ) throws -> BoundCondition {
        let value = try value(operand)
        guard value != .null else {
            throw StoreError(
                .invalidCondition,
                "nothing is smaller or larger than null",
                entity: entity.name,
                attribute: name
            )
        }
        guard !isDecimal else { return .test(decimal(value, accepts)) }
        return .test(
            test(
                SQLFragment("\(sql) \(sign) ?", [value]),
                SQLFragment("(\(sql) \(opposite) ? OR \(sql) IS NULL)", [value])
            ) {
                $0.compared(to: value).map(accepts) ?? false
            }
        )
    }

    /// Decimals are text in the file, so SQL cannot compare them.
    private func decimal(_ value: ColumnValue, _ accepts: @escaping (Int) -> Bool) -> ConditionTest {
        let operand = (try? Decimal(column: value)) ?? 0
        return test(SQLFragment("\(sql) IS NOT NULL"), nil, isExact: false) { cell in
            guard let number = try? Decimal(column: cell) else { return false }
            return accepts(number == operand ? 0 : number < operand ? -1 : 1)
        }
    }

    private func within(_ operands: [Operand]) throws -> BoundCondition {
        guard !isDecimal else { return .or(try operands.map(equal)) }
        let values = try operands.map(value)
        let known = values.filter { $0 != .null }
        let marks = known.map { _ in "?" }.joined(separator: ", ")
        let list = BoundCondition.test(
            test(
                SQLFragment("\(sql) IN (\(marks))", known),
                SQLFragment("(\(sql) NOT IN (\(marks)) OR \(sql) IS NULL)", known)
            ) { cell in
                known.contains { cell.compared(to: $0) == 0 }
            }
        )
        return known.count < values.count ? .or([list, .test(isNull)]) : list
    }

    private func contains(_ operand: Operand) throws -> BoundCondition {
        let text = try text(operand)
        let call = "instr(\(sql), ?)"
        let bytes = Array(text.utf8)
        return .test(
            test(
                SQLFragment("\(call) > 0", [.text(text)]),
                SQLFragment("(\(call) = 0 OR \(sql) IS NULL)", [.text(text)])
            ) { cell in
                cell.textBytes.map { ByteSearch.contains($0, bytes) } ?? false
            }
        )
    }

    /// Bytes compare as the text does, so a beginning is a range, which an index serves.
    private func prefix(_ text: String) -> ConditionTest {
        let bytes = Array(text.utf8)
        guard var last = bytes.last else {
            return test(SQLFragment("\(sql) IS NOT NULL"), SQLFragment("\(sql) IS NULL")) { $0 != .null }
        }
        // UTF-8 has no byte 255, so the last one has a successor.
        last += 1
        let end = ColumnValue.brokenText(Data(bytes.dropLast() + [last]))
        return test(
            SQLFragment("(\(sql) >= ? AND \(sql) < ?)", [.text(text), end]),
            SQLFragment("(\(sql) < ? OR \(sql) >= ? OR \(sql) IS NULL)", [.text(text), end])
        ) { cell in
            cell.textBytes?.starts(with: bytes) ?? false
        }
    }

    private func suffix(_ operand: Operand) throws -> BoundCondition {
        let text = try text(operand)
        guard !text.isEmpty else { return .test(prefix("")) }
        let bytes = Array(text.utf8)
        // Cut as bytes: characters are counted up to a NUL only. Of no bytes there is no end but NULL.
        let end = "substr(CAST(\(sql) AS BLOB), ?)"
        let values: [ColumnValue] = [.integer(-Int64(bytes.count)), .blob(Data(bytes))]
        return .test(
            test(
                SQLFragment("\(end) = ?", values),
                SQLFragment("\(end) IS NOT ?", values)
            ) { cell in
                cell.textBytes.map { $0.suffix(bytes.count).elementsEqual(bytes) } ?? false
            }
        )
    }

    private func like(_ operand: Operand) throws -> BoundCondition {
        let pattern = try text(operand)
        let beginning = String(pattern.unicodeScalars.prefix { $0 != "%" && $0 != "_" })
        var test = prefix(beginning)
        test.fails = nil
        test.isExact = false
        let matcher = LikePattern(pattern)
        test.matches = { object in
            try cell(object)
                .map { cell in
                    guard case .text(let text) = cell else { return false }
                    return matcher.matches(text)
                }
        }
        return .test(test)
    }
}

extension ColumnValue {
    /// The bytes of a text, be they UTF-8 or not.
    var textBytes: [UInt8]? {
        switch self {
        case .text(let text): Array(text.utf8)
        case .brokenText(let data): Array(data)
        default: nil
        }
    }

    /// Compares as SQLite does: -1, 0 or 1; nil if one of them is null.
    func compared(to other: Self) -> Int? {
        switch (self, other) {
        case (.null, _), (_, .null): return nil
        case (.integer(let left), .integer(let right)): return left < right ? -1 : left == right ? 0 : 1
        case (.real(let left), .real(let right)): return left < right ? -1 : left == right ? 0 : 1
        case (.integer(let left), .real(let right)): return Self.compare(left, right)
        case (.real(let left), .integer(let right)): return -Self.compare(right, left)
        case (.blob(let left), .blob(let right)): return Self.compare(left, right)
        default: break
        }
        if let left = textBytes, let right = other.textBytes { return Self.compare(left, right) }
        return rank < other.rank ? -1 : 1
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text, .brokenText: 2
        case .blob: 3
        }
    }

    private static func compare(_ left: Int64, _ right: Double) -> Int {
        if right >= 0x1p63 { return -1 }
        if right < -0x1p63 { return 1 }
        let whole = Int64(right.rounded(.towardZero))
        if left != whole { return left < whole ? -1 : 1 }
        let rest = right - Double(whole)
        return rest > 0 ? -1 : rest < 0 ? 1 : 0
    }

    private static func compare(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
        if left.lexicographicallyPrecedes(right) { return -1 }
        return right.lexicographicallyPrecedes(left) ? 1 : 0
    }
}
