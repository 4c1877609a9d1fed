/// The state of a key, which determines what it can be used for.
public enum KeyState: String, Sendable, Codable, CaseIterable {
    /// The key seals new values and opens existing ones. Every named key has exactly one primary generation.
    case primary
    /// The key opens existing values, and is searched for in blind indexes.
    case active
    /// The key is kept, but not used.
    case retired
}
