public import TransformableModel

/// Swift code that loads an exported store into Core Data.
///
/// The code is for a program on an Apple platform. It reads the folder that `store export` writes, and inserts an
/// object for each line, using public API of Core Data. It has not been run with Core Data itself.
public struct ImporterCode: Sendable {
    /// The name of the generated type.
    public let typeName: String
    /// The code.
    public let text: String

    /// Generates the code for a model.
    ///
    /// - Parameters:
    ///   - model: The model of the exported store.
    ///   - name: The name of the model, which is part of the name of the type.
    public init(for model: Model, named name: String) {
        let typeName = "\(SwiftText.typeName(name))Importer"
        self.typeName = typeName
        let entities = model.entities.filter { !$0.isAbstract }.map(\.name).sorted()
        let table = entities.map { "        \(Self.entry(of: $0, in: model)),\n" }.joined()
        text = ImporterTemplate.text
            .replacing("<#model#>", with: SwiftText.plain(name))
            .replacing("<#type#>", with: typeName)
            .replacing("<#entities#>", with: table)
    }

    /// Returns the row of an entity in the table of the code.
    private static func entry(of entity: String, in model: Model) -> String {
        let relationships = model.relationships(of: entity)
            .map { relationship in
                let destination = SwiftText.literal(relationship.destination)
                return "\(SwiftText.literal(relationship.name)): \(destination)"
            }
        let lineage = model.entity(entity).map { model.lineage(of: $0) } ?? []
        let parts = lineage.flatMap(\.composites)
            .flatMap { composite in
                composite.parts.map { part in
                    let column = SwiftText.literal(composite.attributeName(part.name))
                    return "\(column): [\(SwiftText.literal(composite.name)), \(SwiftText.literal(part.name))]"
                }
            }
        return "Entity(\(SwiftText.literal(entity)), \(dictionary(relationships)), parts: \(dictionary(parts)))"
    }

    private static func dictionary(_ members: [String]) -> String {
        members.isEmpty ? "[:]" : "[\(members.joined(separator: ", "))]"
    }
}
