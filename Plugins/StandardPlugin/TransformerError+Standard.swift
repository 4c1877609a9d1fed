public import Transformable

extension TransformerError.Code {
    /// The input is truncated.
    public static let truncatedData = Self(rawValue: "truncated-data")
    /// The input has trailing bytes.
    public static let trailingData = Self(rawValue: "trailing-data")
    /// The checksum of the input does not match its contents.
    public static let checksumMismatch = Self(rawValue: "checksum-mismatch")
    /// A stage that binds values to their location is used for the elements of a list.
    public static let contextualElement = Self(rawValue: "contextual-element")
}
