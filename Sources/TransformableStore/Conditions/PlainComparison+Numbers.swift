/// Comparisons of whole numbers with real ones.
///
/// SQLite compares them without rounding, as `ColumnValue` does, except in lists. Other databases convert the whole number first, so they
/// compare a value with a constant of its own type instead, for which the comparison has the same result.
extension PlainComparison {
    private var convertsNumbers: Bool { !dialect.has(.dynamicTypes) }

    /// Returns a Boolean value that indicates whether SQL would round a number to compare it with one of another kind.
    func isRounded(with other: ValueKind) -> Bool {
        convertsNumbers && Set([subject.kind.storageClass, other.storageClass]) == ["integer", "real"]
    }

    /// Returns the only value of the subject's type that is equal to a constant, or `nil` if there is none.
    func equivalent(_ cell: ColumnValue) -> ColumnValue? {
        guard convertsNumbers else { return cell }
        return switch (subject.kind.storageClass, cell) {
        case ("integer", .real(let number)): Int64(exactly: number).map(ColumnValue.integer)
        case ("real", .integer(let number)): Double(exactly: number).map(ColumnValue.real)
        default: cell
        }
    }

    /// Returns the only value of the subject's type that is equal to an element of a list, or `nil` if there is none.
    ///
    /// Unlike for a single comparison, SQLite converts the elements of a list to the column's type.
    func listed(_ cell: ColumnValue) -> ColumnValue? {
        guard subject.kind.storageClass == "real", case .integer(let number) = cell else { return equivalent(cell) }
        return Double(exactly: number).map(ColumnValue.real)
    }

    /// Returns a comparison with a value of the subject's type that has the same result as one with a constant.
    func equivalent(_ sign: ComparisonSign, _ cell: ColumnValue) -> (ComparisonSign, Expression) {
        guard convertsNumbers else { return (sign, .constant(cell)) }
        switch (subject.kind.storageClass, cell) {
        case ("integer", .real(let number)):
            let (sign, number) = Self.whole(sign, number)
            return (sign, .constant(.integer(number)))
        case ("real", .integer(let number)):
            let (sign, number) = Self.real(sign, number)
            return (sign, .constant(.real(number)))
        default: return (sign, .constant(cell))
        }
    }

    private static func whole(_ sign: ComparisonSign, _ number: Double) -> (ComparisonSign, Int64) {
        // The numbers of type Double next to the limits of Int64.
        guard number < 0x1p63 else { return (sign.isUpperBound ? .lessOrEqual : .greater, .max) }
        guard number >= -0x1p63 else { return (sign.isUpperBound ? .less : .greaterOrEqual, .min) }
        return (sign, Int64(number.rounded(sign == .less || sign == .greaterOrEqual ? .up : .down)))
    }

    private static func real(_ sign: ComparisonSign, _ number: Int64) -> (ComparisonSign, Double) {
        let rounded = Double(number)
        // No real number lies between a whole number and the one that it is rounded to.
        return switch ColumnValue.real(rounded).order(to: .integer(number)) {
        case 1: (sign.isUpperBound ? .less : .greaterOrEqual, rounded)
        case -1: (sign.isUpperBound ? .lessOrEqual : .greater, rounded)
        default: (sign, rounded)
        }
    }
}

extension ComparisonSign {
    fileprivate var isUpperBound: Bool { self == .less || self == .lessOrEqual }
}
