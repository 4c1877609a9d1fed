import SwiftSyntax

/// Collects the properties that an initializer assigns, on any path.
final class AssignedNames: SyntaxVisitor {
    private(set) var names: Set<String> = []
    /// Whether the initializer delegates to another initializer.
    private(set) var delegates = false

    init(in initializer: InitializerDeclSyntax) {
        super.init(viewMode: .sourceAccurate)
        delegates = initializer.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
        if let body = initializer.body { walk(body) }
    }

    // An assignment is an element of an unfolded sequence: the expression before `=`.
    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        let elements = Array(node.elements)
        for (index, element) in elements.enumerated().dropFirst() where element.is(AssignmentExprSyntax.self) {
            note(elements[index - 1])
        }
        return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.is(AssignmentExprSyntax.self) { note(node.leftOperand) }
        return .visitChildren
    }

    override func visit(_ node: InOutExprSyntax) -> SyntaxVisitorContinueKind {
        note(node.expression)
        return .visitChildren
    }

    private func note(_ target: ExprSyntax) {
        if let tuple = target.as(TupleExprSyntax.self) {
            for element in tuple.elements { note(element.expression) }
        } else if let member = target.as(MemberAccessExprSyntax.self), member.base?.trimmedDescription == "self" {
            names.insert(member.declName.baseName.identifier?.name ?? "")
        } else if let reference = target.as(DeclReferenceExprSyntax.self) {
            names.insert(reference.baseName.identifier?.name ?? "")
        }
    }
}
