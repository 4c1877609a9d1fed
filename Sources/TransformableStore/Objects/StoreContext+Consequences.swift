extension StoreContext {
    /// What a step of the undo log has changed.
    private enum Place: Hashable {
        case slot(ObjectIdentifier, Int)
        case state(ObjectIdentifier)
        case pair(PairEdits.Key)
        case refusal(ObjectIdentifier)

        init(_ step: UndoLog.Step) {
            switch step {
            case .slot(let object, let index, _): self = .slot(ObjectIdentifier(object), index)
            case .state(let object, _): self = .state(ObjectIdentifier(object))
            case .pair(let key, _): self = .pair(key)
            case .refusal(let refusal, _): self = .refusal(ObjectIdentifier(refusal))
            }
        }
    }

    /// Takes back what the delete rules have done since the last save, for they are to be followed anew: some deletions
    /// were given up.
    ///
    /// What was changed again after that, by anything else than the rules, stays.
    ///
    /// - Parameter revived: The objects that are not deleted after all; they are as another context has saved them.
    func takeBackConsequences(for revived: [ManagedObject]) {
        lastPositions = [:]
        let revived = Set(revived.map(ObjectIdentifier.init))
        var overridden: Set<Place> = []
        for entry in undoLog.entries.reversed() {
            if !entry.isByRule {
                overridden.insert(Place(entry.step))
            } else if !overridden.contains(Place(entry.step)) {
                takeBack(entry.step, revived)
            }
        }
    }

    private func takeBack(_ step: UndoLog.Step, _ revived: Set<ObjectIdentifier>) {
        guard case .slot(let object, let index, let slot) = step else {
            _ = revert(step)
            return
        }
        // It was refreshed since, or what was changed of it is given up.
        guard object.isNoted, !revived.contains(ObjectIdentifier(object)) else { return }
        // What was only read is read again: another context may have saved something else.
        let wasRead = slot?.isDirty == false && object.state == .stored && object.entity.attributes[index].cell != nil
        _ = object.replaceSlot(index, wasRead ? nil : slot)
    }
}
