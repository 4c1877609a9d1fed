public import Transformable

/// The transformers that most programs need: text, numbers, dates, identifiers, JSON, property lists,
/// base-N and compression.
///
/// ```swift
/// let registry = try TransformerRegistry {
///     StandardPlugin()
/// }
/// let settings = try registry.transformer("json | gzip", for: Settings.self)
/// ```
public struct StandardPlugin: TransformerPlugin {
    /// The plugin's name, as listings show it.
    public let name = "standard"

    /// Makes the plugin.
    public init() {}

    /// The transformers, by folder.
    public var registrations: [Registration] {
        Self.text
        Self.numbers
        Self.dates
        Self.identifiers
        Self.structured
        Self.baseN
        Self.compression
    }
}
