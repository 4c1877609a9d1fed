/// A description of a resolved expression, as returned by ``TransformerRegistry/explain(_:for:distinctValues:)``.
public struct Explanation: Sendable, Codable {
    /// A description of a stage.
    public struct Stage: Sendable, Codable {
        /// The stage in canonical form.
        public let expression: String
        /// A summary of what the stage does.
        public let summary: String
        /// The type that the stage takes.
        public let takes: String
        /// The type that the stage produces.
        public let gives: String
        /// The traits of the stage.
        public let traits: [String]
        /// Whether the stage can decode.
        public let isReversible: Bool
        /// Whether the stage is not written in the expression.
        public let isImplied: Bool
    }

    /// The expression in canonical form.
    public let expression: String
    /// The stages, in the order in which they encode.
    public let stages: [Stage]
    /// The signature, which determines whether stored bytes can be read.
    public let signature: String
    /// The type of the values.
    public let takes: String
    /// The type of the encoded form.
    public let gives: String
    /// The traits of all stages combined.
    public let traits: [String]
    /// Whether all stages can decode.
    public let isReversible: Bool
    /// Warnings about the use of the expression.
    public let warnings: [String]
}

extension Explanation: CustomStringConvertible {
    /// The explanation as lines of text.
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
    /// Explains what an expression does, stage by stage.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - valueType: The type of the values, or nil for the type of the first stage, or a family's default.
    ///   - distinctValues: The expected number of distinct values, or nil if it is unknown.
    /// - Returns: The explanation.
    /// - Throws: ``TransformerError`` if the expression is malformed, a name or an argument is unknown or invalid, or
    ///   the stages do not fit together.
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
            warnings.append("decoded values may differ from the values that were encoded")
        }
        if resolved.traits.contains([.confidential, .deterministic]), resolved.isReversible {
            warnings.append(
                "equal values give equal bytes, which shows which rows are equal to anyone who can read the file"
            )
        }
        warnings += compressionWarnings(about: resolved.stages)
        for case let planned as any CardinalitySensitiveTransformer in resolved.components {
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

    /// Returns warnings about compression, which leaks information before encryption and is useless after it.
    private func compressionWarnings(about stages: [ResolvedStage]) -> [String] {
        func encrypts(_ stage: ResolvedStage) -> Bool { stage.traits.contains(.confidential) && stage.isReversible }
        return stages.indices.filter { stages[$0].traits.contains(.compressing) }
            .flatMap { index -> [String] in
                let name = stages[index].name
                let before = stages[..<index].last(where: encrypts)
                    .map { "“\(name)” after “\($0.name)” has no effect, because encrypted bytes cannot be compressed" }
                let after = stages[(index + 1)...].first(where: encrypts)
                    .map {
                        """
                        “\(name)” before “\($0.name)”: the stored length depends on the content; omit it if others can \
                        choose a part of the value
                        """
                    }
                return [before, after].compactMap(\.self)
            }
    }
}
