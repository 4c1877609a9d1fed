import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        EntityMacro.self,
        EntityAttributeMacro.self,
        EntityReferenceMacro.self,
        EntityTransientMacro.self,
        AttributeMarker.self,
        RelationshipMarker.self,
        TransientMarker.self,
    ]
}
