public import Foundation

/// Creates a condition from the expressions of a predicate.
///
/// Each supported type of expression converts itself; see ``ConvertibleExpression``. All others are rejected by name.
struct PredicateCompiler {
    /// The term that each variable stands for.
    private var variables: [PredicateExpressions.VariableID: Term] = [:]
    private var scopes = 0

    /// Returns a new scope for the objects of a condition.
    mutating func newScope() -> Int {
        scopes += 1
        return scopes
    }

    /// Binds a variable to a term.
    mutating func bind(_ variable: PredicateExpressions.VariableID, to term: Term) {
        variables[variable] = term
    }

    func term(of variable: PredicateExpressions.VariableID) throws(StoreError) -> Term {
        guard let term = variables[variable] else {
            throw StoreError(.unsupported, "the predicate uses a variable that it does not define")
        }
        return term
    }

    /// Returns the term for an expression.
    mutating func term(_ expression: some PredicateExpression) throws(StoreError) -> Term {
        guard let expression = expression as? any ConvertibleExpression else {
            throw .unsupported(expression, "it cannot be expressed in SQL")
        }
        return try expression.term(in: &self)
    }

    /// Returns the condition that an expression is true.
    mutating func node(_ expression: some PredicateExpression) throws(StoreError) -> Condition.Node {
        .isTrue(try term(expression))
    }

    /// Returns the objects of an expression, as a relationship with a condition on its objects.
    mutating func objects(_ expression: some PredicateExpression) throws(StoreError)
        -> PredicateObjects?
    {
        if let filter = expression as? any FilterExpression { return try filter.objects(in: &self) }
        guard (type(of: expression).outputElement as? any Entity.Type) != nil,
            case .path(let path) = try term(expression)
        else { return nil }
        return PredicateObjects(path: path, scope: newScope(), condition: nil)
    }

    /// Returns the elements of an expression that does not depend on the object, or nil if it is not a finite
    /// collection.
    func constants(_ expression: some PredicateExpression) -> [Term]? {
        guard let expression = expression as? any ConstantExpression else { return nil }
        return expression.elements
    }
}

/// An expression that can be converted to a condition.
protocol ConvertibleExpression: PredicateExpression {
    /// Converts the expression.
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term
}

/// The objects of a relationship, or a subset of them.
struct PredicateObjects {
    let path: Term.Path
    /// The scope of each object.
    let scope: Int
    var condition: Condition.Node?

    /// The current object.
    var element: Term { .path(Term.Path([], scope: scope)) }

    /// Returns the condition on the objects combined with another one.
    func and(_ node: Condition.Node) -> Condition.Node {
        condition.map { .and([$0, node]) } ?? node
    }

    var count: Term { .count(path, .named(scope, condition ?? .constant(true))) }

    var isEmpty: Condition.Node { .related(.none, path, .named(scope, condition ?? .constant(true))) }
}

/// An expression that selects some of the objects.
protocol FilterExpression: PredicateExpression {
    func objects(in compiler: inout PredicateCompiler) throws(StoreError) -> PredicateObjects?
}

/// An expression that may be a captured value or a property of one.
protocol ConstantExpression: PredicateExpression {
    /// The value, or nil if it depends on the object.
    var captured: Any? { get }
}

extension PredicateExpression {
    /// The type of the expression's elements.
    fileprivate static var outputElement: Any.Type? {
        func element<Elements: Sequence>(_ type: Elements.Type) -> Any.Type { Elements.Element.self }
        guard let sequence = Output.self as? any Sequence.Type else { return nil }
        return element(sequence)
    }
}

extension StoreError {
    /// Returns the error for a part of a predicate that is not supported.
    static func unsupported(_ expression: some PredicateExpression, _ reason: String) -> StoreError {
        let name = String(describing: type(of: expression)).prefix { $0 != "<" }
        return StoreError(.unsupported, "the predicate's “\(name)” is not supported: \(reason)")
    }
}

extension Condition {
    /// Creates a condition from a predicate.
    ///
    /// Parts of a predicate that cannot be expressed in SQL are rejected here, before anything is read.
    /// <doc:Predicates> lists the supported expressions.
    ///
    /// - Parameter predicate: The predicate, over the stored properties of a class.
    /// - Throws: `StoreError` with the code `unsupported` or `unknown-attribute`, naming the part of the predicate that
    ///   is not supported.
    public init<Object: Entity>(_ predicate: Predicate<Object>) throws(StoreError) {
        var compiler = PredicateCompiler()
        let scope = compiler.newScope()
        compiler.bind(predicate.variable.key, to: .path(Term.Path([], scope: scope)))
        let node = try compiler.node(predicate.expression)
        self.init(.about(Object.entityName, .named(scope, node)))
    }
}
