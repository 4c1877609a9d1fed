internal import Foundation
internal import Transformable
internal import _HostileInputs

extension LawCheck {
    /// Checks that decoding a damaged form either throws a typed error or returns a value that can be encoded again.
    func checkDamage() {
        guard let transformer = laws.reversible else { return }
        for (index, value) in laws.values.enumerated() {
            phase("encoding \(describe(index))") {
                guard let encoded = try? transformer.encode(value, in: context) else { return }
                for (name, make) in damages(of: encoded, index) {
                    let subject = "\(describe(index)), \(name)"
                    steps.step("decoding \(subject)") {
                        guard let damaged = make(), areIdentical(damaged, encoded) != true else { return }
                        decode(damaged, transformer, subject)
                    }
                }
            }
        }
    }

    /// Returns damaged forms.
    ///
    /// Very large forms take the most time, so they are included only for the first few values.
    private func damages(of encoded: Encoded, _ index: Int) -> [(name: String, make: () -> Encoded?)] {
        let seed = laws.options.seed &+ UInt64(index) << 32
        func all<Form: Damageable>(_ form: Form) -> [(name: String, make: () -> Encoded?)] {
            form.damages(limit: laws.options.damagesPerValue, seed: seed)
                .filter { $0.kind != .oversize || index < laws.options.oversizedValues }
                .map { damage in
                    (name: damage.description, make: { damage.make() as? Encoded })
                }
        }
        return (encoded as? any Damageable).map { all($0) } ?? []
    }

    private func decode(_ damaged: Encoded, _ transformer: any Transformer<Value, Encoded>, _ subject: String) {
        let value: Value
        do {
            value = try transformer.decode(damaged, in: context)
        } catch {
            inspect(error, subject)
            return
        }
        let isForged = traits.contains(.authenticated)
        expect(!isForged, .authenticated, "\(subject): decodes, but the transformer claims to be authenticated")
        do {
            let again = try transformer.decode(transformer.encode(value, in: context), in: context)
            // Damage can produce a number that is not equal to itself, and lossy transformers do not preserve equality.
            let isComparable = laws.areEqual(value, value) && !traits.contains(.lossy)
            let isKept = !isComparable || laws.areEqual(value, again)
            expect(
                isKept,
                .encodesAgain,
                "\(subject): decodes to \(shown(value)), whose round trip gives \(shown(again))"
            )
        } catch {
            expect(false, .encodesAgain, "\(subject): decodes to \(shown(value)), which \(describe(error))")
            inspect(error, subject)
        }
    }
}
