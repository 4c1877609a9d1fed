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
        if let transformer = laws.reversible { try checkDecoding(of: encoded, value, transformer, index) }
        checkSlice(of: value, encoded, index)
    }

    private func checkDecoding(
        of encoded: Encoded,
        _ value: Value,
        _ transformer: any Transformer<Value, Encoded>,
        _ index: Int
    ) throws {
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
        guard let bytes = encoded as? Data, let slice = slice(of: bytes) as? Encoded else { return }
        expect(decoded, index, "a slice of the same bytes") { try transformer.decode(slice, in: context) }
        if let transformer = transformer as? any SpanTransformer<Value> {
            expect(decoded, index, "a span of the same bytes") { try transformer.decode(bytes.span, in: context) }
        }
    }

    /// Encodes the same bytes as a slice of a longer buffer.
    private func checkSlice(of value: Value, _ encoded: Encoded, _ index: Int) {
        guard let bytes = value as? Data, let slice = slice(of: bytes) as? Value else { return }
        let subject = "\(describe(index)): a slice of the same bytes"
        do {
            let other = try laws.transformer.encode(slice, in: context)
            if traits.contains(.deterministic), areIdentical(encoded, other) == false {
                expect(false, .slices, "\(subject) gives \(excerpt(of: other)), not \(excerpt(of: encoded))")
            }
            guard let transformer = laws.reversible, !traits.contains(.lossy) else { return }
            let (expected, decoded) = try (
                transformer.decode(encoded, in: context), transformer.decode(other, in: context)
            )
            expect(laws.areEqual(expected, decoded), .slices, "\(subject) comes back as \(shown(decoded))")
        } catch {
            expect(false, .slices, "\(subject) \(describe(error))")
        }
    }

    /// Returns the same bytes as a slice of a longer buffer, whose indices do not start at 0.
    private func slice(of bytes: Data) -> Data {
        let frame = Data(repeating: 0xA5, count: 7)
        return (frame + bytes + frame).dropFirst(7).dropLast(7)
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

    /// Checks that a value gives the same encoded form every time if the transformer is deterministic.
    func checkRepetition() {
        guard traits.contains(.deterministic) else { return }
        eachValue(.deterministic, weight: 10) { index, value in
            let first = try laws.transformer.encode(value, in: context)
            for _ in 0..<8 {
                let again = try laws.transformer.encode(value, in: context)
                guard areIdentical(first, again) == false else { continue }
                let message = "\(describe(index)) first gives \(excerpt(of: first)) and then \(excerpt(of: again))"
                expect(false, .deterministic, message)
                return
            }
        }
    }

    /// Checks that equal values give the same encoded form if the transformer is canonical.
    ///
    /// Equal values are found among the samples, obtained by decoding, or created by rebuilding strings, sets, and
    /// dictionaries.
    func checkCanonicalForm() {
        guard traits.contains(.canonical) else { return }
        eachValue(.canonical, weight: 50) { index, value in
            let encoded = try laws.transformer.encode(value, in: context)
            for (origin, other) in try equals(of: value, encoded) where laws.areEqual(value, other) {
                let encodedOther = try laws.transformer.encode(other, in: context)
                guard areIdentical(encoded, encodedOther) == false else { continue }
                let forms = "\(excerpt(of: encoded)) and \(excerpt(of: encodedOther))"
                expect(
                    false,
                    .canonical,
                    "\(describe(index)) and an equal value (\(origin)) give different forms: \(forms)"
                )
            }
        }
    }

    private func equals(of value: Value, _ encoded: Encoded) throws -> [(origin: String, value: Value)] {
        var equals = rebuilt(value).map { (origin: $0.origin, value: $0.value) }
        if let transformer = laws.reversible, !traits.contains(.lossy) {
            equals.append((origin: "decoded", value: try transformer.decode(encoded, in: context)))
        }
        return equals + laws.values.enumerated().map { (origin: "value \($0)", value: $1) }
    }

    /// Checks that encoded forms depend on the context if and only if the transformer is contextual.
    func checkContext() {
        phase("contextual") {
            step(.contextual, "all values in several contexts", weight: 10 + laws.values.count) {
                var isBound = false
                for (index, value) in laws.values.enumerated() where comesThrough(value) {
                    let difference = try difference(of: value)
                    isBound = isBound || difference != nil
                    guard !traits.contains(.contextual), let difference else { continue }
                    let claim = "the transformer is not marked as contextual"
                    expect(false, .contextual, "\(describe(index)) \(difference), but \(claim)")
                }
                guard traits.contains(.contextual), !laws.values.isEmpty else { return }
                expect(
                    isBound,
                    .contextual,
                    "the transformer claims to be contextual, but every context gives the same result"
                )
            }
        }
    }

    /// Returns the effect of changing the context, or nil if there is none.
    private func difference(of value: Value) throws -> String? {
        let encoded = try laws.transformer.encode(value, in: Contexts.home)
        for (name, other) in Contexts.others {
            if let transformer = laws.reversible {
                let decoded = try transformer.decode(encoded, in: Contexts.home)
                guard let decodedThere = try? transformer.decode(encoded, in: other) else {
                    return "does not decode with \(name)"
                }
                if laws.areEqual(decoded, decoded), !laws.areEqual(decoded, decodedThere) {
                    return "decodes to a different value with \(name)"
                }
            }
            if traits.contains(.deterministic),
                let encodedThere = try? laws.transformer.encode(value, in: other),
                areIdentical(encoded, encodedThere) == false
            {
                return "encodes to a different form with \(name)"
            }
        }
        return nil
    }
}

/// A context, and contexts that differ from it in one property.
private enum Contexts {
    static let home = TransformContext(
        store: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
        entity: 1,
        attribute: 2,
        object: 3,
        tenant: 4
    )

    static let others: [(name: String, context: TransformContext)] = [
        ("no context", .none),
        ("another store", changed { $0.store = UUID(uuid: (0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)) }),
        ("another entity", changed { $0.entity = 9 }),
        ("another attribute", changed { $0.attribute = 9 }),
        ("another object", changed { $0.object = 9 }),
        ("another tenant", changed { $0.tenant = 9 }),
        ("no tenant", changed { $0.tenant = nil }),
    ]

    private static func changed(_ change: (inout TransformContext) -> Void) -> TransformContext {
        var context = home
        change(&context)
        return context
    }
}
