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

    func run() throws -> (outcome: MigrationPlan.Outcome, notes: [String?]) {
        if let fault = planner.succession.fault(of: new.name, in: table.entity.name) {
            return (.refused(reason: fault), [])
        }
        if let failure = attribute.failure, planner.options.unresolved == .refuse || !isWrittenAsEver {
            return (.refused(reason: failure.underlying.map { "\($0)" } ?? failure.message), [])
        }
        guard let former else {
            let reason = missingValue(new.isOptional ? 0 : table.count, "it is new and not optional")
            let notes = [new.isOptional || table.count == 0 ? nil : initial, missingName, changedType]
            return (reason.map { .refused(reason: $0) } ?? .added, notes)
        }
        if let fault = try fault(former) { return (.refused(reason: fault), []) }
        let outcome = reencoding(former) ?? (former.name == new.name ? .kept : .renamed(from: former.name))
        return (outcome, try notes(former))
    }

    /// Whether existing bytes can stay although this program cannot read them.
    private var isWrittenAsEver: Bool {
        former.map { expression($0) == expression(new) } ?? true
    }

    // MARK: - Obstacles

    private func fault(_ former: AttributeDescription) throws -> String? {
        if let fault = typeFault(former) ?? transformerFault(former) { return fault }
        let missing = former.isOptional && !new.isOptional ? try missingCount(former) : 0
        let reason =
            "it is no longer optional, and \(missing.counted("object")) \(missing == 1 ? "has" : "have") no value"
        if let fault = missingValue(missing, reason) { return fault }
        guard new.isUnique, !former.isUnique else { return nil }
        return try planner.duplicates(of: [former.name], table)
    }

    private func missingCount(_ former: AttributeDescription) throws -> Int {
        let name = table.former?.name ?? table.entity.name
        return try planner.count("\(SQL.quoted(name)) WHERE \(SQL.quoted(former.name)) IS NULL")
    }

    private func missingValue(_ count: Int, _ reason: String) -> String? {
        guard count > 0, Migration.initialValue(of: attribute, in: table.entity) == nil else { return nil }
        let general = "make it optional, or give it a default that all objects can have"
        return "\(reason); \(Migration.sharedDefault(new) ?? general)"
    }

    private func typeFault(_ former: AttributeDescription) -> String? {
        guard !Succession.widens(former.type, to: new.type), !isReencoded(former) else { return nil }
        return """
            its type changes from “\(former.type.rawValue)” to “\(new.type.rawValue)”; add a new attribute, or convert \
            the values in a step of the migration
            """
    }

    private func transformerFault(_ former: AttributeDescription) -> String? {
        guard isWrittenOtherwise(former), !isReencoded(former), former.type == new.type else { return nil }
        return "the column was written by “\(writer(former))”, which “\(expression(new))” does not read; re-encode it"
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
        guard let own = attribute.transformer?.signature, let text = signature(former),
            let written = try? TransformerSignature(text)
        else { return false }
        return !own.canRead(written)
    }

    private func signature(_ former: AttributeDescription) -> String? {
        let old = planner.old
        return (table.former?.name).flatMap { old.entities[$0] }.flatMap { old.attributes[$0]?[former.name]?.signature }
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
        guard Migration.initialValue(of: attribute, in: table.entity) != nil else { return nil }
        switch new.defaultValue {
        case .newUUID: return "\(get(table.count)) a new UUID each"
        case nil: return "\(get(table.count)) the initial value of the class"
        default: return "\(get(table.count)) the default"
        }
    }

    private func get(_ count: Int) -> String {
        "\(count.counted("object")) \(count == 1 ? "gets" : "get")"
    }

    private func notes(_ former: AttributeDescription) throws -> [String?] {
        let missing = former.isOptional && !new.isOptional ? try missingCount(former) : 0
        return [
            isReencoded(former) && former.name != new.name ? "renamed from “\(former.name)”" : nil,
            !isReencoded(former) && former.type != new.type
                ? "widened from \(former.type.rawValue) to \(new.type.rawValue)" : nil,
            !isReencoded(former) && expression(former) != expression(new) && new.type == .transformed
                ? "written by “\(expression(new))” from now on" : nil,
            former.isOptional == new.isOptional ? nil : new.isOptional ? "becomes optional" : "no longer optional",
            missing > 0 ? "\(get(missing)) the default, having no value" : nil,
            former.isUnique == new.isUnique ? nil : new.isUnique ? "each value occurs once" : "values may occur again",
            former.isIndexed == new.isIndexed || new.isUnique || former.isUnique
                ? nil : new.isIndexed ? "gets an index" : "loses its index",
        ]
    }
}
