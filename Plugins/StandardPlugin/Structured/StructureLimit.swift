/// Limits on what structured text and property lists may hold, so that hostile input is harmless.
enum StructureLimit {
    /// How deep arrays and dictionaries nest: what Foundation allows in JSON.
    static let depth = 512
    /// How many values a property list may unfold to, where objects are shared.
    static let values = 1 << 24
}
