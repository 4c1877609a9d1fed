internal import Foundation
internal import TransformableStore

extension PredicateExpressions.Arithmetic: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        let sign: TransformableStore.Arithmetic.Sign =
            switch op {
            case .add: .plus
            case .subtract: .minus
            case .multiply: .times
            }
        return .arithmetic(try compiler.term(lhs), sign, try compiler.term(rhs), try width(of: self))
    }
}

extension PredicateExpressions.UnaryMinus: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        .negative(try compiler.term(wrapped), try width(of: self))
    }
}

extension PredicateExpressions.IntDivision: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        .arithmetic(try compiler.term(lhs), .divided, try compiler.term(rhs), try width(of: self))
    }
}

extension PredicateExpressions.IntRemainder: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        .arithmetic(try compiler.term(lhs), .remainder, try compiler.term(rhs), try width(of: self))
    }
}

extension PredicateExpressions.FloatDivision: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        .arithmetic(try compiler.term(lhs), .divided, try compiler.term(rhs), try width(of: self))
    }
}

/// Returns the type that Swift computes with.
private func width<Expression: PredicateExpression>(of expression: Expression) throws(StoreError)
    -> Arithmetic.Width
{
    switch Expression.Output.self {
    case let type as any FixedWidthInteger.Type: .integer(type.range)
    case is Float.Type: .float
    case is Double.Type: .double
    case is Decimal.Type: .decimal
    default:
        throw .unsupported(
            expression,
            "arithmetic with numbers of type \(Expression.Output.self) is not supported"
        )
    }
}

extension FixedWidthInteger {
    /// The range of the type, limited to the integers that a database can store.
    fileprivate static var range: ClosedRange<Int64> {
        Int64(clamping: min)...Int64(clamping: max)
    }
}
