/// The place of a value in a tree, which is spelled out only for errors.
final class TreePath {
    enum Step {
        case key(any CodingKey)
        case index(Int)

        var key: any CodingKey {
            switch self {
            case .key(let key): key
            case .index(let index): TreeKey(index: index)
            }
        }
    }

    private let parent: TreePath?
    private let step: Step
    /// The number of steps from the top.
    let depth: Int

    init(_ parent: TreePath?, _ step: Step) {
        self.parent = parent
        self.step = step
        depth = (parent?.depth ?? 0) + 1
    }

    var keys: [any CodingKey] { (parent?.keys ?? []) + [step.key] }
}

/// An index in a collection, or `super`.
struct TreeKey: CodingKey {
    let intValue: Int?
    private let name: String

    // Created from the index only when needed, because there is a key for every element.
    var stringValue: String { intValue.map { "[\($0)]" } ?? name }

    init(index: Int) {
        name = ""
        intValue = index
    }

    init(stringValue: String) {
        name = stringValue
        intValue = nil
    }

    init?(intValue: Int) {
        self.init(index: intValue)
    }

    static let parent = Self(stringValue: "super")
}

/// Returns a coding path in readable form, such as `orders[3].name`, or an empty string at the top level.
func describe(_ path: [any CodingKey]) -> String {
    path.reduce(into: "") { text, key in
        if let index = key.intValue {
            text += "[\(index)]"
        } else {
            text += (text.isEmpty ? "" : ".") + key.stringValue
        }
    }
}

/// Limits on structured text and property lists, which protect against malicious input.
enum StructureLimit {
    /// The maximum nesting of arrays and dictionaries, which is that of JSON in Foundation.
    static let depth = 512
    /// The maximum number of values that a property list with shared objects can expand to.
    static let values = 1 << 24
}
