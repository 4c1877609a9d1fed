import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The syntax of a stored property of an entity class.
struct PropertyDeclaration {
    /// The role of the property in the model.
    enum Role: Equatable {
        case attribute
        case relationship
        case transient
    }

    let role: Role
    let variable: VariableDeclSyntax
    let binding: PatternBindingSyntax
    /// The name as written, in backquotes if it needs them.
    let token: TokenSyntax
    /// The `@Attribute` or `@Relationship` macro of the property, if any.
    let mark: AttributeSyntax?

    /// The name in the model.
    var name: String { token.identifier?.name ?? token.text }

    /// The type, either written out or inferred from a literal.
    var type: TypeSyntax? { binding.typeAnnotation?.type ?? binding.initializer.flatMap { LiteralType.of($0.value) } }

    /// The initial value, except for `nil`, which optionals have by default.
    var initial: ExprSyntax? {
        guard let value = binding.initializer?.value, !value.is(NilLiteralExprSyntax.self) else { return nil }
        return value.trimmed
    }

    var isOptional: Bool { type?.wrappedIfOptional != nil }

    /// Whether an initializer has to set the property.
    var needsValue: Bool { role == .attribute && !isOptional && binding.initializer == nil }
}

extension PropertyDeclaration {
    /// Returns nil if the member is not a stored instance property.
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
    /// Returns one of the package's macros by the last component of its name.
    func mark(_ name: String) -> AttributeSyntax? {
        attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.attributeName.lastName == name }
    }

    /// All of the package's macros on the property, `@Transient` first.
    var marks: [AttributeSyntax] {
        ["Transient", "Attribute", "Relationship"]
            .flatMap { name in
                attributes.compactMap { $0.as(AttributeSyntax.self) }.filter { $0.attributeName.lastName == name }
            }
    }

    /// Whether the property is static.
    var isOfType: Bool {
        modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
    }

    var isLet: Bool { bindingSpecifier.tokenKind == .keyword(.let) }

    func modifier(_ keywords: Keyword...) -> DeclModifierSyntax? {
        modifiers.first { modifier in keywords.contains { modifier.name.tokenKind == .keyword($0) } }
    }

    /// The property observer of the only binding.
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
    /// The last component of a type name that may include a module: `Patient` for `Clinic.Patient`.
    var lastName: String? {
        self.as(IdentifierTypeSyntax.self)?.name.text ?? self.as(MemberTypeSyntax.self)?.name.text
    }

    /// The wrapped type of an optional, or nil for any other type.
    var wrappedIfOptional: TypeSyntax? {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        guard let named = self.as(IdentifierTypeSyntax.self), named.name.text == "Optional",
            case .type(let type) = named.genericArgumentClause?.arguments.first?.argument
        else { return nil }
        return type
    }

    /// The element type of an array, or nil for any other type.
    var elementIfArray: TypeSyntax? {
        if let array = self.as(ArrayTypeSyntax.self) { return array.element }
        guard let named = self.as(IdentifierTypeSyntax.self), named.name.text == "Array",
            case .type(let type) = named.genericArgumentClause?.arguments.first?.argument
        else { return nil }
        return type
    }

    /// The element type of a set, or nil for any other type.
    var elementIfSet: TypeSyntax? {
        guard let named = self.as(IdentifierTypeSyntax.self), named.name.text == "Set",
            case .type(let type) = named.genericArgumentClause?.arguments.first?.argument
        else { return nil }
        return type
    }
}

/// A macro that `@Entity` reads, and that expands to nothing.
private protocol Marker: PeerMacro {}

extension Marker {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        let entity = context.lexicalContext.first?.asProtocol((any DeclGroupSyntax).self)
        let isInEntity = entity?.attributes
            .contains { $0.as(AttributeSyntax.self)?.attributeName.lastName == "Entity" }
        if isInEntity != true || !declaration.is(VariableDeclSyntax.self) {
            context.diagnose(EntityFault.outside(node))
        }
        return []
    }
}

/// `@Attribute`.
struct AttributeMarker: Marker {}

/// `@Relationship`.
struct RelationshipMarker: Marker {}

/// `@Transient`.
struct TransientMarker: Marker {}

/// Infers types from initial values.
enum LiteralType {
    /// Returns the type of a literal or of `Type()`, as the compiler infers it, or nil for any other expression.
    static func of(_ value: ExprSyntax) -> TypeSyntax? {
        if let negated = value.as(PrefixOperatorExprSyntax.self), negated.operator.text == "-" {
            return of(negated.expression).flatMap { ["Int", "Double"].contains($0.description) ? $0 : nil }
        }
        // An initializer without arguments cannot be failable in practice, whereas one with arguments may return an
        // optional.
        if let call = value.as(FunctionCallExprSyntax.self), call.arguments.isEmpty, call.trailingClosure == nil {
            return guess(value)
        }
        return switch value.kind {
        case .integerLiteralExpr: "Int"
        case .floatLiteralExpr: "Double"
        case .stringLiteralExpr: "String"
        case .booleanLiteralExpr: "Bool"
        default: nil
        }
    }

