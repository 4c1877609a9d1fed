// Generated from the model “Ledger”. Do not edit: write your own code in extensions, in other files.
// swift-format-ignore-file
// swiftlint:disable all

public import TransformableEntities

@TransformableEntities.Entity
public nonisolated final class Model {
    public var type: String = ""

    public init() {}
}
