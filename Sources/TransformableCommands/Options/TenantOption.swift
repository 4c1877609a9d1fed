internal import ArgumentParser
internal import TransformableStore

/// The tenant whose objects a command reads.
struct TenantOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The tenant whose objects to read, or “all”. Required if the model has tenants.",
            valueName: "number"
        )
    )
    var tenant: TenantChoice?

    func validate() throws {
        guard tenant != .shared else {
            throw ValidationError("--tenant shared is only for commands that change objects; all tenants can read them")
        }
    }

    /// Reads from a snapshot of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - body: A closure that reads.
    /// - Returns: The result of `body`.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if a tenant is missing or must not be given,
    ///   `StoreError`, and any error thrown by `body`.
    func read<Result: Sendable>(_ store: Store, _ body: (StoreContext) throws -> Result) throws -> Result {
        try TenantChoice.checked(tenant, for: store).read(store, body)
    }
}

/// Whose objects a command reads or changes.
enum TenantChoice: Hashable {
    /// The model has no tenants.
    case none
    case one(Int64)
    /// The objects that all tenants can read.
    case shared
    case all

    /// Returns the choice for a store.
    ///
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if a tenant is missing or must not be given.
    static func checked(_ choice: Self?, for store: Store) throws(CommandError) -> Self {
        switch (choice, store.model.hasTenants) {
        case (nil, true): throw CommandError(.usage, "the store's model has tenants; name one with --tenant")
        case (_?, false): throw CommandError(.usage, "the store's model has no tenants, so --tenant is not allowed")
        default: return choice ?? .none
        }
    }

    /// Reads from a snapshot of a store.
    func read<Result: Sendable>(_ store: Store, _ body: (StoreContext) throws -> Result) throws -> Result {
        switch self {
        case .none: try store.read(body)
        case .one(let tenant): try store.read(tenant: tenant, body)
        case .shared, .all: try store.readAcrossTenants(body)
        }
    }

    /// Changes a store in a single transaction.
    func write<Result: Sendable>(_ store: Store, _ body: (StoreContext) throws -> Result) throws -> Result {
        switch self {
        case .one(let tenant): try store.write(tenant: tenant, body)
        case .shared: try store.writeShared(body)
        case .none, .all: try store.write(body)
        }
    }

    /// Changes a store, and rolls the changes back.
    func rehearse<Result: Sendable>(
        _ store: Store,
        _ body: (StoreContext) throws -> Result
    ) throws -> (result: Result, changes: ChangeSet) {
        switch self {
        case .one(let tenant): try store.rehearse(tenant: tenant, body)
        case .shared: try store.rehearseShared(body)
        case .none, .all: try store.rehearse(body)
        }
    }
}

extension TenantChoice: ExpressibleByArgument {
    init?(argument: String) {
        switch argument {
        case "shared": self = .shared
        case "all": self = .all
        default:
            guard let number = Int64(argument) else { return nil }
            self = .one(number)
        }
    }
}
