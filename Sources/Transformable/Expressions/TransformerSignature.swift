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
        Self.canRead(stages, written.stages)
    }

    private static func canRead(
        _ readers: [TransformerExpression.Stage],
        _ writers: [TransformerExpression.Stage]
    ) -> Bool {
        readers.count == writers.count && zip(readers, writers).allSatisfy(canRead)
    }

    private static func canRead(_ reader: TransformerExpression.Stage, _ writer: TransformerExpression.Stage) -> Bool {
        let version = reader.version ?? 1
        let old = writer.version ?? 1
        guard reader.name == writer.name, version >= old else { return false }
        guard version > old || reader.arguments.count == writer.arguments.count else { return false }
        return writer.arguments.allSatisfy { written in
            reader.arguments.contains { $0.label == written.label && canRead($0.value, written.value) }
        }
    }

    /// Values agree if they are equal; inner expressions if one reads what the other wrote.
    private static func canRead(_ reader: ArgumentValue, _ writer: ArgumentValue) -> Bool {
        switch (reader, writer) {
        case (.expression(let reader), .expression(let writer)): canRead(reader.stages, writer.stages)
        default: reader == writer
        }
    }
}

extension TransformerSignature: CustomStringConvertible {
    /// The canonical text.
    public var description: String {
        TransformerExpression(stages: stages).description
    }
}
