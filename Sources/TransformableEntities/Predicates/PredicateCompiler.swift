internal import Foundation
internal import TransformableStore

/// Makes a condition of the expressions of a predicate.
///
/// Each type of expression says its own part, see ``ConvertibleExpression``; what none says is refused by its name.
struct PredicateCompiler {
    /// What a variable stands for: an object, or a term.
    private var variables: [PredicateExpressions.VariableID: Term] = [:]
    private var scopes = 0

    /// A new name for an object that a condition speaks of.
    mutating func newScope() -> Int {
        scopes += 1
        return scopes
    }

    /// Lets a variable stand for a term.
    mutating func bind(_ variable: PredicateExpressions.VariableID, to term: Term) {
        variables[variable] = term
    }

    func term(of variable: PredicateExpressions.VariableID) throws(StoreError) -> Term {
        guard let term = variables[variable] else {
            throw StoreError(.unsupported, "the predicate speaks of a variable that it does not have")
        }
        return term
    }

    /// What an expression gives.
    mutating func term(_ expression: some PredicateExpression) throws(StoreError) -> Term {
        guard let expression = expression as? any ConvertibleExpression else {
            throw .unsupported(expression, "it has no form in SQL")
        }
        return try expression.term(in: &self)
    }

    /// That an expression is true.
    mutating func node(_ expression: some PredicateExpression) throws(StoreError) -> Condition.Node {
        .isTrue(try term(expression))
    }

    /// The objects that an expression gives, as a relationship and a condition on them.
    mutating func objects(_ expression: some PredicateExpression) throws(StoreError)
        -> PredicateObjects?
    {
        if let filter = expression as? any FilterExpression { return try filter.objects(in: &self) }
        guard (type(of: expression).outputElement as? any Entity.Type) != nil,
            case .path(let path) = try term(expression)
        else { return nil }
        return PredicateObjects(path: path, scope: newScope(), condition: nil)
    }

    /// The values of an expression that does not depend on the object; nil if it is no collection with an end.
    func constants(_ expression: some PredicateExpression) -> [Term]? {
        guard let expression = expression as? any ConstantExpression else { return nil }
        return expression.elements
    }
}

/// A type of expression that conditions know.
protocol ConvertibleExpression: PredicateExpression {
    /// Says its part.
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term
}

/// The objects that a relationship leads to, or some of them.
struct PredicateObjects {
    let path: Term.Path
    /// What each is called.
    let scope: Int
    var condition: Condition.Node?

    /// The object that a condition speaks of.
    var element: Term { .path(Term.Path([], scope: scope)) }

    /// The objects’ condition, and another one.
    func and(_ node: Condition.Node) -> Condition.Node {
        condition.map { .and([$0, node]) } ?? node
    }

    var count: Term { .count(path, .named(scope, condition ?? .constant(true))) }

    var isEmpty: Condition.Node { .related(.none, path, .named(scope, condition ?? .constant(true))) }
}

/// Where some of the objects come from.
protocol FilterExpression: PredicateExpression {
    func objects(in compiler: inout PredicateCompiler) throws(StoreError) -> PredicateObjects?
}

/// What may be a value that the predicate has captured, or a property of one.
protocol ConstantExpression: PredicateExpression {
    /// The value; nil if it depends on the object.
    var captured: Any? { get }
}

extension PredicateExpression {
    /// The type of the elements that it gives.
    fileprivate static var outputElement: Any.Type? {
        func element<Elements: Sequence>(_ type: Elements.Type) -> Any.Type { Elements.Element.self }
        guard let sequence = Output.self as? any Sequence.Type else { return nil }
        return element(sequence)
    }
}

extension StoreError {
    /// A part of a predicate that conditions do not have.
    static func unsupported(_ expression: some PredicateExpression, _ reason: String) -> StoreError {
        let name = String(describing: type(of: expression)).prefix { $0 != "<" }
        return StoreError(.unsupported, "the predicate’s “\(name)” cannot be had: \(reason)")
    }
}
