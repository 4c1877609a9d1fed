internal import Foundation
internal import Transformable

/// Imports what an ``Exporter`` has written into an empty store.
///
/// Rows are written as they were. Defaults are not filled in, rules are not checked, and hooks do not run.
struct ExportReader {
    /// A value whose stored bytes are all that the export contains.
    private struct Cell: Hashable {
        let entity: String
        let number: Int64
        let attribute: String
    }

    private let context: StoreContext
    private let folder: ExportFolder
    private let skipsUnreadable: Bool
    private let manifest: ExportManifest?
    private var files = ExportManifest.Files()
    /// The reasons why values could not be read.
    private var failures: [Cell: String] = [:]
    private var report = ImportReport()
    /// The highest number of the current entity's objects so far.
    private var highestImported: Int64 = 0

    init(
        _ context: StoreContext,
        from folder: String,
        skippingUnreadable: Bool,
        requiringManifest: Bool
    ) throws {
        self.context = context
        self.folder = ExportFolder(folder)
        skipsUnreadable = skippingUnreadable
        manifest = try self.folder.read(ExportManifest.fileName).map { try ExportManifest($0) }
        try requireModel()
        guard manifest != nil || !requiringManifest else { throw Self.incomplete }
        try readFailures()
    }

    mutating func run(_ progress: ((_ count: Int) throws -> Void)?) throws -> ImportReport {
        for entity in context.schema.entities { try requireEmpty(entity) }
        for entity in context.schema.entities { try insertObjects(of: entity, progress) }
        for entity in context.schema.entities {
            for relationship in entity.relationships where relationship.hasPairs {
                let name = "\(entity.name).\(relationship.name)"
                let file = ExportManifest.pairsName(of: relationship.name, entity.name)
                let isLinked = file.contains("/") && FileSystem.isLink(folder.path, entity.name)
                guard !isLinked, var lines = try folder.lines(of: file) else { continue }
                report.references[name] = try PairImport(context, relationship, of: entity).run(&lines)
            }
        }
        try requireWhole()
        // Observers read everything again. A list of all objects would take memory that grows with the export.
        if report.objectCount > 0 { context.saving.record.omitSome() }
        return report
    }

    // MARK: - Compatibility

    private func requireModel() throws {
        guard let json = try folder.read("model.json") else {
            guard FileSystem.exists(folder.path) else {
                throw StoreError(.noSuchFile, "there is no folder “\(folder.path)”")
            }
            let remedy = "choose a folder that “store export” has written without --undecodable"
            throw StoreError(.noSuchFile, "there is no file “model.json” in “\(folder.path)”; \(remedy)")
        }
        let exported = try Model(json: json)
        guard exported.json == context.store.model.json else { throw mismatch(exported) }
    }

    private func mismatch(_ exported: Model) -> StoreError {
        let model = context.store.model
        let isMoved = exported.entities.contains { entity in
            model.entity(entity.name) != nil
                && exported.belongsToTenants(entity.name) != model.belongsToTenants(entity.name)
        }
        let remedy =
            isMoved
            ? "to give its objects to tenants, or take them away, change it as the article “Tenants” describes"
            : "import it into a new store and migrate that"
        return StoreError(.modelMismatch, "the export has a different model than the store; \(remedy)")
    }

    private func requireEmpty(_ entity: StoredEntity) throws {
        let connection = try context.database()
        guard try connection.integer("SELECT EXISTS (SELECT 1 FROM \(entity.table))") == 0 else {
            throw StoreError(
                .misuse,
                "the store already has objects; import the export into an empty store",
                entity: entity.name
            )
        }
    }

    private static var incomplete: StoreError {
        let reason = "the export has no “\(ExportManifest.fileName)”, which is written last"
        let remedy = """
            \(ExportManifest.remedy), or import what there is with “store import --without-manifest” (in code: \
            “requiringManifest: false”)
            """
        return StoreError(.noSuchFile, "\(reason), so parts of it may be missing; \(remedy)")
    }

