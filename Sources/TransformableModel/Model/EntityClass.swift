/// The class that represents an entity's objects in code.
package struct EntityClass: Sendable {
    package let type: any AnyObject.Type
    /// Functions that make the initial values of the attributes, by attribute name.
    ///
    /// They return the objects in which the store keeps values.
    package let initials: [String: @Sendable () -> AnyObject]
    /// Resets the properties that an object of the class keeps only in memory, or `nil` if there are none.
    package let reset: (@Sendable (AnyObject) -> Void)?
    /// Notifies an object of the class that it was fetched, or `nil` if the class does not need to know.
    package let awake: (@Sendable (AnyObject) throws -> Void)?

    package init(
        _ type: any AnyObject.Type,
        initials: [String: @Sendable () -> AnyObject] = [:],
        reset: (@Sendable (AnyObject) -> Void)? = nil,
        awake: (@Sendable (AnyObject) throws -> Void)? = nil
    ) {
        self.type = type
        self.initials = initials
        self.reset = reset
        self.awake = awake
    }
}

extension EntityClass: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.type == right.type
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
    }
}
