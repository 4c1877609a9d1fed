import SwiftSyntax

/// A stored property of an entity's class, as far as its syntax tells.
struct PropertyDeclaration {
    /// What becomes of it in the model.
    enum Role: Equatable {
        case attribute
        case relationship
        case transient
    }

    let role: Role
    let variable: VariableDeclSyntax
    let binding: PatternBindingSyntax
    /// The name as it is written, in backquotes if it needs them.
    let token: TokenSyntax
    /// `@Attribute` or `@Relationship`, if it stands there.
    let mark: AttributeSyntax?

    /// The name as the model has it.
    var name: String { token.identifier?.name ?? token.text }

    /// The type, written out or told by a literal.
    var type: TypeSyntax? { binding.typeAnnotation?.type ?? binding.initializer.flatMap { LiteralType.of($0.value) } }

    /// The initial value; none for a `nil`, which an optional has by itself.
    var initial: ExprSyntax? {
        guard let value = binding.initializer?.value, !value.is(NilLiteralExprSyntax.self) else { return nil }
        return value.trimmed
    }

    var isOptional: Bool { type?.wrappedIfOptional != nil }

    /// Whether an initialiser has to give it a value.
    var needsValue: Bool { role == .attribute && !isOptional && binding.initializer == nil }
}

extension PropertyDeclaration {
    /// Reads a member; nil for what is no stored property of objects.
    init?(_ member: some SyntaxProtocol) {
        guard let variable = member.as(VariableDeclSyntax.self), !variable.isOfType, !variable.isComputed,
            let binding = variable.bindings.first, variable.bindings.count == 1,
            let token = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
        else { return nil }
        self.variable = variable
        self.binding = binding
        self.token = token.trimmed
        mark = variable.mark("Attribute") ?? variable.mark("Relationship")
        if variable.mark("Transient") != nil {
            role = .transient
        } else {
            role = variable.mark("Relationship") == nil ? .attribute : .relationship
        }
    }
}

extension VariableDeclSyntax {
    /// Finds an attribute of ours, by its last name.
    func mark(_ name: String) -> AttributeSyntax? {
        attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.attributeName.lastName == name }
    }

    /// All attributes of ours, `@Transient` first.
    var marks: [AttributeSyntax] {
        ["Transient", "Attribute", "Relationship"]
            .flatMap { name in
                attributes.compactMap { $0.as(AttributeSyntax.self) }.filter { $0.attributeName.lastName == name }
            }
    }

    /// Whether it belongs to the class and not to its objects.
    var isOfType: Bool {
        modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
    }

    var isLet: Bool { bindingSpecifier.tokenKind == .keyword(.let) }

    func modifier(_ keywords: Keyword...) -> DeclModifierSyntax? {
        modifiers.first { modifier in keywords.contains { modifier.name.tokenKind == .keyword($0) } }
    }

    /// The accessors of its only binding that observe it.
    var observer: AccessorDeclSyntax? {
        guard case .accessors(let list) = bindings.first?.accessorBlock?.accessors else { return nil }
        return list.first { [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind) }
    }

    var isComputed: Bool {
        guard let block = bindings.first?.accessorBlock else { return false }
        guard case .accessors = block.accessors else { return true }
        return observer == nil
    }
}

extension TypeSyntax {
    /// The last name of a type that is written with or without its module: `Patient` of `Clinic.Patient`.
    var lastName: String? {
        self.as(IdentifierTypeSyntax.self)?.name.text ?? self.as(MemberTypeSyntax.self)?.name.text
    }

    /// The type inside an optional; nil for any other.
    var wrappedIfOptional: TypeSyntax? {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        guard let named = self.as(IdentifierTypeSyntax.self), named.name.text == "Optional",
            case .type(let type) = named.genericArgumentClause?.arguments.first?.argument
        else { return nil }
        return type
    }

    /// The type of an array's elements; nil for any other.
    var elementIfArray: TypeSyntax? {
        if let array = self.as(ArrayTypeSyntax.self) { return array.element }
        guard let named = self.as(IdentifierTypeSyntax.self), named.name.text == "Array",
            case .type(let type) = named.genericArgumentClause?.arguments.first?.argument
        else { return nil }
        return type
    }

    /// The type of a set's elements; nil for any other.
    var elementIfSet: TypeSyntax? {
        guard let named = self.as(IdentifierTypeSyntax.self), named.name.text == "Set",
            case .type(let type) = named.genericArgumentClause?.arguments.first?.argument
        else { return nil }
        return type
    }
}
