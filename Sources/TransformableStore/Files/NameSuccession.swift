/// Finds out which names of a newer model continue which names of an older one.
///
/// Each name of the older model is continued at most once.
struct NameSuccession {
    /// Something with a name in a model: an entity, an attribute, or a relationship.
    struct Element {
        let name: String
        let former: FormerNames
        let addedIn: Int?
    }

    /// The older name of each newer one that has any.
    private(set) var predecessors: [String: String] = [:]
    /// The newer names that cannot be brought together with older ones, and why.
    private(set) var faults: [String: String] = [:]

    private struct Claim {
        let name: String
        let isRenamed: Bool
    }

    /// Compares two lists.
    ///
    /// - Parameters:
    ///   - old: What the older model has.
    ///   - version: The older model's version.
    ///   - new: What the newer model has.
    init(from old: [Element], version: Int, to new: [Element]) {
        let known = Dictionary(old.map { ($0.name, $0.former.names.map(\.name)) }) { first, _ in first }
        var claims: [String: [Claim]] = [:]
        for element in new {
            guard let name = Self.predecessor(of: element, among: known, version) else { continue }
            claims[name, default: []].append(Claim(name: element.name, isRenamed: name != element.name))
        }
        for (name, claims) in claims { settle(name, claims) }
    }

    /// A name that another one was renamed from does not continue itself.
    private mutating func settle(_ name: String, _ claims: [Claim]) {
        let renamed = claims.filter(\.isRenamed)
        guard renamed.count > 1 else {
            if let heir = renamed.first ?? claims.first { predecessors[heir.name] = name }
            return
        }
        let list = renamed.map { "“\($0.name)”" }.sorted().joined(separator: " and ")
        for claim in renamed {
            faults[claim.name] =
                "\(list) are both renamed from “\(name)”; state the versions of the model that renamed them"
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

    /// The name in a version, by what the element says itself.
    private static func name(of element: Element, in version: Int) -> String {
        element.former.names.first { ($0.version ?? 0) > version }?.name ?? element.name
    }

    /// The name in a version that is not known, by comparing what both models say about earlier names.
    ///
    /// A name that stands where the older model has it, with the same names before it, has been reached. Otherwise one of
    /// the models has forgotten the first of them.
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
