// Generated from the model “Ledger”. Do not edit: write your own code in extensions, in other files.
// swift-format-ignore-file
// swiftlint:disable all

public import Foundation
public import TransformableEntities

@TransformableEntities.Entity
public nonisolated final class Task {
    public var date: Date
    @Attribute(.default(0.1)) public var `in`: Decimal = Decimal(string: "0.1")!
    public var `class`: String?
    @Relationship public var `default`: Store?

    public init(date: Date) {
        self.date = date
    }
}
