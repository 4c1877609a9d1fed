/// A description of a parameter.
public struct ParameterDescription: Sendable, Hashable {
    /// The label, without the colon.
    public let label: String
    /// Whether decoding stored bytes depends on the argument.
    public let role: ParameterRole
    /// The expected type, such as “an integer from 0 to 100”.
    public let type: String
    /// The default value, or nil if the argument is required or has no value by default.
    public let defaultValue: ArgumentValue?
    /// Whether the argument is required.
    public let isRequired: Bool
    /// A short description.
    public let summary: String
}

/// Whether decoding stored bytes depends on an argument.
public enum ParameterRole: String, Sendable, Hashable {
    /// The argument must stay the same for stored bytes to remain readable. It is part of the signature.
    case reading
    /// The argument can change at any time.
    case writing
}
