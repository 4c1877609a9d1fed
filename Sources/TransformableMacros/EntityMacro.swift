import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Entity`: marks each stored property, adds the schema and the record, and adds the conformance to `Entity`.
struct EntityMacro {}

extension EntityMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        // The compiler itself rejects the extension of a local class.
        guard !context.isLocal else { return [] }
        guard let type = declaration.as(ClassDeclSyntax.self) else {
            context.diagnose(EntityFault.notAClass(declaration))
            return []
        }
        let entity = EntityDeclaration(type, node, inheritsEntity: !protocols.declareEntity)
        let faults = EntityChecks(entity).faults
        for fault in faults {
            context.diagnose(fault)
        }
        // The compiler already diagnoses a malformed declaration. Without the members it would report more errors; a
        // schema without properties causes the fewest.
        return EntityRendering(entity, hasFaults: !faults.isEmpty).members
    }
}

extension EntityMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [AttributeSyntax] {
        guard let type = declaration.as(ClassDeclSyntax.self), let property = PropertyDeclaration(member),
            !context.isLocal
        else { return [] }
        guard property.role != .transient else {
            return property.canBeObserved ? ["@TransformableEntities._EntityTransient"] : []
        }
        guard !EntityChecks.isRefused(property.variable) else { return [] }
        let entity = EntityDeclaration(type, node)
        func place(_ list: [PropertyDeclaration]) -> Int? { list.firstIndex { $0.name == property.name } }
        switch property.role {
        case .attribute:
            return place(entity.attributes).map { ["@TransformableEntities._EntityAttribute(\(raw: $0))"] } ?? []
        case .relationship:
            return place(entity.relationships).map { ["@TransformableEntities._EntityReference(\(raw: $0))"] } ?? []
        case .transient: return []
        }
    }
}

extension EntityMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // A child inherits the conformances of its parent.
        guard declaration.is(ClassDeclSyntax.self), protocols.declareEntity else { return [] }
        let names = protocols.compactMap(\.lastName).map { "TransformableEntities.\($0)" }.joined(separator: ", ")
        return [try ExtensionDeclSyntax("nonisolated extension \(type.trimmed): \(raw: names) {}")]
    }
}

extension [TypeSyntax] {
    /// Whether a macro has to add the conformance that only `@Entity` adds.
    ///
    /// If not, the class inherits it from its parent.
    fileprivate var declareEntity: Bool { contains { $0.lastName == "_EntityClass" } }
}

extension MacroExpansionContext {
    /// Whether a declaration is local to a function.
    fileprivate var isLocal: Bool {
        let code: [SyntaxKind] = [.functionDecl, .initializerDecl, .deinitializerDecl, .accessorDecl, .closureExpr]
        return lexicalContext.contains { code.contains($0.kind) }
    }
}
