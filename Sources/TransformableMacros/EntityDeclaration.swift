import SwiftSyntax

/// The syntax of an entity class.
struct EntityDeclaration {
    let declaration: ClassDeclSyntax
    let attribute: AttributeSyntax
    /// Whether the superclass is an entity, which only the compiler knows.
    let inheritsEntity: Bool
    /// The stored properties, in order of declaration.
    let properties: [PropertyDeclaration]

    var attributes: [PropertyDeclaration] { properties.filter { $0.role == .attribute } }
    var relationships: [PropertyDeclaration] { properties.filter { $0.role == .relationship } }

    var className: String { declaration.name.text }

    /// The entity class that this class inherits from, or nil if there is none.
    var parent: TypeSyntax? { inheritsEntity ? firstInherited : nil }

    var isFinal: Bool { declaration.modifiers.contains { $0.name.tokenKind == .keyword(.final) } }

    /// Whether the entity is declared to have no objects of its own.
    var isAbstract: Bool { argument("isAbstract")?.trimmedDescription == "true" }

    /// The initializers in the body of the class.
    var initializers: [InitializerDeclSyntax] {
        declaration.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
    }

    /// `public` and a space if the class is public or open, or an empty string if the default access suffices.
    var access: String { overridableAccess == "open " ? "public " : overridableAccess }

    /// The same for members that the children override: `open` if the class is open.
    var overridableAccess: String {
        let keywords: [TokenKind] = [.keyword(.open), .keyword(.public), .keyword(.package)]
        let modifier = declaration.modifiers.first { keywords.contains($0.name.tokenKind) }
        return modifier.map { "\($0.name.text) " } ?? ""
    }

    init(_ declaration: ClassDeclSyntax, _ attribute: AttributeSyntax, inheritsEntity: Bool = false) {
        self.declaration = declaration
        self.attribute = attribute
        self.inheritsEntity = inheritsEntity
        properties = declaration.memberBlock.members.compactMap { PropertyDeclaration($0.decl) }
            .filter { !$0.variable.isLet || $0.role == .transient }
    }

    /// The first type in the inheritance clause: a protocol or a superclass, which look the same in syntax.
    var firstInherited: TypeSyntax? {
        let type = declaration.inheritanceClause?.inheritedTypes.first?.type
        return type?.as(AttributedTypeSyntax.self)?.baseType ?? type
    }

    /// The name of the member that counts the inherited properties, or nil if there cannot be any.
    ///
    /// It contains the name of the class, because a member with the same name would override that of the parent.
    static func offset(in declaration: ClassDeclSyntax) -> String? {
        guard declaration.inheritanceClause != nil else { return nil }
        return "_offset\(declaration.name.identifier?.name ?? "")"
    }

    /// Returns an argument of `@Entity` by its label.
    func argument(_ label: String?) -> ExprSyntax? {
        guard case .argumentList(let list) = attribute.arguments else { return nil }
        return list.first { $0.label?.text == label }?.expression
    }
}