    /// Checks that no part of the export is missing.
    ///
    /// An export from an earlier version may have no manifest. In that case, it is not checked.
    private func requireWhole() throws(StoreError) {
        guard let manifest else { return }
        for entity in manifest.entities {
            try require(entity.objects, report.objects[entity.name], "\(entity.name).jsonl")
        }
        for entry in manifest.references {
            let found = report.references["\(entry.entity).\(entry.relationship)"]
            try require(entry.count, found, ExportManifest.pairsName(of: entry.relationship, entry.entity))
        }
        // Objects that are missing may have had such files.
        if let expected = manifest.files, expected != files {
            let message = "the export has \(files), but it was written with \(expected); \(ExportManifest.remedy)"
            throw StoreError(.invalidValue, message)
        }
    }

    private func require(_ expected: Int, _ found: Int?, _ file: String) throws(StoreError) {
        guard expected != found ?? 0 else { return }
        let lines = (found ?? 0).counted("line")
        let message = "“\(file)” has \(lines), but the export was written with \(expected)"
        throw StoreError(.invalidValue, "\(message); \(ExportManifest.remedy)")
    }

    // MARK: - Values that could not be read

    private mutating func readFailures() throws {
        let name = ExportManifest.failuresName(for: context.schema)
        guard var lines = try folder.lines(of: name) else { return }
        while let members = try lines.nextMembers() {
            guard let entity = members["entity"] ?? nil, let attribute = members["attribute"] ?? nil else {
                throw lines.fault("it does not name an entity and an attribute")
            }
            let number = try lines.number(ofObject: members)
            failures[Cell(entity: entity, number: number, attribute: attribute)] = (members["reason"] ?? nil) ?? ""
        }
    }
}

// MARK: - Objects

extension ExportReader {
    private mutating func insertObjects(
        of entity: StoredEntity,
        _ progress: ((_ count: Int) throws -> Void)?
    ) throws {
        highestImported = 0
        guard var lines = try folder.lines(of: "\(entity.name).jsonl") else { return try keepNumbers(of: entity) }
        while let members = try lines.nextMembers() {
            let number = try lines.number(ofObject: members)
            try context.importNext(of: entity.belongsToTenant ? lines.tenant(ofObject: members) : nil)
            do {
                try insert(members, number, of: entity)
            } catch var error as StoreError {
                error.message = "“\(lines.name)”, line \(lines.line): \(error.message)"
                throw error
            }
            report.objects[entity.name, default: 0] += 1
            // Objects wait in memory for a server's answers.
            if report.objectCount.isMultiple(of: 1000) { try context.database().settle() }
            try progress?(report.objectCount)
        }
        try requireDistinctNumbers(of: entity)
        try keepNumbers(of: entity)
    }

    /// Throws an error if objects of several tenants have the same number, which the keys of a server's tables allow.
    private func requireDistinctNumbers(of entity: StoredEntity) throws {
        let connection = try context.database()
        guard entity.belongsToTenant, connection.dialect.has(.tenantsInKeys) else { return }
        let sql = "SELECT \"_id\" FROM \(SQL.main(entity.table)) GROUP BY \"_id\" HAVING count(*) > 1 LIMIT 1"
        guard let number = try connection.rows(sql, count: 1).first?.integer(0) else { return }
        let message = """
            “\(entity.name).jsonl” has objects of several tenants with this number; give each of them a number of its own, \
            also where other objects refer to it
            """
        throw StoreError(.notUnique, message, object: ObjectID(entity: entity.name, number: number))
    }

    private mutating func insert(_ members: [String: String?], _ number: Int64, of entity: StoredEntity) throws {
        let object = ManagedObject(inserting: entity, number, in: context)
        for (name, text) in members where name != "_id" && (name != "_tenant" || !entity.belongsToTenant) {
            guard let attribute = entity.attributeIfAny(name), attribute.cell != nil else {
                throw StoreError(.unknownAttribute, "there is no such attribute", entity: entity.name, attribute: name)
            }
            if let text { try set(attribute, text, of: object) }
        }
        try object.writeInsertion()
        highestImported = max(highestImported, object.number)
    }

    private mutating func set(_ attribute: StoredAttribute, _ text: String, of object: ManagedObject) throws {
        let cell = Cell(entity: object.entity.name, number: object.number, attribute: attribute.name)
        if let reason = failures[cell] { return try setUnreadable(attribute, text, reason, of: object) }
        guard attribute.derivation == nil else { return try setDerived(attribute, text, of: object) }
        let type = attribute.description.type
        let form = form(of: attribute)
        let isText = type == .transformed ? form?.isText ?? false : type != .data
        guard !isText else {
            // The row is written as it was exported, and so is the other side of a relationship.
            return try context.linking {
                try object.setValue(any: attribute.value(fromText: text, in: form), for: attribute.name)
            }
        }
        guard let file = try folder.file(text, of: attribute, object) else {
            throw StoreError(.invalidValue, "its value must be in a separate file", attribute: attribute.name)
        }
        files.count += 1
        // Sparse files can have any length.
        files.bytes &+= FileSystem.length(of: file)
        try set(attribute, file, of: object)
        report.fileCount += 1
    }

