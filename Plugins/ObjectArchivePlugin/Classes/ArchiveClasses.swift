public import Foundation
internal import KeyedArchivePlugin
internal import Transformable

/// The classes that can be instantiated while objects are decoded, and their names in archives.
///
/// Classes are never looked up by name in the running program. Only classes in this list, classes that a call to
/// `decodeObject(of:forKey:)` names, and Foundation's value classes can be instantiated.
///
/// ```swift
/// var classes: ArchiveClasses = [Shape.self, Line.self]
/// classes.add(Circle.self, as: "Acme.Circle", formerly: ["Acme.Disk"])
/// ```
public struct ArchiveClasses: Sendable, ExpressibleByArrayLiteral {
    /// A class whose objects can be archived.
    public typealias Coded = any (NSObject & NSSecureCoding).Type

    private var classes: [String: Coded] = [:]
    private var names: [ObjectIdentifier: String] = [:]

    /// Creates a list of classes with their default names.
    ///
    /// - Parameter classes: The classes.
    public init(_ classes: [Coded] = []) {
        for coded in classes {
            add(coded)
        }
    }

    /// Creates a list of classes with their default names.
    ///
    /// - Parameter elements: The classes.
    public init(arrayLiteral elements: Coded...) {
        self.init(elements)
    }

    /// Adds a class under its default name or another one.
    ///
    /// If the name is already in use, it then stands for this class. In this way, objects in old archives can be
    /// decoded as a new class.
    ///
    /// - Parameters:
    ///   - coded: The class.
    ///   - name: The name in archives. By default, `KeyedArchiveNamed.archiveClassName` or `Module.Class`.
    ///   - formerNames: Other names that are also decoded as this class.
    public mutating func add(_ coded: Coded, as name: String? = nil, formerly formerNames: [String] = []) {
        let name = name ?? Self.name(of: coded)
        names[ObjectIdentifier(coded)] = name
        let former = (coded as? any KeyedArchiveNamed.Type)?.formerArchiveClassNames ?? []
        for name in [name] + former + formerNames {
            classes[name] = coded
        }
    }

    /// The names that can be decoded.
    public var readableNames: [String] { classes.keys.sorted() }

    /// Returns the class for a name.
    subscript(name: String) -> Coded? { classes[name] }

    /// All classes.
    ///
    /// A class with several names is included several times.
    var all: [Coded] { Array(classes.values) }

    /// Returns the name under which a class is encoded.
    func name(of type: AnyClass) -> String {
        names[ObjectIdentifier(type)] ?? Self.name(of: type)
    }

    /// Returns only the classes with the given names.
    func restricted(to wanted: [String]) throws(TransformerError) -> Self {
        for name in wanted where classes[name] == nil {
            let message =
                "no class “\(name)” is registered; pass it to ObjectArchivePlugin(classes:)"
            throw TransformerError(.invalidArgument, message)
        }
        var result = self
        result.classes = classes.filter { wanted.contains($0.key) }
        return result
    }

    /// Returns the default name of a class.
    static func name(of type: AnyClass) -> String {
        if let named = type as? any KeyedArchiveNamed.Type { return named.archiveClassName }
        if let known = FoundationClass.exactly(type) { return known.archivedClass.name }
        let name = String(reflecting: type)
        return name.hasPrefix(foundation) ? String(name.dropFirst(foundation.count)) : name
    }

    /// Returns whether a class belongs to Foundation or FoundationNetworking, whose own coding must not be called.
    static func isOfFoundation(_ type: AnyClass) -> Bool {
        let name = String(reflecting: type)
        return name.hasPrefix(foundation) || name.hasPrefix("FoundationNetworking.")
    }

    private static let foundation = "Foundation."
}
