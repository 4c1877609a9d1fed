/// The rows that lead to deleted objects, while the delete rules of one object after the other are applied.
///
/// They are read for many objects at a time. Nothing is written in the meantime.
final class DoomedRows {
    private struct Key: Hashable {
        let entity: Int
        let number: Int64

        init(_ object: ManagedObject) {
            entity = object.entity.index
            number = object.number
        }
    }

    // The maximum number of objects that one statement reads for.
    private static let mostObjects = 256
    /// The number of objects that are looked at to find those.
    static let window = 1024

    // Returns the objects whose turn comes next, in their order.
    private let upcoming: () -> [ManagedObject]
    private var current: ManagedObject?
    // The rows, by the statements that read them for one object.
    private var lists: [Key: [String: [PackedRow]]] = [:]
    // The objects of these rows that are about to be deleted as well, which have been read together.
    private var members: [ManagedObject] = []

    init(_ upcoming: @escaping () -> [ManagedObject]) {
        self.upcoming = upcoming
    }

    /// Begins an object's turn, and forgets the rows that lead to the one before it.
    func begin(_ object: ManagedObject) {
        if let current { lists[Key(current)] = nil }
        current = object
    }

    /// Retains objects that have been read before their turn.
    func keep(_ objects: [ManagedObject]) {
        members += objects
    }

    /// Returns the rows that lead to an object, or `nil` if it is not the object's turn.
    ///
    /// - Parameters:
    ///   - sql: The statement that reads them.
    ///   - object: The object.
    ///   - read: Reads the rows that lead to several objects of the same entity.
    /// - Returns: The rows.
    /// - Throws: Errors thrown by `read`.
    func rows(
        _ sql: String,
        to object: ManagedObject,
        _ read: ([Int64]) throws -> [Int64: [PackedRow]]
    ) rethrows -> [PackedRow]? {
        guard object === current else { return nil }
        if let list = lists[Key(object)]?[sql] { return list }
        let others = upcoming().filter { $0.entity === object.entity && lists[Key($0)]?[sql] == nil }
        let objects = [object] + others.prefix(Self.mostObjects - 1)
        let found = try read(objects.map(\.number))
        for other in objects { lists[Key(other), default: [:]][sql] = found[other.number] ?? [] }
        return found[object.number] ?? []
    }
}

@available(*, unavailable)
extension DoomedRows: Sendable {}
