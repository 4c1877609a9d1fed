import SwiftSyntax
import SwiftSyntaxBuilder

/// Generates the members that `@Entity` adds to a class.
struct EntityRendering {
    private let entity: EntityDeclaration
    private let hasFaults: Bool

    init(_ entity: EntityDeclaration, hasFaults: Bool) {
        self.entity = entity
        self.hasFaults = hasFaults
    }

    var members: [DeclSyntax] {
        [name, schema, record, fetched] + (needsInitializer ? ["init() {}"] : [])
    }

    private var name: DeclSyntax {
        let name = entity.argument(nil)?.trimmedDescription ?? "\"\(entity.declaration.name.identifier?.name ?? "")\""
        return "\(raw: entity.access)static let entityName = \(raw: name)"
    }

    private var schema: DeclSyntax {
        let conformance = entity.firstInherited.map { "hasNoSuperclass((any \($0.trimmedDescription)).self)" }
        let calls =
            [conformance].compactMap(\.self) + entity.properties.compactMap { statement($0) }
            + [steps, turningPoints, transients].compactMap(\.self) + (entity.mayRunDeinit ? ["hasDeinit()"] : [])
        let statements = calls.map { "\n    schema.\($0)" }.joined()
        let closure = hasFaults ? "{ _ in }" : "{ schema in\(statements)\n}"
        return """
            \(raw: entity.access)static let _entitySchema = TransformableEntities._EntitySchema<\(raw: entity.className)>\
            \(raw: arguments) \(raw: closure)
            """
    }

    /// The arguments of the entity, in parentheses.
    private var arguments: String {
        var list: [String] = []
        for label in ["renamedFrom", "addedIn", "unique", "authenticatesRows"] {
            guard let value = entity.argument(label) else { continue }
            list.append("\(label): \(value.trimmedDescription)")
        }
        return list.isEmpty ? "" : "(\(list.joined(separator: ", ")))"
    }

    private var record: DeclSyntax {
        "\(raw: entity.access)let _record = TransformableEntities._EntityRecord()"
    }

    private var fetched: DeclSyntax {
        """
        \(raw: entity.access)init(_stored object: TransformableStore.ManagedObject) {
            _record.attach(object)
        }
        """
    }

    /// The initializer that the compiler would have synthesized if the macro did not add another one.
    private var needsInitializer: Bool {
        entity.initializers.isEmpty && !entity.properties.contains(where: \.needsValue)
    }

    // MARK: - Properties

    private func statement(_ property: PropertyDeclaration) -> String? {
        switch property.role {
        case .attribute: attribute(property)
        case .relationship: relationship(property)
        case .transient: nil
        }
    }

    private func attribute(_ property: PropertyDeclaration) -> String {
        var list = ["\"\(property.name)\"", "\\.\(property.token.text)"]
        list += property.markArguments.map(\.text)
        let hasDefault = property.markArguments.contains { $0.value.hasPrefix(".default(") }
        if !hasDefault, !property.hasTransformer, let value = LiteralType.modelDefault(property) {
            list.append(".default(\(value.trimmedDescription))")
        }
        if let initial = property.initial {
            // A closure that is called immediately must not look like a trailing closure of the first statement.
            let text = initial.trimmedDescription
            list.append("initial: { \(text.hasPrefix("{") ? "(\(text))" : text) }")
        }
        return "attribute(\(list.joined(separator: ", ")))"
    }

    /// All possible hooks.
    ///
    /// The compiler selects those that the class implements, even in extensions.
    private var turningPoints: String {
        "turningPoints(\(EntityDeclaration.hooks.map { "\(entity.className).\($0)" }.joined(separator: ", ")))"
    }

    /// The key paths from an optional object, from which longer key paths are composed.
    private var steps: String? {
        let steps = entity.properties.filter { $0.role != .transient }.map { "\\.?.\($0.token.text)" }
        return steps.isEmpty ? nil : "steps(\(steps.joined(separator: ", ")))"
    }

    /// The statement that resets transient properties, or nil if there are none.
    private var transients: String? {
        let values = entity.transientValues.map { "object.\($0.name) = \($0.value)" }
        return values.isEmpty ? nil : "transients { object in \(values.joined(separator: "; ")) }"
    }

    private func relationship(_ property: PropertyDeclaration) -> String {
        var list = ["\"\(property.name)\"", "\\.\(property.token.text)"]
        for argument in property.markArguments {
            list.append(argument.text)
            if argument.label == "inverse", let name = property.inverse { list.append("named: \"\(name)\"") }
        }
        return "relationship(\(list.joined(separator: ", ")))"
    }
}

extension PropertyDeclaration {
    /// The arguments in the parentheses of `@Attribute` or `@Relationship`.
    var markArguments: [(label: String?, value: String, text: String)] {
        guard case .argumentList(let list) = mark?.arguments else { return [] }
        return list.map { argument in
            let value = argument.expression.trimmedDescription
            let label = argument.label?.text
            return (label, value, (label.map { "\($0): " } ?? "") + value)
        }
    }

    /// The options, such as `.indexed` or `.default(3)`.
    var markOptions: [ExprSyntax] {
        guard case .argumentList(let list) = mark?.arguments else { return [] }
        return list.filter { $0.label == nil }.map(\.expression)
    }

    var hasTransformer: Bool { markArguments.contains { $0.label == "transformer" } }

    /// The key path of the inverse relationship.
    var inversePath: KeyPathExprSyntax? {
        guard case .argumentList(let list) = mark?.arguments else { return nil }
        return list.first { $0.label?.text == "inverse" }?.expression.as(KeyPathExprSyntax.self)
    }

    /// The name of the inverse relationship: the last component of the key path, which only types precede.
    var inverse: String? {
        let steps = inversePath?.components.map { $0.component.as(KeyPathPropertyComponentSyntax.self) } ?? []
        let names = steps.map { $0?.declName.baseName.identifier?.name ?? "" }
        let areTypes = names.dropLast().allSatisfy { $0.first?.isUppercase == true }
        return areTypes ? names.last : nil
    }
}
