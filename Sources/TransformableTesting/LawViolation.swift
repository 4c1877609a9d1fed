/// A law that a transformer breaks, and how.
public struct LawViolation: Sendable, Hashable, Codable {
    /// The law.
    public let law: TransformerLaw
    /// With which value or input it was broken, and what happened: one sentence or a few.
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
