/// What must agree for old bytes to be read: the names, versions and reading arguments of an
/// expression's stages, as in `jpeg/1 | sealed/1(deterministic: false)`.
///
/// A store keeps the signature that wrote a column and compares it when it opens.
public struct TransformerSignature: Sendable, Hashable {
    /// The stages, with their versions and with defaults written out.
    public let stages: [TransformerExpression.Stage]

    init(stages: [TransformerExpression.Stage]) {
        self.stages = stages
    }

    /// Parses a signature as ``description`` writes it.
    ///
    /// - Parameter text: The signature.
    /// - Throws: ``TransformerError`` with ``TransformerError/Code/invalidExpression``.
    public init(_ text: String) throws(TransformerError) {
        var parser = ExpressionParser(text, allowsVersions: true)
        stages = try parser.parse().stages
    }

    /// Whether transformers with this signature read what those with another one wrote.
    ///
    /// They do if the stages are the same, none older than its writer, and every reading argument
    /// agrees. An argument that a newer version has added is free.
    ///
    /// - Parameter written: The signature of the writer.
    /// - Returns: Whether old bytes can be read.
    public func canRead(_ written: Self) -> Bool {
        guard stages.count == written.stages.count else { return false }
        return zip(stages, written.stages)
            .allSatisfy { reader, writer in
                let version = reader.version ?? 1
                let old = writer.version ?? 1
                if version == old { return reader == writer }
                return reader.name == writer.name && version > old
                    && writer.arguments.allSatisfy(reader.arguments.contains)
            }
    }
}

extension TransformerSignature: CustomStringConvertible {
    /// The canonical text.
    public var description: String {
        TransformerExpression(stages: stages).description
    }
}
