/// A violation of a transformer law.
public struct LawViolation: Sendable, Hashable, Codable {
    /// The law.
    public let law: TransformerLaw
    /// The value or input that reveals the violation, and what happened, in one or more sentences.
    public let message: String

    init(_ law: TransformerLaw, _ message: String) {
        self.law = law
        self.message = message
    }
}

extension LawViolation: CustomStringConvertible {
    /// The law and the message.
    public var description: String {
        "\(law.rawValue): \(message)"
    }
}
