import SwiftSyntax

extension EntityDeclaration {
    /// The methods that the turning points of an object call, in the order that the schema takes them.
    static let hooks = [
        "awakeFromInsert", "awakeFromFetch", "willSave", "didSave", "prepareForDeletion", "validateForInsert",
        "validateForUpdate", "validateForDelete",
    ]

    /// Those in the class itself; of others only the compiler knows.
    var hookMethods: [FunctionDeclSyntax] {
        declaration.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
            .filter { method in
                let isOfType = method.modifiers.contains { $0.name.tokenKind == .keyword(.static) }
                let parameters = method.signature.parameterClause.parameters
                return Self.hooks.contains(method.name.text) && parameters.isEmpty && !isOfType
            }
    }

    /// Whether code of the program may run when an object goes: a `deinit` anywhere in the class, under a condition
    /// too, or one of what a transient property holds.
    var mayRunDeinit: Bool {
        let tokens = declaration.memberBlock.tokens(viewMode: .sourceAccurate)
        let transients = tokens.filter { $0.tokenKind == .identifier("Transient") }.count
        let plain = properties.filter(\.isPlainTransient).count
        return transients > plain || tokens.contains { $0.tokenKind == .keyword(.deinit) }
    }
}

extension PropertyDeclaration {
    /// Whether it holds a plain value and no property wrapper.
    fileprivate var isPlainTransient: Bool {
        role == .transient && LiteralType.isPlain(type) && variable.attributes.count == 1
    }
}
