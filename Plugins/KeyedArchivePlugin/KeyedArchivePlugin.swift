public import Transformable

/// A plugin for keyed archives in Apple's format, with its own reader and writer.
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

    private let classes: ArchiveClasses

    /// Creates the plugin.
    ///
    /// - Parameter classes: The classes with `NSSecureCoding` that can be instantiated by name.
    public init(classes: ArchiveClasses = []) {
        self.classes = classes
    }

    /// The transformer `keyed-archive`.
    public var registrations: [Registration] {
        Registration.keyedArchive(classes)
    }

    /// Inspectors of keyed archives and of other property lists.
    public var inspectors: [Inspector] {
        [.keyedArchive, .propertyList]
    }
}
