internal import Foundation

/// Whether two encoded forms are the same, bit for bit; nil for types that do not say.
///
/// Text is compared by its bytes, which is what is stored: Swift counts texts as equal that differ in
/// normalization. Numbers are compared by their bits, since 0 equals -0.
func areIdentical<Encoded>(_ left: Encoded, _ right: Encoded) -> Bool? {
    switch (left, right) {
    case (let left, let right) as (String, String):
        // As data, since comparing views takes a hundred times as long in a debug build.
        return Data(left.utf8) == Data(right.utf8)
    case (let left, let right) as (Double, Double):
        return left.bitPattern == right.bitPattern
    default:
        return areEqual(left, right)
    }
}

/// Whether two values of an `Equatable` type are equal; nil for any other type.
private func areEqual<T>(_ left: T, _ right: T) -> Bool? {
    func compare<E: Equatable>(_ left: E) -> Bool {
        left == right as? E
    }
    return (left as? any Equatable).map { compare($0) }
}
