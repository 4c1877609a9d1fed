package import Transformable

/// The stages that a file states because the program's Swift types imply them.
///
/// Another program cannot look up a Swift type by name. But if a type adds a stage to an expression, the expression can
/// state that stage: `sealed`, declared for `String`, stores the same bytes as `text | sealed`.
extension Model {
    /// Returns the model with expressions that mean the same without the Swift types of their values.
    package func statingStages(by registry: TransformerRegistry) throws(StoreError) -> Model {
        try replacingExpressions { _, attribute in attribute.statedExpression(by: registry) }
    }

    /// Returns the model with expressions that state every stage of the signatures that the columns were written with.
    ///
    /// The function returns the signature for an attribute of an entity that has a table.
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
            func stated(_ attribute: AttributeDescription) -> String? {
                guard attribute.type == .transformed, !attribute.isTransient else { return nil }
                return expression(entity, attribute).flatMap { $0 == attribute.transformer ? nil : $0 }
            }
            for (place, attribute) in entity.attributes.enumerated() {
                guard let stated = stated(attribute) else { continue }
                entities[index].attributes[place].transformer = stated
                isChanged = true
            }
            for (place, composite) in entity.composites.enumerated() {
                for (part, attribute) in composite.attributes.enumerated() {
                    guard let stated = stated(attribute) else { continue }
                    entities[index].composites[place].parts[part].transformer = stated
                    isChanged = true
                }
            }
        }
        return isChanged ? try with(entities: entities) : self
    }
}

extension AttributeDescription {
    /// Returns the expression with the stages that the type of the values implies, or `nil` if the type implies none.
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

    /// Returns the expression with the stage that turns text into bytes, if the signature has that stage and the
    /// expression does not.
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

    /// Returns the text of an expression, unless it is longer than the grammar allows.
    private static func wellFormed(_ expression: TransformerExpression) -> String? {
        let text = expression.description
        return (try? TransformerExpression(text)) == nil ? nil : text
    }
}
