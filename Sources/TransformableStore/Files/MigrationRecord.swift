internal import GRDB

/// What a migration has to hand over to the steps of a program, and which of that they have taken.
final class MigrationRecord {
    /// What the file said about itself.
    let old: Metadata
    let succession: Succession
    /// The steps that are on the file's way.
    let steps: [MigrationStep]
    /// Where references of the file have gone.
    private(set) var references: ReferenceSuccession
    /// The relationships that cannot have all references of the file.
    private(set) var faults: [ReferenceFaults.Fault] = []
    /// The columns that steps have read, by the numbers of their attributes, or have left aside on purpose.
    private var attributes: Set<UInt32> = []
    /// The same for the links of the file.
    private var links: Set<Int> = []

    init(from old: Metadata, to model: Model, _ steps: [MigrationStep]) {
        self.old = old
        self.steps = steps
        succession = Succession(from: old.model, to: model, hasSteps: !steps.isEmpty)
        references = ReferenceSuccession(succession)
    }

    /// Finds out which relationships cannot have all references of the file.
    func findFaults(on database: Database) throws {
        faults = try ReferenceFaults(references: references, database: database).find()
        references.crowded = Set(faults.flatMap(\.crowd))
    }

    /// Throws if it is not clear what continues what, or if references would be lost or missing, and there is no step that
    /// may say what becomes of that.
    func requireMigration(on database: Database) throws {
        try succession.requireClearNames()
        try findFaults(on: database)
        guard let fault = faults.first, steps.isEmpty else { return }
        var error = fault.error
        error.faults = faults.dropFirst().map(\.error.description)
        throw error
    }

    /// Notes that a step knows about the old values of an attribute.
    func take(_ attribute: UInt32) {
        attributes.insert(attribute)
    }

    func isTaken(_ attribute: UInt32) -> Bool {
        attributes.contains(attribute)
    }

    /// Notes that a step knows about the references of a link of the file.
    func take(link: Int) {
        links.insert(link)
    }

    /// The first relationship whose references are lost without a step's knowledge; nil if there is none.
    var untaken: ReferenceFaults.Fault? {
        faults.first { fault in !fault.links.allSatisfy(links.contains) }
    }
}
