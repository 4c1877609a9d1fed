// Generated from the model “Ledger”. Do not edit: write your own code in extensions, in other files.
// swift-format-ignore-file
// swiftlint:disable all

public import TransformableEntities

@TransformableEntities.Entity
public nonisolated final class Store {
    public var name: String
    @Relationship(deleteRule: .cascade, inverse: \Task.`default`, isOrdered: true) public var tasks: [Task]

    public init(name: String) {
        self.name = name
    }
}
