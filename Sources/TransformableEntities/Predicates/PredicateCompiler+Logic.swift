internal import Foundation

extension PredicateExpressions.Conjunction: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        .truth(.and([try compiler.node(lhs), try compiler.node(rhs)]))
    }
}

extension PredicateExpressions.Disjunction: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        .truth(.or([try compiler.node(lhs), try compiler.node(rhs)]))
    }
}

extension PredicateExpressions.Negation: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        .truth(.not(try compiler.node(wrapped)))
    }
}

extension PredicateExpressions.Conditional: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        .either(try compiler.node(test), try compiler.term(trueBranch), try compiler.term(falseBranch))
    }
}

// MARK: - Comparisons

extension PredicateExpressions.Equal: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        .truth(.equal(try compiler.term(lhs), try compiler.term(rhs)))
    }
}

extension PredicateExpressions.NotEqual: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        .truth(.not(.equal(try compiler.term(lhs), try compiler.term(rhs))))
    }
}

extension PredicateExpressions.Comparison: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        try RawOrder.check(LHS.Output.self, "the predicate's “Comparison”")
        let left = try compiler.term(lhs)
        let right = Operand(try compiler.term(rhs))
        let comparison: TransformableStore.Condition.Comparison =
            switch op {
            case .lessThan: .less(right)
            case .lessThanOrEqual: .lessOrEqual(right)
            case .greaterThan: .greater(right)
            case .greaterThanOrEqual: .greaterOrEqual(right)
            }
        return .truth(.comparison(left, comparison, []))
    }
}

extension PredicateExpressions.RangeExpressionContains: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        guard let test = try compiler.isWithin(range, element) else {
            throw .unsupported(self, "write the range with its bounds, or compare with “<” and “>”")
        }
        return test
    }
}

extension PredicateCompiler {
    /// Returns a term for whether a value lies in a range, or nil if the expression is not a range.
    mutating func isWithin(
        _ range: some PredicateExpression,
        _ element: some PredicateExpression
    ) throws(StoreError) -> Term? {
        guard let range = range as? any BoundedExpression, let bounds = try range.bounds(in: &self) else { return nil }
        try RawOrder.check(type(of: element).outputType, "the predicate's range")
        let value = try term(element)
        return .truth(.and(bounds.map { .comparison(value, $0, []) }))
    }
}

extension PredicateExpression {
    fileprivate static var outputType: any Any.Type { Output.self }
}

/// A range expression, given as the comparisons that a value in it must satisfy.
private protocol BoundedExpression: PredicateExpression {
    func bounds(in compiler: inout PredicateCompiler) throws(StoreError) -> [Condition.Comparison]?
}

extension PredicateExpressions.ClosedRange: BoundedExpression {
    func bounds(in compiler: inout PredicateCompiler) throws(StoreError) -> [Condition.Comparison]? {
        [
            .greaterOrEqual(Operand(try compiler.term(lower))),
            .lessOrEqual(Operand(try compiler.term(upper))),
        ]
    }
}

extension PredicateExpressions.Range: BoundedExpression {
    func bounds(in compiler: inout PredicateCompiler) throws(StoreError) -> [Condition.Comparison]? {
        [.greaterOrEqual(Operand(try compiler.term(lower))), .less(Operand(try compiler.term(upper)))]
    }
}

extension PredicateExpressions.Value: BoundedExpression {
    func bounds(in compiler: inout PredicateCompiler) -> [Condition.Comparison]? {
        (value as? any BoundedValue)?.bounds
    }
}

extension PredicateExpressions.KeyPath: BoundedExpression {
    func bounds(in compiler: inout PredicateCompiler) -> [Condition.Comparison]? {
        (captured as? any BoundedValue)?.bounds
    }
}

/// A range of any type.
private protocol BoundedValue {
    var bounds: [Condition.Comparison] { get }
}

extension Range: BoundedValue {
    fileprivate var bounds: [Condition.Comparison] {
        [
            .greaterOrEqual(Operand(Term(captured: lowerBound))),
            .less(Operand(Term(captured: upperBound))),
        ]
    }
}

extension ClosedRange: BoundedValue {
    fileprivate var bounds: [Condition.Comparison] {
        [
            .greaterOrEqual(Operand(Term(captured: lowerBound))),
            .lessOrEqual(Operand(Term(captured: upperBound))),
        ]
    }
}

extension PartialRangeFrom: BoundedValue {
    fileprivate var bounds: [Condition.Comparison] {
        [.greaterOrEqual(Operand(Term(captured: lowerBound)))]
    }
}

extension PartialRangeThrough: BoundedValue {
    fileprivate var bounds: [Condition.Comparison] {
        [.lessOrEqual(Operand(Term(captured: upperBound)))]
    }
}

extension PartialRangeUpTo: BoundedValue {
    fileprivate var bounds: [Condition.Comparison] { [.less(Operand(Term(captured: upperBound)))] }
}

extension PredicateExpressions.OptionalFlatMap: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        let wrapped = try compiler.term(self.wrapped)
        compiler.bind(variable.key, to: wrapped)
        let result = try compiler.term(transform)
        // A path that starts at nil has no value anyway.
        if case .path(let whole) = result, case .path(let start) = wrapped, whole.scope == start.scope,
            whole.names.starts(with: start.names)
        {
            return result
        }
        return .ifPresent(wrapped, result)
    }
}

extension PredicateExpressions.NilCoalesce: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        .coalesced(try compiler.term(lhs), try compiler.term(rhs))
    }
}

extension PredicateExpressions.ForcedUnwrap: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        .unwrapped(try compiler.term(inner))
    }
}

extension PredicateExpressions.ConditionalCast: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        .path(try compiler.path(input, castTo: Desired.self, in: self))
    }
}

extension PredicateExpressions.TypeCheck: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        let path = try compiler.path(input, castTo: Desired.self, in: self)
        return .truth(.not(.isNull(.path(path))))
    }
}

extension PredicateCompiler {
    /// Returns the path to an object as an object of another class.
    fileprivate mutating func path<Desired>(
        _ input: some PredicateExpression,
        castTo type: Desired.Type,
        in expression: some PredicateExpression
    ) throws(StoreError) -> Term.Path {
        guard let type = type as? any Entity.Type, case .path(let path) = try term(input) else {
            throw .unsupported(expression, "only an object can be cast, and only to an entity class")
        }
        return path.cast(to: type.entityName)
    }
}
