internal import Transformable

/// Plans the migration of an attribute.
struct AttributePlanner {
    private let planner: MigrationPlanner
    private let attribute: StoredAttribute
    private let former: AttributeDescription?
    private let table: PlannedTable

    init(
        _ planner: MigrationPlanner,
        _ attribute: StoredAttribute,
        _ former: AttributeDescription?,
        _ table: PlannedTable
    ) {
        self.planner = planner
        self.attribute = attribute
        self.former = former
        self.table = table
    }

    private var new: AttributeDescription { attribute.description }

    /// The entity in the file, after the entities that it inherits from.
    private var lineage: [EntityDescription] { table.former.map(planner.old.model.lineage) ?? [] }

    /// Returns the reason why the attribute cannot be migrated, or `nil` if it can.
    func fault() throws -> MigrationPlanner.Fault? {
        if let reason = planner.succession.fault(of: new.name, in: table.entity.name) {
            return .init(.unsupported, reason)
        }
        if let failure = attribute.failure, planner.options.unresolved == .refuse || !isWrittenAsEver {
            return .init(failure.code, failure.underlying.map { "\($0)" } ?? failure.message)
        }
        guard let former else { return missingValue(newCount, "it is new and not optional") }
        return try fault(former)
    }

    /// Returns what happens to an attribute that can be migrated.
    func run() throws -> (outcome: MigrationPlan.Outcome, notes: [String?]) {
        guard let former else {
            let given = newCount == 0 ? nil : initial ?? leftToSteps(newCount)
            return (.added, [new.derivation.map { "derived: \($0)" } ?? given, missingName, changedType])
        }
        if let derivation = new.derivation, !keepsDerived(former) {
            return (.recomputed, ["derived: \(derivation)"] + (try notes(former)))
        }
        let outcome = reencoding(former) ?? (former.name == new.name ? .kept : .renamed(from: former.name))
        return (outcome, try notes(former))
    }

    /// The number of objects that need a value if the attribute is new.
    private var newCount: Int { new.isOptional ? 0 : table.count }

    /// Whether existing bytes can stay although this program cannot read them.
    private var isWrittenAsEver: Bool {
        former.map { expression($0) == expression(new) } ?? true
    }

    /// Whether the values of the attribute in the file are re-encoded, without a fault in any of the models.
    var canBeReencoded: Bool {
        former.map { isReencoded($0) && reencodingFault($0) == nil } ?? false
    }

    /// Whether the cells of a derived attribute are kept.
    private func keepsDerived(_ former: AttributeDescription) -> Bool {
        let (succession, entity) = (planner.succession, table.entity.name)
        let source = Succession.columns(of: entity, in: succession.model)
            .first { $0.name == new.derivation?.sourceAttribute }
            .map { ($0, succession.predecessor(of: $0, in: entity, among: table.before)) }
        return Succession.keepsDerived(new, from: former, source: source)
    }

    // MARK: - Obstacles

    private func fault(_ former: AttributeDescription) throws -> MigrationPlanner.Fault? {
        if let fault = typeFault(former) ?? transformerFault(former) ?? reencodingFault(former) { return fault }
        let missing = former.isOptional && !new.isOptional ? try missingCount(former) : 0
        let reason =
            "it is no longer optional, and \(missing.counted("object")) \(missing == 1 ? "has" : "have") no value"
        if let fault = missingValue(missing, reason) { return fault }
        guard new.isUnique, !former.isUnique else { return nil }
        return try planner.duplicates(of: [former.name], table).map { .init(.notUnique, $0) }
    }

    private func missingCount(_ former: AttributeDescription) throws -> Int {
        let name = table.former?.name ?? table.entity.name
        return try planner.count("\(SQL.quoted(name)) WHERE \(SQL.quoted(former.name)) IS NULL")
    }

    private func missingValue(_ count: Int, _ reason: String) -> MigrationPlanner.Fault? {
        guard count > 0, new.derivation == nil, initial == nil, planner.record.steps.isEmpty else { return nil }
        let general = "make it optional, give it a default that all objects can have, or set it in a migration step"
        return .init(.missingValue, "\(reason); \(TableRebuild.sharedDefault(new) ?? general)")
    }

    private func typeFault(_ former: AttributeDescription) -> MigrationPlanner.Fault? {
        guard !Succession.widens(former.type, to: new.type), !isReencoded(former) else { return nil }
        return changedType(from: former.type)
    }

    private func changedType(from type: AttributeType) -> MigrationPlanner.Fault {
        let remedy = "add a new attribute, or convert the values in a step of the migration"
        return .init(.unsupported, "its type changes from “\(type.rawValue)” to “\(new.type.rawValue)”; \(remedy)")
    }

    private func transformerFault(_ former: AttributeDescription) -> MigrationPlanner.Fault? {
        guard isWrittenOtherwise(former), !isReencoded(former), former.type == new.type else { return nil }
        let writer = "the column was written by “\(writer(former))”"
        return .init(.signatureMismatch, "\(writer), which “\(expression(new))” does not read; re-encode it")
    }

    /// Returns the reason why no value can be re-encoded, or `nil` if there is none.
    private func reencodingFault(_ former: AttributeDescription) -> MigrationPlanner.Fault? {
        guard isReencoded(former) else { return nil }
        let targets = ReencodingTargets(succession: planner.succession, registry: planner.registry)
        if let owner = lineage.last(where: { $0.column(former.name) != nil })?.name,
            let reason = targets.conflict(over: former, of: owner, writtenBy: written(former))
        {
            return .init(.unsupported, reason)
        }
        guard new.type != .transformed else { return transformedFault(former) }
        let type = (try? planner.registry.resolve(expression(former)))?.valueType
        guard let plain = type as? any PlainValue.Type else {
            return .init(.unsupported, "its values cannot be stored directly in a column")
        }
        return Succession.widens(plain.attributeType, to: new.type) ? nil : changedType(from: plain.attributeType)
    }

