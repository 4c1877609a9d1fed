internal import Foundation

/// Values equal to one, made in another way; none for most types.
func rebuilt<Value>(_ value: Value) -> [(origin: String, value: Value)] {
    guard let value = value as? any Rebuildable else { return [] }
    return value.rebuilt()
        .compactMap { origin, other in
            (other as? Value).map { (origin: origin, value: $0) }
        }
}

/// A type that has equal values which are not the same inside.
private protocol Rebuildable {
    func rebuilt() -> [(origin: String, value: Self)]
}

extension String: Rebuildable {
    /// Texts are equal whatever their normalization.
    fileprivate func rebuilt() -> [(origin: String, value: String)] {
        [
            (origin: "decomposed", value: decomposedStringWithCanonicalMapping),
            (origin: "composed", value: precomposedStringWithCanonicalMapping),
        ]
    }
}

extension Set: Rebuildable {
    /// Sets are equal whatever their capacity, on which the order of their elements depends.
    fileprivate func rebuilt() -> [(origin: String, value: Set)] {
        var other = Set(minimumCapacity: 16 * (count + 1))
        other.formUnion(reversed())
        return [(origin: "with another capacity", value: other)]
    }
}

extension Dictionary: Rebuildable {
    /// Dictionaries are equal whatever their capacity, on which the order of their keys depends.
    fileprivate func rebuilt() -> [(origin: String, value: Dictionary)] {
        var other = Dictionary(minimumCapacity: 16 * (count + 1))
        for (key, value) in reversed() {
            other[key] = value
        }
        return [(origin: "with another capacity", value: other)]
    }
}

extension Double: Rebuildable {
    /// Zero is equal to its negative.
    fileprivate func rebuilt() -> [(origin: String, value: Double)] {
        self == 0 ? [(origin: "of the other sign", value: -self)] : []
    }
}
