public import Foundation
internal import _PropertyLists

/// An archived `NSIndexPath`.
public struct ArchivedIndexPath: Sendable, Hashable {
    /// The indexes, from the outermost to the innermost.
    public let indexes: [Int]

    /// Creates a path from its indexes.
    public init(_ indexes: [Int]) {
        self.indexes = indexes
    }

    /// Creates an archived path from an index path.
    public init(_ path: IndexPath) {
        indexes = Array(path)
    }

    /// The Foundation index path.
    public var indexPath: IndexPath { IndexPath(indexes: indexes) }
}

extension ArchivedIndexPath: ArchivedCompound {
    static let tag = "$indexPath"

    /// Creates a path from an object, which contains no index, one in a field, or several in data.
    init?(_ instance: ArchivedInstance) {
        guard instance.hasOnly(["NSIndexPathLength", "NSIndexPathValue", "NSIndexPathData"]),
            let count = instance.integer("NSIndexPathLength")
        else { return nil }
        let indexes =
            instance.integer("NSIndexPathValue").map { [$0] }
            ?? instance["NSIndexPathData"]?.data.flatMap(PackedIntegers.decode) ?? []
        guard indexes.count == count else { return nil }
        self.indexes = indexes
    }

    func instance() -> ArchivedInstance {
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = [
            ("NSIndexPathLength", .integer(indexes.count))
        ]
        switch indexes.count {
        case 0: break
        case 1: fields.append(("NSIndexPathValue", .integer(indexes[0])))
        default: fields.append(("NSIndexPathData", .object(.data(PackedIntegers.encode(indexes)))))
        }
        return ArchivedInstance(.known(.indexPath), fields: fields)
    }

    var plain: ArchivedValue {
        .array(ArchivedArray(indexes.map { .integer(Int128($0)) }))
    }

    init?(plain: ArchivedValue) {
        guard let values = plain.array, case let indexes = values.compactMap(\.int), indexes.count == values.count
        else { return nil }
        self.indexes = indexes
    }
}
