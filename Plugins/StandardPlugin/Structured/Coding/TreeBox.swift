internal import Foundation
internal import Transformable

/// A part of a tree while it is encoded; containers share it by reference.
final class TreeBox<Tree: CodingTree> {
    enum Content {
        case empty
        case value(Tree)
        case array([Part])
        case keyed([(name: String, part: Part)])
    }

    /// What a container holds: a finished value, or one that is still being encoded.
    enum Part {
        case tree(Tree)
        case box(TreeBox)

        func tree(depth: Int) throws -> Tree {
            switch self {
            case .tree(let tree): tree
            case .box(let box): try box.tree(depth: depth)
            }
        }
    }

    /// In which order the elements of an array stand.
    enum Order {
        /// As they were encoded.
        case given
        /// Sorted, since they are a set's.
        case elements
        /// Sorted in pairs of key and value, since they are a dictionary's.
        case pairs
    }

    var content: Content = .empty
    var order: Order = .given

    init() {}

    /// Adds an element; the array is taken out meanwhile, so that it is not copied.
    func append(_ part: Part) {
        guard case .array(var parts) = content else { return }
        content = .empty
        parts.append(part)
        content = .array(parts)
    }

    /// Adds a member; of two with one name the later one counts.
    func append(_ part: Part, named name: String) {
        guard case .keyed(var members) = content else { return }
        content = .empty
        members.append((name, part))
        content = .keyed(members)
    }

    /// Notes that a collection without an order has been encoded, so that equal ones give equal trees.
    func noteOrder<Value>(of value: Value) {
        guard case .array = content else { return }
        if value is any UnorderedElements {
            order = .elements
        } else if value is any UnorderedPairs {
            order = .pairs
        }
    }

    /// The finished tree; a value that encoded nothing is an empty dictionary.
    func tree(depth: Int = 0) throws -> Tree {
        guard depth <= StructureLimit.depth else {
            throw TransformerError.limitExceeded("\(Tree.formatName) nests at most \(StructureLimit.depth) deep")
        }
        switch content {
        case .empty: return .keyed([:])
        case .value(let tree): return tree
        case .array(let parts): return .array(try sorted(parts.map { try $0.tree(depth: depth + 1) }))
        case .keyed(let members):
            let trees = try members.map { ($0.name, try $0.part.tree(depth: depth + 1)) }
            return .keyed(Dictionary(trees, uniquingKeysWith: { $1 }))
        }
    }

    private func sorted(_ trees: [Tree]) throws -> [Tree] {
        switch order {
        case .given: return trees
        case .elements: return try sorted(trees.map { [$0] })
        case .pairs:
            let starts = stride(from: 0, to: trees.count, by: 2)
            return try sorted(starts.map { Array(trees[$0..<min($0 + 2, trees.count)]) })
        }
    }

    private func sorted(_ groups: [[Tree]]) throws -> [Tree] {
        try groups.filter { !$0.isEmpty }
            .map { (bytes: try $0[0].sortingBytes(), group: $0) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
            .flatMap(\.group)
    }
}

/// A set.
private protocol UnorderedElements {}
/// A dictionary, which encodes itself as keys and values in turn where its keys are no names.
private protocol UnorderedPairs {}

extension Set: UnorderedElements {}
extension Dictionary: UnorderedPairs {}
