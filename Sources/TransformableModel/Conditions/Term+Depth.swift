extension Term {
    /// The number of terms and conditions on the longest way into the term, which includes the term itself.
    var depth: Int {
        switch self {
        case .path, .constant, .summary: 1
        case .arithmetic(let first, _, let second, _), .coalesced(let first, let second),
            .ifPresent(let first, let second):
            1 + max(first.depth, second.depth)
        case .negative(let term, _), .length(let term), .unwrapped(let term): 1 + term.depth
        case .count(_, let node), .truth(let node): 1 + node.depth
        case .either(let node, let first, let second): 1 + max(node.depth, first.depth, second.depth)
        }
    }
}

extension Condition.Node {
    /// The number of terms and conditions on the longest way into the condition, which includes the condition itself.
    fileprivate var depth: Int {
        switch self {
        case .constant, .refused: 1
        case .comparison(let term, let comparison, _): 1 + max(term.depth, comparison.depth)
        case .quantified(_, _, let comparison, _): 1 + comparison.depth
        case .related(_, _, let node), .named(_, let node), .about(_, let node), .not(let node): 1 + node.depth
        case .and(let nodes), .or(let nodes): 1 + (nodes.lazy.map(\.depth).max() ?? 0)
        }
    }
}

extension Condition.Comparison {
    fileprivate var depth: Int {
        operands.lazy.map { if case .term(let term) = $0 { term.depth } else { 0 } }.max() ?? 0
    }
}
