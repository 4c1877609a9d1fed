import SwiftDiagnostics
import SwiftSyntax

extension EntityFault {
    private static let transient = "mark it @Transient to keep it in memory only"

    /// Adds `@Transient` to a declaration.
    private static func markTransient(_ variable: VariableDeclSyntax) -> FixIt.Change {
        let mark = Syntax(variable.with(\.leadingTrivia, variable.leadingTrivia + "@Transient "))
        return .replace(oldNode: Syntax(variable), newNode: mark)
    }

    static func constant(_ variable: VariableDeclSyntax) -> Diagnostic {
        fault(
            "let",
            "an attribute must be a “var”, because its value is set when the object is fetched",
            at: variable.bindingSpecifier,
            "replace “let” with “var”",
            [replace(variable.bindingSpecifier, TokenSyntax.keyword(.var))]
        )
    }

    static func conditional(_ variable: VariableDeclSyntax) -> Diagnostic {
        fault(
            "conditional",
            "an attribute cannot be in “#if”, because the store's file must have the same attributes in every build",
            at: variable.bindings,
            transient,
            [markTransient(variable)]
        )
    }

    /// Diagnoses an option that repeats or contradicts the declaration of the property.
    static func option(_ option: ExprSyntax, of property: PropertyDeclaration) -> Diagnostic? {
        let name = (option.as(FunctionCallExprSyntax.self)?.calledExpression ?? option).as(MemberAccessExprSyntax.self)
        return switch name?.declName.baseName.identifier?.name {
        case "optional": fault("option", "“.optional” is not allowed here; use an optional type", at: option)
        case "transient": fault("option", "“.transient” is not allowed here; mark the property @Transient", at: option)
        case "default" where property.binding.initializer == nil:
            fault("option", "“.default” is not allowed here; give the property an initial value", at: option)
        default: nil
        }
    }

    static func optionalTwice(_ type: TypeSyntax) -> Diagnostic {
        fault(
            "optional-twice",
            "an attribute cannot have the type “\(type.trimmedDescription)”, because it has two kinds of nil",
            at: type
        )
    }

    static func severalBindings(_ variable: VariableDeclSyntax) -> Diagnostic {
        fault("several", "declare each attribute in a separate “var”", at: variable.bindings)
    }

    static func tuple(_ pattern: PatternSyntax) -> Diagnostic {
        fault("several", "declare each attribute in a separate “var”", at: pattern)
    }

    static func observed(_ observer: AccessorDeclSyntax, _ variable: VariableDeclSyntax) -> Diagnostic {
        let message =
            "an attribute cannot have “\(observer.accessorSpecifier.text)”, because @Entity generates its accessors"
        return fault("observed", message, at: observer.accessorSpecifier, transient, [markTransient(variable)])
    }

    static func modifier(_ modifier: DeclModifierSyntax, _ variable: VariableDeclSyntax) -> Diagnostic {
        let message = "an attribute cannot be “\(modifier.name.text)”, because the store keeps its value"
        return fault("modifier", message, at: modifier.name, transient, [markTransient(variable)])
    }

    static func overriding(_ modifier: DeclModifierSyntax) -> Diagnostic {
        let message = "an attribute cannot be overridden, because the parent declares its column"
        return fault("override", message, at: modifier.name)
    }

    static func computed(_ mark: AttributeSyntax, _ variable: VariableDeclSyntax) -> Diagnostic {
        var rest = variable
        rest.attributes = variable.attributes.filter { $0.as(AttributeSyntax.self) != mark }
        rest.leadingTrivia = variable.leadingTrivia
        return fault(
            "computed",
            "@\(mark.attributeName.trimmedDescription) cannot be used with a computed property",
            at: mark,
            "remove @\(mark.attributeName.trimmedDescription)",
            [.replace(oldNode: Syntax(variable), newNode: Syntax(rest))]
        )
    }

    static func ofType(_ mark: AttributeSyntax) -> Diagnostic {
        let name = mark.attributeName.trimmedDescription
        return fault("static", "@\(name) cannot be used with a static property", at: mark)
    }

    static func twoMarks(_ mark: AttributeSyntax, _ other: AttributeSyntax) -> Diagnostic {
        let names = [mark, other].map { "@\($0.attributeName.trimmedDescription)" }
        guard names[0] != names[1] else {
            return fault("two-marks", "a property can have only one \(names[0])", at: mark)
        }
        return fault("two-marks", "a property cannot be both \(names[0]) and \(names[1])", at: mark)
    }

    static func noInitialValue(_ property: PropertyDeclaration) -> Diagnostic {
        fault(
            "transient-value",
            "a transient property must have an initial value, which it gets when its object is fetched",
            at: property.token(in: property.binding)
        )
    }

    static func noType(_ property: PropertyDeclaration) -> Diagnostic {
        let guess = property.binding.initializer.flatMap { LiteralType.guess($0.value) }?.trimmedDescription
        let pattern = property.binding.pattern
        let typed = "\(pattern.trimmedDescription): \(guess ?? "<#Type#>")"
        let change = FixIt.Change.replace(
            oldNode: Syntax(pattern),
            newNode: Syntax(PatternSyntax("\(raw: typed) ")).with(\.leadingTrivia, pattern.leadingTrivia)
        )
        return fault(
            "no-type",
            "the type of “\(property.name)” must be written out, because it determines the column",
            at: pattern,
            "add “: \(guess ?? "Type")”",
            [change]
        )
    }

    static func unsupported(_ type: TypeSyntax, _ property: PropertyDeclaration) -> Diagnostic {
        fault(
            "type",
            "a value of type “\(type.trimmedDescription)” cannot be stored",
            at: type,
            transient,
            [markTransient(property.variable)]
        )
    }

    static func implicitlyUnwrapped(_ type: ImplicitlyUnwrappedOptionalTypeSyntax) -> Diagnostic {
        let optional = OptionalTypeSyntax(wrappedType: type.wrappedType)
        return fault(
            "unwrapped",
            "an attribute cannot be implicitly unwrapped; make it optional or not",
            at: type.exclamationMark,
            "replace “!” with “?”",
            [replace(type, optional)]
        )
    }

    static func name(_ property: PropertyDeclaration) -> Diagnostic {
        let message = "the name “\(property.name)” begins with “_”, which is reserved for the store"
        return fault("name", message, at: property.token(in: property.binding))
    }
}

extension PropertyDeclaration {
    /// The property's name in the source code.
    fileprivate func token(in binding: PatternBindingSyntax) -> PatternSyntax { binding.pattern }
}
