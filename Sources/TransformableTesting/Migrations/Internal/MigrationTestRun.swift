internal import TransformableStore

/// A run of a migration test.
struct MigrationTestRun {
    private let test: MigrationTest
    private(set) var result = MigrationTestResult()

    init(_ test: MigrationTest) {
        self.test = test
    }

    mutating func run() throws {
        for version in test.startVersions {
            let start = try test.makeStart(version)
            let old = try test.model(version)
            let before = try test.withStore(start, old) { try StoreContents($0) }
            // The store that was migrated through every version, as long as that succeeds.
            var stepwise: StoreFolder? = try start.copy()
            let later = test.models.filter { $0.version > version }
            for (index, new) in later.enumerated() {
                let direct = try migrate(start, old, to: new, before)
                guard let folder = stepwise else { continue }
                // The first step is the direct migration once more.
                stepwise = step(folder, old, to: new, isReported: direct == nil || index == 0)
                if let direct, let stepwise { compare(direct, stepwise, old, new) }
            }
        }
    }

    private mutating func note(_ law: MigrationLaw, _ old: Model, _ new: Model, _ message: String) {
        let violation = MigrationViolation(
            law: law,
            oldVersion: old.version,
            newVersion: new.version,
            message: message
        )
        result.violations.append(violation)
    }

    // MARK: - One migration

    /// The result of a migration.
    private struct Arrival {
        let contents: StoreContents
        let ignored: Set<String>
    }

    private mutating func migrate(
        _ start: StoreFolder,
        _ old: Model,
        to new: Model,
        _ before: StoreContents
    ) throws -> Arrival? {
        let folder = try start.copy()
        let plan = try test.plan(folder, new)
        let contents: StoreContents
        do {
            contents = try test.withStore(folder, new) { store in
                for fault in try store.verify().faults.prefix(3) { note(.soundness, old, new, "\(fault)") }
                return try StoreContents(store)
            }
        } catch {
            let isPlanned = plan.refusals.isEmpty ? "; the plan contains no refusal" : ""
            note(.opens, old, new, "\(error)\(isPlanned)")
            return nil
        }
        for refusal in plan.refusals {
            note(.plan, old, new, "the plan refuses this, but the migration did it: \(refusal)")
        }
        let again = try test.withStore(folder, new) { try StoreContents($0) }
        for difference in again.differences(from: contents, ignoring: []).prefix(1) {
            note(.repetition, old, new, "after opening the store again, \(difference)")
        }
        let comparable = try test.comparable(start, before, plan, from: old, to: new)
        let report = MigrationReport(plan, from: (old, comparable), to: (new, contents))
        result.reports.append(report)
        let arrival = Arrival(contents: contents, ignored: ignored(in: new, report))
        try kill(start, old, new, before, arrival)
        return arrival
    }

    private mutating func kill(
        _ start: StoreFolder,
        _ old: Model,
        _ new: Model,
        _ before: StoreContents,
        _ arrival: Arrival
    ) throws {
        let check = KillCheck(
            test: test,
            start: start,
            old: old,
            new: new,
            before: before,
            after: arrival.contents,
            ignored: arrival.ignored
        )
        for fault in try check.run().prefix(3) { note(.kills, old, new, fault) }
    }

    /// Returns the attributes with unpredictable values: those that the test names, new attributes that default to a UUID
    /// or the current time, and dates of change.
    private func ignored(in model: Model, _ report: MigrationReport) -> Set<String> {
        var ignored = test.unpredictable
        for entity in model.entities where !entity.isAbstract {
            for attribute in model.attributes(of: entity.name)
            where attribute.defaultValue == .newUUID || attribute.defaultValue == .now
                || attribute.derivation == .dateOfChange
            {
                let entry = report.entry(entity.name, attribute.name)
                if let entry, entry.added > 0 || entry.changed > 0 {
                    ignored.insert("\(entity.name).\(attribute.name)")
                }
            }
        }
        return ignored
    }

    // MARK: - By way of other versions

    private static let path = "when the store is migrated through the versions in between"

    /// Migrates a store to the next version, or returns nil if that fails.
    ///
    /// If the direct migration fails as well, or is the same, that is what is reported.
    private mutating func step(
        _ folder: StoreFolder,
        _ old: Model,
        to new: Model,
        isReported: Bool
    ) -> StoreFolder? {
        do {
            try test.withStore(folder, new) { _ in }
            return folder
        } catch {
            if !isReported { note(.paths, old, new, "\(error), \(Self.path)") }
            return nil
        }
    }

    private mutating func compare(_ direct: Arrival, _ stepwise: StoreFolder, _ old: Model, _ new: Model) {
        do {
            let contents = try test.withStore(stepwise, new) { try StoreContents($0) }
            let differences = contents.differences(from: direct.contents, ignoring: direct.ignored)
            for difference in differences.prefix(3) {
                note(.paths, old, new, "\(difference) \(Self.path)")
            }
        } catch {
            note(.paths, old, new, "\(error), \(Self.path)")
        }
    }
}
