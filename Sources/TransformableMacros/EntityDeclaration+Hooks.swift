import SwiftSyntax

extension EntityDeclaration {
    /// The names of the hooks, in the order of the schema's parameters.
    static let hooks = [
        "awakeFromInsert", "awakeFromFetch", "willSave", "didSave", "prepareForDeletion", "validateForInsert",
        "validateForUpdate", "validateForDelete",
    ]

    /// The hooks that are declared in the class itself.
    ///
    /// Those in extensions are known only to the compiler.
    var hookMethods: [FunctionDeclSyntax] {
        declaration.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
            .filter { method in
                let isOfType = method.modifiers.contains { $0.name.tokenKind == .keyword(.static) }
                let parameters = method.signature.parameterClause.parameters
                return Self.hooks.contains(method.name.text) && parameters.isEmpty && !isOfType
            }
    }

    /// The transient properties that can be reset to their initial values, along with those values.
    ///
    /// Lazy properties are excluded, because their initializers can use the object. Properties of an actor are
    /// excluded, because only the actor can set them.
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

    /// Whether code of the program can run when an object is deallocated: a `deinit` in the class, even within `#if`,
    /// or the `deinit` of an object in a transient property.
    var mayRunDeinit: Bool {
        let tokens = declaration.memberBlock.tokens(viewMode: .sourceAccurate)
        let transients = tokens.filter { $0.tokenKind == .identifier("Transient") }.count
        let plain = properties.filter(\.isPlainTransient).count
        return transients > plain || tokens.contains { $0.tokenKind == .keyword(.deinit) }
    }
}

extension VariableDeclSyntax {
    /// Whether the property belongs to a global actor.
    fileprivate var isOfActor: Bool {
        attributes.contains { $0.as(AttributeSyntax.self)?.attributeName.lastName?.hasSuffix("Actor") == true }
    }
}

extension PropertyDeclaration {
    /// Whether `@Entity` can add an observer: there is none yet, and nothing else decides how the property is stored.
    var canBeObserved: Bool {
        let isPlain = variable.modifier(.lazy) == nil && !variable.isLet && variable.observer == nil
        return role == .transient && isPlain && variable.attributes.count == 1
    }

    /// Whether the property has a plain type and no property wrapper.
    fileprivate var isPlainTransient: Bool {
        role == .transient && LiteralType.isPlain(type) && variable.attributes.count == 1
    }
}
