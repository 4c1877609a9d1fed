extension String: Damageable {
    /// Returns truncations and replaced characters by Unicode scalar, mutations, and excessive repetitions.
    public func damages(limit: Int, seed: UInt64) -> [Damage<String>] {
        var generator = SeededGenerator(seed: seed)
        let scalars = Array(unicodeScalars)
        return Self.truncations(scalars, limit, &generator) + Self.flips(scalars, limit, &generator)
            + mutations(limit / 2, seed) + oversizes(scalars)
    }

    private static func truncations(
        _ scalars: [Unicode.Scalar],
        _ limit: Int,
        _ generator: inout SeededGenerator
    ) -> [Damage<String>] {
        generator.sample(below: scalars.count, atMost: limit)
            .map { length in
                Damage(.truncation, "cut to \(length) of \(scalars.count) characters") {
                    String(scalars: scalars.prefix(length))
                }
            }
    }

    private static func flips(
        _ scalars: [Unicode.Scalar],
        _ limit: Int,
        _ generator: inout SeededGenerator
    ) -> [Damage<String>] {
        generator.sample(below: scalars.count, atMost: limit)
            .map { index in
                let replacement = TextMutator.replacement(for: scalars[index], &generator)
                return Damage(.flip, "character \(index) replaced with \(replacement.debugDescription)") {
                    var scalars = scalars
                    scalars[index] = replacement
                    return String(scalars: scalars)
                }
            }
    }

    private func mutations(_ count: Int, _ seed: UInt64) -> [Damage<String>] {
        (0..<count)
            .map { index in
                let seed = seed &+ UInt64(index)
                return Damage(.mutation, "mutated by the seed \(seed)") {
                    var mutator = TextMutator(seed: seed)
                    return mutator.mutated(self)
                }
            }
    }

    private func oversizes(_ scalars: [Unicode.Scalar]) -> [Damage<String>] {
        let size = Oversize.bytes
        let repeated = Damage(.oversize, "repeated to \(size) bytes") {
            String(repeating: isEmpty ? " " : self, count: size / Swift.max(1, utf8.count))
        }
        let starts = Set(scalars.prefix(Oversize.starts)).sorted()
            .map { scalar in
                Damage(.oversize, "\(size) times the character \(scalar.debugDescription)") {
                    String(repeating: String(scalar), count: size)
                }
            }
        return [repeated] + starts
    }
}

extension String {
    init(scalars: some Sequence<Unicode.Scalar>) {
        self.init()
        unicodeScalars.append(contentsOf: scalars)
    }
}
