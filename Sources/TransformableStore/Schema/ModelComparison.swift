/// Compares a program's model with the one in a file.
enum ModelComparison {
    /// Throws an error if the model is older, or if it has different tables and columns although its version is the
    /// same.
    ///
    /// A pinned model only states what the file must contain, and never migrates it.
    static func check(_ model: Model, against stored: Model, isPinned: Bool = false) throws(StoreError) {
        guard !isPinned || model.version == stored.version else {
            let versions = "the file has version \(stored.version) of the model, not \(model.version)"
            throw StoreError(.modelMismatch, "\(versions); use the same model as the file")
        }
        guard model.version >= stored.version else {
            let versions = "the file has version \(stored.version) of the model, but the program has \(model.version)"
            throw StoreError(.newerModel, "\(versions); update the program")
        }
        guard model.version == stored.version else { return }
        let differences = differences(from: stored, to: model)
        guard differences.isEmpty else {
            throw StoreError(
                .modelMismatch,
                "the model differs from the file's model; increase its version",
                faults: differences
            )
        }
    }

    /// Returns the differences that affect tables or columns.
    private static func differences(from old: Model, to new: Model) -> [String] {
        let names = Set(old.entities.map(\.name)).union(new.entities.map(\.name)).sorted()
        var list = names.flatMap { name -> [String] in
            switch (old.entityStatingInverses(name), new.entityStatingInverses(name)) {
            case (let old?, let new?): differences(from: old, to: new)
            case (nil, _): ["\(name) was added"]
            default: ["\(name) was removed"]
            }
        }
        if old.hasTenants != new.hasTenants {
            list.append(new.hasTenants ? "the model has tenants" : "the model no longer has tenants")
        }
        return list
    }

    private static func differences(from old: EntityDescription, to new: EntityDescription) -> [String] {
        var list: [String] = []
        if old.parent != new.parent || old.isAbstract != new.isAbstract {
            list.append("\(new.name) has a different parent, or has become abstract or is no longer abstract")
        }
        if old.uniqueness != new.uniqueness { list.append("\(new.name) has different unique groups") }
        if old.indexes != new.indexes { list.append("\(new.name) has different indexes") }
        if old.authenticatesRows != new.authenticatesRows {
            list.append("\(new.name) has started or stopped authenticating its rows")
        }
        if old.isShared != new.isShared { list.append("\(new.name) is \(new.isShared ? "" : "no longer ")shared") }
        let (oldColumns, newColumns) = (old.columns.filter(\.hasColumn), new.columns.filter(\.hasColumn))
        list += compare(oldColumns, newColumns, \.name, \.structure).map { "\(new.name).\($0)" }
        list += compare(old.projections, new.projections, \.name, \.structure).map { "\(new.name).\($0)" }
        list += compare(old.relationships, new.relationships, \.name, \.structure).map { "\(new.name).\($0)" }
        return list
    }

    private static func compare<Element, Structure: Equatable>(
        _ old: [Element],
        _ new: [Element],
        _ name: (Element) -> String,
        _ structure: (Element) -> Structure
    ) -> [String] {
        let olds = Dictionary(old.map { (name($0), structure($0)) }) { first, _ in first }
        let news = Dictionary(new.map { (name($0), structure($0)) }) { first, _ in first }
        return Set(olds.keys).union(news.keys).sorted()
            .compactMap { key in
                switch (olds[key], news[key]) {
                case (nil, _): "\(key) was added"
                case (_, nil): "\(key) was removed"
                case (let old?, let new?): old == new ? nil : "\(key) is declared differently"
                }
            }
    }
}

extension Model {
    /// Returns an entity whose relationships state their inverses, even those that only the other side states.
    fileprivate func entityStatingInverses(_ name: String) -> EntityDescription? {
        guard var entity = entity(name) else { return nil }
        for index in entity.relationships.indices where entity.relationships[index].inverse == nil {
            let relationship = entity.relationships[index]
            let others = relationships(of: relationship.destination)
            entity.relationships[index].inverse =
                others.first { other in
                    other.inverse == relationship.name
                        && self.relationships(of: other.destination).contains(relationship)
                }?
                .name
        }
        return entity
    }
}

extension AttributeDescription {
    /// Whether the attribute is in the file.
    fileprivate var hasColumn: Bool { !isTransient }

    /// The properties that affect the columns.
    ///
    /// The schema lock compares transformers, and validation rules do not affect the file.
    var structure: Self {
        var copy = Self(name, type)
        copy.isOptional = isOptional
        copy.isTransient = isTransient
        copy.isIndexed = isIndexed
        copy.isUnique = isUnique
        copy.derivation = derivation
        copy.projections = projections.map { ProjectionDescription($0.name, "", indexed: $0.isIndexed) }
        return copy
    }
}

extension CompoundProjection {
    /// The projection's column.
    ///
    /// The expression that computes it is compared with the file separately.
    fileprivate var structure: Self {
        Self(name, of: [], "", indexed: isIndexed)
    }
}

extension RelationshipDescription {
    fileprivate var structure: Self {
        var copy = self
        copy.userInfo = [:]
        copy.renamedFrom = nil
        copy.addedIn = nil
        copy.deleteRule = .nullify
        copy.minimumCount = nil
        copy.maximumCount = nil
        return copy
    }
}
