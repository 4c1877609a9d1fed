public import Transformable

extension TransformerError.Code {
    /// The input ends before what it announces.
    public static let truncatedData = Self(rawValue: "truncated-data")
    /// The input goes on after its end.
    public static let trailingData = Self(rawValue: "trailing-data")
    /// The input's checksum is not that of its content.
    public static let checksumMismatch = Self(rawValue: "checksum-mismatch")
    /// A stage that binds to its place stands inside a list.
    public static let contextualElement = Self(rawValue: "contextual-element")
}
