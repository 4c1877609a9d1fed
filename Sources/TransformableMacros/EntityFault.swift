import SwiftDiagnostics
import SwiftSyntax

/// An error in a declaration.
///
/// All messages are defined in extensions of this type.
struct EntityFault: DiagnosticMessage, FixItMessage {
    private let id: String
    let message: String

    var diagnosticID: MessageID { MessageID(domain: "TransformableEntities", id: id) }
    var fixItID: MessageID { diagnosticID }
    var severity: DiagnosticSeverity { .error }

    private init(_ id: String, _ message: String) {
        self.id = id
        self.message = message
    }

    static func fault(
        _ id: String,
        _ message: String,
        at node: some SyntaxProtocol,
        _ fix: String? = nil,
        _ changes: [FixIt.Change] = []
    ) -> Diagnostic {
        let fixes = fix.map { [FixIt(message: EntityFault(id, $0), changes: changes)] } ?? []
        return Diagnostic(node: Syntax(node), message: EntityFault(id, message), fixIts: fixes)
    }

    static func replace(_ old: some SyntaxProtocol, _ new: some SyntaxProtocol) -> FixIt.Change {
        .replace(
            oldNode: Syntax(old),
            newNode: Syntax(new).with(\.leadingTrivia, old.leadingTrivia).with(\.trailingTrivia, old.trailingTrivia)
        )
    }
}

extension EntityFault {
    static func outside(_ mark: AttributeSyntax) -> Diagnostic {
        let name = mark.attributeName.trimmedDescription
        return fault("outside", "@\(name) can only be used with a stored property of an @Entity class", at: mark)
    }

    static func notAClass(_ declaration: some DeclGroupSyntax) -> Diagnostic {
        let keyword = declaration.introducer
        let kind = keyword.text.first.map { "aeiou".contains($0) } == true ? "an \(keyword.text)" : "a \(keyword.text)"
        let message = "an entity must be a class, not \(kind)"
        guard keyword.tokenKind == .keyword(.struct) else { return fault("not-a-class", message, at: keyword) }
        let new = keyword.with(\.tokenKind, .keyword(.class))
            .with(\.leadingTrivia, keyword.leadingTrivia + "final ")
        let change = FixIt.Change.replace(oldNode: Syntax(keyword), newNode: Syntax(new))
        return fault("not-a-class", message, at: keyword, "make it a final class", [change])
    }

    static func abstractAndFinal(_ argument: ExprSyntax) -> Diagnostic {
        let message = "an abstract entity cannot be a final class, because only its children have objects"
        return fault("abstract", message, at: argument)
    }

    static func generic(_ clause: GenericParameterClauseSyntax) -> Diagnostic {
        fault("generic", "an entity class cannot be generic, because an entity has a single table", at: clause)
    }

    static func isolated(_ attribute: AttributeSyntax, _ what: String) -> Diagnostic {
        let name = attribute.attributeName.trimmedDescription
        let message = "\(what) cannot be @\(name), because entity objects belong to their context"
        return fault("isolated", message, at: attribute)
    }

    static func sendable(_ type: TypeSyntax) -> Diagnostic {
        let message =
            "an entity class cannot be Sendable, because its objects belong to their context; use “persistentID” instead"
        return fault("sendable", message, at: type)
    }

    static func asynchronous(_ keyword: TokenSyntax) -> Diagnostic {
        fault("async", "this method cannot be “async”, because stores call it within a transaction", at: keyword)
    }

    static func noInitializer(_ entity: EntityDeclaration) -> Diagnostic {
        let block = entity.declaration.memberBlock
        let names = entity.properties.filter(\.needsValue).map(\.name).joined(separator: "”, “")
        let message = "“\(entity.className)” needs an initializer that sets “\(names)”"
        // What the initializer of a parent requires is not visible here.
        guard entity.parent == nil else { return fault("no-initializer", message, at: entity.declaration.name) }
        let initializer = "\n\n\(entity.memberwiseInitializer)"
        let close = block.rightBrace
        let trivia = Trivia(stringLiteral: initializer)
        let change = FixIt.Change.replace(
            oldNode: Syntax(close),
            newNode: Syntax(close.with(\.leadingTrivia, trivia))
        )
        return fault(
            "no-initializer",
            message,
            at: entity.declaration.name,
            "add an initializer",
            [change]
        )
    }

    static func notSet(_ names: [String], in initializer: InitializerDeclSyntax) -> Diagnostic {
        let list = names.joined(separator: "”, “")
        return fault(
            "not-set",
            "the initializer does not set “\(list)”, which has no initial value and is not optional",
            at: initializer.initKeyword
        )
    }

    static func unknownProperty(_ name: StringLiteralExprSyntax) -> Diagnostic {
        fault(
            "unknown-property",
            "the class has no stored property “\(name.representedLiteralValue ?? "")”",
            at: name
        )
    }

    static func notAnEntity(_ type: TypeSyntax, _ mark: AttributeSyntax?) -> Diagnostic {
        let changes = mark.map { [replace($0.attributeName, TypeSyntax("Attribute"))] } ?? []
        let isBare = mark?.arguments == nil
        return fault(
            "relationship-type",
            "a relationship must have an entity type: “Visit?” for one object, “[Visit]” for many",
            at: type,
            isBare ? "make it an @Attribute" : nil,
            changes
        )
    }

    static func requiredToOne(_ type: TypeSyntax) -> Diagnostic {
        fault(
            "relationship-optional",
            "a to-one relationship must be optional; to check it when saving, use “isRequired: true”",
            at: type,
            "make it optional",
            [replace(type, OptionalTypeSyntax(wrappedType: type.trimmed))]
        )
    }

    static func set(_ type: TypeSyntax, _ element: TypeSyntax) -> Diagnostic {
        fault(
            "relationship-set",
            "a to-many relationship must be an array",
            at: type,
            "make it an array",
            [replace(type, ArrayTypeSyntax(element: element.trimmed))]
        )
    }

    static func relationshipValue(_ value: ExprSyntax) -> Diagnostic {
        fault("relationship-value", "a relationship cannot have an initial value; set it in an initializer", at: value)
    }

    static func inverse(_ path: ExprSyntax) -> Diagnostic {
        fault("inverse", "an inverse must be a key path with one component, such as “\\Visit.patient”", at: path)
    }
}