    private func form(of attribute: StoredAttribute) -> AnyHumanForm? {
        attribute.exportForm(manifest?.transformableExport ?? ExportManifest.version)
    }

    /// Sets the value that was derived when the row was last written, instead of deriving it from the import.
    private func setDerived(_ attribute: StoredAttribute, _ text: String, of object: ManagedObject) throws {
        let slot = try attribute.slot(any: attribute.value(fromText: text, in: form(of: attribute)))
        slot.encoded = try attribute.encode(slot, in: object.place(attribute), checkingRules: false)
        try object.put(slot, attribute.index)
    }

    /// Sets the bytes of a file, as the export has written them.
    private func set(_ attribute: StoredAttribute, _ file: FileDescriptor, of object: ManagedObject) throws {
        var reader = FileReader(file, path: attribute.name)
        let isStreamed = attribute.valueType == Data.self && !attribute.hasWholeStage
        if isStreamed, attribute.isExternal, attribute.rules.isEmpty, attribute.projections.isEmpty {
            return try object.setStream(for: attribute.name) { try reader.read(upTo: 1 << 20) }
        }
        let bytes = try folder.contents(of: file, attribute)
        if attribute.valueType == Data.self {
            try object.setValue(any: bytes, for: attribute.name)
        } else {
            try object.setContents(bytes, for: attribute.name)
        }
    }

    /// Sets the stored bytes, if they have the same meaning in another store.
    private mutating func setUnreadable(
        _ attribute: StoredAttribute,
        _ text: String,
        _ reason: String,
        of object: ManagedObject
    ) throws {
        let isBound =
            attribute.transformer?.traits.contains(.contextual) != false && attribute.description.type == .transformed
        // With a checksum of their own, bytes that were damaged in a file would count as sound.
        let isDamaged = reason == StoreError.Code.damagedBlob.rawValue
        guard !isBound, !isDamaged, let file = try folder.file(text, of: attribute, object) else {
            guard skipsUnreadable else { throw unreadable(attribute, isDamaged: isDamaged) }
            guard attribute.description.isOptional || attribute.derivation != nil else { throw required(attribute) }
            report.skippedCount += 1
            return
        }
        try object.setStored(folder.contents(of: file, attribute), attribute, unreadable(attribute))
        report.fileCount += 1
    }

    private func unreadable(_ attribute: StoredAttribute, isDamaged: Bool = false) -> StoreError {
        let way = isDamaged ? "restore its file from a backup, and export again" : "export again with the right key"
        return StoreError(
            .undecodable,
            "the export could not read the value; \(way), or skip such values",
            entity: attribute.entity,
            attribute: attribute.name
        )
    }

    private func required(_ attribute: StoredAttribute) -> StoreError {
        let reason = "the export could not read the value, and it cannot be skipped because it is required"
        return StoreError(
            .undecodable,
            "\(reason); make the attribute optional in “model.json”, and import into a new store with that model",
            entity: attribute.entity,
            attribute: attribute.name
        )
    }

    /// Ensures that numbers are not reused.
    ///
    /// The sequences of a server do not notice which numbers rows have. An export without a manifest says only that.
    private func keepNumbers(of entity: StoredEntity) throws {
        let connection = try context.database()
        let last = try connection.lastNumber(of: entity.name)
        let wanted = manifest?.entities.first { $0.name == entity.name }?.lastNumber ?? 0
        guard max(wanted, highestImported) > last else { return }
        guard wanted <= max(StoreLoader.highestNumber, highestImported) else {
            let message = """
                “\(ExportManifest.fileName)” says that an object had the number \(wanted), which leaves too few numbers for \
                new objects; export again, or correct its “lastNumber”
                """
            throw StoreError(.limitExceeded, message, entity: entity.name)
        }
        try connection.recordNumber(max(wanted, highestImported), of: entity.name)
    }
}
