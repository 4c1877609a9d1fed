/// The class whose objects stand for those of an entity.
package struct EntityFace: Sendable {
    package let type: any AnyObject.Type
    /// What makes the initial values of its attributes, by their names.
    let initials: [String: @Sendable () -> Slot]

    package init(_ type: any AnyObject.Type, initials: [String: @Sendable () -> Slot] = [:]) {
        self.type = type
        self.initials = initials
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
