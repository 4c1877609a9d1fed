internal import Transformable

/// What a file keeps of the Swift types that a program's model declares.
///
/// A type has no name that another program could look up, but where it adds a stage to an expression, the expression
/// can state that stage: `sealed`, declared for `String`, stores what `text | sealed` stores.
extension Model {
    /// The model with expressions that mean the same without the types of their values.
    func statingStages(by registry: TransformerRegistry) throws(StoreError) -> Model {
        try replacingExpressions { _, attribute in attribute.statedExpression(by: registry) }
    }

    /// The model with expressions that have every stage of the signatures which wrote the columns; the function gives the
    /// one that wrote an attribute of an entity with a table.
    func statingStages(of signature: (_ entity: String, _ attribute: String) -> String?) throws(StoreError) -> Model {
        let plan = RelationshipPlan(model: self)
        return try replacingExpressions { entity, attribute in
            let written = plan.members(entity.name).compactMap { signature($0, attribute.name) }.first
            return written.flatMap { attribute.expression(statingStagesOf: $0) }
        }
    }

    private func replacingExpressions(
        _ expression: (EntityDescription, AttributeDescription) -> String?
    ) throws(StoreError) -> Model {
        var entities = entities
        var isChanged = false
        for index in entities.indices {
            let entity = entities[index]
            for (place, attribute) in entity.attributes.enumerated() {
                guard attribute.type == .transformed, !attribute.isTransient,
                    let stated = expression(entity, attribute), stated != attribute.transformer
                else { continue }
                entities[index].attributes[place].transformer = stated
                isChanged = true
            }
        }
        return isChanged ? try Model(version: version, entities: entities) : self
    }
}

extension AttributeDescription {
    /// The expression with the stages that the type of the values implies; nil if the type implies none.
    fileprivate func statedExpression(by registry: TransformerRegistry) -> String? {
        guard let type = valueType?.type, let typed = try? registry.resolve(storedExpression, for: type) else {
            return nil
        }
        let signature = { (expression: TransformerExpression) in (try? registry.resolve(expression))?.signature }
        let isImplied = typed.stages.prefix(while: \.isImplied)
        let whole = TransformerExpression(stages: isImplied.map(\.stage) + typed.expression.stages)
        guard !isImplied.isEmpty, signature(typed.expression) != typed.signature, signature(whole) == typed.signature
        else { return nil }
        return Self.wellFormed(whole)
    }

    /// The expression with the stage that makes bytes of text, where a signature has it and the expression does not.
    func expression(statingStagesOf signature: String) -> String? {
        guard let written = try? TransformerSignature(signature).stages, let first = written.first,
            first.name == Registration.text.name, first.arguments.map(\.value) == [.word(TextEncoding.utf8.rawValue)],
            var stated = try? TransformerExpression(storedExpression)
        else { return nil }
        let names = stated.stages.map(\.name)
        guard !written.map(\.name).starts(with: names), written.dropFirst().map(\.name).starts(with: names) else {
            return nil
        }
        stated.stages.insert(TransformerExpression.Stage(first.name), at: 0)
        return Self.wellFormed(stated)
    }

    /// The text of an expression, unless it is longer than the grammar allows.
    private static func wellFormed(_ expression: TransformerExpression) -> String? {
        let text = expression.description
        return (try? TransformerExpression(text)) == nil ? nil : text
    }
}
