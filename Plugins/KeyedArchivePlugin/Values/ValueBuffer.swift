/// The values of a container, which all copies of the container share.
///
/// Values can be nested as deeply as memory allows, but Swift frees nested objects recursively, which would overflow
/// the stack. Therefore, deep buffers dismantle their contents.
///
/// `@unchecked`: `values` never changes while other code can access it. Only `deinit` modifies it, in its own buffer
/// and in those to which it has the only reference.
final class ValueBuffer: @unchecked Sendable {
    /// The nesting up to which Swift can free objects recursively.
    private static let harmlessHeight = 64

    static let empty = ValueBuffer([])

    private(set) var values: [ArchivedValue]
    /// The nesting of containers, including this one.
    private let height: Int

    init(_ values: [ArchivedValue]) {
        self.values = values
        var highest = 0
        for value in values {
            if let nested = value.nested { highest = max(highest, nested.height) }
        }
        height = highest + 1
    }

    deinit {
        guard height > Self.harmlessHeight else { return }
        var pending = [values]
        values = []
        while var values = pending.popLast() {
            for index in values.indices {
                guard var nested = values[index].nested, nested.height > Self.harmlessHeight else { continue }
                values[index] = .null
                guard isKnownUniquelyReferenced(&nested) else { continue }
                pending.append(nested.values)
                nested.values = []
            }
        }
    }
}

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
