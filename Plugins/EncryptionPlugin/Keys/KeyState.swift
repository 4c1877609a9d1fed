/// What a key may still be used for.
public enum KeyState: String, Sendable, Codable, CaseIterable {
    /// Seals new values and opens old ones; every named key has exactly one.
    case primary
    /// Opens old values, and is looked for in blind indexes.
    case active
    /// Is kept and not used.
    case retired
}
