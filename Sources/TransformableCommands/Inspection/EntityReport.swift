internal import Transformable
internal import TransformableSQLite
internal import TransformableStore

/// The JSON description of an entity in a store.
struct EntityReport: Encodable {
    struct Attribute: Encodable {
        let name: String
        let type: String
        let transformer: String?
        let isOptional: Bool
        let isUnique: Bool
        let isIndexed: Bool
        let projections: [String: String]?

        init(_ attribute: AttributeDescription) {
            name = attribute.name
            type = attribute.type.rawValue
            transformer = attribute.expression
            isOptional = attribute.isOptional
            isUnique = attribute.isUnique
            isIndexed = attribute.isIndexed
            let pairs = attribute.projections.map { ($0.name, $0.transformer) }
            projections = pairs.isEmpty ? nil : Dictionary(pairs) { first, _ in first }
        }
    }

    struct Relationship: Encodable {
        let name: String
        let destination: String
        let isToMany: Bool
        let inverse: String?
        let deleteRule: String
    }

    let name: String
    let parent: String?
    /// The number of objects, or nil if they cannot be counted.
    let objects: Int?
    var attributes: [Attribute]?
    var relationships: [Relationship]?

    init(_ entity: EntityDescription, count: Int, of model: Model) {
        name = entity.name
        parent = entity.parent
        objects = count
        attributes = model.attributes(of: entity.name).filter { !$0.isTransient }.map(Attribute.init)
        relationships = model.relationships(of: entity.name)
            .map { relationship in
                Relationship(
                    name: relationship.name,
                    destination: relationship.destination,
                    isToMany: relationship.isToMany,
                    inverse: relationship.inverse,
                    deleteRule: relationship.deleteRule.rawValue
                )
            }
    }

    init(_ entity: CoreDataSummary.Entity) {
        name = entity.name
        parent = entity.parent
        objects = entity.count
    }
}

extension InspectionReport {
    /// Describes a store.
    ///
    /// The last facts are the entities.
    init(_ summary: StoreSummary, count: Int?) {
        self.init(summary.inspection, count: count)
        entities = summary.entities
    }

    init(_ summary: CoreDataSummary, count: Int) {
        let counts = summary.entities.map { entity in
            let parent = entity.parent.map { ", a kind of \($0)" } ?? ""
            return Inspection.Fact(entity.name, (entity.count.map { $0.counted("object") } ?? "not readable") + parent)
        }
        self.init(Inspection("Core Data store", facts: [Inspection.Fact("store", summary.uuid)] + counts), count: count)
        entities = summary.entities.map(EntityReport.init)
    }
}
