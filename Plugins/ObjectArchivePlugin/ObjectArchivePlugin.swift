internal import Foundation
internal import KeyedArchivePlugin
public import Transformable

/// A plugin for keyed archives of objects whose classes conform to `NSSecureCoding`.
///
/// It registers the family `keyed-archive`, like `KeyedArchivePlugin`, and adds these classes to the supported types.
/// Values and `Codable` types are archived as before. Register one of the two plugins, not both:
///
/// ```swift
/// let registry = try TransformerRegistry {
///     ObjectArchivePlugin(classes: [Shape.self, Circle.self])
/// }
/// let drawings = try registry.transformer("keyed-archive", for: Drawing.self)
/// ```
public struct ObjectArchivePlugin: TransformerPlugin {
    /// The plugin's name, “object-archive”.
    public let name = "object-archive"

    private let classes: ArchiveClasses

    /// Creates the plugin.
    ///
    /// - Parameter classes: The classes with `NSSecureCoding` that can be instantiated by name.
    public init(classes: ArchiveClasses = []) {
        self.classes = classes
    }

    /// The transformer `keyed-archive`.
    public var registrations: [Registration] {
        [
            .keyedArchive(supporting: "a Codable type, a class with NSSecureCoding, or ArchivedValue") {
                [classes] type, arguments in
                guard let type = type as? ArchiveClasses.Coded else { return nil }
                try CodedClass.check(asked: type)
                let allowed = try arguments.classes.map { try classes.restricted(to: $0) } ?? classes
                return Self.transformer(of: type, allowed, arguments)
            }
        ]
    }

    /// Inspectors of keyed archives and of other property lists.
    public var inspectors: [Inspector] {
        KeyedArchivePlugin().inspectors
    }

    private static func transformer<Value: NSObject & NSSecureCoding>(
        of type: Value.Type,
        _ classes: ArchiveClasses,
        _ arguments: KeyedArchiveArguments
    ) -> any OneWayTransformer {
        ObjectArchiveTransformer<Value>(
            classes: classes,
            isOpen: arguments.classes == nil,
            format: arguments.format,
            root: arguments.root,
            limits: arguments.limits
        )
    }
}

extension TransformerError {
    static func unknownClass(_ name: String, at path: CodingPath) -> Self {
        let message = "“\(place(path))” is an object of class \(name), which is not registered; add it to the classes"
        return Self(.unexpectedClass, message)
    }

    static func notCodable(_ type: Any.Type, at path: CodingPath) -> Self {
        .invalidValue("“\(place(path))” is of type \(type), which does not support secure coding")
    }

    static func foundationSubclass(_ type: AnyClass, of superclass: AnyClass) -> Self {
        guard type != superclass else {
            let message = "the coding of the Foundation class \(type) cannot be called safely"
            return Self(.unsupported, message + "; archive its parts, or decode it as an ArchivedValue")
        }
        let message = "\(type) inherits from \(superclass), whose own coding cannot be called safely"
        return Self(.unsupported, message + "; use a property of that class instead")
    }

    static func privateClass(_ type: AnyClass) -> Self {
        let message = "\(type) is private, so its name is not stable; declare a name with KeyedArchiveNamed"
        return Self(.unsupported, message)
    }

    static func refused(_ type: AnyClass, at path: CodingPath) -> Self {
        .invalidData("“\(place(path))” was refused by \(type).init(coder:)")
    }

    static func cycle(at path: CodingPath) -> Self {
        let message = """
            “\(place(path))” is an object that is still being decoded, because it contains itself; \
            decode the reference back to it with decodeReference(of:forKey:)
            """
        return Self(.cyclicReference, message)
    }

    static func unreadable(_ path: CodingPath, _ reason: String) -> Self {
        .invalidData("“\(place(path))” cannot be decoded: \(reason)")
    }
}
