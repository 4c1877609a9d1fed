/// When the stored bytes of a transformed attribute are decoded.
public enum DecodingStrategy: String, Sendable, Hashable, CaseIterable {
    /// When the value is first read.
    case onAccess
    /// When the object is fetched, so that a failure is reported immediately.
    case onFetch
}

/// When the value of a transformed attribute is encoded.
public enum EncodingStrategy: String, Sendable, Hashable, CaseIterable {
    /// When the object is saved.
    case onSave
    /// When the value is set, so that a failure is reported immediately.
    case onSet
}
