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
