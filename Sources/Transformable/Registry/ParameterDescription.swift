/// A parameter as a person reads it.
public struct ParameterDescription: Sendable, Hashable {
    /// The label, without the colon.
    public let label: String
    /// Whether old bytes depend on it.
    public let role: ParameterRole
    /// What is expected: “an integer from 0 to 100”.
    public let type: String
    /// What holds where it is left out; nil if it must be given or if nothing holds then.
    public let defaultValue: ArgumentValue?
    /// Whether it must be given.
    public let isRequired: Bool
    /// What it does, in a few words.
    public let summary: String
}

/// Whether reading old bytes depends on an argument.
public enum ParameterRole: String, Sendable, Hashable {
    /// It must agree for old bytes to be read, and is part of the signature.
    case reading
    /// It may change at any time.
    case writing
}
