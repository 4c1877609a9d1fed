internal import TransformableModel

/// The static method of a class that runs a fetch request of the model.
struct FetchRequestCode {
    /// The declaration.
    let text: String

    /// Returns `nil` if a method cannot express the request.
    init?(_ request: FetchRequestDescription, _ context: CodeContext) {
        let parameters = request.parameters
        guard ([request.name] + parameters).allSatisfy(SwiftText.isTypeName), !parameters.contains("context"),
            let order = Self.order(request, context)
        else { return nil }
        let name = context.names.name(of: request.entity)
        let list = parameters.map { ", \($0): (any Sendable)?" }.joined()
        text = """
                /// Runs the fetch request “\(request.name)”: `\(SwiftText.plain(request.condition))`.
                \(context.access)static func \(request.name)(
                    in context: \(context.type("StoreContext", in: "TransformableStore"))\(list)
                ) throws -> [\(name)] {
                    try context.fetch(
                        \(name).self,
                        where: \(Self.condition(request, parameters, context))\(order)\(Self.part(request))
                    )
                }

            """
    }

    private static func condition(
        _ request: FetchRequestDescription,
        _ parameters: [String],
        _ context: CodeContext
    ) -> String {
        let values = parameters.map { "\(SwiftText.literal($0)): \($0)" }
        let arguments = values.isEmpty ? "" : ", parameters: [\(values.joined(separator: ", "))]"
        let type = context.type("Condition", in: "TransformableModel")
        return "\(type)(\(SwiftText.literal(request.condition))\(arguments))"
    }

    /// Returns the argument with the sort order, or `nil` if a key is not a plain attribute that can be compared.
    private static func order(_ request: FetchRequestDescription, _ context: CodeContext) -> String? {
        let sortable: Set<AttributeType> = [.double, .float, .decimal, .string, .date, .uuid]
        let attributes = context.model.attributes(of: request.entity)
        var keys: [String] = []
        for key in request.order {
            let attribute = attributes.first { $0.name == key.name && !$0.isTransient }
            guard let attribute, attribute.type.integers != nil || sortable.contains(attribute.type),
                context.map.type(of: attribute, in: request.entity) == nil
            else { return nil }
            let path = "\\.\(SwiftText.identifier(key.name))"
            keys.append("SortDescriptor(\(path)\(key.isDescending ? ", order: .reverse" : ""))")
        }
        return keys.isEmpty ? "" : ",\n            sortedBy: [\(keys.joined(separator: ", "))]"
    }

    private static func part(_ request: FetchRequestDescription) -> String {
        let limit = request.limit.map { ",\n            limit: \($0)" } ?? ""
        return limit + (request.offset == 0 ? "" : ",\n            offset: \(request.offset)")
    }
}
