import SwiftDiagnostics
import SwiftSyntax

extension EntityFault {
    static func notAnEntity(_ type: TypeSyntax, _ mark: AttributeSyntax?) -> Diagnostic {
        let changes = mark.map { [replace($0.attributeName, TypeSyntax("Attribute"))] } ?? []
        let isBare = mark?.arguments == nil
        return fault(
            "relationship-type",
            "a relationship must have an entity type: “Visit?” for one object, “[Visit]” for many",
            at: type,
            isBare ? "make it an @Attribute" : nil,
            changes
        )
    }

    static func requiredToOne(_ type: TypeSyntax) -> Diagnostic {
        fault(
            "relationship-optional",
            "a to-one relationship must be optional; to check it when saving, use “isRequired: true”",
            at: type,
            "make it optional",
            [replace(type, OptionalTypeSyntax(wrappedType: type.trimmed))]
        )
    }

    static func set(_ type: TypeSyntax, _ element: TypeSyntax) -> Diagnostic {
        fault(
            "relationship-set",
            "a to-many relationship must be an array",
            at: type,
            "make it an array",
            [replace(type, ArrayTypeSyntax(element: element.trimmed))]
        )
    }

    static func relationshipValue(_ value: ExprSyntax) -> Diagnostic {
        fault("relationship-value", "a relationship cannot have an initial value; set it in an initializer", at: value)
    }

    static func inverse(_ path: ExprSyntax) -> Diagnostic {
        fault("inverse", "an inverse must be a key path with one component, such as “\\Visit.patient”", at: path)
    }
}
