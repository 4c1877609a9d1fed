import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        EntityMacro.self,
        EntityAttributeMacro.self,
        EntityReferenceMacro.self,
        AttributeMarker.self,
        RelationshipMarker.self,
        TransientMarker.self,
    ]
}
