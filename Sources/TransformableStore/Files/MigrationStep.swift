/// What a program does itself when a file comes to a newer version of its model.
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
/// Where an attribute gets another type, some step on the way has to read its old values, or to leave them on purpose
/// (``MigrationContext/leaveOldValues(_:of:)``); otherwise the migration fails.
///
/// Steps run after entities and attributes were added, renamed and dropped, in the same transaction: if one
/// throws, the file is as it was. A file that is several versions behind takes all steps on its way, in order;
/// each works with the objects of the newest model. Steps must not overlap, unless they are for the same versions: these
/// run in the order in which they are given.
public struct MigrationStep: Sendable {
    /// The version of the files that the step is for.
    public let from: Int
    /// The version that it brings them to.
    public let to: Int
    let body: @Sendable (MigrationContext) throws -> Void

    /// Describes a step.
    ///
    /// - Parameters:
    ///   - from: The version of the files that the step is for.
    ///   - to: The version that it brings them to, which is a higher one.
    ///   - body: Changes objects.
    public init(from: Int, to: Int, _ body: @escaping @Sendable (MigrationContext) throws -> Void) {
        self.from = from
        self.to = to
        self.body = body
    }
}
