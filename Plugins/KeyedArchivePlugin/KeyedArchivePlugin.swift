public import Transformable

/// Keyed archives: Apple's format, read and written by code of our own.
///
/// ```swift
/// let registry = try TransformerRegistry {
///     KeyedArchivePlugin()
/// }
/// let settings = try registry.transformer("keyed-archive", for: Settings.self)
/// ```
public struct KeyedArchivePlugin: TransformerPlugin {
    /// The plugin's name.
    public let name = "keyed-archive"

    /// Makes the plugin.
    public init() {}

    /// `keyed-archive`.
    public var registrations: [Registration] {
        Registration.keyedArchive
    }

    /// Any keyed archive, and any property list.
    public var inspectors: [Inspector] {
        [.keyedArchive, .propertyList]
    }
}
