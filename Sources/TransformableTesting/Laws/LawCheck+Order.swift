internal import Foundation
internal import Transformable

extension LawCheck {
    /// Checks that encoded forms are in the order of their values if the transformer is ordered.
    func checkOrder() {
        guard traits.contains(.ordered) else { return }
        phase("ordered") {
            step(.ordered, "all values", weight: 50) {
                let samples = laws.values.enumerated().filter { comesThrough($0.element) }.prefix(64)
                let encoded = try samples.map { try laws.transformer.encode($0.element, in: context) }
                guard let first = samples.first?.element, isLess(first, first) != nil else {
                    let hint = "set areInIncreasingOrder for values that are not Comparable"
                    expect(samples.isEmpty, .ordered, "the order cannot be checked: \(hint)")
                    return
                }
                let forms = Array(zip(samples.map(\.offset), encoded))
                for left in forms {
                    for right in forms {
                        expectOrder(of: left, right)
                    }
                }
            }
        }
    }

    private func expectOrder(of left: (index: Int, form: Encoded), _ right: (index: Int, form: Encoded)) {
        guard isLess(laws.values[left.index], laws.values[right.index]) == true else { return }
        let isKept = areOrdered(left.form, right.form, orEqual: traits.contains(.lossy))
        let forms = "\(excerpt(of: left.form)) and \(excerpt(of: right.form))"
        let message = "\(describe(left.index)) is less than \(describe(right.index)), but they give \(forms)"
        expect(isKept ?? false, .ordered, message)
    }

    private func isLess(_ left: Value, _ right: Value) -> Bool? {
        laws.areInIncreasingOrder?(left, right) ?? areOrdered(left, right, orEqual: false)
    }
}

/// Returns whether the left form is less, in the order of a database, or nil for types without an order.
private func areOrdered<T>(_ left: T, _ right: T, orEqual: Bool) -> Bool? {
    switch (left, right) {
    case (let left, let right) as (String, String):
        return areOrdered(Array(left.utf8), Array(right.utf8), orEqual: orEqual)
    case (let left, let right) as (Data, Data):
        return areOrdered(Array(left), Array(right), orEqual: orEqual)
    case (let left, let right) as ([UInt8], [UInt8]):
        return left.lexicographicallyPrecedes(right) || (orEqual && left == right)
    default:
        func compare<C: Comparable>(_ left: C) -> Bool? {
            (right as? C).map { left < $0 || (orEqual && left == $0) }
        }
        return (left as? any Comparable).flatMap { compare($0) }
    }
}
