/// What becomes of an object that was changed here, and saved by another context since it was read here.
public struct ConflictPolicy: Sendable {
    enum Kind: Sendable {
        case fail
        case mine
        case theirs
        case merge(@Sendable (MergeConflict) throws -> Void)
    }

    let kind: Kind

    /// The save throws ``StoreError/Code/conflict``, naming the objects, and writes nothing.
    public static let fail = Self(kind: .fail)
    /// What was changed here is saved, and what only the other has changed stays.
    public static let mine = Self(kind: .mine)
    /// What the other has changed stays, and what was only changed here is saved.
    public static let theirs = Self(kind: .theirs)

    /// A rule of the program's own.
    ///
    /// - Parameter resolve: Looks at a conflict and settles it; without its doing ``mine`` holds.
    /// - Returns: The policy.
    public static func merge(_ resolve: @escaping @Sendable (MergeConflict) throws -> Void) -> Self {
        Self(kind: .merge(resolve))
    }
}

/// An object that was changed here and elsewhere, while a save settles that.
///
/// The ``object`` shows what would be saved: what was changed here, over what the other has saved.
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
    /// Who did what.
    public enum Kind: Sendable, Hashable {
        /// Both have changed the object.
        case changedByBoth
        /// It was changed here, and the other has deleted it; saving makes it anew, under its id.
        case deletedByOther
        /// It was deleted here, and the other has changed it; saving deletes it.
        case deletedHere
    }

    /// The object, as it would be saved.
    public let object: ManagedObject
    /// Who did what.
    public let kind: Kind
    /// The attributes that were changed here.
    public let mine: [String]
    /// The attributes that the other has changed.
    public let theirs: [String]
    let baseRow: PackedRow
    let theirRow: PackedRow?

    /// Gives the value that an attribute had before either change.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The type of its values, as an optional.
    /// - Returns: The value; nil if there was none.
    /// - Throws: ``StoreError``: ``StoreError/Code/conflict`` for a large value, of which the file has the newer one
    ///   only, ``StoreError/Code/wrongType``, ``StoreError/Code/undecodable`` or ``StoreError/Code/unknownAttribute``.
    public func base<Value>(_ name: String, as type: Value?.Type) throws -> Value? {
        try value(name, in: baseRow)
    }

    /// Gives the value that the other has saved.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The type of its values, as an optional.
    /// - Returns: The value; nil if there is none, or no object any more.
    /// - Throws: ``StoreError``: ``StoreError/Code/wrongType``, ``StoreError/Code/undecodable`` or
    ///   ``StoreError/Code/unknownAttribute``.
    public func theirs<Value>(_ name: String, as type: Value?.Type) throws -> Value? {
        guard let theirRow else { return nil }
        return try value(name, in: theirRow)
    }

    private func value<Value>(_ name: String, in row: PackedRow) throws -> Value? {
        let attribute = try object.entity.attribute(name)
        guard attribute.cell != nil else { return nil }
        let slot = try object.load(attribute, from: row)
        if let failure = slot.failure { throw failure }
        if let slot = slot as? ValueSlot<Value> { return slot.value }
        return try object.converted(slot, attribute)
    }

    /// Gives up what was changed here.
    ///
    /// - Parameter name: The attribute's name; nil for the whole object, which is then deleted or not as the
    ///   other has it.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownAttribute``.
    public func takeTheirs(_ name: String? = nil) throws {
        guard let name else { return object.takeTheirs(isGone: theirRow == nil) }
        let attribute = try object.entity.attribute(name)
        _ = object.replaceSlot(attribute.index, nil)
    }
}

@available(*, unavailable)
extension MergeConflict: Sendable {}
