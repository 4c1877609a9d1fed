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
        let own = entity.parent == nil ? [record, fetched] : inheritsInitializers ? [] : [fetchedChild]
        return [name, schema] + stored + [offset].compactMap(\.self) + own + (needsInitializer ? ["init() {}"] : [])
    }

    /// Whether the members are class members, which children override or which override those of the parent.
    private var isInFamily: Bool { entity.parent != nil || !entity.isFinal }

    private var overriding: String {
        "\(entity.parent == nil ? "" : "override ")\(entity.isFinal ? entity.access : entity.overridableAccess)class var"
    }

    /// The part of a member's name that keeps it from overriding that of the parent.
    private var suffix: String { entity.declaration.name.identifier?.name ?? "" }

    private var name: DeclSyntax {
        let name = entity.argument(nil)?.trimmedDescription ?? "\"\(suffix)\""
        return isInFamily
            ? "\(raw: overriding) entityName: String { \(raw: name) }"
            : "\(raw: entity.access)static let entityName = \(raw: name)"
    }

    private var schema: DeclSyntax {
        guard isInFamily else { return "\(raw: entity.access)static let _entitySchema = \(raw: newSchema(statements))" }
        return "\(raw: overriding) _entitySchema: TransformableEntities._EntitySchema { _schema\(raw: suffix) }"
    }

    /// The members that a family of classes needs, because a class member cannot be stored.
    private var stored: [DeclSyntax] {
        guard isInFamily else { return [] }
        let name = "private static let _schema\(suffix)"
        guard !entity.isFinal else { return ["\(raw: name) = \(raw: newSchema(statements))"] }
        // The children describe the same properties, with key paths that start at their own classes.
        let described = hasFaults ? "" : (descriptions + transients).map { "\n    \($0)" }.joined() + "\n"
        return [
            "\(raw: name) = \(raw: newSchema(["_describe(&schema)"] + hooks))",
            """
            \(raw: entity.access)static func _describe<Root: \(raw: entity.className)>\
            (_ schema: inout TransformableEntities._EntitySchemaBuilder<Root>) {\(raw: described)}
            """,
        ]
    }

    /// A new schema, which statements describe.
    private func newSchema(_ statements: [String]) -> String {
        let closure = hasFaults ? "{ _ in }" : "{ schema in\(statements.map { "\n    \($0)" }.joined())\n}"
        return "TransformableEntities._EntitySchema(\(arguments)) \(closure)"
    }

    private var statements: [String] { descriptions + hooks + transients }

    /// The statements that describe the properties, the parent's first.
    private var descriptions: [String] {
        let inherited = entity.firstInherited.map { type in
            entity.inheritsEntity
                ? "\(type.trimmedDescription)._describe(&schema)"
                : "schema.hasNoSuperclass((any \(type.trimmedDescription)).self)"
        }
        return [inherited].compactMap(\.self) + entity.properties.compactMap { statement($0) } + steps
    }

    /// The labels of the macro's arguments that the schema has as well, in its order.
    private static let labels = [
        "isAbstract", "renamedFrom", "addedIn", "unique", "indexes", "projections", "authenticatesRows", "isShared",
    ]

    /// The arguments of the schema.
    private var arguments: String {
        var list = ["of: \(entity.className).self"]
        if let parent = entity.parent { list.append("parent: \(parent.trimmedDescription).self") }
        if !entity.isFinal { list.append("isFinal: false") }
        for label in Self.labels {
            guard let value = entity.argument(label) else { continue }
            list.append("\(label): \(value.trimmedDescription)")
        }
        return list.joined(separator: ", ")
    }

    /// The number of inherited properties, which precede those of the class.
    private var offset: DeclSyntax? {
        EntityDeclaration.offset(in: entity.declaration)
            .map { name in
                let parent = entity.parent.map { "after: \($0.trimmedDescription).self" } ?? ""
                return "private static let \(raw: name) = TransformableEntities._EntityOffset(\(raw: parent))"
            }
    }

    private var record: DeclSyntax {
        "\(raw: entity.access)let _record = TransformableEntities._EntityRecord()"
    }

    private var fetched: DeclSyntax {
        """
        \(raw: entity.isFinal ? "" : "required ")\(raw: entity.access)init(_stored object: TransformableStore.ManagedObject) {
            _record.attach(object)
        }
        """
    }

    private var fetchedChild: DeclSyntax {
        """
        required \(raw: entity.access)init(_stored object: TransformableStore.ManagedObject) {
            super.init(_stored: object)
        }
        """
    }

    /// Whether the child inherits all initializers of its parent, as it does if it has no designated one of its own.
    private var inheritsInitializers: Bool {
        entity.initializers.allSatisfy { initializer in
            initializer.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
        }
    }

    /// The initializer that the compiler would have synthesized if the macro did not add another one.
    private var needsInitializer: Bool {
        entity.parent == nil && entity.initializers.isEmpty && !entity.properties.contains(where: \.needsValue)
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
        if !hasDefault, !property.hasTransformer {
            if let value = LiteralType.modelDefault(property) {
                list.append(".default(\(value.trimmedDescription))")
            } else if LiteralType.mayBeRawConstant(property) {
                list.append("isConstant: true")
            }
        }
        if let initial = property.initial {
            // A closure that is called immediately must not look like a trailing closure of the first statement.
            let text = initial.trimmedDescription
            list.append("initial: { \(text.hasPrefix("{") ? "(\(text))" : text) }")
        }
        return "schema.attribute(\(list.joined(separator: ", ")))"
    }

    /// All possible hooks, preceded by those of the parent.
    ///
    /// The compiler selects those that the class implements, even in extensions, and those of the parent that the class
    /// can override.
    private var hooks: [String] {
        func list(_ type: String) -> String {
            EntityDeclaration.hooks.map { "\(type).\($0)" }.joined(separator: ", ")
        }
        let own = "schema.hooks(\(list(entity.className)))"
        guard let parent = entity.parent?.trimmedDescription else { return [own] }
        let inherited = "schema.inheritedHooks(of: \(parent).self, \(list(parent)))"
        let added = entity.addedHooks.map { "\\.\($0)" }.joined(separator: ", ")
        return [inherited] + (added.isEmpty ? [] : ["schema.addedHooks(\(added))"]) + [own]
    }

    /// The key paths from an optional object, from which longer key paths are composed.
    private var steps: [String] {
        let steps = entity.properties.filter { $0.role != .transient }.map { "\\.?.\($0.token.text)" }
        return steps.isEmpty ? [] : ["schema.steps(\(steps.joined(separator: ", ")))"]
    }

    /// The statements about transient properties: how to reset them, and whether they may run code in the end.
    private var transients: [String] {
        let lines = entity.transientResets.map { "\n        \($0)" }.joined()
        let reset = lines.isEmpty ? [] : ["schema.transients { object in\(lines)\n    }"]
        return reset + (entity.mayRunDeinit ? ["schema.hasDeinit()"] : [])
    }

    private func relationship(_ property: PropertyDeclaration) -> String {
        var list = ["\"\(property.name)\"", "\\.\(property.token.text)"]
        for argument in property.markArguments {
            list.append(argument.text)
            if argument.label == "inverse", let name = property.inverse { list.append("named: \"\(name)\"") }
        }
        return "schema.relationship(\(list.joined(separator: ", ")))"
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
        // A filtered list of syntax would be a copy, whose place in the source code the compiler does not know.
        return list.compactMap { $0.label == nil ? $0.expression : nil }
    }

    /// Returns whether the property may have a projection with a name.
    ///
    /// The default name begins with that of the property. A name that is not a literal is known only when the program runs.
    func mayProject(as name: String) -> Bool {
        markOptions.contains { option in
            guard let call = option.as(FunctionCallExprSyntax.self),
                call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "projected"
            else { return false }
            guard let stated = call.arguments.first(where: { $0.label?.text == "as" })?.expression else {
                return name.hasPrefix("\(self.name)_")
            }
            return stated.as(StringLiteralExprSyntax.self)?.representedLiteralValue.map { $0 == name } ?? true
        }
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
