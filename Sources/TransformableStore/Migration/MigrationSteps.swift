/// A program's migration steps.
///
/// A file runs those between its version and the model's.
package struct MigrationSteps {
    private let list: [MigrationStep]

    /// Creates a list of steps.
    ///
    /// - Throws: `StoreError` with the code `misuse` if a step does not lead to a higher version, or if
    ///   steps overlap without being for the same versions.
    package init(_ list: [MigrationStep]) throws(StoreError) {
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
    fileprivate var name: String { "the migration step from version \(from) to \(to)" }
}
