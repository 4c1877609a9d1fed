internal import Foundation

/// The classes that an object may have at one place of an archive.
struct AllowedClasses {
    let classes: [AnyClass]
    /// Whether Foundation's value classes are allowed as well.
    let includesValues: Bool

    /// What property lists are made of.
    static var propertyList: Self {
        Self([NSArray.self, NSDictionary.self, NSString.self, NSData.self, NSDate.self, NSNumber.self, NSNull.self])
    }

    init(_ classes: [AnyClass], includesValues: Bool = false) {
        self.classes = classes
        self.includesValues = includesValues
    }

    /// The same and the value classes.
    var withValues: Self { Self(classes, includesValues: true) }

    /// The same and what property lists are made of: what a collection may hold that is allowed itself.
    var withPropertyLists: Self { Self(classes + Self.propertyList.classes, includesValues: includesValues) }

    func contains(_ type: NSObject.Type) -> Bool {
        classes.contains { type.isSubclass(of: $0) } || (includesValues && FoundationClass.of(type) != nil)
    }

    /// The names, for a message.
    var description: String {
        let names =
            classes.prefix(8).map { ArchiveClasses.name(of: $0) } + (includesValues ? ["the value classes"] : [])
        return names.isEmpty ? "no class" : names.joined(separator: ", ")
    }
}
