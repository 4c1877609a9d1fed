internal import Foundation
internal import Transformable

extension LawCheck {
    /// Checks that there are values to check.
    func checkSamples() {
        phase("samples") {
            expect(!laws.values.isEmpty, .samples, "there are no values to check")
            for (index, value) in laws.values.enumerated() {
                step(.samples, describe(index)) {
                    let hint = "is not equal to itself; pass a custom comparison"
                    expect(laws.areEqual(value, value), .samples, "\(describe(index)) \(hint)")
                }
            }
        }
    }

    /// Checks that decoding reverses encoding, and that bytes can be decoded from any kind of buffer.
    func checkRoundTrip() {
        phase("round trip") {
            for (index, value) in laws.values.enumerated() {
                step(.roundTrip, describe(index)) { try checkRoundTrip(of: value, index) }
            }
        }
    }

    private func checkRoundTrip(of value: Value, _ index: Int) throws {
        let encoded = try laws.transformer.encode(value, in: context)
        guard let transformer = laws.reversible else { return }
        let decoded = try transformer.decode(encoded, in: context)
        if traits.contains(.lossy) {
            try expectStable(decoded, transformer, index)
        } else {
            let message = "\(describe(index)) decodes to \(shown(decoded))"
            expect(laws.areEqual(value, decoded), .roundTrip, message)
        }
        checkSlices(of: encoded, decoded, transformer, index)
    }

    /// Checks that further round trips lose nothing more than the first one.
    private func expectStable(_ decoded: Value, _ transformer: any Transformer<Value, Encoded>, _ index: Int) throws {
        let again = try transformer.decode(transformer.encode(decoded, in: context), in: context)
        let message =
            "\(describe(index)) decodes to \(shown(decoded)), which after another round trip becomes \(shown(again))"
        expect(laws.areEqual(decoded, again), .roundTrip, message)
    }

    /// Decodes the same bytes as a slice of a longer buffer, whose indices do not start at 0, and as a span.
    private func checkSlices(
        of encoded: Encoded,
        _ decoded: Value,
        _ transformer: any Transformer<Value, Encoded>,
        _ index: Int
    ) {
        guard let bytes = encoded as? Data else { return }
        let frame = Data(repeating: 0xA5, count: 7)
        guard let slice = (frame + bytes + frame).dropFirst(7).dropLast(7) as? Encoded else { return }
        expect(decoded, index, "a slice of the same bytes") { try transformer.decode(slice, in: context) }
        if let transformer = transformer as? any SpanTransformer<Value> {
            expect(decoded, index, "a span of the same bytes") { try transformer.decode(bytes.span, in: context) }
        }
    }

    /// Checks that bytes in a different kind of buffer decode to the same value.
    private func expect(_ decoded: Value, _ index: Int, _ bytes: String, _ decode: () throws -> Value) {
        do {
            let other = try decode()
            let message = "\(describe(index)): \(bytes) decodes to \(shown(other))"
            expect(laws.areEqual(decoded, other), .slices, message)
        } catch {
            expect(false, .slices, "\(describe(index)): \(bytes) \(describe(error))")
        }
    }

    /// Describes a value, unless it is confidential.
    func shown(_ value: Value) -> String {
        traits.contains(.confidential) ? "a different value" : excerpt(of: value)
    }
}
