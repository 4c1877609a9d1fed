internal import Transformable
internal import TransformableStore

/// Carries out `store reseal`, one attribute at a time.
struct ResealingWork {
    private let address: StoreAddress
    private let keys: KeyedRegistry
    private let session: Session
    /// Whether nothing is changed.
    private let isRehearsal: Bool

    init(_ file: StoreArgument, _ keys: some KeySource, _ session: Session, isRehearsal: Bool) throws {
        address = try file.address
        try address.requireReadable()
        try session.requireOutput(apartFrom: address.files)
        self.session = session
        self.isRehearsal = isRehearsal
        self.keys = try keys.open(session)
        // The given model is compared only once, because resealing can change the model in the file.
        try file.change(self.keys.registry, isRehearsal: isRehearsal) { _ in }
    }

    /// Opens the store.
    ///
    /// Each attribute is resealed with the model that results from the previous one.
    private func open() throws -> Store {
        var options = Store.Options(opening: .mustExist, unresolved: .keepBytes)
        options.isRehearsal = isRehearsal
        return try address.open(keys.registry, options)
    }

    /// Returns the attributes that are sealed or have a keyed index, with the entities that declare them.
    ///
    /// Parts of composites are included. For a keyed index of several other attributes, the first of them is included.
    ///
    /// - Returns: The names of entities and attributes.
    /// - Throws: `StoreError` if the store cannot be read.
    func sealedAttributes() throws -> [(String, String)] {
        let store = try open()
        defer { try? store.close() }
        let model = store.model
        return model.entities.flatMap { entity in
            let own = entity.columns.filter { isKeyed($0) }.map(\.name)
            var covered = Set(model.attributes(of: entity.name).filter { isKeyed($0) }.map(\.name))
            let parts = entity.projections.filter { isKeyed($0.transformer) }
                .compactMap { projection -> String? in
                    let names = projection.parts.map(\.attribute)
                    guard covered.isDisjoint(with: names), let first = names.first else { return nil }
                    covered.insert(first)
                    return first
                }
            return (own + parts).map { (entity.name, $0) }
        }
    }

    private func isKeyed(_ attribute: AttributeDescription) -> Bool {
        guard !attribute.isTransient else { return false }
        let projections = attribute.projections.map(\.transformer)
        guard attribute.type == .transformed else { return projections.contains { isKeyed($0) } }
        let stored = attribute.transformer ?? AttributeDescription.defaultTransformer
        return ([stored] + projections).contains { isKeyed($0) }
    }

    private func isKeyed(_ expression: String) -> Bool {
        let resolved = try? resolve(expression)
        return resolved?.components.contains { $0 is any KeyIdentifyingTransformer } == true
    }

    private func resolve(_ expression: String) throws -> ResolvedTransformer {
        try keys.registry.resolve(expression, ending: .anything)
    }

