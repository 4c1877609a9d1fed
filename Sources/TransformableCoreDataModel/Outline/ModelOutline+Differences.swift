extension ModelOutline {
    /// A difference between two models.
    package struct Difference: Sendable, Hashable {
        /// The entity, property, or other part.
        package let path: String
        /// What the part is, such as `attribute`.
        package let kind: String
        /// What is different, or `nil` if the whole part was added or removed.
        package let fact: String?
        /// The value in the old model, or `nil` if there is none.
        package let old: String?
        /// The value in the new model, or `nil` if there is none.
        package let new: String?
    }

    /// Returns the differences between an older model and this one, in the order of the parts' names.
    ///
    /// If one of the models is compiled, facts that compiled models lack are not compared.
    ///
    /// - Parameter old: The older model.
    /// - Returns: The differences, or an empty list if the models are equal.
    package func differences(from old: Self) -> [Difference] {
        let isXMLOnlyIgnored = isCompiled || old.isCompiled
        let before = old.table(isXMLOnlyIgnored)
        let after = table(isXMLOnlyIgnored)
        return Set(before.keys).union(after.keys).sorted()
            .flatMap { key in Self.differences(key, before[key], after[key]) }
    }

    private struct Key: Hashable, Comparable {
        let path: String
        let kind: String

        static func < (left: Self, right: Self) -> Bool {
            (left.path, left.kind) < (right.path, right.kind)
        }
    }

    private func table(_ isXMLOnlyIgnored: Bool) -> [Key: [String: [String]]] {
        var table: [Key: [String: [String]]] = [:]
        for item in items {
            let facts = item.facts.filter { !isXMLOnlyIgnored || !$0.isXMLOnly }
            table[Key(path: item.path, kind: item.kind)] = Dictionary(grouping: facts, by: \.name)
                .mapValues { $0.map { $0.value ?? "yes" } }
        }
        return table
    }

    private static func differences(
        _ key: Key,
        _ old: [String: [String]]?,
        _ new: [String: [String]]?
    ) -> [Difference] {
        guard let old, let new else {
            let (before, after) = (old.map { _ in key.path }, new.map { _ in key.path })
            return [Difference(path: key.path, kind: key.kind, fact: nil, old: before, new: after)]
        }
        return Set(old.keys).union(new.keys).sorted()
            .flatMap { name in
                differences(key, name, old[name] ?? [], new[name] ?? [])
            }
    }

    /// Compares the values of a fact, of which an entity can have several, such as indexes.
    private static func differences(_ key: Key, _ name: String, _ old: [String], _ new: [String]) -> [Difference] {
        if old.count <= 1, new.count <= 1 {
            guard old != new else { return [] }
            return [Difference(path: key.path, kind: key.kind, fact: name, old: old.first, new: new.first)]
        }
        let removed = old.filter { !new.contains($0) }
            .map { Difference(path: key.path, kind: key.kind, fact: name, old: $0, new: nil) }
        let added = new.filter { !old.contains($0) }
            .map { Difference(path: key.path, kind: key.kind, fact: name, old: nil, new: $0) }
        return removed + added
    }
}

extension ModelOutline.Difference: CustomStringConvertible {
    /// The difference in one line, as in `Person.age: type Integer 16, now Integer 32`.
    package var description: String {
        switch (fact, old, new) {
        case (nil, nil, _): "\(path): added (\(kind))"
        case (nil, _, _): "\(path): removed (\(kind))"
        case (.some(let fact), nil, .some("yes")): "\(path): now \(fact)"
        case (.some(let fact), .some("yes"), nil): "\(path): no longer \(fact)"
        case (.some(let fact), .some(let old), .some(let new)): "\(path): \(fact) \(old), now \(new)"
        case (.some(let fact), nil, .some(let new)): "\(path): no \(fact), now \(new)"
        case (.some(let fact), _, _): "\(path): \(fact) \(old ?? ""), now none"
        }
    }
}
