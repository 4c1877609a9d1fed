internal import TransformableModel

/// The declaration that names the classes of a model and opens stores for them.
struct SchemaCode {
    let name: String
    let text: String
    let modules: Set<String>

    init(_ model: String, _ classes: [String], _ context: CodeContext) {
        var name = "\(SwiftText.typeName(model))Schema"
        while context.names.isUsed(name) { name += "Schema" }
        self.name = name
        modules = classes.isEmpty ? [] : ["Foundation", "TransformableEntities"]
        let functions = classes.isEmpty ? "" : "\n" + Self.functions(classes, context)
        text = """
            /// The classes of the model “\(SwiftText.plain(model))”.
            \(context.access)nonisolated enum \(name) {
                /// The version of the model.
                \(context.access)static let version = \(context.model.version)
            \(functions)}

            """
    }

    private static func functions(_ classes: [String], _ context: CodeContext) -> String {
        let access = context.access
        let types = classes.map { "            \($0).self" }.joined(separator: ",\n")
        let store = context.type("Store", in: "TransformableStore")
        let registry = context.type("TransformerRegistry", in: "Transformable")
        let step = context.type("MigrationStep", in: "TransformableStore")
        // With a line break, because an argument that is omitted leaves no empty line.
        let tenants = context.model.hasTenants ? ",\n            hasTenants: true" : ""
        return """
                /// Returns the model of the classes.
                \(access)static func model() throws -> \(context.type("Model", in: "TransformableModel")) {
                    try \(context.type("Model", in: "TransformableModel"))(
                        of:
            \(types),
                        version: version\(tenants)
                    )
                }

                /// Opens a store for the classes, and creates the file if necessary.
                \(access)static func store(
                    at url: \(context.type("URL", in: "Foundation")),
                    transformers registry: \(registry),
                    options: \(store).Options = .createIfMissing,
                    migrations: [\(step)] = []
                ) throws -> \(store) {
                    try \(store)(
                        at: url,
                        for:
            \(types),
                        version: version\(tenants),
                        transformers: registry,
                        options: options,
                        migrations: migrations
                    )
                }

                /// Creates a store for the classes in memory.
                \(access)static func storeInMemory(transformers registry: \(registry)) throws -> \(store) {
                    try \(store).inMemory(
                        for:
            \(types),
                        version: version\(tenants),
                        transformers: registry
                    )
                }

            """
    }
}
