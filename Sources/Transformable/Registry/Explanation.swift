/// What a registry makes of an expression, for a person: ``TransformerRegistry/explain(_:for:distinctValues:)``.
public struct Explanation: Sendable, Codable {
    /// One stage.
    public struct Stage: Sendable, Codable {
        /// The stage in canonical form.
        public let expression: String
        /// What it does.
        public let summary: String
        /// The type it takes.
        public let takes: String
        /// The type it gives.
        public let gives: String
        /// What holds of it.
        public let traits: [String]
        /// Whether it can decode.
        public let isReversible: Bool
        /// Whether the expression leaves it out.
        public let isImplied: Bool
    }

    /// The expression in canonical form.
    public let expression: String
    /// The stages as they run.
    public let stages: [Stage]
    /// What must agree for old bytes to be read.
    public let signature: String
    /// The type of the values.
    public let takes: String
    /// The type of the encoded form.
    public let gives: String
    /// What holds of all stages together.
    public let traits: [String]
    /// Whether every stage can decode.
    public let isReversible: Bool
    /// What a user should know before relying on it.
    public let warnings: [String]
}

extension Explanation: CustomStringConvertible {
    /// A few lines of text.
    public var description: String {
        var lines = [expression]
        for stage in stages {
            let implied = stage.isImplied ? " (implied)" : ""
            let summary = stage.summary.isEmpty ? "" : ": \(stage.summary)"
            lines.append("  \(stage.expression)\(implied)\(summary); \(stage.takes) to \(stage.gives)")
        }
        lines.append("signature: \(signature)")
        lines.append("traits: \((traits + [isReversible ? "reversible" : "one-way"]).joined(separator: ", "))")
        lines += warnings.map { "warning: \($0)" }
        return lines.joined(separator: "\n")
    }
}

extension TransformerRegistry {
    /// Says what an expression does, stage by stage.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - valueType: The type of the values; nil takes the first stage's own, or a family's default.
    ///   - distinctValues: How many different values there will be; nil if nobody knows.
    /// - Returns: What a person wants to know about it.
    /// - Throws: ``TransformerError``: the expression's syntax, a name, an argument, or stages or types
    ///   that do not fit.
    public func explain(
        _ expression: String,
        for valueType: Any.Type? = nil,
        distinctValues: Int? = nil
    ) throws -> Explanation {
        let resolved = try resolve(expression, for: valueType, ending: .anything)
        return Explanation(
            expression: resolved.expression.description,
            stages: try resolved.stages.map { stage in
                Explanation.Stage(
                    expression: stage.stage.description,
                    summary: try summary(of: stage),
                    takes: typeName(stage.valueType),
                    gives: typeName(stage.encodedType),
                    traits: stage.traits.descriptions,
                    isReversible: stage.isReversible,
                    isImplied: stage.isImplied
                )
            },
            signature: resolved.signature.description,
            takes: typeName(resolved.valueType),
            gives: typeName(resolved.encodedType),
            traits: resolved.traits.descriptions,
            isReversible: resolved.isReversible,
            warnings: warnings(about: resolved, distinctValues)
        )
    }

    private func summary(of stage: ResolvedStage) throws -> String {
        stage.isImplied ? Registration.text.summary : try registration(stage.name).summary
    }

    private func warnings(about resolved: ResolvedTransformer, _ distinctValues: Int?) -> [String] {
        var warnings: [String] = []
        if resolved.traits.contains(.lossy), resolved.isReversible {
            warnings.append("what is decoded may be less than what was encoded")
        }
        if resolved.traits.contains([.confidential, .deterministic]), resolved.isReversible {
            warnings.append("equal values give equal bytes: who reads the file learns which rows agree")
        }
        warnings += compressionWarnings(about: resolved.stages)
        for case let planned as any PlannedTransformer in resolved.stages.map(\.registered) {
            guard let distinctValues else {
                warnings.append(planned.advice)
                continue
            }
            do {
                try planned.verify(distinctValues: distinctValues)
            } catch {
                warnings.append((error as? TransformerError)?.message ?? "\(error)")
            }
        }
        return warnings
    }

    /// Compression before encryption shows in lengths, and after it only takes time.
    private func compressionWarnings(about stages: [ResolvedStage]) -> [String] {
        func encrypts(_ stage: ResolvedStage) -> Bool { stage.traits.contains(.confidential) && stage.isReversible }
        return stages.indices.filter { stages[$0].traits.contains(.compressing) }
            .flatMap { index -> [String] in
                let name = stages[index].name
                let before = stages[..<index].last(where: encrypts)
                    .map { "“\(name)” after “\($0.name)” is useless: encrypted bytes do not get smaller" }
                let after = stages[(index + 1)...].first(where: encrypts)
                    .map {
                        """
                        “\(name)” before “\($0.name)”: the length of what is stored depends on the content; leave it out \
                        where others can choose a part of the value
                        """
                    }
                return [before, after].compactMap(\.self)
            }
    }
}
