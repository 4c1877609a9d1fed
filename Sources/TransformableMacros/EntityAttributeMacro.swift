import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The macro that `@Entity` adds to an attribute: accessors that use the record, and the `$` property for throwing
/// access.
struct EntityAttributeMacro {}

extension EntityAttributeMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [AccessorDeclSyntax] {
        guard let property = PropertyDeclaration(declaration), let place = node.place(.attribute, context) else {
            return []
        }
        let initial = property.initial.map { ", or: \($0.trimmedDescription)" } ?? ""
        return [
            "get { _record.value(\(place)\(raw: initial)) }",
            "set { _record.setValue(newValue, \(place)) }",
        ]
    }
}

extension EntityAttributeMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        guard let property = PropertyDeclaration(declaration), let type = property.type,
            let place = node.place(.attribute, context)
        else { return [] }
        let handle = "TransformableEntities.EntityAttribute<\(type.trimmedDescription)>"
        return [
            """
            \(raw: property.access)var $\(raw: property.name): \(raw: handle) { .init(_of: self, \(place)) }
            """
        ]
    }
}

/// The macro that `@Entity` adds to a relationship: accessors that use the record.
struct EntityReferenceMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [AccessorDeclSyntax] {
        guard let property = PropertyDeclaration(declaration), let place = node.place(.relationship, context) else {
            return []
        }
        let accessors: [AccessorDeclSyntax] = [
            "get { _record.reference(\(place)) }", "set { _record.setReference(newValue, \(place)) }",
        ]
        guard let element = property.type?.elementIfArray else { return accessors }
        return accessors + [
            """
            _modify {
                var lent: TransformableEntities._LentEntities<\(element.trimmed)> = _record.lend(\(place))
                defer { _record.settle(&lent, \(place)) }
                yield &lent.objects
            }
            """
        ]
    }
}

/// What `@Entity` puts on a transient property: an observer that marks the object as changed.
struct EntityTransientMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [AccessorDeclSyntax] {
        ["didSet { _record.noteTransientChange() }"]
    }
}

extension AttributeSyntax {
    /// Returns the index of the property: the one that `@Entity` assigned to it, after those of inherited properties.
    fileprivate func place(_ role: PropertyDeclaration.Role, _ context: some MacroExpansionContext) -> ExprSyntax? {
        guard case .argumentList(let list) = arguments, let index = list.first?.expression.trimmed else { return nil }
        guard let type = context.lexicalContext.first?.as(ClassDeclSyntax.self),
            let offset = EntityDeclaration.offset(in: type)
        else { return index }
        let count = role == .attribute ? "attributes" : "relationships"
        return "\(type.name.trimmed).\(raw: offset).\(raw: count) + \(index)"
    }
}

extension PropertyDeclaration {
    /// The access modifier of the property's getter and a space, or an empty string if the default suffices.
    fileprivate var access: String {
        let modifier = variable.modifiers.first { modifier in
            let keywords: [Keyword] = [.open, .public, .package, .internal, .fileprivate, .private]
            return modifier.detail == nil && keywords.contains { modifier.name.tokenKind == .keyword($0) }
        }
        // Only the property itself can be overridden.
        return modifier.map { $0.name.tokenKind == .keyword(.open) ? "public " : "\($0.name.text) " } ?? ""
    }
}
