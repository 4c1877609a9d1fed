import Foundation
import TransformableModel

/// A model without what classes do not declare: the order of entities, parts of composites, transient attributes and
/// relationships, additional information, and which of two relationships states that they are inverse.
struct PlainModel {
    let lines: [String]

    init(_ model: Model) throws {
        var entities = model.entities.sorted { $0.name < $1.name }
        for index in entities.indices {
            entities[index].attributes = entities[index].attributes + entities[index].composites.flatMap(Self.parts)
            entities[index].composites = []
            entities[index].attributes.removeAll(where: \.isTransient)
            entities[index].transientRelationships = []
            entities[index].userInfo = [:]
            for place in entities[index].attributes.indices { entities[index].attributes[place].userInfo = [:] }
            for place in entities[index].relationships.indices { entities[index].relationships[place].userInfo = [:] }
            for place in entities[index].attributes.indices where entities[index].attributes[place].type == .transformed
            {
                entities[index].attributes[place].transformer =
                    entities[index].attributes[place].transformer ?? AttributeDescription.defaultTransformer
            }
            for place in entities[index].relationships.indices {
                let relationship = entities[index].relationships[place]
                entities[index].relationships[place].inverse =
                    relationship.inverse ?? Self.inverse(of: relationship, in: entities[index].name, model)
            }
        }
        let plain = try Model(version: model.version, hasTenants: model.hasTenants, entities: entities)
        lines = String(decoding: plain.json, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func parts(of composite: CompositeDescription) -> [AttributeDescription] {
        composite.parts.map { part in
            var attribute = part
            attribute.name = "\(composite.name)_\(part.name)"
            attribute.isOptional = part.isOptional || composite.isOptional
            return attribute
        }
    }

    private static func inverse(
        of relationship: RelationshipDescription,
        in entity: String,
        _ model: Model
    ) -> String? {
        model.entity(relationship.destination)?.relationships
            .first { $0.destination == entity && $0.inverse == relationship.name }?
            .name
    }
}
