import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What a declaration does wrong; all messages are here.
struct EntityFault: DiagnosticMessage, FixItMessage {
    let id: String
    let message: String

    var diagnosticID: MessageID { MessageID(domain: "TransformableEntities", id: id) }
    var fixItID: MessageID { diagnosticID }
    var severity: DiagnosticSeverity { .error }

    private init(_ id: String, _ message: String) {
        self.id = id
        self.message = message
    }

    private static func fault(
        _ id: String,
        _ message: String,
        at node: some SyntaxProtocol,
        _ fix: String? = nil,
        _ changes: [FixIt.Change] = []
    ) -> Diagnostic {
        let fixes = fix.map { [FixIt(message: EntityFault(id, $0), changes: changes)] } ?? []
        return Diagnostic(node: Syntax(node), message: EntityFault(id, message), fixIts: fixes)
    }

    private static func replace(_ old: some SyntaxProtocol, _ new: some SyntaxProtocol) -> FixIt.Change {
        .replace(
            oldNode: Syntax(old),
            newNode: Syntax(new).with(\.leadingTrivia, old.leadingTrivia).with(\.trailingTrivia, old.trailingTrivia)
        )
    }
}

// MARK: - The class

extension EntityFault {
    static func notAClass(_ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax) -> Diagnostic {
        let keyword = declaration.introducer
        let message = "an entity is a final class: its objects have an identity, which a \(keyword.text) has not"
        guard keyword.tokenKind == .keyword(.struct) else { return fault("not-a-class", message, at: keyword) }
        let new = keyword.with(\.tokenKind, .keyword(.class))
            .with(\.leadingTrivia, keyword.leadingTrivia + "final ")
        let change = FixIt.Change.replace(oldNode: Syntax(keyword), newNode: Syntax(new))
        return fault("not-a-class", message, at: keyword, "make it a final class", [change])
    }

    static func notFinal(_ declaration: ClassDeclSyntax) -> Diagnostic {
        let keyword = declaration.classKeyword
        let new = keyword.with(\.leadingTrivia, keyword.leadingTrivia + "final ")
        let change = FixIt.Change.replace(oldNode: Syntax(keyword), newNode: Syntax(new))
        let message = "an entity's class must be final: a fetched object is of the class itself"
        guard let open = declaration.modifiers.first(where: { $0.name.tokenKind == .keyword(.open) }) else {
            return fault("not-final", message, at: keyword, "make it final", [change])
        }
        let isPublic = replace(open.name, TokenSyntax.keyword(.public))
        return fault("not-final", message, at: open, "make it public and final", [isPublic, change])
    }

    static func generic(_ clause: GenericParameterClauseSyntax) -> Diagnostic {
        fault("generic", "an entity's class cannot be generic: an entity has one table", at: clause)
    }

    static func isolated(_ attribute: AttributeSyntax) -> Diagnostic {
        let name = attribute.attributeName.trimmedDescription
        return fault(
            "isolated",
            "an entity's objects belong to their context, so the class cannot be @\(name)",
            at: attribute
        )
    }

    static func sendable(_ type: TypeSyntax) -> Diagnostic {
        let message = "an entity's objects belong to their context and are not Sendable; their “persistentID” is"
        return fault("sendable", message, at: type)
    }

    static func asynchronous(_ keyword: TokenSyntax) -> Diagnostic {
        fault("async", "a store calls this method within a transaction, so it cannot be “async”", at: keyword)
    }

    static func conditional(_ method: FunctionDeclSyntax) -> Diagnostic {
        let message = "a method that a store calls cannot stand in “#if”; put the condition into its body"
        return fault("conditional", message, at: method.name)
    }

    static func noInitializer(_ entity: EntityDeclaration) -> Diagnostic {
        let block = entity.declaration.memberBlock
        let names = entity.properties.filter(\.needsValue).map(\.name).joined(separator: "”, “")
        let initializer = "\n\n\(entity.memberwiseInitializer)"
        let close = block.rightBrace
        let trivia = Trivia(stringLiteral: initializer)
        let change = FixIt.Change.replace(
            oldNode: Syntax(close),
            newNode: Syntax(close.with(\.leadingTrivia, trivia))
        )
        return fault(
            "no-initializer",
            "“\(entity.className)” needs an initialiser that sets “\(names)”",
            at: entity.declaration.name,
            "add one",
            [change]
        )
    }

    static func notSet(_ names: [String], in initializer: InitializerDeclSyntax) -> Diagnostic {
        let list = names.joined(separator: "”, “")
        return fault(
            "not-set",
            "the initialiser does not set “\(list)”, which has no initial value and is not optional",
            at: initializer.initKeyword
        )
    }

    static func unknownProperty(_ name: StringLiteralExprSyntax) -> Diagnostic {
        fault(
            "unknown-property",
            "the class has no property “\(name.representedLiteralValue ?? "")” that is stored",
            at: name
        )
    }
}

// MARK: - Properties

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

// MARK: - Relationships

extension EntityFault {
    static func notAnEntity(_ type: TypeSyntax, _ mark: AttributeSyntax?) -> Diagnostic {
        let changes = mark.map { [replace($0.attributeName, TypeSyntax("Attribute"))] } ?? []
        let isBare = mark?.arguments == nil
        return fault(
            "relationship-type",
            "a relationship leads to objects of an entity: “Visit?” for one, “[Visit]” for many",
            at: type,
            isBare ? "make it an @Attribute" : nil,
            changes
        )
    }

    static func requiredToOne(_ type: TypeSyntax) -> Diagnostic {
        fault(
            "relationship-optional",
            "a relationship to one is optional: its object may be deleted; “isRequired: true” has saving check it",
            at: type,
            "make it optional",
            [replace(type, OptionalTypeSyntax(wrappedType: type.trimmed))]
        )
    }

    static func set(_ type: TypeSyntax, _ element: TypeSyntax) -> Diagnostic {
        fault(
            "relationship-set",
            "a relationship to many is an array",
            at: type,
            "make it an array",
            [replace(type, ArrayTypeSyntax(element: element.trimmed))]
        )
    }

    static func relationshipValue(_ value: ExprSyntax) -> Diagnostic {
        fault("relationship-value", "a relationship leads nowhere at first; let an initialiser set it", at: value)
    }

    static func inverse(_ path: ExprSyntax) -> Diagnostic {
        fault("inverse", "an inverse is a key path of one step from the other class: “\\Visit.patient”", at: path)
    }
}

// MARK: - Elsewhere

extension EntityFault {
    static func outside(_ mark: AttributeSyntax) -> Diagnostic {
        let name = mark.attributeName.trimmedDescription
        return fault("outside", "@\(name) belongs on a stored property of a class that is an @Entity", at: mark)
    }
}

extension PropertyDeclaration {
    /// The name where it stands in the source.
    fileprivate func token(in binding: PatternBindingSyntax) -> PatternSyntax { binding.pattern }
}
