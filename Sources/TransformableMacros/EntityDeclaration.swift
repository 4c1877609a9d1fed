import SwiftSyntax

/// An entity's class, as far as its syntax tells.
struct EntityDeclaration {
    let declaration: ClassDeclSyntax
    let attribute: AttributeSyntax
    /// Everything that is stored, in the order it is declared.
    let properties: [PropertyDeclaration]

    var attributes: [PropertyDeclaration] { properties.filter { $0.role == .attribute } }
    var relationships: [PropertyDeclaration] { properties.filter { $0.role == .relationship } }

    var className: String { declaration.name.text }

    /// The initialisers in the class's own body.
    var initializers: [InitializerDeclSyntax] {
        declaration.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
    }

    /// `public` and a space, where the class is public; nothing where the default will do.
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

    /// What stands first after the class's name and a colon: a protocol, or a superclass, which syntax cannot tell apart.
    var firstInherited: TypeSyntax? {
        let type = declaration.inheritanceClause?.inheritedTypes.first?.type
        return type?.as(AttributedTypeSyntax.self)?.baseType ?? type
    }

    /// An argument of `@Entity`, by its label.
    func argument(_ label: String?) -> ExprSyntax? {
        guard case .argumentList(let list) = attribute.arguments else { return nil }
        return list.first { $0.label?.text == label }?.expression
    }
}
