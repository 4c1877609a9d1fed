/// The names, versions, and reading arguments of all stages, which must stay the same for stored bytes to remain
/// readable, as in `jpeg/1 | sealed/1(deterministic: false)`.
///
/// A store keeps the signature of each column, and compares it when it opens.
public struct TransformerSignature: Sendable, Hashable {
    /// The stages, with their versions and with default arguments written out.
    public let stages: [TransformerExpression.Stage]

    init(stages: [TransformerExpression.Stage]) {
        self.stages = stages
    }

    /// Parses a signature in the form returned by ``description``.
    ///
    /// - Parameter text: The signature, with up to 65,536 bytes, 64 stages, and 16 levels.
    /// - Throws: ``TransformerError`` with the code ``TransformerError/Code/invalidExpression`` if the text is not a
    ///   valid signature.
    public init(_ text: String) throws(TransformerError) {
        var parser = ExpressionParser(text, allowsVersions: true)
        stages = try parser.parse().stages
    }

    /// Returns whether transformers with this signature can read bytes that were written with another signature.
    ///
    /// They can if the stages are the same, no stage is older than the one that wrote the bytes, and all reading
    /// arguments are the same. An argument that a newer version has added can have any value.
    ///
    /// - Parameter written: The signature that the bytes were written with.
    /// - Returns: Whether the bytes can be read.
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

    /// Returns whether two arguments are compatible: equal values, inner expressions one of which can read what the
    /// other wrote, or lists of these.
    private static func canRead(_ reader: ArgumentValue, _ writer: ArgumentValue) -> Bool {
        switch (reader, writer) {
        case (.expression(let reader), .expression(let writer)): canRead(reader.stages, writer.stages)
        case (.list(let readers), .list(let writers)):
            readers.count == writers.count && zip(readers, writers).allSatisfy(canRead)
        default: reader == writer
        }
    }
}

extension TransformerSignature: CustomStringConvertible {
    /// The signature in canonical form.
    public var description: String {
        TransformerExpression(stages: stages).description
    }
}
