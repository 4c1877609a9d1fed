/// The class whose objects stand for those of an entity.
package struct EntityFace: Sendable {
    package let type: any AnyObject.Type
    /// What makes the initial values of its attributes, by their names.
    let initials: [String: @Sendable () -> Slot]
    /// Gives what an object of the class keeps in memory only its initial values; nil if it keeps nothing.
    let reset: (@Sendable (AnyObject) -> Void)?
    /// Tells an object of the class that it was fetched; nil if the class does not care.
    let awake: (@Sendable (AnyObject) throws -> Void)?

    package init(
        _ type: any AnyObject.Type,
        initials: [String: @Sendable () -> Slot] = [:],
        reset: (@Sendable (AnyObject) -> Void)? = nil,
        awake: (@Sendable (AnyObject) throws -> Void)? = nil
    ) {
        self.type = type
        self.initials = initials
        self.reset = reset
        self.awake = awake
    }
}

extension EntityFace: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.type == right.type
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
    }
}
