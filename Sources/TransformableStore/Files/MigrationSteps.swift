/// The steps of a program, of which a file takes those between its version and the model's.
struct MigrationSteps {
    private let list: [MigrationStep]

    /// Checks the steps.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/misuse`` if one leads to an earlier version or to the same one, or if two
    ///   overlap without being for the same versions.
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
                "\(earlier.name) and \(later.name) overlap; let each begin where the one before it ends"
            )
        }
    }

    /// The steps for a file of a version on its way to another one, in their order.
    func applicable(from old: Int, to new: Int) -> [MigrationStep] {
        list.filter { $0.from >= old && $0.to <= new }
    }
}

extension MigrationStep {
    fileprivate var name: String { "the migration step from version \(from) to \(to)" }
}
