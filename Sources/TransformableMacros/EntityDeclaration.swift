import SwiftSyntax

/// The syntax of an entity class.
struct EntityDeclaration {
    let declaration: ClassDeclSyntax
    let attribute: AttributeSyntax
    /// The stored properties, in order of declaration.
    let properties: [PropertyDeclaration]

    var attributes: [PropertyDeclaration] { properties.filter { $0.role == .attribute } }
    var relationships: [PropertyDeclaration] { properties.filter { $0.role == .relationship } }

    var className: String { declaration.name.text }

    /// The initializers in the body of the class.
    var initializers: [InitializerDeclSyntax] {
        declaration.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
    }

    /// `public` and a space if the class is public, or an empty string if the default access suffices.
    var access: String {
        let keywords: [TokenKind] = [.keyword(.public), .keyword(.package)]
        let modifier = declaration.modifiers.first { keywords.contains($0.name.tokenKind) }
        return modifier.map { "\($0.name.text) " } ?? ""
    }

    init(_ declaration: ClassDeclSyntax, _ attribute: AttributeSyntax) {
        self.declaration = declaration
        self.attribute = attribute
        properties = declaration.memberBlock.members.compactMap { PropertyDeclaration($0.decl) }
            .filter { !$0.variable.isLet || $0.role == .transient }
    }

    /// The first type in the inheritance clause: a protocol or a superclass, which look the same in syntax.
    var firstInherited: TypeSyntax? {
        let type = declaration.inheritanceClause?.inheritedTypes.first?.type
        return type?.as(AttributedTypeSyntax.self)?.baseType ?? type
    }

    /// Returns an argument of `@Entity` by its label.
    func argument(_ label: String?) -> ExprSyntax? {
        guard case .argumentList(let list) = attribute.arguments else { return nil }
        return list.first { $0.label?.text == label }?.expression
    }
}
