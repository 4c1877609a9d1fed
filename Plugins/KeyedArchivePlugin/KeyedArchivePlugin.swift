public import Transformable

/// A plugin for keyed archives in Apple's format, with its own reader and writer.
///
/// It archives values and `Codable` types. To archive objects of classes with `NSSecureCoding` too, register
/// `ObjectArchivePlugin` instead.
///
/// ```swift
/// let registry = try TransformerRegistry {
///     KeyedArchivePlugin()
/// }
/// let settings = try registry.transformer("keyed-archive", for: Settings.self)
/// ```
public struct KeyedArchivePlugin: TransformerPlugin {
    /// The plugin's name, “keyed-archive”.
    public let name = "keyed-archive"

    /// Creates the plugin.
    public init() {}

    /// The transformer `keyed-archive`.
    public var registrations: [Registration] {
        [
            .keyedArchive(
                supporting: "a Codable type, ArchivedValue, or with ObjectArchivePlugin a class with NSSecureCoding",
                others: { _, _ in nil }
            )
        ]
    }

    /// Inspectors of keyed archives and of other property lists.
    public var inspectors: [Inspector] {
        [.keyedArchive, .propertyList]
    }
}

extension CodableExpression {
    /// The value as a keyed archive in Apple's format.
    public static var keyedArchive: Self { Self("keyed-archive") }
}
