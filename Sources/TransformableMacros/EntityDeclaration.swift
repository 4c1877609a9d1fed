import SwiftSyntax

/// The syntax of an entity class.
struct EntityDeclaration {
    let declaration: ClassDeclSyntax
    private let attribute: AttributeSyntax
    /// Whether the superclass is an entity, which only the compiler knows.
    let inheritsEntity: Bool
    /// The stored properties, in order of declaration.
    let properties: [PropertyDeclaration]

    var attributes: [PropertyDeclaration] { properties.filter { $0.role == .attribute } }
    var relationships: [PropertyDeclaration] { properties.filter { $0.role == .relationship } }

    var className: String { declaration.name.text }

    /// The entity class that this class inherits from, or nil if there is none.
    var parent: TypeSyntax? { inheritsEntity ? firstInherited : nil }

    var isFinal: Bool { declaration.modifiers.contains { $0.name.tokenKind == .keyword(.final) } }

    /// Whether the entity is declared to have no objects of its own.
    var isAbstract: Bool { argument("isAbstract")?.trimmedDescription == "true" }

    /// The initializers in the body of the class.
    var initializers: [InitializerDeclSyntax] {
        declaration.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
    }

    /// `public` and a space if the class is public or open, or an empty string if the default access suffices.
    var access: String { overridableAccess == "open " ? "public " : overridableAccess }

    /// The same for members that the children override: `open` if the class is open.
    var overridableAccess: String {
        let keywords: [TokenKind] = [.keyword(.open), .keyword(.public), .keyword(.package)]
        let modifier = declaration.modifiers.first { keywords.contains($0.name.tokenKind) }
        return modifier.map { "\($0.name.text) " } ?? ""
    }

    init(_ declaration: ClassDeclSyntax, _ attribute: AttributeSyntax, inheritsEntity: Bool = false) {
        self.declaration = declaration
        self.attribute = attribute
        self.inheritsEntity = inheritsEntity
        properties = declaration.memberBlock.members.compactMap { PropertyDeclaration($0.decl) }
            .filter { !$0.variable.isLet || $0.role == .transient }
    }

    /// The first type in the inheritance clause: a protocol or a superclass, which look the same in syntax.
    var firstInherited: TypeSyntax? {
        let type = declaration.inheritanceClause?.inheritedTypes.first?.type
        return type?.as(AttributedTypeSyntax.self)?.baseType ?? type
    }

    /// The name of the member that counts the inherited properties, or nil if there cannot be any.
    ///
    /// It contains the name of the class, because a member with the same name would override that of the parent.
    static func offset(in declaration: ClassDeclSyntax) -> String? {
        guard declaration.inheritanceClause != nil else { return nil }
        return "_offset\(declaration.name.identifier?.name ?? "")"
    }

    /// Returns an argument of `@Entity` by its label.
    func argument(_ label: String?) -> ExprSyntax? {
        guard case .argumentList(let list) = attribute.arguments else { return nil }
        return list.first { $0.label?.text == label }?.expression
    }
}

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

    /// The names of the hooks in the class itself that override nothing, although the parent may have hooks of the same
    /// names: private ones, or those of a protocol.
    var addedHooks: [String] {
        hookMethods.filter { method in !method.modifiers.contains { $0.name.tokenKind == .keyword(.override) } }
            .map(\.name.text)
    }

    /// The lines that reset the transient properties of an object to their initial values.
    ///
    /// Lazy properties are excluded, because their initializers can use the object. Properties of an actor are
    /// excluded, because only the actor can set them.
    var transientResets: [String] { Self.resets(in: declaration.memberBlock.members) }

    private static func resets(in members: MemberBlockItemListSyntax) -> [String] {
        members.flatMap { member in
            if let conditional = member.decl.as(IfConfigDeclSyntax.self) { return resets(in: conditional) }
            return member.decl.as(VariableDeclSyntax.self).map { resets(of: $0) } ?? []
        }
    }

    private static func resets(of variable: VariableDeclSyntax) -> [String] {
        guard variable.mark("Transient") != nil, variable.modifier(.lazy) == nil, !variable.isLet, !variable.isOfActor
        else { return [] }
        return variable.bindings.compactMap { binding in
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else { return nil }
            return "object.\(name.text) = \(binding.initializer?.value.trimmedDescription ?? "nil")"
        }
    }

    /// Repeats the conditions of a conditional compilation block, because a macro does not see which one is met.
    private static func resets(in conditional: IfConfigDeclSyntax) -> [String] {
        let clauses = conditional.clauses.map { clause -> (start: String, resets: [String]) in
            let start = "\(clause.poundKeyword.text) \(clause.condition?.trimmedDescription ?? "")"
            guard case .decls(let members) = clause.elements else { return (start, []) }
            return (start, resets(in: members))
        }
        guard clauses.contains(where: { !$0.resets.isEmpty }) else { return [] }
        return clauses.flatMap { [$0.start] + $0.resets } + ["#endif"]
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

extension EntityDeclaration {
    /// An initializer that takes every attribute, with initial values as default arguments.
    var memberwiseInitializer: String {
        let indent = declaration.memberBlock.members.first?.leadingTrivia.indentation ?? "    "
        let outer = declaration.leadingTrivia.indentation
        let parameters = attributes.compactMap { property -> String? in
            guard let type = property.type?.trimmedDescription else { return nil }
            let value = property.initial?.trimmedDescription ?? (property.isOptional ? "nil" : nil)
            return "\(property.token.text): \(type)\(value.map { " = \($0)" } ?? "")"
        }
        let assignments = attributes.map {
            "\(indent)\(indent.dropFirst(outer.count))self.\($0.token.text) = \($0.token.text)\n"
        }
        return
            "\(indent)\(access)init(\(parameters.joined(separator: ", "))) {\n\(assignments.joined())\(indent)}\n\(outer)"
    }
}

extension Trivia {
    /// The spaces or tabs after the last line break.
    fileprivate var indentation: String {
        var text = ""
        for piece in pieces {
            switch piece {
            case .newlines, .carriageReturnLineFeeds: text = ""
            case .spaces(let count): text += String(repeating: " ", count: count)
            case .tabs(let count): text += String(repeating: "\t", count: count)
            default: break
            }
        }
        return text
    }
}

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
