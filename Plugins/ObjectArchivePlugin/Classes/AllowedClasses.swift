internal import Foundation
internal import KeyedArchivePlugin

/// The classes that an object at a particular place of an archive can have.
struct AllowedClasses {
    let classes: [AnyClass]
    /// Whether Foundation's value classes are also allowed.
    let includesValues: Bool

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
