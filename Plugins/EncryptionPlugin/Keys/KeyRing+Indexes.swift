public import Transformable

extension KeyRing {
    /// The identifier of the generation that makes new digests under a name; nil means the ring's default.
    func currentKey(named name: String?) -> String? {
        (try? primary(named: name)).map { "\($0.generation.id)" }
    }

    /// Demands that digests under some generations are looked for.
    ///
    /// - Parameters:
    ///   - identifiers: The generations.
    ///   - name: The key's name; nil means the ring's default.
    /// - Throws: `TransformerError` with `missing-key` or `retired-key`.
    func requireUsable(_ identifiers: [String], named name: String?) throws {
        // A ring without such a key has none of the generations, and the error names the one that is missing.
        let usable = Set(((try? usable(named: name)) ?? []).map { "\($0.generation.id)" })
        guard let stranger = identifiers.first(where: { !usable.contains($0) }) else { return }
        if let id = KeyID(stranger) { _ = try entry(id) }
        let message = "values are indexed under the key \(stranger), which is none of “\(name ?? defaultName ?? "")”"
        throw TransformerError(.missingKey, "\(message); use the ring that has it, or re-encode the attribute")
    }
}

extension BlindIndexTransformer: KeyedTransformer {
    /// The identifier of the primary generation of the key.
    public var currentKey: String? { keys.currentKey(named: key) }

    /// Demands generations that are primary or active.
    public func requireKeys(_ identifiers: [String]) throws {
        try keys.requireUsable(identifiers, named: key)
    }
}

extension HMACTransformer: KeyedTransformer {
    /// The identifier of the primary generation of the key.
    public var currentKey: String? { keys.currentKey(named: key) }

    /// Demands generations that are primary or active.
    public func requireKeys(_ identifiers: [String]) throws {
        try keys.requireUsable(identifiers, named: key)
    }
}

extension SealedTransformer: KeyedTransformer {
    /// The identifier of the primary generation that seals new values.
    public var currentKey: String? {
        (try? keys.primary(kind == .recipient ? .pair : .secret, named: key)).map { "\($0.generation.id)" }
    }

    /// Demands generations that open what they sealed.
    public func requireKeys(_ identifiers: [String]) throws {
        for id in identifiers.compactMap({ KeyID($0) }) { _ = try keys.entry(id) }
    }
}
