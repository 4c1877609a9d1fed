public import Transformable

extension KeyRing {
    /// Returns the identifier of the generation for new digests, where nil means the ring's default key.
    func currentKey(named name: String?) -> String? {
        (try? primary(named: name)).map { "\($0.generation.id)" }
    }

    /// Verifies that digests under the given generations can be searched for.
    ///
    /// - Parameters:
    ///   - identifiers: The identifiers of the generations.
    ///   - name: The name of the key, or nil for the ring's default key.
    /// - Throws: `TransformerError` with the code `missing-key` or `retired-key` if a generation is missing or retired.
    func requireUsable(_ identifiers: [String], named name: String?) throws {
        // If the ring does not contain the key at all, the error names the generation that is missing.
        let usable = Set(((try? usable(named: name)) ?? []).map { "\($0.generation.id)" })
        guard let stranger = identifiers.first(where: { !usable.contains($0) }) else { return }
        if let id = KeyID(stranger) { _ = try entry(id) }
        let message =
            "values are indexed under the key \(stranger), which “\(name ?? defaultName ?? "")” does not contain"
        throw TransformerError(.missingKey, "\(message); use a ring that contains the key, or re-encode the attribute")
    }
}

extension BlindIndexTransformer: KeyIdentifyingTransformer {
    /// The identifier of the key's primary generation.
    public var currentKey: String? { keys.currentKey(named: key) }

    /// Verifies that the generations are primary or active.
    public func requireKeys(_ identifiers: [String]) throws {
        try keys.requireUsable(identifiers, named: key)
    }
}

extension HMACTransformer: KeyIdentifyingTransformer {
    /// The identifier of the key's primary generation.
    public var currentKey: String? { keys.currentKey(named: key) }

    /// Verifies that the generations are primary or active.
    public func requireKeys(_ identifiers: [String]) throws {
        try keys.requireUsable(identifiers, named: key)
    }
}

extension SealedTransformer: KeyIdentifyingTransformer {
    /// The identifier of the primary generation, which seals new values.
    public var currentKey: String? {
        (try? keys.primary(kind == .recipient ? .pair : .secret, named: key)).map { "\($0.generation.id)" }
    }

    /// Verifies that the generations can open the values that they sealed.
    public func requireKeys(_ identifiers: [String]) throws {
        for id in identifiers.compactMap({ KeyID($0) }) { _ = try keys.entry(id) }
    }
}
