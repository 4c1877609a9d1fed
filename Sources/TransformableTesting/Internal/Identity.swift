internal import Foundation

/// Returns whether two encoded forms are identical, bit for bit, or nil if their types cannot be compared.
///
/// Text is compared by its stored bytes, because Swift considers texts that differ in normalization equal. Numbers are
/// compared by their bits, because 0 equals -0.
func areIdentical<Encoded>(_ left: Encoded, _ right: Encoded) -> Bool? {
    switch (left, right) {
    case (let left, let right) as (String, String):
        // Compares as data, because comparing views takes a hundred times as long in a debug build.
        return Data(left.utf8) == Data(right.utf8)
    case (let left, let right) as (Double, Double):
        return left.bitPattern == right.bitPattern
    default:
        return areEqual(left, right)
    }
}

/// Returns whether two values of an `Equatable` type are equal, or nil for any other type.
private func areEqual<T>(_ left: T, _ right: T) -> Bool? {
    func compare<E: Equatable>(_ left: E) -> Bool {
        left == right as? E
    }
    return (left as? any Equatable).map { compare($0) }
}
