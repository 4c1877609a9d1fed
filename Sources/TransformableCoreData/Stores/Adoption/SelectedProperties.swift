internal import TransformableModel

/// Finds out what a model lacks from which entities were left out.
struct SelectedProperties {
    private let whole: Model
    private let selected: Model

    init(_ whole: Model, _ selected: Model) {
        self.whole = whole
        self.selected = selected
    }

    /// Returns the first attribute, relationship, or entity that a fetch request uses and that only the whole model has.
    func lost(in request: FetchRequestDescription) -> String? {
        let order = request.order.map { $0.name.split(separator: ".").map(String.init) }
        let (before, after) = (RequestPaths(whole), RequestPaths(selected))
        let paths = (request.conditionParts(in: before)?.paths ?? []) + order
        if let name = paths.lazy.compactMap({ lost($0, from: request.entity) }).first { return name }
        // A path can also lead through a child of an entity, of which others were selected.
        return paths.lazy.filter { before.missingName(in: $0, from: request.entity) == nil }
            .compactMap { after.missingName(in: $0, from: request.entity) }
            .first
    }

    private func lost(_ path: [String], from entity: String) -> String? {
        var entity = entity
        for name in path {
            let isKnown = Self.names(of: entity, in: whole).contains(name)
            if isKnown, !Self.names(of: entity, in: selected).contains(name) { return name }
            guard let next = whole.relationships(of: entity).first(where: { $0.name == name }) else { return nil }
            entity = next.destination
        }
        return nil
    }

    private static func names(of entity: String, in model: Model) -> [String] {
        model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name)
    }
}
