internal import Foundation
internal import TransformableStore

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
            throw .unsupported(expression, "only objects can be cast, to an entity class")
        }
        return path.cast(to: type.entityName)
    }
}
