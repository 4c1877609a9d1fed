/// Determines which names of a newer model continue which names of an older one.
///
/// Each name of the older model is continued at most once.
struct NameSuccession {
    /// A named element of a model: an entity, an attribute, or a relationship.
    struct Element {
        let name: String
        let former: FormerNames
        let addedIn: Int?
    }

    /// The older name of each newer name that has one.
    private(set) var predecessors: [String: String] = [:]
    /// The newer names that cannot be matched with older names, and the reasons.
    private(set) var faults: [String: String] = [:]

    private struct Claim {
        let name: String
        let isRenamed: Bool
    }

    /// Compares the elements of two models.
    ///
    /// - Parameters:
    ///   - old: The elements of the older model.
    ///   - version: The older model's version.
    ///   - new: The elements of the newer model.
    init(from old: [Element], version: Int, to new: [Element]) {
        let known = Dictionary(old.map { ($0.name, $0.former.names.map(\.name)) }) { first, _ in first }
        var claims: [String: [Claim]] = [:]
        for element in new {
            guard let name = Self.predecessor(of: element, among: known, version) else { continue }
            claims[name, default: []].append(Claim(name: element.name, isRenamed: name != element.name))
        }
        for (name, claims) in claims { settle(name, claims) }
    }

    /// Resolves claims to a name.
    ///
    /// A name that something else was renamed from does not continue itself.
    private mutating func settle(_ name: String, _ claims: [Claim]) {
        let renamed = claims.filter(\.isRenamed)
        guard renamed.count > 1 else {
            if let heir = renamed.first ?? claims.first { predecessors[heir.name] = name }
            return
        }
        let list = renamed.map { "“\($0.name)”" }.sorted().joined(separator: " and ")
        for claim in renamed {
            faults[claim.name] =
                "\(list) are both renamed from “\(name)”; state in which versions of the model they were renamed"
        }
    }

    // MARK: - One name

    private static func predecessor(of element: Element, among known: [String: [String]], _ version: Int) -> String? {
        if let added = element.addedIn, added > version { return nil }
        if element.former.names.contains(where: { $0.version != nil }) {
            let name = name(of: element, in: version)
            return known[name] == nil ? nil : name
        }
        return probablePredecessor(of: element, among: known)
    }

    /// Returns an element's name in a version, according to the versions that it states.
    private static func name(of element: Element, in version: Int) -> String {
        element.former.names.first { ($0.version ?? 0) > version }?.name ?? element.name
    }

    /// Returns an element's name in an unknown version, by comparing the former names that both models state.
    ///
    /// A former name is matched if the older model has it with the same names before it. If that is not the case, one
    /// of the models no longer states the earliest names.
    private static func probablePredecessor(of element: Element, among known: [String: [String]]) -> String? {
        let chain = element.former.names.map(\.name) + [element.name]
        let places = chain.indices.reversed().filter { known[chain[$0]] != nil }
        let place =
            places.first { known[chain[$0]] ?? [] == Array(chain[..<$0]) }
            ?? places.first { (known[chain[$0]] ?? []).reversed().starts(with: chain[..<$0].reversed()) }
            ?? places.first
        return place.map { chain[$0] }
    }
}

extension NameSuccession.Element {
    init(_ entity: EntityDescription) {
        self.init(name: entity.name, former: entity.renamedFrom, addedIn: entity.addedIn)
    }

    init(_ attribute: AttributeDescription) {
        self.init(name: attribute.name, former: attribute.renamedFrom, addedIn: attribute.addedIn)
    }

    init(_ relationship: RelationshipDescription) {
        self.init(name: relationship.name, former: relationship.renamedFrom, addedIn: relationship.addedIn)
    }
}
