extension StoreContext {
    /// Reverts what the delete rules have done since the last save, so that they can be applied again after some
    /// deletions were given up.
    ///
    /// If something other than the rules has made a later change, that change is kept.
    ///
    /// - Parameter revived: The objects that are not deleted after all. They are as another context has saved them.
    func takeBackConsequences(for revived: [ManagedObject]) {
        links.forgetPositions()
        let revived = Set(revived.map(ObjectIdentifier.init))
        var overridden: Set<UndoLog.Place> = []
        for entry in undoLog.entries.reversed() {
            if !entry.isByRule {
                overridden.insert(entry.step.place)
            } else if !overridden.contains(entry.step.place) {
                takeBack(entry.step, revived)
            }
        }
        // They have no row to delete, but what led to them leads to them again.
        for object in work.changed where object.state == .gone { work.noteDeletion(object) }
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
