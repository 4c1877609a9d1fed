internal import Foundation
internal import Transformable
internal import _HostileInputs

/// A run of all checks, in a process that any of them may end.
struct LawCheck<Value, Encoded> {
    let laws: TransformerLaws<Value, Encoded>
    let steps: Steps
    private let logbook: Logbook
    let secrets: SecretFragments

    init(laws: TransformerLaws<Value, Encoded>, steps: Steps, logbook: Logbook) {
        self.laws = laws
        self.steps = steps
        self.logbook = logbook
        let isSecret = laws.transformer.traits.contains(.confidential)
        secrets = SecretFragments(isSecret ? laws.values + laws.refused + laws.limited : [])
    }

    var traits: TransformerTraits { laws.transformer.traits }
    var context: TransformContext { laws.options.context }

    func checkAll() {
        checkSamples()
        checkRoundTrip()
        checkRepetition()
        checkCanonicalForm()
        checkOrder()
        checkContext()
        checkUnchanged()
        checkCandidates()
        checkKeys()
        checkRefusals()
        checkLimits()
        checkStreams()
        checkDamage()
        checkThreads()
    }

    /// Records a violation unless a condition is true.
    func expect(_ condition: Bool, _ law: TransformerLaw, _ message: @autoclosure () -> String) {
        if !condition {
            logbook.append(LawViolation(law, message()).record)
        }
    }

    /// Runs a check that consists of several steps.
    func phase(_ note: @autoclosure () -> String, _ body: () -> Void) {
        steps.phase(note(), body)
    }

    /// Runs a step of a check.
    ///
    /// An error thrown by the step is a violation.
    func step(_ law: TransformerLaw, _ subject: @autoclosure () -> String, weight: Int = 1, _ body: () throws -> Void) {
        steps.step("\(law.rawValue) of \(subject())", weight: weight) {
            do {
                try body()
            } catch {
                expect(false, law, "\(subject()): \(describe(error))")
                inspect(error, subject())
            }
        }
    }

    /// Runs a step for each value that encodes and decodes.
    ///
    /// For all other values, the round-trip law reports the violation.
    func eachValue(_ law: TransformerLaw, weight: Int = 1, _ body: (Int, Value) throws -> Void) {
        phase(law.rawValue) {
            for (index, value) in laws.values.enumerated() {
                step(law, describe(index), weight: weight) {
                    guard comesThrough(value) else { return }
                    try body(index, value)
                }
            }
        }
    }

    /// Returns whether a value encodes and decodes, regardless of the result.
    func comesThrough(_ value: Value) -> Bool {
        guard let encoded = try? laws.transformer.encode(value, in: context) else { return false }
        guard let transformer = laws.reversible else { return true }
        return (try? transformer.decode(encoded, in: context)) != nil
    }

    /// Describes a value by its index and, unless it is confidential, by its description.
    func describe(_ index: Int) -> String {
        guard !traits.contains(.confidential) else { return "value \(index)" }
        return "value \(index), \(excerpt(of: laws.values[index]))"
    }

    func excerpt(of value: Any) -> String {
        let text = (value as? Data).map(hexadecimal) ?? String(describing: value)
        return text.count > 100 ? "\(text.prefix(100))…" : text
    }

    private func hexadecimal(_ bytes: Data) -> String {
        bytes.isEmpty ? "no bytes" : HexadecimalText.text(of: bytes.prefix(50))
    }

    func describe(_ error: any Error) -> String {
        "threw \(excerpt(of: error))"
    }
}

/// Returns whether two encoded forms are identical, bit for bit, or nil if their types cannot be compared.
///
/// Text is compared by its stored bytes, because Swift considers strings that differ only in normalization equal.
/// Numbers are compared by their bits, because 0 equals -0.
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
            (origin: "composed", value: composed),
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
