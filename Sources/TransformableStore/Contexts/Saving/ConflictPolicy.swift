/// A policy for objects that were changed in this context, and that another context has saved since they were
/// read.
public struct ConflictPolicy: Sendable {
    enum Kind: Sendable {
        case fail
        case mine
        case theirs
        case merge(@Sendable (MergeConflict) throws -> Void)
    }

    let kind: Kind

    /// The save throws `StoreError` with the code `conflict`, which names the objects, and writes nothing.
    public static let fail = Self(kind: .fail)
    /// Changes made here are saved.
    ///
    /// Attributes that only the other context has changed keep its values.
    public static let mine = Self(kind: .mine)
    /// Changes made by the other context are kept.
    ///
    /// Attributes that were changed only here are saved.
    public static let theirs = Self(kind: .theirs)

    /// Returns a policy that calls a closure to resolve each conflict.
    ///
    /// - Parameter resolve: A closure that resolves a conflict. If it does nothing, the conflict is resolved as by
    ///   ``mine``. If it throws an error, the save throws that error and writes nothing, and the next save calls the
    ///   closure again.
    /// - Returns: The policy.
    public static func merge(_ resolve: @escaping @Sendable (MergeConflict) throws -> Void) -> Self {
        Self(kind: .merge(resolve))
    }
}

/// A conflict between changes to an object made here and in another context.
///
/// The ``object`` shows what would be saved: the changes made here on top of what the other context has saved.
///
/// ```swift
/// context.onConflict = .merge { conflict in
///     guard conflict.kind == .changedByBoth, conflict.theirs.contains("count") else { return }
///     let base = try conflict.base("count", as: Int?.self) ?? 0
///     let theirs = try conflict.theirs("count", as: Int?.self) ?? 0
///     let mine = try conflict.object.value("count", as: Int.self)
///     try conflict.object.setValue(theirs + mine - base, for: "count")
/// }
/// ```
public struct MergeConflict {
    /// The kind of a conflict.
    public enum Kind: Sendable, Hashable {
        /// Both contexts have changed the object.
        case changedByBoth
        /// The object was changed here and deleted by the other context.
        ///
        /// Saving inserts it again, with the same id.
        case deletedByOther
        /// The object was deleted here and changed by the other context.
        ///
        /// Saving deletes it.
        case deletedHere
    }

    /// The object as it would be saved.
    public let object: ManagedObject
    /// The kind of the conflict.
    public let kind: Kind
    /// The attributes and to-one relationships that were changed here.
    public let mine: [String]
    /// The attributes and to-one relationships that the other context has changed.
    public let theirs: [String]
    let baseRow: PackedRow
    /// The version of this row, or `nil` if it was not read.
    let baseVersion: Int64?
    let theirRow: PackedRow?
    let theirVersion: Int64

    /// Returns the value that an attribute or to-one relationship had before either change.
    ///
    /// - Parameters:
    ///   - name: The name of the attribute or relationship.
    ///   - type: The type of its values, as an optional. For a relationship, this is `ObjectID?`.
    /// - Returns: The value, or `nil` if there was none.
    /// - Throws: `StoreError` with the code `conflict` for a large value, because the file contains only the
    ///   newer one, or with the code `wrong-type`, `undecodable`, or
    ///   `unknown-attribute`.
    public func base<Value>(_ name: String, as type: Value?.Type) throws -> Value? {
        try value(name, in: baseRow)
    }

    /// Returns the value of an attribute or to-one relationship that the other context has saved.
    ///
    /// - Parameters:
    ///   - name: The name of the attribute or relationship.
    ///   - type: The type of its values, as an optional. For a relationship, this is `ObjectID?`.
    /// - Returns: The value, or `nil` if there is none or if the object has been deleted.
    /// - Throws: `StoreError` with the code `wrong-type`, `undecodable`, or
    ///   `unknown-attribute`.
    public func theirs<Value>(_ name: String, as type: Value?.Type) throws -> Value? {
        guard let theirRow else { return nil }
        return try value(name, in: theirRow)
    }

    private func value<Value>(_ name: String, in row: PackedRow) throws -> Value? {
        if let relationship = object.entity.relationships.first(where: { $0.name == name && $0.hasColumn }) {
            if Value.self == ObjectID.self { return try destination(of: relationship, in: row) as? Value }
            // A reference to a single entity is also an attribute, whose value is a number.
            guard !relationship.leadsToFamily else { throw wrongType(name, Value.self) }
        }
        let attribute = try object.entity.attribute(name)
        guard attribute.cell != nil else { return nil }
        let slot = try slot(attribute, in: row)
        if let slot = slot as? ValueSlot<Value> { return slot.value }
        return try object.converted(slot, attribute)
    }

    /// Returns the object that a relationship leads to in a row.
    private func destination(of relationship: StoredRelationship, in row: PackedRow) throws -> ObjectID? {
        for part in relationship.parts {
            guard case .column(let index) = part.storage else { continue }
            let slot = try slot(object.entity.attributes[index], in: row)
            if let slot = slot as? ValueSlot<Int64> {
                return ObjectID(entity: part.destination, number: slot.value)
            }
        }
        return nil
    }

    private func slot(_ attribute: StoredAttribute, in row: PackedRow) throws -> Slot {
        let slot = try object.load(attribute, from: row)
        if let failure = slot.failure { throw failure }
        return slot
    }

    private func wrongType(_ name: String, _ type: any Any.Type) -> StoreError {
        StoreError(
            .wrongType,
            "it refers to an object, which is not of type \(type); read it as “ObjectID?”",
            entity: object.entity.name,
            attribute: name
        )
    }

    /// Discards the changes made here.
    ///
    /// The parts of a composite are discarded together.
    ///
    /// - Parameter name: The name of the attribute or relationship, or `nil` for the whole object, which is then deleted
    ///   if the other context has deleted it.
    /// - Throws: `StoreError` with the code `unknown-attribute` if there is no such attribute or relationship.
    public func takeTheirs(_ name: String? = nil) throws {
        guard let name else { return object.takeTheirs(isGone: theirRow == nil) }
        for attribute in try object.entity.merged(with: name) { _ = object.replaceSlot(attribute.index, nil) }
    }
}

@available(*, unavailable)
extension MergeConflict: Sendable {}
