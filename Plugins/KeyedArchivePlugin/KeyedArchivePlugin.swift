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

    private let classes: ArchiveClasses

    /// Makes the plugin.
    ///
    /// - Parameter classes: The classes with `NSSecureCoding` that are made where an archive names them.
    public init(classes: ArchiveClasses = []) {
        self.classes = classes
    }

    /// `keyed-archive`.
    public var registrations: [Registration] {
        Registration.keyedArchive(classes)
    }

    /// Any keyed archive, and any property list.
    public var inspectors: [Inspector] {
        [.keyedArchive, .propertyList]
    }
}
