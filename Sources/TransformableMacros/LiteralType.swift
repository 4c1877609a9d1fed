import SwiftSyntax
import SwiftSyntaxBuilder

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
            return isPlain(type) && of(value) != nil && isConstant ? value : nil
        }
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