    /// Returns the reason why values cannot be re-encoded with the new transformer.
    private func transformedFault(_ former: AttributeDescription) -> MigrationPlanner.Fault? {
        let takes = "and “\(expression(new))” takes \(attribute.valueType)"
        guard former.type != .transformed else {
            guard let type = (try? planner.registry.resolve(expression(former)))?.valueType,
                type != attribute.valueType,
                ![type, attribute.valueType].allSatisfy({ $0 is any PlainValue.Type })
            else { return nil }
            return .init(.wrongType, "its values are of type \(type), \(takes)")
        }
        guard let plain = attribute.valueType as? any PlainValue.Type, former.type.converts(to: plain.attributeType)
        else {
            return .init(.wrongType, "its values are of type “\(former.type.rawValue)”, \(takes)")
        }
        guard let role = role(of: former) else { return nil }
        let remedy = "migrate the store first to a version of the model without that, or convert them in a step"
        return .init(.unsupported, "\(role), which is not possible for transformed values; \(remedy)")
    }

    /// Returns what the file's model demands of an attribute's plain values.
    private func role(of former: AttributeDescription) -> String? {
        if former.isUnique || lineage.flatMap(\.uniqueness).contains(where: { $0.contains(former.name) }) {
            return "its values must be unique, alone or with others"
        }
        let derived = lineage.flatMap(\.attributes).first { $0.derivation?.sourceAttribute == former.name }
        return derived.map { "“\($0.name)” is derived from it" }
    }

    // MARK: - Transformers

    private func isReencoded(_ former: AttributeDescription) -> Bool {
        planner.options.changedTransformers == .reencode && isWrittenOtherwise(former)
    }

    /// Whether the column was written by a different transformer than the new one.
    ///
    /// Having no transformer also counts as different.
    private func isWrittenOtherwise(_ former: AttributeDescription) -> Bool {
        guard former.type == .transformed, new.type == .transformed else {
            return former.type == .transformed || new.type == .transformed
        }
        guard let own = attribute.transformer?.signature, let written = written(former) else { return false }
        return !own.canRead(written)
    }

    private func signature(_ former: AttributeDescription) -> String? {
        let old = planner.old
        return (table.former?.name).flatMap { old.entities[$0] }.flatMap { old.attributes[$0]?[former.name]?.signature }
    }

    private func written(_ former: AttributeDescription) -> TransformerSignature? {
        signature(former).flatMap { try? TransformerSignature($0) }
    }

    private func writer(_ former: AttributeDescription) -> String {
        signature(former) ?? expression(former)
    }

    private func expression(_ description: AttributeDescription) -> String {
        guard description.type == .transformed else { return description.type.rawValue }
        return description.storedExpression
    }

    private func reencoding(_ former: AttributeDescription) -> MigrationPlan.Outcome? {
        isReencoded(former) ? .reencoded(from: expression(former), to: expression(new)) : nil
    }

    // MARK: - Notes

    /// Returns a note if the name previously belonged to an attribute of another type.
    private var changedType: String? {
        let name = planner.succession.oldName(of: new.name, in: table.entity.name)
        guard let old = table.before.first(where: { $0.name == name }) else { return nil }
        return "its type was “\(old.type.rawValue)”: the old values are left to a migration step"
    }

    private var missingName: String? {
        guard table.former != nil else { return nil }
        return MigrationPlanner.missingNames(new.renamedFrom, among: table.before.map(\.name))
    }

    /// Returns a note about the values that existing objects get.
    private var initial: String? {
        guard TableRebuild.initialValue(of: attribute, in: table.entity) != nil else { return nil }
        switch new.defaultValue {
        case .newUUID: return "\(get(table.count)) a new UUID each"
        case nil: return "\(get(table.count)) the initial value of the class"
        default: return "\(get(table.count)) the default"
        }
    }

    private func leftToSteps(_ count: Int) -> String {
        "a migration step has to give \(count.counted("object")) a value"
    }

    private func get(_ count: Int) -> String {
        "\(count.counted("object")) \(count == 1 ? "gets" : "get")"
    }

    private func notes(_ former: AttributeDescription) throws -> [String?] {
        let mayLackValues = former.isOptional && !new.isOptional && new.derivation == nil
        let missing = mayLackValues ? try missingCount(former) : 0
        return [
            isReencoded(former) && former.name != new.name ? "renamed from “\(former.name)”" : nil,
            !isReencoded(former) && former.type != new.type
                ? "widened from \(former.type.rawValue) to \(new.type.rawValue)" : nil,
            !isReencoded(former) && expression(former) != expression(new) && new.type == .transformed
                ? "new values are written by “\(expression(new))”" : nil,
            former.isOptional == new.isOptional ? nil : new.isOptional ? "becomes optional" : "no longer optional",
            missing == 0 ? nil : initial == nil ? leftToSteps(missing) : "\(get(missing)) the default, having no value",
            former.isUnique == new.isUnique ? nil : new.isUnique ? "becomes unique" : "no longer unique",
            former.isIndexed == new.isIndexed || new.isUnique || former.isUnique
                ? nil : new.isIndexed ? "gets an index" : "loses its index",
        ]
    }
}
