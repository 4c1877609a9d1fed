internal import Foundation

extension PredicateExpressions.Variable: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        try compiler.term(of: key)
    }
}

extension PredicateExpressions.NilLiteral: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) -> Term {
        .constant(.literal(.null))
    }
}

extension PredicateExpressions.Value: ConvertibleExpression, ConstantExpression {
    func term(in compiler: inout PredicateCompiler) -> Term {
        Term(captured: value)
    }

    var captured: Any? { value }
}

extension ConstantExpression {
    var elements: [Term]? {
        func list(_ values: some Collection) -> [Term] { values.map { Term(captured: $0) } }
        guard let value = captured, let values = value as? any Collection, !(value is any RangeExpression),
            !(value is any StringProtocol)
        else {
            return nil
        }
        return list(values)
    }
}

extension Term {
    /// Creates a term for a value that the predicate has captured.
    init(captured value: Any) {
        if let optional = value as? any OptionalValue {
            self = optional.wrapped.map { Term(captured: $0) } ?? .constant(.literal(.null))
        } else if let flag = value as? Bool {
            self = .constant(.literal(.boolean(flag)))
        } else {
            self = .constant(.held(Operand.Value(captured: value)))
        }
    }
}

/// An optional of any type.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { map { $0 } }
}

// MARK: - Properties

extension PredicateExpressions.KeyPath: ConvertibleExpression, ConstantExpression {
    /// The property of a captured value, which does not depend on the object.
    var captured: Any? {
        guard let value = (root as? any ConstantExpression)?.captured as? Root.Output else { return nil }
        return value[keyPath: keyPath]
    }

    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        if let captured { return Term(captured: captured) }
        if let kind { return try term(of: kind, in: &compiler) }
        let owner = try compiler.term(root)
        if case .constant(let operand) = owner, let term = property(of: operand) { return term }
        if let type = Root.Output.self as? any Entity.Type {
            return try Self.property(keyPath, of: type, owner, expression: self)
        }
        guard let type = Root.Output.self as? any RawRepresentable.Type else {
            throw .unsupported(self, "it is not a stored property of an entity")
        }
        guard type.isRawValue(keyPath) else {
            let way = "if it is the raw value, make the type CaseIterable or compare with a captured case"
            throw .unsupported(
                self,
                "it is a property of “\(Root.Output.self)”, which is not visible to the store; \(way)"
            )
        }
        return owner
    }

    /// Returns the property of a value that a variable stands for.
    private func property(of operand: Operand) -> Term? {
        switch operand {
        case .literal(.null): .constant(operand)
        case .held(let value): (value.content as? Root.Output).map { Term(captured: $0[keyPath: keyPath]) }
        default: nil
        }
    }

    private static func property(
        _ keyPath: AnyKeyPath,
        of type: any Entity.Type,
        _ owner: Term,
        expression: Self
    ) throws(StoreError) -> Term {
        guard case .path(var path) = owner else {
            throw .unsupported(
                expression,
                "use “.” or “?.” to reach a property of an object, not “!” or “??”"
            )
        }
        guard let name = type.propertyName(for: keyPath) else {
            if type.isID(keyPath) { return .path(path.names.isEmpty ? Term.Path(["_id"], scope: path.scope) : path) }
            throw .notStored(keyPath, in: type.entityName)
        }
        path.names.append(name)
        return .path(path)
    }

    private func term(
        of kind: CommonKeyPathKind,
        in compiler: inout PredicateCompiler
    ) throws(StoreError) -> Term {
        if let objects = try compiler.objects(root) {
            switch kind {
            case .collectionCount: return objects.count
            case .collectionIsEmpty: return .truth(objects.isEmpty)
            default: throw .unsupported(self, "the objects of a relationship are not ordered")
            }
        }
        guard Root.Output.self is String.Type else {
            throw .unsupported(self, "count is only supported for text and relationships")
        }
        let text = try compiler.term(root)
        switch kind {
        case .collectionCount: return .length(text)
        case .collectionIsEmpty: return .truth(.equal(text, .constant(.value(""))))
        default: throw .unsupported(self, "access to individual characters is not supported")
        }
    }
}

extension RawRepresentable {
    /// Returns whether a key path leads to the raw value.
    ///
    /// Two key paths to the same computed property are equal only if they were formed in the same way. Therefore, the
    /// key path is also evaluated for all values of the type if they are known.
    fileprivate static func isRawValue(_ keyPath: AnyKeyPath) -> Bool {
        if keyPath == \Self.rawValue || keyPath.debugDescription.hasSuffix(".rawValue") { return true }
        guard let type = Self.self as? any CaseIterable.Type else { return false }
        return type.allSatisfy { value in
            guard let value = value as? Self, let raw = value.rawValue as? any Equatable else {
                return false
            }
            return raw.isEqual(to: value[keyPath: keyPath])
        }
    }
}

extension CaseIterable {
    fileprivate static func allSatisfy(_ predicate: (Any) -> Bool) -> Bool {
        !allCases.isEmpty && allCases.allSatisfy { predicate($0) }
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any?) -> Bool {
        self == other as? Self
    }
}

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
