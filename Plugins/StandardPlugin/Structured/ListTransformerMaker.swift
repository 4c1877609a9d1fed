internal import Transformable

/// Makes the transformer of `list(of: …)` for the type that is asked for.
struct ListTransformerMaker {
    let request: FamilyRequest
    let expression: TransformerExpression

    func transformer() throws -> any OneWayTransformer {
        let elementType = (request.valueType as? any ListOfElements.Type)?.elementType
        let base = try request.resolve(expression, for: elementType).transformer
        if let base = base as? any Transformer { return try reversible(base) }
        return try oneWay(base)
    }

    private func oneWay<Base: OneWayTransformer>(_ base: Base) throws -> any OneWayTransformer {
        try ListTransformer(of: base)
    }

    private func reversible<Base: Transformer>(_ base: Base) throws -> any Transformer {
        try ListTransformer(of: base)
    }
}

/// An array, whose element's type is known at run time only.
private protocol ListOfElements {
    static var elementType: Any.Type { get }
}

extension Array: ListOfElements {
    static var elementType: Any.Type { Element.self }
}
