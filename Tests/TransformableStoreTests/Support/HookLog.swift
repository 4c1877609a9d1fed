import Synchronization
import Transformable
import TransformableStore

/// The hooks that were run, in their order.
final class HookLog: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}

extension EntityHooks {
    /// Returns hooks that do nothing but note that they were run.
    static func logging(to log: HookLog) -> EntityHooks {
        var hooks = EntityHooks()
        let note: @Sendable (String) -> Hook = { what in
            { log.add("\(what) \($0.id)") }
        }
        hooks.awakeFromInsert = note("awake-from-insert")
        hooks.awakeFromFetch = note("awake-from-fetch")
        hooks.willSave = note("will-save")
        hooks.didSave = note("did-save")
        hooks.prepareForDeletion = note("prepare")
        hooks.validateForInsert = note("validate-insert")
        hooks.validateForUpdate = note("validate-update")
        hooks.validateForDelete = note("validate-delete")
        return hooks
    }
}

extension Store {
    /// Returns a store of patients, visits, and doctors, with the hooks of each entity.
    static func clinic(hooks: [String: EntityHooks], rule: DeleteRule = .cascade) throws -> Store {
        try Store.trial(model: RelationshipTests.clinic(rule), transformers: Transformers().registry(), hooks: hooks)
    }
}
