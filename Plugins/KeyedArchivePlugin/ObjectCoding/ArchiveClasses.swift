public import Foundation
internal import Transformable

/// The classes that may be made while objects are read, with their names in archives.
///
/// No class is looked up by name in the running program: what is not listed here, not asked for by a
/// `decodeObject(of:forKey:)` and no value class of Foundation is never made.
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

    /// Makes a list of classes under the names that they have by themselves.
    ///
    /// - Parameter classes: The classes.
    public init(_ classes: [Coded] = []) {
        for coded in classes {
            add(coded)
        }
    }

    /// Makes a list of classes under the names that they have by themselves.
    ///
    /// - Parameter elements: The classes.
    public init(arrayLiteral elements: Coded...) {
        self.init(elements)
    }

    /// Adds a class, under the name that it has by itself or under another one.
    ///
    /// A name that is there already then stands for this class: so old archives are read as a new class.
    ///
    /// - Parameters:
    ///   - coded: The class.
    ///   - name: Its name in archives; by default ``KeyedArchiveNamed/archiveClassName``, or `Module.Class`.
    ///   - formerNames: Other names under which it is read.
    public mutating func add(_ coded: Coded, as name: String? = nil, formerly formerNames: [String] = []) {
        let name = name ?? Self.name(of: coded)
        names[ObjectIdentifier(coded)] = name
        let former = (coded as? any KeyedArchiveNamed.Type)?.formerArchiveClassNames ?? []
        for name in [name] + former + formerNames {
            classes[name] = coded
        }
    }

    /// The names under which classes are read.
    public var readableNames: [String] { classes.keys.sorted() }

    /// The class that has a name.
    subscript(name: String) -> Coded? { classes[name] }

    /// All classes; one that is read under several names is there several times.
    var all: [Coded] { Array(classes.values) }

    /// The name under which a class is written.
    func name(of type: AnyClass) -> String {
        names[ObjectIdentifier(type)] ?? Self.name(of: type)
    }

    /// Only what has one of some names.
    func restricted(to wanted: [String]) throws(TransformerError) -> Self {
        for name in wanted where classes[name] == nil {
            let message =
                "no class “\(name)” is registered: give KeyedArchivePlugin(classes:) the classes to choose from"
            throw TransformerError(.invalidArgument, message)
        }
        var result = self
        result.classes = classes.filter { wanted.contains($0.key) }
        return result
    }

    /// The name that a class has by itself.
    static func name(of type: AnyClass) -> String {
        if let named = type as? any KeyedArchiveNamed.Type { return named.archiveClassName }
        if let known = FoundationClass.exactly(type) { return known.archivedClass.name }
        let name = String(reflecting: type)
        return name.hasPrefix(foundation) ? String(name.dropFirst(foundation.count)) : name
    }

    /// Whether a class is one of Foundation's or of its networking's, whose own coding must not be called.
    static func isOfFoundation(_ type: AnyClass) -> Bool {
        let name = String(reflecting: type)
        return name.hasPrefix(foundation) || name.hasPrefix("FoundationNetworking.")
    }

    private static let foundation = "Foundation."
}