    /// Prints a note about each attribute and projection that depends on a key, but that this program cannot compute.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    func tellOfUnavailable() throws {
        let store = try open()
        defer { try? store.close() }
        for entity in store.model.entities {
            var expressions: [(String, String)] = []
            for column in entity.columns where !column.isTransient {
                if let transformer = column.transformer { expressions.append((column.name, transformer)) }
                expressions += column.projections.map { ($0.name, $0.transformer) }
            }
            expressions += entity.projections.map { ($0.name, $0.transformer) }
            for (name, expression) in expressions {
                guard let error = failure(ofKeyed: expression) else { continue }
                let reason = "its transformer cannot be used here: \(ErrorLine.sentence(for: error))"
                session.tell("note: “\(entity.name).\(name)” is not resealed, because \(reason)")
            }
        }
    }

    /// Returns the reason why an expression cannot be used in this program, or `nil` if it can be used, or if none of its
    /// stages depends on a key.
    private func failure(ofKeyed expression: String) -> (any Error)? {
        do {
            _ = try resolve(expression)
            return nil
        } catch {
            let stages = (try? TransformerExpression(expression))?.stages ?? []
            let usesKey = stages.contains { isKeyed(TransformerExpression(stages: [$0]).description) }
            return usesKey ? error : nil
        }
    }

    /// Rewrites the values of an attribute, and prints the outcome.
    ///
    /// - Parameter reencoding: The re-encoding.
    /// - Returns: The report.
    /// - Throws: `StoreError` if the re-encoding fails.
    func reseal(_ reencoding: Reencoding) throws -> Reencoding.Report {
        let store = try open()
        defer { try? store.close() }
        var progress = Progress(session)
        defer { progress.end() }
        let report = try store.reencode(reencoding) { progress.show($0.done) }
        progress.end()
        try tell("\(report.cells.counted("value")) rewritten", report, reencoding)
        return report
    }

    /// Converts the values of an attribute without writing them, and prints the outcome.
    ///
    /// - Parameter reencoding: The re-encoding.
    /// - Returns: The report.
    /// - Throws: `StoreError` if the re-encoding fails.
    func rehearse(_ reencoding: Reencoding) throws -> Reencoding.Report {
        let store = try open()
        defer { try? store.close() }
        var progress = Progress(session)
        defer { progress.end() }
        let report = try store.rehearse(reencoding) { progress.show($0) }
        progress.end()
        try tell("would rewrite \(report.cells.counted("value"))", report, reencoding)
        return report
    }

    private func tell(_ result: String, _ report: Reencoding.Report, _ reencoding: Reencoding) throws {
        let name = "\(reencoding.entity).\(reencoding.attribute)"
        try session.print("\(name): \(result)")
        if report.dropsIndex {
            let way = "to index it again after --plain, use “store migrate” with a model that contains “indexed”"
            session.tell("note: “\(name)” loses its index, because transformed bytes have no meaningful order; \(way)")
        }
        for failure in report.failures { session.tell("note: \(ErrorLine.sentence(for: failure))") }
    }

    /// Authenticates the remaining rows with the current key, and prints their number.
    ///
    /// - Throws: `StoreError` if a row does not match its tag.
    func reauthenticateRows() throws {
        let store = try open()
        defer { try? store.close() }
        let count = try store.reauthenticateRows()
        if count > 0 { try session.print("\(count.counted("more row")) authenticated under the current key") }
    }

    /// Rewrites the file, and searches it for samples of old values.
    ///
    /// - Parameter canaries: The samples.
    /// - Throws: `StoreError` if the file cannot be rewritten, or ``CommandError`` with the code
    ///   ``CommandError/Code/faultsFound`` if a sample is found.
    func scrub(_ canaries: Canaries) throws {
        let store = try open()
        defer { try? store.close() }
        let found = try store.scrub(searchingFor: canaries)
        guard found.isEmpty else {
            let places = found.map { "“\($0.key)” (\($0.value))" }.sorted().joined(separator: ", ")
            let hint =
                "they may be in another attribute, or among dropped values (see “store discard”)"
            throw CommandError(
                .faultsFound,
                "some of \(canaries.count.counted("sample")) of old values were found in \(places); \(hint)"
            )
        }
        let result =
            canaries.count > 0
            ? "none of \(canaries.count.counted("sample")) of old values was found in the file"
            : "there was no old value of at least 8 bytes to search for"
        try session.print("scrubbed: \(result)")
    }

    /// Abandons interrupted re-encodings unless this is a rehearsal, and prints what was removed.
    ///
    /// - Parameters:
    ///   - attributes: Names such as `Patient.ssn`. If empty, all attributes are included.
    ///   - scrubs: Whether to rewrite and search the file afterward.
    /// - Throws: `StoreError` if a re-encoding cannot be aborted, or ``CommandError`` with the code
    ///   ``CommandError/Code/faultsFound`` if a removed value is still found.
    func abort(_ attributes: [String], scrubs: Bool) throws {
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
            let result = isRehearsal ? "would abort" : "aborted"
            let values = "\(unfinished.waitingCount.counted("value")) removed"
            let name = "\(unfinished.entity).\(unfinished.attribute)".onOneLine
            try session.print("\(name): \(result) the re-encoding, \(values)")
        }
        if list.isEmpty { try session.print("there are no unfinished re-encodings") }
        if let aborted, scrubs { try scrub(aborted.canaries) }
    }

    /// Prints the keys that no value in the store uses.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    func tellOfKeys() throws {
        let store = try open()
        defer { try? store.close() }
        for sentence in try keys.unusedKeys(store) {
            try session.print("\(sentence); you can retire it with “keys retire”")
        }
    }
}
