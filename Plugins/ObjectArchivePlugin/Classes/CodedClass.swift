internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable

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
