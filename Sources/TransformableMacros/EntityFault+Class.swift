import SwiftDiagnostics
import SwiftSyntax

extension EntityFault {
    static func notAClass(_ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax) -> Diagnostic {
        let keyword = declaration.introducer
        let kind = keyword.text.first.map { "aeiou".contains($0) } == true ? "an \(keyword.text)" : "a \(keyword.text)"
        let message = "an entity is a final class: its objects have an identity, which \(kind) has not"
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

    static func isolated(_ attribute: AttributeSyntax, _ what: String) -> Diagnostic {
        let name = attribute.attributeName.trimmedDescription
        let message = "an entity's objects belong to their context, so \(what) cannot be @\(name)"
        return fault("isolated", message, at: attribute)
    }

    static func sendable(_ type: TypeSyntax) -> Diagnostic {
        let message = "an entity's objects belong to their context and are not Sendable; their “persistentID” is"
        return fault("sendable", message, at: type)
    }

    static func asynchronous(_ keyword: TokenSyntax) -> Diagnostic {
        fault("async", "a store calls this method within a transaction, so it cannot be “async”", at: keyword)
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
