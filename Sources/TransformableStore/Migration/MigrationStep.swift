/// Code that a program runs when a file is migrated to a newer version of its model.
///
/// ```swift
/// let step = MigrationStep(from: 1, to: 2) { migration in
///     try migration.context.forEach("Patient") { patient in
///         let name = try migration.oldValue("fullName", of: patient, as: String.self)
///         try patient.setValue(name.split(separator: " ").last.map(String.init) ?? name, for: "lastName")
///     }
/// }
/// let store = try Store(at: url, model: model, transformers: registry, migrations: [step])
/// ```
///
/// If the type of an attribute changes, a step must read the old values or ignore them intentionally with
/// ``MigrationContext/leaveOldValues(_:of:)``. Otherwise the migration fails.
///
/// Steps run after entities and attributes were added, renamed, and dropped, in the same transaction. If a step throws
/// an error, the file is left unchanged. A file that is several versions behind runs all steps in between, in order.
/// All of them use the objects of the newest model. Steps must not overlap, except that several steps can be for the
/// same versions. They run in the order in which they are given. Hooks do not run in a step, except `awakeFromFetch()`
/// of a class.
///
/// If the model has tenants, a step runs once for each tenant that has objects, and its context is limited to that
/// tenant. Only a step that was created with ``shared(from:to:_:)`` can change shared objects.
public struct MigrationStep: Sendable {
    /// The version of the files that the step applies to.
    public let from: Int
    /// The version that the step migrates to.
    public let to: Int
    /// Whether the step is for the shared objects of a model with tenants.
    let isShared: Bool
    let body: @Sendable (MigrationContext) throws -> Void

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - from: The version of the files that the step applies to.
    ///   - to: The version that the step migrates to, which must be higher.
    ///   - body: A closure that changes objects.
    public init(from: Int, to: Int, _ body: @escaping @Sendable (MigrationContext) throws -> Void) {
        self.init(from: from, to: to, isShared: false, body)
    }

    private init(
        from: Int,
        to: Int,
        isShared: Bool,
        _ body: @escaping @Sendable (MigrationContext) throws -> Void
    ) {
        self.from = from
        self.to = to
        self.isShared = isShared
        self.body = body
    }

    /// Creates a step that changes the shared objects of a model with tenants.
    ///
    /// The step runs once, and cannot see the objects of any tenant.
    ///
    /// - Parameters:
    ///   - from: The version of the files that the step applies to.
    ///   - to: The version that the step migrates to, which must be higher.
    ///   - body: A closure that changes shared objects.
    /// - Returns: The step. A migration throws `StoreError` with the code `misuse` if the model has no tenants.
    public static func shared(
        from: Int,
        to: Int,
        _ body: @escaping @Sendable (MigrationContext) throws -> Void
    ) -> MigrationStep {
        MigrationStep(from: from, to: to, isShared: true, body)
    }
}

/// A program's migration steps.
///
/// A file runs those between its version and the model's.
struct MigrationSteps {
    private let list: [MigrationStep]

    /// Creates a list of steps.
    ///
    /// - Throws: `StoreError` with the code `misuse` if a step does not lead to a higher version, or if
    ///   steps overlap without being for the same versions.
    init(_ list: [MigrationStep]) throws(StoreError) {
        let sorted = list.enumerated().sorted { ($0.element.from, $0.offset) < ($1.element.from, $1.offset) }
        self.list = sorted.map(\.element)
        for step in self.list where step.to <= step.from {
            throw StoreError(.misuse, "\(step.name) does not lead to a higher version")
        }
        for (earlier, later) in zip(self.list, self.list.dropFirst()) where later.from < earlier.to {
            guard later.from != earlier.from || later.to != earlier.to else { continue }
            throw StoreError(
                .misuse,
                "\(earlier.name) and \(later.name) overlap; let each step begin where the previous one ends"
            )
        }
    }

    /// Returns the steps for a file that is migrated from one version to another, in order.
    func applicable(from old: Int, to new: Int) -> [MigrationStep] {
        list.filter { $0.from >= old && $0.to <= new }
    }
}

extension MigrationStep {
    var name: String { "the migration step from version \(from) to \(to)" }
}
