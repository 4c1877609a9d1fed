extension StoreContext {
    /// The place of a change in the undo log.
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

    /// Reverts what the delete rules have done since the last save, so that they can be applied again after some
    /// deletions were given up.
    ///
    /// If something other than the rules has made a later change, that change is kept.
    ///
    /// - Parameter revived: The objects that are not deleted after all. They are as another context has saved them.
    func takeBackConsequences(for revived: [ManagedObject]) {
        links.forgetPositions()
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
        // The object has been refreshed since then, or its changes are given up.
        guard object.isNoted, !revived.contains(ObjectIdentifier(object)) else { return }
        // Values that were only read are read again, because another context may have saved others.
        let wasRead = slot?.isDirty == false && object.state == .stored && object.entity.attributes[index].cell != nil
        _ = object.replaceSlot(index, wasRead ? nil : slot)
    }
}
