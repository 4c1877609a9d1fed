import SwiftDiagnostics
import SwiftSyntax

/// Diagnoses code that an entity class must not contain, at the offending token.
struct EntityChecks {
    private let entity: EntityDeclaration

    init(_ entity: EntityDeclaration) {
        self.entity = entity
    }

    var faults: [Diagnostic] {
        let members = entity.declaration.memberBlock.members
        let variables = members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
        let conditional = members.compactMap { $0.decl.as(IfConfigDeclSyntax.self) }.flatMap(of)
        let faults = ofClass + variables.flatMap(of) + conditional + ofHooks + ofUnique
        // The initializers are checked last, because the check depends on the properties.
        return faults.isEmpty ? ofInitializers : faults
    }

    /// Returns whether a property cannot have the accessors of an attribute.
    static func isRefused(_ variable: VariableDeclSyntax) -> Bool {
        variable.isLet || variable.observer != nil || variable.modifier(.lazy, .weak, .unowned) != nil
            || variable.mark("Transient") != nil || variable.modifier(.override) != nil
    }

    // MARK: - The class

    private var ofClass: [Diagnostic] {
        let declaration = entity.declaration
        let isUseless = entity.isFinal && entity.isAbstract
        return (isUseless ? entity.argument("isAbstract").map { [EntityFault.abstractAndFinal($0)] } ?? [] : [])
            + (declaration.genericParameterClause.map { [EntityFault.generic($0)] } ?? []) + ofIsolation
    }

    private var ofIsolation: [Diagnostic] {
        let inherited = entity.declaration.inheritanceClause?.inheritedTypes.map(\.type) ?? []
        let sendable = inherited.filter { type in
            (type.as(AttributedTypeSyntax.self)?.baseType ?? type).lastName == "Sendable"
        }
        return ofIsolation(entity.declaration.attributes, "an entity class") + sendable.map(EntityFault.sendable)
    }

    private func ofIsolation(_ attributes: AttributeListSyntax, _ what: String) -> [Diagnostic] {
        attributes.compactMap { $0.as(AttributeSyntax.self) }
            .filter { $0.attributeName.lastName?.hasSuffix("Actor") == true }
            .map { EntityFault.isolated($0, what) }
    }

    private var ofHooks: [Diagnostic] {
        entity.hookMethods.flatMap { method in
            ofIsolation(method.attributes, "a method that stores call")
                + [method.signature.effectSpecifiers?.asyncSpecifier].compactMap(\.self).map(EntityFault.asynchronous)
        }
    }

    /// Checks a conditional compilation block.
    ///
    /// A macro sees all branches, but not which one is active.
    private func of(_ conditional: IfConfigDeclSyntax) -> [Diagnostic] {
        conditional.clauses.flatMap { clause -> [Diagnostic] in
            guard case .decls(let members) = clause.elements else { return [] }
            return members.flatMap { member -> [Diagnostic] in
                if let nested = member.decl.as(IfConfigDeclSyntax.self) { return of(nested) }
                guard let variable = member.decl.as(VariableDeclSyntax.self), !variable.isOfType, !variable.isComputed,
                    variable.mark("Transient") == nil
                else { return [] }
                return [EntityFault.conditional(variable)]
            }
        }
    }

    private var ofUnique: [Diagnostic] {
        // The properties of a parent are not visible here.
        guard entity.parent == nil, let groups = entity.argument("unique")?.as(ArrayExprSyntax.self) else { return [] }
        let properties = entity.properties.filter { $0.role != .transient }
        func isKnown(_ name: String) -> Bool {
            properties.contains { $0.name == name || $0.mayProject(as: name) }
        }
        return groups.elements.compactMap { $0.expression.as(ArrayExprSyntax.self) }
            .flatMap { $0.elements.compactMap { $0.expression.as(StringLiteralExprSyntax.self) } }
            .filter { literal in literal.representedLiteralValue.map { !isKnown($0) } ?? false }
            .map(EntityFault.unknownProperty)
    }

