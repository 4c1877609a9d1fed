extension Condition {
    package indirect enum Node: Sendable {
        case constant(Bool)
        case comparison(Term, Comparison, TextOptions)
        /// A comparison of the value at the end of a path through to-many relationships.
        case quantified(Quantifier, Term.Path, Comparison, TextOptions)
        /// A condition on the objects in a to-many relationship.
        case related(Quantifier, Term.Path, Node)
        /// Names the innermost scope, so that nested conditions can refer to it.
        case named(Int, Node)
        /// A condition on objects of one entity, which is invalid for other entities.
        case about(String, Node)
        /// An invalid condition.
        case refused(StoreError)
        case not(Node)
        case and([Node])
        case or([Node])
    }

    /// A comparison of a term with values or other terms.
    package enum Comparison: Sendable {
        case equal(Operand)
        case less(Operand)
        case lessOrEqual(Operand)
        case greater(Operand)
        case greaterOrEqual(Operand)
        case within([Operand])
        case between(Operand, Operand)
        case contains(Operand)
        case startsWith(Operand)
        case endsWith(Operand)
        case like(Operand)
        case isNull
    }

    /// How many of a relationship's objects must satisfy a condition.
    package enum Quantifier: Sendable {
        case any
        case all
        case none
    }
}

extension Condition.Comparison {
    /// All operands.
    package var operands: [Operand] {
        switch self {
        case .equal(let operand), .less(let operand), .lessOrEqual(let operand), .greater(let operand),
            .greaterOrEqual(let operand), .contains(let operand), .startsWith(let operand), .endsWith(let operand),
            .like(let operand):
            [operand]
        case .within(let operands): operands
        case .between(let least, let most): [least, most]
        case .isNull: []
        }
    }
}

extension Condition.Node {
    /// Returns a condition that is satisfied if the term has no value.
    package static func isNull(_ term: Term) -> Self {
        switch term {
        case .truth: .constant(false)
        case .constant(.literal(let literal)): .constant(literal == .null)
        case .constant(.held): .constant(false)
        case .coalesced(let first, let second): .and([isNull(first), isNull(second)])
        case .ifPresent(let first, let second): .or([isNull(first), isNull(second)])
        default: .comparison(term, .isNull, [])
        }
    }

    /// Returns a condition that is satisfied if the term is true.
    package static func isTrue(_ term: Term) -> Self {
        switch term {
        case .truth(let node): node
        case .coalesced(let first, let second): .or([isTrue(first), .and([isNull(first), isTrue(second)])])
        case .ifPresent(let first, let second): .and([.not(isNull(first)), isTrue(second)])
        case .either(let node, let first, let second):
            .or([.and([node, isTrue(first)]), .and([.not(node), isTrue(second)])])
        case .constant(.literal(.boolean(let flag))): .constant(flag)
        default: .comparison(term, .equal(.literal(.boolean(true))), [])
        }
    }

    /// Returns a condition that is satisfied if both terms are equal, or if neither has a value.
    package static func equal(_ left: Term, _ right: Term, _ options: TextOptions = []) -> Self {
        switch (left, right) {
        case (.constant(.literal(.null)), let term), (let term, .constant(.literal(.null))): isNull(term)
        case (.constant(.literal(.boolean(let flag))), let term), (let term, .constant(.literal(.boolean(let flag)))):
            flag ? isTrue(term) : .and([.not(isNull(term)), .not(isTrue(term))])
        case (.constant(let operand), .path): .comparison(right, .equal(operand), options)
        default: .comparison(left, .equal(Operand(right)), options)
        }
    }
}
