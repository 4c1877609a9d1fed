/// What a context is for.
enum ContextPurpose {
    /// A block that only reads.
    case reading
    /// A block whose changes are saved at its end.
    case writing
    /// A block whose transaction is rolled back at its end, because only its changes are of interest.
    case rehearsing
    /// A step of a migration.
    case migrating(MigrationRecord)
    /// A block that inserts objects as they were exported.
    case importing
    /// Changes over a long time, rather than one block.
    case editing
    /// Objects that are configured and encoded on a separate thread, without a file.
    case detached

    var isEditing: Bool {
        if case .editing = self { true } else { false }
    }

    /// Returns a Boolean value that indicates whether a context with this purpose can change objects of a store.
    func allowsChanges(in store: Store) -> Bool {
        switch self {
        case .reading: false
        case .editing: !store.isReadOnly
        case .writing, .rehearsing, .migrating, .importing, .detached: true
        }
    }
}

extension StoreContext {
    /// Whether the context was created for editing, rather than for one block.
    public var isEditing: Bool { purpose.isEditing }

    /// Whether values must obey the rules of the model.
    ///
    /// Those of an import need not, because rules can change at any time.
    var checksRules: Bool {
        if case .importing = purpose { false } else { true }
    }

    /// The migration whose steps use the context, or `nil` if there is none.
    var migration: MigrationRecord? {
        if case .migrating(let record) = purpose { record } else { nil }
    }

    /// Whether the transaction will be rolled back, because only its changes are of interest.
    var isRehearsal: Bool {
        if case .rehearsing = purpose { true } else { false }
    }
}
