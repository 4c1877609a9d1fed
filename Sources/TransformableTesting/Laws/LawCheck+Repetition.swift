internal import Transformable

extension LawCheck {
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
    /// Equal values are found among the samples, obtained by decoding, or created by rebuilding texts, sets, and
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
}
