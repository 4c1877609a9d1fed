extension UndoLog {
    /// What a step changes.
    ///
    /// Steps that change the same place are reverted in the opposite order.
    enum Place: Hashable {
        case slot(ObjectIdentifier, Int)
        case state(ObjectIdentifier)
        case pair(PairEdits.Key)
        case refusal(ObjectIdentifier)
    }
}

extension UndoLog.Step {
    var place: UndoLog.Place {
        switch self {
        case .slot(let object, let index, _): .slot(ObjectIdentifier(object), index)
        case .state(let object, _): .state(ObjectIdentifier(object))
        case .pair(let key, _): .pair(key)
        case .refusal(let refusal, _): .refusal(ObjectIdentifier(refusal))
        }
    }
}
