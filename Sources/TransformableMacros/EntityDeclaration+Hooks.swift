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

    /// The transient properties with the initial values that they can be given again; a lazy one is made by code that may
    /// use the object, and one of an actor can be set there alone.
    var transientValues: [(name: String, value: String)] {
        declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
            .filter { $0.mark("Transient") != nil && $0.modifier(.lazy) == nil && !$0.isLet && !$0.isOfActor }
            .flatMap { variable in
                variable.bindings.compactMap { binding in
                    guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else { return nil }
                    return (name.text, binding.initializer?.value.trimmedDescription ?? "nil")
                }
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

extension VariableDeclSyntax {
    /// Whether it belongs to a global actor.
    fileprivate var isOfActor: Bool {
        attributes.contains { $0.as(AttributeSyntax.self)?.attributeName.lastName?.hasSuffix("Actor") == true }
    }
}

extension PropertyDeclaration {
    /// Whether it holds a plain value and no property wrapper.
    fileprivate var isPlainTransient: Bool {
        role == .transient && LiteralType.isPlain(type) && variable.attributes.count == 1
    }
}
