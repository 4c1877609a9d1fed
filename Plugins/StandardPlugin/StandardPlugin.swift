public import Transformable

/// A plugin for common needs: text, numbers, dates, identifiers, JSON, property lists, base-N encodings, and
/// compression.
///
/// ```swift
/// let registry = try TransformerRegistry {
///     StandardPlugin()
/// }
/// let settings = try registry.transformer("json | gzip", for: Settings.self)
/// ```
public struct StandardPlugin: TransformerPlugin {
    /// The plugin's name, “standard”.
    public let name = "standard"

    /// Creates the plugin.
    public init() {}

    /// The transformers, in the order of the source folders.
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

extension CodableExpression {
    /// The value as JSON.
    public static var json: Self { Self("json") }

    /// The value as a property list.
    public static var propertyList: Self { Self("plist") }
}
