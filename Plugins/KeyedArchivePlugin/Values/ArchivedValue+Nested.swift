extension ArchivedValue {
    /// The buffer that contains a container's values.
    var nested: ValueBuffer? {
        switch self {
        case .array(let values), .orderedSet(let values): values.buffer
        case .dictionary(let pairs): pairs.buffer
        case .set(let values): values.buffer
        case .object(let instance): instance.buffer
        case .countedSet, .attributedString, .error, .notification: compound?.nested
        default: nil
        }
    }
}
