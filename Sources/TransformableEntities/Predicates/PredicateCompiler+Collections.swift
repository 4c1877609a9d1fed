internal import Foundation

extension PredicateExpressions.SequenceContains: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        if let test = try compiler.isWithin(sequence, self.element) { return test }
        let element = try compiler.term(self.element)
        if let values = compiler.constants(sequence) {
            return .truth(.comparison(element, .within(values.map { Operand($0) }), []))
        }
        guard let objects = try compiler.objects(sequence) else {
            throw .unsupported(self, "a collection inside a value is not visible to the store")
        }
        let node = objects.and(.equal(objects.element, element))
        return .truth(.related(.any, objects.path, .named(objects.scope, node)))
    }
}

extension PredicateExpressions.SequenceContainsWhere: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        if let values = compiler.constants(sequence) {
            return .truth(.or(try each(of: values, variable.key, test, in: &compiler)))
        }
        guard let objects = try compiler.objects(sequence) else {
            throw .unsupported(self, "a collection inside a value is not visible to the store")
        }
        compiler.bind(variable.key, to: objects.element)
        let node = objects.and(try compiler.node(test))
        return .truth(.related(.any, objects.path, .named(objects.scope, node)))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        if let values = compiler.constants(sequence) {
            return .truth(.and(try each(of: values, variable.key, test, in: &compiler)))
        }
        guard let objects = try compiler.objects(sequence) else {
            throw .unsupported(self, "a collection inside a value is not visible to the store")
        }
        compiler.bind(variable.key, to: objects.element)
        let node = objects.and(.not(try compiler.node(test)))
        return .truth(.related(.none, objects.path, .named(objects.scope, node)))
    }
}

/// Creates a test for each of the known values.
private func each(
    of values: [Term],
    _ variable: PredicateExpressions.VariableID,
    _ test: some PredicateExpression,
    in compiler: inout PredicateCompiler
) throws(StoreError) -> [Condition.Node] {
    var nodes: [Condition.Node] = []
    for value in values {
        compiler.bind(variable, to: value)
        nodes.append(try compiler.node(test))
    }
    return nodes
}

extension PredicateExpressions.Filter: ConvertibleExpression, FilterExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        throw .unsupported(
            self,
            "use its count, isEmpty, or contains"
        )
    }

    func objects(in compiler: inout PredicateCompiler) throws(StoreError) -> PredicateObjects? {
        guard var objects = try compiler.objects(sequence) else { return nil }
        compiler.bind(variable.key, to: objects.element)
        objects.condition = objects.and(try compiler.node(filter))
        return objects
    }
}

// MARK: - Text

extension PredicateExpressions.CollectionContainsCollection: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        guard Base.Output.self is String.Type, Other.Output.self is String.Type else {
            throw .unsupported(self, "only text can be searched for a substring")
        }
        let text = try compiler.term(base)
        return .truth(.comparison(text, .contains(Operand(try compiler.term(other))), []))
    }
}

extension PredicateExpressions.SequenceStartsWith: ConvertibleExpression {
    func term(in compiler: inout PredicateCompiler) throws(StoreError) -> Term {
        guard Base.Output.self is String.Type, Prefix.Output.self is String.Type else {
            throw .unsupported(self, "only text can be tested for a prefix")
        }
        let text = try compiler.term(base)
        return .truth(.comparison(text, .startsWith(Operand(try compiler.term(prefix))), []))
    }
}
