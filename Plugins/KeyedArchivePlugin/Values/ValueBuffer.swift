/// The values that a container holds: one buffer for all copies of the container.
///
/// Values may be nested as deep as memory allows, but Swift frees objects within objects by recursion,
/// which would take a deep value beyond the stack's end. So deep buffers take their content apart.
///
/// `@unchecked`: `values` never changes while anyone can see it. Only `deinit` writes it, in its own buffer and in
/// those to which it holds the only reference.
final class ValueBuffer: @unchecked Sendable {
    /// So few levels are left to Swift.
    private static let harmlessHeight = 64

    static let empty = ValueBuffer([])

    private(set) var values: [ArchivedValue]
    /// How many containers lie within one another, this one included.
    let height: Int

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
