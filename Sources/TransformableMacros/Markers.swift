import SwiftSyntax
import SwiftSyntaxMacros

/// A macro that `@Entity` reads, and that expands to nothing.
protocol Marker: PeerMacro {}

extension Marker {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        let entity = context.lexicalContext.first?.asProtocol((any DeclGroupSyntax).self)
        let isInEntity = entity?.attributes
            .contains { $0.as(AttributeSyntax.self)?.attributeName.lastName == "Entity" }
        if isInEntity != true || !declaration.is(VariableDeclSyntax.self) {
            context.diagnose(EntityFault.outside(node))
        }
        return []
    }
}

/// `@Attribute`.
struct AttributeMarker: Marker {}

/// `@Relationship`.
struct RelationshipMarker: Marker {}

/// `@Transient`.
struct TransientMarker: Marker {}