    private var ofInitializers: [Diagnostic] {
        let names = entity.properties.filter(\.needsValue).map(\.name)
        guard !names.isEmpty else { return [] }
        guard !entity.initializers.isEmpty else { return [EntityFault.noInitializer(entity)] }
        return entity.initializers.compactMap { initializer in
            let set = AssignedNames(in: initializer)
            guard !set.delegates else { return nil }
            let missing = names.filter { !set.names.contains($0) }
            return missing.isEmpty ? nil : EntityFault.notSet(missing, in: initializer)
        }
    }

    // MARK: - Properties

    private func of(_ variable: VariableDeclSyntax) -> [Diagnostic] {
        let marks = variable.marks
        if variable.isOfType { return marks.map(EntityFault.ofType) }
        if variable.isComputed { return marks.map { EntityFault.computed($0, variable) } }
        if marks.count > 1 { return [EntityFault.twoMarks(marks[1], marks[0])] }
        if variable.mark("Transient") != nil { return ofTransient(variable) }
        if variable.isLet { return [EntityFault.constant(variable)] }
        if let modifier = variable.modifier(.lazy, .weak, .unowned) {
            return [EntityFault.modifier(modifier, variable)]
        }
        if let modifier = variable.modifier(.override) { return [EntityFault.overriding(modifier)] }
        if variable.bindings.count > 1 { return [EntityFault.severalBindings(variable)] }
        if let observer = variable.observer { return [EntityFault.observed(observer, variable)] }
        guard let property = PropertyDeclaration(variable) else {
            return variable.bindings.map { EntityFault.tuple($0.pattern) }
        }
        if property.name.hasPrefix("_") { return [EntityFault.name(property)] }
        let isolation = ofIsolation(variable.attributes, "an attribute")
        guard isolation.isEmpty else { return isolation }
        let options = property.markOptions.compactMap { EntityFault.option($0, of: property) }
        guard options.isEmpty else { return options }
        return property.role == .relationship ? ofRelationship(property) : ofAttribute(property)
    }

    private func ofTransient(_ variable: VariableDeclSyntax) -> [Diagnostic] {
        guard let property = PropertyDeclaration(variable), property.binding.initializer == nil,
            !property.isOptional, property.type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) != true
        else { return [] }
        return [EntityFault.noInitialValue(property)]
    }

    private func ofAttribute(_ property: PropertyDeclaration) -> [Diagnostic] {
        guard let type = property.type else { return [EntityFault.noType(property)] }
        if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return [EntityFault.implicitlyUnwrapped(unwrapped)]
        }
        let bare = type.wrappedIfOptional ?? type
        if bare.wrappedIfOptional != nil { return [EntityFault.optionalTwice(type)] }
        let kinds: [SyntaxKind] = [.functionType, .tupleType, .someOrAnyType, .metatypeType, .compositionType]
        let isVague = ["Any", "AnyObject", "AnyHashable"].contains(bare.trimmedDescription)
        return kinds.contains(bare.kind) || isVague ? [EntityFault.unsupported(type, property)] : []
    }

    // MARK: - Relationships

    private func ofRelationship(_ property: PropertyDeclaration) -> [Diagnostic] {
        guard let type = property.binding.typeAnnotation?.type else { return [EntityFault.noType(property)] }
        var faults = ofDestination(type, property)
        if let value = property.initial, value.trimmedDescription != "[]" {
            faults.append(EntityFault.relationshipValue(property.binding.initializer?.value ?? value))
        }
        if let path = property.inversePath, property.inverse == nil {
            faults.append(EntityFault.inverse(ExprSyntax(path)))
        }
        return faults
    }

    private static let values: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Float", "Double",
        "Decimal", "Bool", "String", "Date", "Data", "UUID", "URL", "Any", "AnyObject",
    ]

    private func ofDestination(_ type: TypeSyntax, _ property: PropertyDeclaration) -> [Diagnostic] {
        if let element = type.elementIfSet { return [EntityFault.set(type, element)] }
        let isMany = type.elementIfArray != nil
        let destination = type.elementIfArray ?? type.wrappedIfOptional ?? type
        guard let name = destination.lastName, !Self.values.contains(name) else {
            return [EntityFault.notAnEntity(type, property.mark)]
        }
        return isMany || type.wrappedIfOptional != nil ? [] : [EntityFault.requiredToOne(type)]
    }
}
