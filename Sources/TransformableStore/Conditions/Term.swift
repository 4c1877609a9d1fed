/// What a condition compares: an attribute, a value, or what is computed from them.
package indirect enum Term: Sendable {
    case path(Path)
    case constant(Operand)
    case arithmetic(Term, Arithmetic.Sign, Term, Arithmetic.Width?)
    case negative(Term, Arithmetic.Width?)
    /// How many characters a text has.
    case length(Term)
    /// How many objects a relationship to many leads to, of those that satisfy a condition.
    case count(Path, Condition.Node)
    /// What an attribute of the objects that a relationship to many leads to comes to: the path ends in it.
    case summary(Aggregate.Function, Path)
    /// The first one if it has a value, else the second.
    case coalesced(Term, Term)
    /// The first one if the condition holds, else the second.
    case either(Condition.Node, Term, Term)
    /// The second one if the first has a value, else nothing.
    case ifPresent(Term, Term)
    /// The term's value, which must be there.
    case unwrapped(Term)
    case truth(Condition.Node)

    /// A way from an object through relationships to an attribute.
    package struct Path: Sendable, Hashable {
        /// Which object it starts from, by the name that `Condition.Node.named` has given; nil for the
        /// innermost one.
        package var scope: Int?
        /// The relationships, and at the end an attribute, a projection or a relationship; none for the object.
        package var names: [String]

        package init(_ names: [String], scope: Int? = nil) {
            self.names = names
            self.scope = scope
        }
    }
}

/// What an attribute is compared with.
package indirect enum Operand: Sendable {
    /// A value, as code gives it.
    case value(any Sendable)
    /// What a condition's text says; the attribute it is compared with knows its type.
    case literal(Literal)
    case term(Term)

    /// A value in the text of a condition.
    package enum Literal: Sendable, Hashable {
        case null
        case boolean(Bool)
        case integer(Int64)
        /// A number as it is written, too, since a decimal one may have more digits than a double.
        case number(Double, text: String)
        case string(String)
        /// A date as it is written, without quotes.
        case date(String)
    }

    /// An operand of a term, which is taken apart if it is a constant.
    package init(_ term: Term) {
        if case .constant(let operand) = term { self = operand } else { self = .term(term) }
    }

    package var isNull: Bool {
        if case .literal(.null) = self { true } else { false }
    }
}

extension Condition {
    package indirect enum Node: Sendable {
        case constant(Bool)
        case comparison(Term, Comparison, TextOptions)
        /// A comparison of what a path through relationships to many leads to.
        case quantified(Quantifier, Term.Path, Comparison, TextOptions)
        /// A condition on the objects that a relationship to many leads to.
        case related(Quantifier, Term.Path, Node)
        /// Gives the innermost object a name, by which conditions inside reach it.
        case named(Int, Node)
        /// A condition on objects of an entity, which means nothing for others.
        case about(String, Node)
        /// A condition that cannot be had.
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

    /// How many of the objects that a relationship leads to a condition speaks of.
    package enum Quantifier: Sendable {
        case any
        case all
        case none
    }
}

extension Condition.Node {
    /// The term has no value.
    package static func isNull(_ term: Term) -> Self {
        switch term {
        case .truth: .constant(false)
        case .constant(.literal(let literal)): .constant(literal == .null)
        case .constant(.value): .constant(false)
        case .coalesced(let first, let second): .and([isNull(first), isNull(second)])
        case .ifPresent(let first, let second): .or([isNull(first), isNull(second)])
        default: .comparison(term, .isNull, [])
        }
    }

    /// The term is true.
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

    /// Both terms are equal, or have no value either.
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