    /// Returns the most likely type of an expression, for a fix-it.
    static func guess(_ value: ExprSyntax) -> TypeSyntax? {
        if let base = value.as(MemberAccessExprSyntax.self)?.base, base.is(DeclReferenceExprSyntax.self) {
            let isType = base.trimmedDescription.first?.isUppercase == true
            return isType ? "\(raw: base.trimmedDescription)" : nil
        }
        guard let call = value.as(FunctionCallExprSyntax.self) else { return nil }
        let callee = call.calledExpression.trimmedDescription
        guard let first = callee.unicodeScalars.first, first.properties.isUppercase || first == "[" else { return nil }
        return callee.contains(".") && !callee.hasPrefix("[") ? nil : "\(raw: callee)"
    }

    private static let plain: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Float", "Double",
        "Decimal", "Bool", "String",
    ]

    /// Returns whether a type, optional or not, is a number, a Boolean, or text.
    static func isPlain(_ type: TypeSyntax?) -> Bool {
        guard let type else { return false }
        return plain.contains((type.wrappedIfOptional ?? type).trimmedDescription)
    }

    /// Returns the default value of an attribute in the model, or nil if only code can express it.
    static func modelDefault(_ property: PropertyDeclaration) -> ExprSyntax? {
        guard let value = property.initial, let type = property.type else { return nil }
        let name = (type.wrappedIfOptional ?? type).trimmedDescription
        let text = value.trimmedDescription
        switch name {
        case "Date": return ["Date()", ".now", "Date.now", ".init()"].contains(text) ? ".now" : nil
        case "UUID": return ["UUID()", ".init()"].contains(text) ? ".newUUID" : nil
        default:
            if let empty = emptyDefault(type, text) { return empty }
            let isConstant = value.as(StringLiteralExprSyntax.self).map { $0.representedLiteralValue != nil } ?? true
            let isLiteral = of(value) != nil && !value.is(FunctionCallExprSyntax.self)
            return isPlain(type) && isLiteral && isConstant && fitsModel(value) ? value : nil
        }
    }

    /// Returns whether a literal is not an integer, or one that fits 64 bits and a sign, as the model's integers do.
    private static func fitsModel(_ value: ExprSyntax) -> Bool {
        let literal = value.as(PrefixOperatorExprSyntax.self)?.expression ?? value
        guard let number = literal.as(IntegerLiteralExprSyntax.self), number.representedLiteralValue == nil else {
            return true
        }
        // The lowest integer has no positive counterpart.
        return Int64(value.trimmedDescription.filter { $0 != "_" }) != nil
    }

    /// Returns whether the initial value of an attribute is the same each time, if the type is one with raw values.
    static func mayBeRawConstant(_ property: PropertyDeclaration) -> Bool {
        guard let value = property.initial, let type = property.type else { return false }
        let plain = type.wrappedIfOptional ?? type
        let isList = plain.elementIfArray != nil || plain.elementIfSet != nil
        return !isList && !plain.is(DictionaryTypeSyntax.self) && !isPlain(plain) && isConstant(value)
    }

    /// Returns whether an expression consists of literals, members of types such as `.low`, and raw values.
    private static func isConstant(_ value: ExprSyntax) -> Bool {
        if let negated = value.as(PrefixOperatorExprSyntax.self) { return isConstant(negated.expression) }
        if let text = value.as(StringLiteralExprSyntax.self) { return text.representedLiteralValue != nil }
        if let list = value.as(ArrayExprSyntax.self) { return list.elements.allSatisfy { isConstant($0.expression) } }
        if let member = value.as(MemberAccessExprSyntax.self) { return member.base.map(isType) ?? true }
        guard let call = value.as(FunctionCallExprSyntax.self) else {
            return [.integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr].contains(value.kind)
        }
        guard let argument = call.arguments.first, call.arguments.count == 1, call.trailingClosure == nil else {
            return false
        }
        return argument.label?.text == "rawValue" && isConstant(argument.expression)
    }

    /// Returns whether an expression is the name of a type, which may include a module or another type.
    private static func isType(_ value: ExprSyntax) -> Bool {
        value.trimmedDescription.split(separator: ".").allSatisfy { $0.first?.isUppercase == true }
    }

    /// Returns an empty array or dictionary as JSON, which is how both are stored by default.
    private static func emptyDefault(_ type: TypeSyntax, _ text: String) -> ExprSyntax? {
        let isEmpty = ["[]", "[:]", "\(type.trimmedDescription)()"].contains(text)
        guard isEmpty, type.wrappedIfOptional == nil else { return nil }
        if type.elementIfArray != nil || type.elementIfSet != nil { return "\"[]\"" }
        // JSON encodes dictionaries with other keys as arrays.
        let key = type.as(DictionaryTypeSyntax.self)?.key.trimmedDescription ?? ""
        return ["String", "Int"].contains(key) ? "\"{}\"" : nil
    }
}
