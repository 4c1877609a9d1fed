internal import Foundation

/// The order of cells in SQL: null, numbers, text, and bytes. Text is compared by its bytes.
extension ColumnValue {
    /// Whether a condition with this result is satisfied.
    var isTrue: Bool {
        switch self {
        case .integer(let number): number != 0
        case .real(let number): number != 0
        default: false
        }
    }

    /// Returns -1 if this cell comes before the other, 1 if it comes after it, and 0 if both are equal.
    func order(to other: Self) -> Int {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): Self.order(left, right)
        case (.real(let left), .real(let right)): Self.order(real: left, right)
        case (.integer(let left), .real(let right)): Self.order(left, to: right)
        case (.real(let left), .integer(let right)): -Self.order(right, to: left)
        case (.text(let left), .text(let right)): Self.order(text: left, right)
        case (.blob(let left), .blob(let right)), (.brokenText(let left), .brokenText(let right)):
            Self.order(bytes: left, right)
        case (.text(let left), .brokenText(let right)): Self.order(bytes: left.utf8, right)
        case (.brokenText(let left), .text(let right)): Self.order(bytes: left, right.utf8)
        default: Self.order(rank, other.rank)
        }
    }

    /// The storage class of the cell in SQLite.
    var storageClass: String {
        switch self {
        case .null: "null"
        case .integer: "integer"
        case .real: "real"
        case .text, .brokenText: "text"
        case .blob: "blob"
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text, .brokenText: 2
        case .blob: 3
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left == right ? 0 : left < right ? -1 : 1
    }

    /// Compares numbers as PostgreSQL does, where other programs can write NaN: it equals itself, and is greater than any
    /// other number.
    private static func order(real left: Double, _ right: Double) -> Int {
        guard left.isNaN || right.isNaN else { return order(left, right) }
        return left.isNaN ? (right.isNaN ? 0 : 1) : -1
    }

    private static func order(text left: String, _ right: String) -> Int {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in unsafe order(bytes: left, right) }
        }
    }

    private static func order(bytes left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Int {
        for (left, right) in zip(left, right) where left != right { return left < right ? -1 : 1 }
        return order(left.count, right.count)
    }

    /// Compares numbers without rounding the integer.
    private static func order(_ left: Int64, to right: Double) -> Int {
        // The numbers of type Double next to the limits of Int64.
        guard right < 0x1p63 else { return -1 }
        guard right >= -0x1p63 else { return 1 }
        let whole = Int64(right.rounded(.towardZero))
        return left == whole ? order(0, right - right.rounded(.towardZero)) : order(left, whole)
    }
}
