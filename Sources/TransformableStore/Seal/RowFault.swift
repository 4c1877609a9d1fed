internal import Transformable

/// A row whose tag does not match or cannot be checked.
///
/// SQLite carries the fault as text from a function to the statement's error.
package struct RowFault: Error {
    package enum Kind: String {
        case forged
        case missingKey = "missing-key"
        case retiredKey = "retired-key"
        case sharedKey = "shared-key"
    }

    private static let label = "transformable row"

    let kind: Kind
    /// The key's identifier, or an empty string if it does not matter.
    let key: String
    let object: ObjectID

    package init(_ kind: Kind, _ key: String, _ seal: RowSeal, of number: Int64) {
        self.kind = kind
        self.key = key
        object = ObjectID(entity: seal.name, number: number)
    }

    /// Reads the text of a fault, or returns `nil` if the text is not one.
    package init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0] == Self.label, let kind = Kind(rawValue: parts[1]),
            let number = Int64(parts[3])
        else { return nil }
        self.kind = kind
        key = parts[2]
        object = ObjectID(entity: parts[4], number: number)
    }

    package var text: String {
        [Self.label, kind.rawValue, key, "\(object.number)", object.entity].joined(separator: ":")
    }

    /// Returns the error of the key that the tag names.
    fileprivate func cause(_ message: String) -> TransformerError {
        var cause = TransformerError(TransformerError.Code(rawValue: kind.rawValue), message)
        cause.key = key.isEmpty ? nil : key
        return cause
    }
}

extension StoreError {
    /// The error of a row that a server sent in place of the requested one.
    static func otherRow(than object: ObjectID) -> Self {
        let message = "the server sent a row of a different object than the one that was requested"
        return Self(.unauthenticatedRow, message, entity: object.entity, object: object)
    }

    private static let way = """
        restore a backup or, if you trust the rows as they are, accept them once with “store seal --accept-rows” (in \
        code: open the store for writing with “acceptsUnauthenticatedRows”)
        """

    /// Creates the error of a row.
    package init(_ fault: RowFault) {
        switch fault.kind {
        case .forged:
            let message = "the row does not match its tag, so it was changed without the store's key"
            self.init(.unauthenticatedRow, "\(message); \(Self.way)", entity: fault.object.entity, object: fault.object)
        case .sharedKey:
            let message = "the row's tag was made with the key \(fault.key), which others have too"
            self.init(
                .unauthenticatedRow,
                "\(message); \(Self.way)",
                entity: fault.object.entity,
                object: fault.object,
                underlying: fault.cause("the key is shared with others")
            )
        case .missingKey, .retiredKey:
            let isRetired = fault.kind == .retiredKey
            self.init(
                .unauthenticatedRow,
                fault.key.isEmpty ? Self.unwritable : Self.uncheckable(fault.key, isRetired: isRetired),
                entity: fault.object.entity,
                object: fault.object,
                underlying: fault.cause("the key is \(isRetired ? "retired" : "missing")")
            )
        }
    }

    private static let unwritable = "the row cannot be authenticated without a key; open the store with the right keys"

    /// Describes a row whose tag names a key that this program lacks.
    ///
    /// Such a tag may be genuine, but anyone can write another identifier in front of it.
    private static func uncheckable(_ key: String, isRetired: Bool) -> String {
        let (state, cause, remedy) =
            isRetired
            ? ("retired", "the key was retired too early", "reactivate the key (“keys retire --undo”)")
            : ("missing", "the key ring is outdated", "open the store with a ring that has it. If none has, \(way)")
        let message = "the row cannot be checked, because its tag names the key \(key), which is \(state) here"
        return "\(message): either \(cause), or the row was changed without the store's key; \(remedy)"
    }

    /// The error for opening a store for writing whose rows cannot be written without a key.
    static func unwritableRows(of entity: String) -> Self {
        Self(
            .unauthenticatedRow,
            "its rows are authenticated, so writing them requires a secret key; open the store with one, or as read-only",
            entity: entity,
            underlying: TransformerError(TransformerError.Code(rawValue: "missing-key"), "the key is missing")
        )
    }
}
