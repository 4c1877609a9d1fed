internal import EncryptionPlugin
internal import Foundation
internal import Transformable
internal import TransformableStore

/// Which keys the values of stores were sealed and indexed under, by what the bytes themselves say.
struct KeyUsage {
    /// How many values were sealed under which key.
    private(set) var values: [KeyID: Int] = [:]
    /// Which indexes may have rows under which key.
    private(set) var indexes: [KeyID: [String]] = [:]
    /// How many values that migrations have dropped and the file still has were sealed under which key.
    private(set) var keptAside: [KeyID: Int] = [:]
    /// Attributes with values whose bytes do not tell.
    private(set) var unknown: [String] = []

    /// Adds the values of a store.
    ///
    /// - Parameters:
    ///   - path: The store's file.
    ///   - session: The run.
    /// - Throws: `StoreError`, or ``CommandError/Code/noInput``.
    mutating func add(_ path: String, _ session: Session) throws {
        let store = try Store(openingToRead: path, session.keylessRegistry)
        defer { try? store.close() }
        try add(store)
    }

    /// Adds the values of an open store.
    mutating func add(_ store: Store) throws {
        let entities = store.model.entities.filter { !$0.isAbstract }.map(\.name)
        let attributes = try entities.map { ($0, try store.attributes(of: $0)) }
        let found = try store.read { context in
            var usage = KeyUsage()
            for (entity, attributes) in attributes {
                for attribute in attributes where attribute.description.type == .transformed {
                    guard attribute.transformer.map(Self.mayBeSealed) ?? true else { continue }
                    let counts = try context.countStored(attribute.name, of: entity, by: 0..<KeyID.headerCount)
                    usage.add(counts, by: attribute.transformer, "\(entity).\(attribute.name)", to: \.values)
                }
            }
            for dropped in try context.countKeptAside(by: 0..<KeyID.headerCount) {
                let name = "\(dropped.entity).\(dropped.attribute) (dropped by a migration)"
                usage.add(dropped.counts, by: dropped.transformer, name, to: \.keptAside)
            }
            for (index, keys) in try context.indexKeys() {
                for key in keys.compactMap({ KeyID($0) }) { usage.indexes[key, default: []].append(index) }
            }
            return usage
        }
        values.merge(found.values, uniquingKeysWith: +)
        keptAside.merge(found.keptAside, uniquingKeysWith: +)
        indexes.merge(found.indexes, uniquingKeysWith: +)
        unknown += found.unknown
    }

    private mutating func add(
        _ counts: [Data?: Int],
        by transformer: ResolvedTransformer?,
        _ name: String,
        to total: WritableKeyPath<Self, [KeyID: Int]>
    ) {
        guard transformer.map(Self.mayBeSealed) ?? true else { return }
        let isLast = transformer?.stages.last?.registered is SealedTransformer
        for (header, count) in counts {
            if isLast, let key = header.flatMap({ KeyID(sealed: $0) }) {
                self[keyPath: total][key, default: 0] += count
            } else if !isLast || header == nil {
                return unknown.append(name)
            }
        }
    }

    private static func mayBeSealed(_ resolved: ResolvedTransformer) -> Bool {
        resolved.stages.contains { $0.registered is SealedTransformer }
    }

    /// What still needs a key; nil if nothing does.
    func need(of key: KeyID) -> String? {
        var needs: [String] = []
        if let count = values[key] { needs.append(count.counted("value")) }
        if let count = keptAside[key] {
            needs.append("\(count) dropped by a migration, which “store discard” removes")
        }
        if let indexes = indexes[key] { needs.append("the index \(indexes.sorted().joined(separator: ", "))") }
        if !unknown.isEmpty { needs.append("perhaps \(unknown.joined(separator: ", ")), whose bytes do not tell") }
        return needs.isEmpty ? nil : needs.joined(separator: " and ")
    }

    /// A sentence for each key of a ring that is in use no more.
    func retirable(in ring: KeyRing) -> [String] {
        ring.names.flatMap { name in
            ring.generations(of: name)
                .filter { $0.state == .active && need(of: $0.id) == nil }
                .map { "the key \($0.id) of “\(name)” is used by no value of this store" }
        }
    }
}
