internal import EncryptionPlugin
internal import Foundation
internal import Transformable
internal import TransformableStore

/// What `store reseal` does, one attribute after another.
struct ResealingWork {
    private let path: String
    private let ring: KeyRing
    private let registry: TransformerRegistry
    private let session: Session

    init(_ file: StoreArgument, _ keys: KeyOptions, _ session: Session) throws {
        try session.requireOutput(apartFrom: file.files)
        path = file.store
        self.session = session
        ring = try keys.ring(session)
        registry = try session.makeRegistry(ring)
        // A model that is given is compared once, since the work itself may change the file's.
        try file.change(registry) { _ in }
    }

    /// Each attribute is done with the model that the one before has left.
    private func open() throws -> Store {
        let options = Store.Options(opening: .mustExist, unresolved: .keepBytes)
        return try Store(at: URL(filePath: path), transformers: registry, options: options)
    }

    /// The attributes that are sealed or indexed under a key, by the entities that declare them.
    ///
    /// - Returns: Names of entities and attributes.
    /// - Throws: `StoreError`.
    func sealedAttributes() throws -> [(String, String)] {
        let store = try open()
        defer { try? store.close() }
        return store.model.entities.flatMap { entity in
            entity.attributes.filter { isKeyed($0) }.map { (entity.name, $0.name) }
        }
    }

    private func isKeyed(_ attribute: AttributeDescription) -> Bool {
        guard attribute.type == .transformed else { return false }
        let expressions =
            [attribute.transformer ?? AttributeDescription.defaultTransformer]
            + attribute.projections.map(\.transformer)
        return expressions.contains { expression in
            let resolved = try? registry.resolve(expression, ending: .anything)
            return resolved?.stages.contains { $0.registered is any KeyedTransformer } == true
        }
    }

    /// Writes an attribute anew, and says what became of it.
    ///
    /// - Parameter reencoding: The attribute, and what writes it.
    /// - Returns: The report.
    /// - Throws: `StoreError`.
    func reseal(_ reencoding: Reencoding) throws -> Reencoding.Report {
        let store = try open()
        defer { try? store.close() }
        var progress = Progress(session)
        defer { progress.end() }
        let report = try store.reencode(reencoding) { progress.show($0.done) }
        progress.end()
        try tell("\(report.cells.counted("value")) written anew", report, reencoding)
        return report
    }

    /// Converts the values of an attribute, writes none, and says what would become of them.
    ///
    /// - Parameter reencoding: The attribute, and what would write it.
    /// - Returns: The report.
    /// - Throws: `StoreError`.
    func rehearse(_ reencoding: Reencoding) throws -> Reencoding.Report {
        let store = try open()
        defer { try? store.close() }
        var progress = Progress(session)
        defer { progress.end() }
        let report = try store.rehearse(reencoding) { progress.show($0) }
        progress.end()
        try tell("would write \(report.cells.counted("value")) anew", report, reencoding)
        return report
    }

    private func tell(_ result: String, _ report: Reencoding.Report, _ reencoding: Reencoding) throws {
        let name = "\(reencoding.entity).\(reencoding.attribute)"
        try session.print("\(name): \(result)")
        if report.dropsIndex {
            let way = "for the index to come back after --plain, use “store migrate” with a model that says “indexed”"
            session.tell("note: “\(name)” loses its index, since the bytes of a transformer have no order; \(way)")
        }
        for failure in report.failures { session.tell("note: \(ErrorLine.sentence(for: failure))") }
    }

    /// Rewrites the file, and searches it for samples of old values.
    ///
    /// - Parameter canaries: The samples.
    /// - Throws: `StoreError`; ``CommandError/Code/faultsFound`` if one is found.
    func scrub(_ canaries: Canaries) throws {
        let store = try open()
        defer { try? store.close() }
        let found = try store.scrub(searchingFor: canaries)
        guard found.isEmpty else {
            let places = found.map { "“\($0.key)” (\($0.value))" }.sorted().joined(separator: ", ")
            let hint = "another attribute may hold the same, or what was dropped is still kept aside"
            throw CommandError(
                .faultsFound,
                "of \(canaries.count.counted("sample")) of old values some are still in \(places); \(hint)"
            )
        }
        let isSearched = canaries.count > 0
        let result = "none of \(canaries.count.counted("sample")) of old values is left in the file"
        try session.print("scrubbed: \(isSearched ? result : "no old value is long enough to be searched for")")
    }

    /// Gives up what was interrupted, and says what was removed.
    ///
    /// - Parameters:
    ///   - attributes: Names such as `Patient.ssn`; none means all.
    ///   - isRehearsal: Whether to name them only.
    ///   - scrubs: Whether to rewrite and search the file afterwards.
    /// - Throws: `StoreError`; ``CommandError/Code/faultsFound`` if a removed value is still found.
    func abort(_ attributes: [String], isRehearsal: Bool, scrubs: Bool) throws {
        let store = try open()
        defer { try? store.close() }
        let isIncluded = { (unfinished: UnfinishedReencoding) in
            attributes.isEmpty || attributes.contains("\(unfinished.entity).\(unfinished.attribute)")
        }
        let aborted =
            try isRehearsal
            ? nil : store.abortReencodings(sampling: scrubs ? 1000 : 0, where: isIncluded)
        let list = try aborted?.list ?? store.unfinishedReencodings().filter(isIncluded)
        for unfinished in list {
            let result = isRehearsal ? "would give up" : "gave up"
            let values = "\(unfinished.waitingCount.counted("value")) removed"
            let name = "\(unfinished.entity).\(unfinished.attribute)".onOneLine
            try session.print("\(name): \(result) the re-encoding, \(values)")
        }
        if list.isEmpty { try session.print("no re-encoding is unfinished") }
        if let aborted, scrubs { try scrub(aborted.canaries) }
    }

    /// Says which keys nothing in the store needs any more.
    ///
    /// - Throws: `StoreError`.
    func tellOfKeys() throws {
        let store = try open()
        defer { try? store.close() }
        for sentence in try KeyUsage(of: [store]).retirable(in: ring) {
            try session.print("\(sentence); “keys retire” takes it out of use")
        }
    }
}

extension KeyUsage {
    /// A sentence for each active key of a ring that the store no longer needs.
    fileprivate func retirable(in ring: KeyRing) -> [String] {
        ring.names.flatMap { name in
            ring.generations(of: name)
                .filter { $0.state == .active && need(of: $0.id) == nil }
                .map { "the key \($0.id) of “\(name)” is used by no value of this store" }
        }
    }
}
