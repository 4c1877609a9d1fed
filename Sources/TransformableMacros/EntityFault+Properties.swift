import SwiftDiagnostics
import SwiftSyntax

extension EntityFault {
    private static let transient = "mark it @Transient, to keep it in memory only"

    /// Puts `@Transient` before a declaration.
    private static func markTransient(_ variable: VariableDeclSyntax) -> FixIt.Change {
        let mark = Syntax(variable.with(\.leadingTrivia, variable.leadingTrivia + "@Transient "))
        return .replace(oldNode: Syntax(variable), newNode: mark)
    }

    static func constant(_ variable: VariableDeclSyntax) -> Diagnostic {
        fault(
            "let",
            "an attribute must be a “var”: fetching an object gives it its value",
            at: variable.bindingSpecifier,
            "replace “let” with “var”",
            [replace(variable.bindingSpecifier, TokenSyntax.keyword(.var))]
        )
    }

    static func conditional(_ variable: VariableDeclSyntax) -> Diagnostic {
        fault(
            "conditional",
            "an attribute cannot stand in “#if”: a file keeps it whatever the program was built for",
            at: variable.bindings,
            transient,
            [markTransient(variable)]
        )
    }

    /// An option that the property's declaration says, or says otherwise.
    static func option(_ option: ExprSyntax, of property: PropertyDeclaration) -> Diagnostic? {
        let name = (option.as(FunctionCallExprSyntax.self)?.calledExpression ?? option).as(MemberAccessExprSyntax.self)
        return switch name?.declName.baseName.identifier?.name {
        case "optional": fault("option", "the type says whether an attribute is optional", at: option)
        case "transient": fault("option", "a property that is not stored is marked @Transient", at: option)
        case "default" where property.binding.initializer == nil:
            fault("option", "an initial value says what a new object begins with: “= …”", at: option)
        default: nil
        }
    }

    static func optionalTwice(_ type: TypeSyntax) -> Diagnostic {
        fault(
            "optional-twice",
            "an attribute has a value or none; “\(type.trimmedDescription)” knows two kinds of none",
            at: type
        )
    }

    static func severalBindings(_ variable: VariableDeclSyntax) -> Diagnostic {
        fault("several", "declare each attribute with a “var” of its own", at: variable.bindings)
    }

    static func tuple(_ pattern: PatternSyntax) -> Diagnostic {
        fault("several", "declare each attribute with a “var” of its own", at: pattern)
    }

    static func observed(_ observer: AccessorDeclSyntax, _ variable: VariableDeclSyntax) -> Diagnostic {
        let message = "an attribute cannot have “\(observer.accessorSpecifier.text)”: its accessors are the entity's"
        return fault("observed", message, at: observer.accessorSpecifier, transient, [markTransient(variable)])
    }

    static func modifier(_ modifier: DeclModifierSyntax, _ variable: VariableDeclSyntax) -> Diagnostic {
        let message = "an attribute cannot be “\(modifier.name.text)”: the store keeps its value"
        return fault("modifier", message, at: modifier.name, transient, [markTransient(variable)])
    }

    static func computed(_ mark: AttributeSyntax, _ variable: VariableDeclSyntax) -> Diagnostic {
        var rest = variable
        rest.attributes = variable.attributes.filter { $0.as(AttributeSyntax.self) != mark }
        rest.leadingTrivia = variable.leadingTrivia
        return fault(
            "computed",
            "a computed property is not stored, so @\(mark.attributeName.trimmedDescription) does not apply to it",
            at: mark,
            "remove @\(mark.attributeName.trimmedDescription)",
            [.replace(oldNode: Syntax(variable), newNode: Syntax(rest))]
        )
    }

    static func ofType(_ mark: AttributeSyntax) -> Diagnostic {
        let name = mark.attributeName.trimmedDescription
        return fault("static", "a static property belongs to no object, so @\(name) does not apply to it", at: mark)
    }

    static func twoMarks(_ mark: AttributeSyntax, _ other: AttributeSyntax) -> Diagnostic {
        let names = [mark, other].map { "@\($0.attributeName.trimmedDescription)" }
        guard names[0] != names[1] else { return fault("two-marks", "a property has one \(names[0])", at: mark) }
        return fault("two-marks", "a property cannot be both \(names[0]) and \(names[1])", at: mark)
    }

    static func noInitialValue(_ property: PropertyDeclaration) -> Diagnostic {
        fault(
            "transient-value",
            "a transient property needs an initial value, which it has in a fetched object",
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
            "write out the type of “\(property.name)”: its column follows from it",
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
            "an attribute may be optional or not, and “!” hides which",
            at: type.exclamationMark,
            "replace “!” with “?”",
            [replace(type, optional)]
        )
    }

    static func name(_ property: PropertyDeclaration) -> Diagnostic {
        let message = "the name “\(property.name)” begins with “_”, which is kept for the store"
        return fault("name", message, at: property.token(in: property.binding))
    }
}

extension PropertyDeclaration {
    /// The name where it stands in the source.
    fileprivate func token(in binding: PatternBindingSyntax) -> PatternSyntax { binding.pattern }
}
