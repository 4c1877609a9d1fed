/// When a transformed attribute's stored bytes become its value.
public enum DecodingStrategy: String, Sendable, Hashable, CaseIterable {
    /// When the value is first asked for.
    case onAccess
    /// When the object is fetched, so that a failure shows at once.
    case onFetch
}

/// When a transformed attribute's value becomes the bytes to store.
public enum EncodingStrategy: String, Sendable, Hashable, CaseIterable {
    /// When the object is saved.
    case onSave
    /// When the value is set, so that a failure shows at once.
    case onSet
}
