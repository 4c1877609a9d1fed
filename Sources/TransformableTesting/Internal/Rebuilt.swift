internal import Foundation

/// Returns values that equal a value but were created in a different way.
///
/// Most types have none.
func rebuilt<Value>(_ value: Value) -> [(origin: String, value: Value)] {
    guard let value = value as? any Rebuildable else { return [] }
    return value.rebuilt()
        .compactMap { origin, other in
            (other as? Value).map { (origin: origin, value: $0) }
        }
}

/// A type whose equal values can differ internally.
private protocol Rebuildable {
    func rebuilt() -> [(origin: String, value: Self)]
}

extension String: Rebuildable {
    /// Texts that differ in normalization are equal.
    fileprivate func rebuilt() -> [(origin: String, value: String)] {
        [
            (origin: "decomposed", value: decomposedStringWithCanonicalMapping),
            (origin: "composed", value: precomposedStringWithCanonicalMapping),
        ]
    }
}

extension Set: Rebuildable {
    /// Sets that differ in capacity are equal, but the order of their elements depends on the capacity.
    fileprivate func rebuilt() -> [(origin: String, value: Set)] {
        var other = Set(minimumCapacity: 16 * (count + 1))
        other.formUnion(reversed())
        return [(origin: "with a different capacity", value: other)]
    }
}

extension Dictionary: Rebuildable {
    /// Dictionaries that differ in capacity are equal, but the order of their keys depends on the capacity.
    fileprivate func rebuilt() -> [(origin: String, value: Dictionary)] {
        var other = Dictionary(minimumCapacity: 16 * (count + 1))
        for (key, value) in reversed() {
            other[key] = value
        }
        return [(origin: "with a different capacity", value: other)]
    }
}

extension Double: Rebuildable {
    /// Zero equals negative zero.
    fileprivate func rebuilt() -> [(origin: String, value: Double)] {
        self == 0 ? [(origin: "with the opposite sign", value: -self)] : []
    }
}
