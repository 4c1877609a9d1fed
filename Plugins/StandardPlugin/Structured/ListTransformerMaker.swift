internal import Transformable

/// Creates the transformer of `list(of: …)` for the requested type.
struct ListTransformerMaker {
    let request: FamilyRequest
    let expression: TransformerExpression

    func transformer() throws -> any OneWayTransformer {
        let elementType = (request.valueType as? any ListOfElements.Type)?.elementType
        let element = try request.resolve(expression, for: elementType)
        if let base = element.transformer as? any Transformer { return try reversible(base, element.form) }
        return try oneWay(element.transformer, element.form)
    }

    private func oneWay<Base: OneWayTransformer>(_ base: Base, _ form: AnyHumanForm?) throws -> any OneWayTransformer {
        var list = try ListTransformer(of: base)
        list.elementForm = form
        return list
    }

    private func reversible<Base: Transformer>(_ base: Base, _ form: AnyHumanForm?) throws -> any Transformer {
        var list = try ListTransformer(of: base)
        list.elementForm = form
        return list
    }
}

/// An array whose element type is known only at run time.
private protocol ListOfElements {
    static var elementType: Any.Type { get }
}

extension Array: ListOfElements {
    static var elementType: Any.Type { Element.self }
}
