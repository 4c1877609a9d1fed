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

/// The way in which objects of a class are created: by this plugin, or by the class's own initializer.
enum CodedClass {
    case foundation(FoundationClass)
    case own(ArchiveClasses.Coded)

    var type: NSObject.Type {
        switch self {
        case .foundation(let known): known.type
        case .own(let type): type
        }
    }

    /// Verifies that the class's own coding can be called.
    ///
    /// Most of Foundation's classes trap in their own coding unless the coder is Foundation's. A class that inherits
    /// from one of them would trap as well.
    static func check(_ type: AnyClass, at path: CodingPath) throws(TransformerError) {
        guard (type as? any NSSecureCoding.Type)?.supportsSecureCoding == true else {
            throw .notCodable(type, at: path)
        }
        var next: AnyClass? = type
        while let current = next {
            if ArchiveClasses.isOfFoundation(current) {
                guard harmless.contains(where: { $0 == current }) else {
                    throw .foundationSubclass(type, of: current)
                }
            }
            next = superclass(of: current)
        }
    }

    /// Verifies that a transformer can be created for a class.
    static func check(asked type: NSObject.Type) throws(TransformerError) {
        guard FoundationClass.of(type) == nil else { return }
        try check(type, at: .top)
    }

    /// Foundation's classes that support any coder.
    private static let harmless: [AnyClass] = [NSObject.self, Formatter.self, Dimension.self, Unit.self]

    static func superclass(of type: AnyClass) -> AnyClass? {
        (type as? NSObject.Type)?.superclass
    }
}

/// The classes that an object at a particular place of an archive can have.
struct AllowedClasses {
    let classes: [AnyClass]
    /// Whether Foundation's value classes are also allowed.
    private let includesValues: Bool

    /// The classes of property lists.
    static var propertyList: Self {
        Self([NSArray.self, NSDictionary.self, NSString.self, NSData.self, NSDate.self, NSNumber.self, NSNull.self])
    }

    init(_ classes: [AnyClass], includesValues: Bool = false) {
        self.classes = classes
        self.includesValues = includesValues
    }

    /// The same classes and the value classes.
    var withValues: Self { Self(classes, includesValues: true) }

    /// The same classes and those of property lists, which collections can contain if they are allowed.
    var withPropertyLists: Self { Self(classes + Self.propertyList.classes, includesValues: includesValues) }

    func contains(_ type: NSObject.Type) -> Bool {
        classes.contains { type.isSubclass(of: $0) } || (includesValues && FoundationClass.of(type) != nil)
    }

    /// The names of the classes, for messages.
    var description: String {
        let names =
            classes.prefix(8).map { ArchiveClasses.name(of: $0) } + (includesValues ? ["the value classes"] : [])
        return names.isEmpty ? "no class" : names.joined(separator: ", ")
    }
}
