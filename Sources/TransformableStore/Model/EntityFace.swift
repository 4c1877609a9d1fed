/// The class whose objects stand for those of an entity.
package struct EntityFace: Sendable {
    package let type: any AnyObject.Type

    package init(_ type: any AnyObject.Type) {
        self.type = type
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
