internal import Foundation
internal import Transformable

extension LawCheck {
    /// Checks that `isUnchanged` distinguishes a value's own encoded form from others.
    func checkUnchanged() {
        guard let transformer = laws.reversible else { return }
        eachValue(.unchanged, weight: 20) { index, value in
            let encoded = try transformer.encode(value, in: context)
            let mustKnow = traits.contains(.deterministic) || value is any Equatable
            let isUnchanged = try transformer.isUnchanged(value, since: encoded, in: context)
            expect(isUnchanged || !mustKnow, .unchanged, "\(describe(index)) counts as changed since it was encoded")
            for (other, otherValue) in laws.values.enumerated().prefix(12) where !laws.areEqual(value, otherValue) {
                guard comesThrough(otherValue) else { continue }
                let otherEncoded = try transformer.encode(otherValue, in: context)
                guard try transformer.isUnchanged(value, since: otherEncoded, in: context) else { continue }
                let isSame = areIdentical(encoded, otherEncoded) ?? false
                let decoded = try transformer.decode(otherEncoded, in: context)
                let message = "\(describe(index)) counts as unchanged since \(describe(other)) was encoded"
                expect(isSame || laws.areEqual(value, decoded), .unchanged, message)
            }
        }
    }

    /// Checks that the candidates of a value include its encoded form, where this can be determined.
    func checkCandidates() {
        guard traits.contains(.deterministic) else { return }
        // A condition is about all objects, so its context contains no object.
        var context = context
        context.object = nil
        eachValue(.candidates) { [context] index, value in
            let encoded = try laws.transformer.encode(value, in: context)
            let own = try laws.transformer.candidates(for: value, in: context)
            let common = try laws.transformer.candidates(forAnyOf: [value, value], in: context)
            let isThere = [own, common].allSatisfy { $0.contains { areIdentical($0, encoded) ?? true } }
            expect(isThere, .candidates, "\(describe(index)) is not found by its encoded form")
        }
        phase("candidates of several values") {
            let samples = laws.values.enumerated().filter { comesThrough($0.element) }.prefix(32)
            step(.candidates, "several values together", weight: 2 * samples.count + 1) { [context] in
                let common = try laws.transformer.candidates(forAnyOf: samples.map(\.element), in: context)
                for (index, value) in samples {
                    let encoded = try laws.transformer.encode(value, in: context)
                    let isThere = common.contains { areIdentical($0, encoded) ?? true }
                    expect(isThere, .candidates, "\(describe(index)) is not found together with other values")
                }
            }
        }
    }

    /// Checks that a transformer says which keys its results depend on, because a store relies on it to find all of them.
    func checkKeys() {
        let keyed = laws.transformer.components.compactMap { $0 as? any KeyIdentifyingTransformer }
        phase(TransformerLaw.keys.rawValue) {
            for transformer in keyed {
                guard let key = transformer.currentKey else { continue }
                step(.keys, "the current key", weight: 20) {
                    let isWord = !key.isEmpty && !key.contains(where: \.isWhitespace)
                    expect(isWord, .keys, "the identifier of the current key, “\(key)”, is empty or contains spaces")
                    try transformer.requireKeys([key])
                    let others = "0123456789abcdef".map { "\(key.dropLast())\($0)" }.filter { $0 != key }
                    let isUnaware = others.allSatisfy { (try? transformer.requireKeys([$0])) != nil }
                    expect(!isUnaware, .keys, "keys with any other identifier are accepted, although they are missing")
                }
            }
        }
    }

    /// Checks that values and encoded forms that must be refused are refused.
    func checkRefusals() {
        phase("refusals") {
            for (index, value) in laws.refused.enumerated() {
                step(.refusal, "value \(index) to refuse") {
                    expectFailure("value \(index) to refuse") { try laws.transformer.encode(value, in: context) }
                }
            }
            for (index, encoded) in laws.rejected.enumerated() {
                step(.refusal, "encoded form \(index) to reject") {
                    expectFailure("encoded form \(index) to reject") {
                        try laws.reversible?.decode(encoded, in: context)
                    }
                }
            }
        }
    }

    /// Checks that values that are too large to be decoded are not encoded.
    func checkLimits() {
        phase(TransformerLaw.limits.rawValue) {
            for (index, value) in laws.limited.enumerated() {
                let subject = "value \(index) at the limits"
                step(.limits, subject, weight: 10) { checkLimits(of: value, subject) }
            }
        }
    }

    private func checkLimits(of value: Value, _ subject: String) {
        let encoded: Encoded
        do {
            encoded = try laws.transformer.encode(value, in: context)
        } catch {
            return inspect(error, subject)
        }
        do {
            guard let decoded = try laws.reversible?.decode(encoded, in: context) else { return }
            let isSame = traits.contains(.lossy) || laws.areEqual(value, decoded)
            expect(isSame, .limits, "\(subject) is encoded, but decodes to a different value")
        } catch {
            expect(false, .limits, "\(subject) is encoded, but decoding it \(describe(error))")
        }
    }

    private func expectFailure<Result>(_ subject: String, _ body: () throws -> Result?) {
        do {
            guard try body() != nil else { return }
            expect(false, .refusal, "\(subject) is accepted")
        } catch {
            inspect(error, subject)
        }
    }

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
