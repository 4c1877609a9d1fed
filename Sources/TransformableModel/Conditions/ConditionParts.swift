/// The paths and comparisons in the text of a condition.
package struct ConditionParts {
    /// A comparison of a term.
    package struct Test {
        /// The names of the path that the term consists of, or `nil` for any other term.
        package let path: [String]?
        package let comparison: Condition.Comparison
    }

    /// The names of all paths, from the object that the condition is about.
    package private(set) var paths: [[String]] = []
    package private(set) var tests: [Test] = []
    /// Returns the part of a path that leads to the objects that a quantifier is about.
    private let quantified: ([String]) -> [String]

    init(_ condition: Condition.Node, quantified: @escaping ([String]) -> [String]) {
        self.quantified = quantified
        add(condition, [])
    }

    /// Adds the parts of a condition on the objects at the end of a path.
    private mutating func add(_ node: Condition.Node, _ start: [String]) {
        switch node {
        case .constant, .refused: break
        case .comparison(let term, let comparison, _):
            add(term, start)
            add(comparison, term.names.map { start + $0 }, start)
        case .quantified(_, let path, let comparison, _):
            let whole = start + path.names
            paths.append(whole)
            add(comparison, whole, quantified(whole))
        case .related(_, let path, let node):
            paths.append(start + path.names)
            add(node, start + path.names)
        case .named(_, let node), .about(_, let node), .not(let node): add(node, start)
        case .and(let nodes), .or(let nodes): for node in nodes { add(node, start) }
        }
    }

    private mutating func add(_ comparison: Condition.Comparison, _ path: [String]?, _ start: [String]) {
        tests.append(Test(path: path, comparison: comparison))
        for case .term(let term) in comparison.operands { add(term, start) }
    }

    private mutating func add(_ term: Term, _ start: [String]) {
        switch term {
        case .path(let path), .summary(_, let path): paths.append(start + path.names)
        case .count(let path, let node):
            paths.append(start + path.names)
            add(node, start + path.names)
        case .constant(.term(let term)), .negative(let term, _), .length(let term), .unwrapped(let term):
            add(term, start)
        case .constant: break
        case .arithmetic(let first, _, let second, _), .coalesced(let first, let second),
            .ifPresent(let first, let second):
            add(first, start)
            add(second, start)
        case .either(let node, let first, let second):
            add(node, start)
            add(first, start)
            add(second, start)
        case .truth(let node): add(node, start)
        }
    }
}

extension Term {
    fileprivate var names: [String]? {
        if case .path(let path) = self { path.names } else { nil }
    }
}
