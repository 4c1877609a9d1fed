import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import TransformableMacros  // The macros are the compiler's to find, and so not public.

/// What the compiler sees of a declaration.
enum Expansion {
    private static let macros: [String: MacroSpec] = [
        "Entity": MacroSpec(type: EntityMacro.self, conformances: ["Entity", "_EntityClass"]),
        "Attribute": MacroSpec(type: AttributeMarker.self),
        "Relationship": MacroSpec(type: RelationshipMarker.self),
        "Transient": MacroSpec(type: TransientMarker.self),
        "_EntityAttribute": MacroSpec(type: EntityAttributeMacro.self),
        "_EntityReference": MacroSpec(type: EntityReferenceMacro.self),
        "_EntityTransient": MacroSpec(type: EntityTransientMacro.self),
    ]

    /// The same for a class whose superclass is an entity.
    private static let childMacros = macros.merging(["Entity": MacroSpec(type: EntityMacro.self)]) { $1 }

    private static let otherText = "Macro expansion did not produce the expected expanded source"

    /// Compares what a declaration expands to with what is expected.
    ///
    /// - Parameters:
    ///   - source: The declaration.
    ///   - expanded: What is expected.
    ///   - inheritsEntity: Whether the compiler finds that the superclass is an entity.
    ///   - location: The place of the call.
    static func check(
        _ source: String,
        is expanded: String,
        inheritsEntity: Bool = false,
        location: Testing.SourceLocation = #_sourceLocation
    ) {
        let macros = inheritsEntity ? childMacros : macros
        assertMacroExpansion(source, expandedSource: expanded, macroSpecs: macros) {
            Issue.record("\($0.message)", sourceLocation: location)
        }
    }

    /// What a class with a property expands to.
    static func ofClass(_ property: String) -> String { text(of: "final class Box", property, macros) }

    /// What a class with a member expands to if its superclass is an entity.
    static func ofChild(_ member: String) -> String { text(of: "final class Box: Parcel", member, childMacros) }

    private static func text(of type: String, _ member: String, _ macros: [String: MacroSpec]) -> String {
        let source: SourceFileSyntax = "@Entity\n\(raw: type) {\n    \(raw: member)\n}"
        let context = BasicMacroExpansionContext(sourceFiles: [
            source: .init(moduleName: "Box", fullFilePath: "Box.swift")
        ])
        return source.expand(macroSpecs: macros, contextGenerator: { _ in context }).description
    }

    /// Checks that a declaration is accepted, regardless of its expansion.
    static func accepts(_ source: String, location: Testing.SourceLocation = #_sourceLocation) {
        assertMacroExpansion(source, expandedSource: "", macroSpecs: macros) {
            guard !$0.message.hasPrefix(otherText) else { return }
            Issue.record("\($0.message)", sourceLocation: location)
        }
    }

    /// Checks that a declaration is refused at a token, and what the fix-it makes of it.
    static func refuses(
        _ source: String,
        _ message: String,
        line: Int,
        column: Int,
        fix: String? = nil,
        to fixed: String? = nil,
        inheritsEntity: Bool = false,
        location: Testing.SourceLocation = #_sourceLocation
    ) {
        let fault = DiagnosticSpec(
            message: message,
            line: line,
            column: column,
            fixIts: fix.map { [FixItSpec(message: $0)] } ?? []
        )
        assertMacroExpansion(
            source,
            expandedSource: "",
            diagnostics: [fault],
            macroSpecs: inheritsEntity ? childMacros : macros,
            fixedSource: fixed
        ) {
            // The expansion of a faulty declaration does not matter.
            guard !$0.message.hasPrefix(otherText) else { return }
            Issue.record("\($0.message)", sourceLocation: location)
        }
    }
}
