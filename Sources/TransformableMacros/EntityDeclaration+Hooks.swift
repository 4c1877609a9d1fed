import SwiftSyntax

extension EntityDeclaration {
    /// The turning points of an object that a class may have a method for.
    private static let hooks: Set<String> = [
        "awakeFromInsert", "awakeFromFetch", "willSave", "didSave", "prepareForDeletion", "validateForInsert",
        "validateForUpdate", "validateForDelete",
    ]

    /// The methods that a store calls, in the order they are declared.
    var hookMethods: [FunctionDeclSyntax] {
        declaration.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }.filter(Self.isHook)
    }

    /// Whether code of the class may run when an object of it goes: a `deinit` anywhere in it, under a condition too.
    var hasDeinit: Bool {
        declaration.memberBlock.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.deinit) }
    }

    static func isHook(_ method: FunctionDeclSyntax) -> Bool {
        let isOfType = method.modifiers.contains { $0.name.tokenKind == .keyword(.static) }
        return hooks.contains(method.name.text) && method.signature.parameterClause.parameters.isEmpty && !isOfType
    }
}
