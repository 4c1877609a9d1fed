import SwiftDiagnostics
import SwiftSyntax

/// An error in a declaration.
///
/// All messages are defined in extensions of this type.
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
}
