import SwiftSyntax
import SwiftSyntaxBuilder

/// What an initial value tells by itself.
enum LiteralType {
    /// The type of a literal or of `Type()`, as the compiler infers it; nil for any other expression.
    static func of(_ value: ExprSyntax) -> TypeSyntax? {
        if let negated = value.as(PrefixOperatorExprSyntax.self), negated.operator.text == "-" {
            return of(negated.expression).flatMap { ["Int", "Double"].contains($0.description) ? $0 : nil }
        }
        // Without arguments an initialiser makes a value for certain, where with some it may give an optional.
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

    /// The type that an expression most likely has, for a fix-it.
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

    /// Whether a type is a number, a truth value or a text, be it optional.
    static func isPlain(_ type: TypeSyntax?) -> Bool {
        guard let type else { return false }
        return plain.contains((type.wrappedIfOptional ?? type).trimmedDescription)
    }

    /// What the model's text says as the default of an attribute; nil for what only code can say.
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

    /// An empty list or dictionary as JSON, which is how either is stored where nothing else is said.
    private static func emptyDefault(_ type: TypeSyntax, _ text: String) -> ExprSyntax? {
        let isEmpty = ["[]", "[:]", "\(type.trimmedDescription)()"].contains(text)
        guard isEmpty, type.wrappedIfOptional == nil else { return nil }
        if type.elementIfArray != nil || type.elementIfSet != nil { return "\"[]\"" }
        // Of other keys JSON makes a list.
        let key = type.as(DictionaryTypeSyntax.self)?.key.trimmedDescription ?? ""
        return ["String", "Int"].contains(key) ? "\"{}\"" : nil
    }
}
