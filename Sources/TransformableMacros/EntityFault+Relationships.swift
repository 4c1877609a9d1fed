import SwiftDiagnostics
import SwiftSyntax

extension EntityFault {
    static func notAnEntity(_ type: TypeSyntax, _ mark: AttributeSyntax?) -> Diagnostic {
        let changes = mark.map { [replace($0.attributeName, TypeSyntax("Attribute"))] } ?? []
        let isBare = mark?.arguments == nil
        return fault(
            "relationship-type",
            "a relationship leads to objects of an entity: “Visit?” for one, “[Visit]” for many",
            at: type,
            isBare ? "make it an @Attribute" : nil,
            changes
        )
    }

    static func requiredToOne(_ type: TypeSyntax) -> Diagnostic {
        fault(
            "relationship-optional",
            "a relationship to one is optional: its object may be deleted; “isRequired: true” has saving check it",
            at: type,
            "make it optional",
            [replace(type, OptionalTypeSyntax(wrappedType: type.trimmed))]
        )
    }

    static func set(_ type: TypeSyntax, _ element: TypeSyntax) -> Diagnostic {
        fault(
            "relationship-set",
            "a relationship to many is an array",
            at: type,
            "make it an array",
            [replace(type, ArrayTypeSyntax(element: element.trimmed))]
        )
    }

    static func relationshipValue(_ value: ExprSyntax) -> Diagnostic {
        fault("relationship-value", "a relationship leads nowhere at first; let an initialiser set it", at: value)
    }

    static func inverse(_ path: ExprSyntax) -> Diagnostic {
        fault("inverse", "an inverse is a key path of one step from the other class: “\\Visit.patient”", at: path)
    }
}
