internal import Foundation
internal import Transformable
internal import _HostileInputs

/// A run of all checks, in a process that any of them may end.
struct LawCheck<Value, Encoded> {
    let laws: TransformerLaws<Value, Encoded>
    let steps: Steps
    let logbook: Logbook
    let canaries: Canaries

    init(laws: TransformerLaws<Value, Encoded>, steps: Steps, logbook: Logbook) {
        self.laws = laws
        self.steps = steps
        self.logbook = logbook
        let isSecret = laws.transformer.traits.contains(.confidential)
        canaries = Canaries(isSecret ? laws.values + laws.refused + laws.limited : [])
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
        checkRefusals()
        checkLimits()
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
