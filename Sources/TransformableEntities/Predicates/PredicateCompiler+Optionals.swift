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
