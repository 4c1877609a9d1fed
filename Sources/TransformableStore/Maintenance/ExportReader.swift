internal import Foundation
internal import Glibc
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
    private let folder: String
    private let skipsUnreadable: Bool
    private let manifest: ExportManifest?
    private var files = ExportManifest.Files()
    private var failures: Set<Cell> = []
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
        self.folder = folder
        skipsUnreadable = skippingUnreadable
        manifest = try Self.read(ExportManifest.fileName, in: folder).map { try ExportManifest($0) }
        context.checksRules = false
        try requireModel()
        guard manifest != nil || !requiringManifest else { throw Self.incomplete }
        try readFailures()
    }

    mutating func run(_ progress: ((_ count: Int) throws -> Void)?) throws -> ImportReport {
        for entity in context.schema.entities { try requireEmpty(entity) }
        for entity in context.schema.entities { try insertObjects(of: entity, progress) }
        for entity in context.schema.entities {
            for relationship in entity.relationships { try insertPairs(of: relationship, entity) }
        }
        try requireWhole()
        // Observers read everything again. A list of all objects would take memory that grows with the export.
        if report.objectCount > 0 { context.record.omitSome() }
        return report
    }

    // MARK: - Compatibility

    /// Reads a file of the export, or returns `nil` if there is none.
    private static func read(_ name: String, in folder: String) throws(StoreError) -> Data? {
        let path = "\(folder)/\(name)"
        guard let descriptor = try FileSystem.openToRead(path) else { return nil }
        let count = FileSystem.length(of: descriptor)
        guard count <= 1 << 26 else {
            throw StoreError(.limitExceeded, "“\(path)” is too large")
        }
        return try FileReader(descriptor, path: path).readAll(count: Int(count))
    }

    private func requireModel() throws {
        guard let json = try Self.read("model.json", in: folder) else {
            guard FileSystem.exists(folder) else {
                throw StoreError(.noSuchFile, "there is no folder “\(folder)”")
            }
            let hint = "“store export” writes one, unless with --undecodable"
            throw StoreError(.noSuchFile, "there is no model in “\(folder)”: \(hint)")
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
            copy or export all of it again, or import what there is with “requiringManifest: false” \
            (“store import --without-manifest”)
            """
        return StoreError(.noSuchFile, "\(reason), so parts of it may be missing; \(remedy)")
    }

    /// Checks that no part of the export is missing.
    ///
    /// An export from an earlier version may have no manifest. In that case, it is not checked.
    private func requireWhole() throws(StoreError) {
        guard let manifest else { return }
        for entity in manifest.entities { try require(entity.objects, report.objects[entity.name], entity.name) }
        for entry in manifest.references {
            let name = "\(entry.entity).\(entry.relationship)"
            try require(entry.count, report.references[name], name)
        }
        // Objects that are missing may have had such files.
        if let expected = manifest.files, expected != files {
            let message = "the export has \(files), but it was written with \(expected); export again"
            throw StoreError(.invalidValue, message)
        }
    }

    private func require(_ expected: Int, _ found: Int?, _ name: String) throws(StoreError) {
        guard expected != found ?? 0 else { return }
        let message = "“\(name).jsonl” has \((found ?? 0).counted("line")), but the export was written with \(expected)"
        throw StoreError(.invalidValue, message)
    }

    // MARK: - Values that could not be read

    private mutating func readFailures() throws {
        let name = ExportManifest.failuresName(for: context.schema)
        guard var lines = try LineReader(name, in: folder) else { return }
        while let members = try lines.nextMembers() {
            guard let entity = members["entity"] ?? nil, let attribute = members["attribute"] ?? nil else {
                throw lines.fault("it does not name an entity and an attribute")
            }
            let cell = Cell(entity: entity, number: try number(members["_id"] ?? nil, lines), attribute: attribute)
            failures.insert(cell)
        }
    }

    private func number(_ text: String?, _ lines: LineReader) throws(StoreError) -> Int64 {
        guard let number = text.flatMap({ Int64($0) }), number > 0 else {
            throw lines.fault("“_id” is not the number of an object")
        }
        return number
    }
}

// MARK: - Objects

extension ExportReader {
    private mutating func insertObjects(
        of entity: StoredEntity,
        _ progress: ((_ count: Int) throws -> Void)?
    ) throws {
        highestImported = 0
        guard var lines = try LineReader("\(entity.name).jsonl", in: folder) else { return try keepNumbers(of: entity) }
        while let members = try lines.nextMembers() {
            do {
                try insert(members, of: entity, lines)
            } catch var error as StoreError {
                error.message = "“\(lines.name)”, line \(lines.line): \(error.message)"
                throw error
            }
            report.objects[entity.name, default: 0] += 1
            try progress?(report.objectCount)
        }
        try keepNumbers(of: entity)
    }

    private mutating func insert(_ members: [String: String?], of entity: StoredEntity, _ lines: LineReader) throws {
        if entity.belongsToTenant {
            guard let tenant = (members["_tenant"] ?? nil).flatMap({ Int64($0) }) else {
                throw lines.fault("“_tenant” is not the number of a tenant")
            }
            try context.importNext(of: tenant)
        } else {
            try context.importNext(of: nil)
        }
        let object = ManagedObject(inserting: entity, try number(members["_id"] ?? nil, lines), in: context)
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
        if failures.contains(Cell(entity: object.entity.name, number: object.number, attribute: attribute.name)) {
            return try setUnreadable(attribute, text, of: object)
        }
        guard attribute.derivation == nil else { return try setDerived(attribute, text, of: object) }
        let type = attribute.description.type
        let isText = type == .transformed ? attribute.transformer?.form?.isText ?? false : type != .data
        guard !isText else {
            // The row is written as it was exported, and so is the other side of a relationship.
            return try context.linking {
                try object.setValue(any: attribute.value(fromText: text), for: attribute.name)
            }
        }
        guard let file = try open(text, attribute, object) else {
            throw StoreError(.invalidValue, "its value must be in a separate file", attribute: attribute.name)
        }
        files.count += 1
        // Sparse files can have any length.
        files.bytes &+= FileSystem.length(of: file)
        try set(attribute, file, of: object)
        report.fileCount += 1
    }

    /// Sets the value that was derived when the row was last written, instead of deriving it from the import.
    private func setDerived(_ attribute: StoredAttribute, _ text: String, of object: ManagedObject) throws {
        let slot = try attribute.slot(any: attribute.value(fromText: text))
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
        let bytes = try contents(of: file, attribute)
        if attribute.valueType == Data.self {
            try object.setValue(any: bytes, for: attribute.name)
        } else {
            try object.setContents(bytes, for: attribute.name)
        }
    }

    /// Sets the stored bytes, if they have the same meaning in another store.
    private mutating func setUnreadable(_ attribute: StoredAttribute, _ text: String, of object: ManagedObject) throws {
        let isBound =
            attribute.transformer?.traits.contains(.contextual) != false && attribute.description.type == .transformed
        guard !isBound, let file = try open(text, attribute, object) else {
            guard skipsUnreadable else { throw unreadable(attribute) }
            report.skippedCount += 1
            return
        }
        try object.setUndecodable(contents(of: file, attribute), attribute, unreadable(attribute))
        report.fileCount += 1
    }

    private func unreadable(_ attribute: StoredAttribute) -> StoreError {
        StoreError(
            .undecodable,
            "the export could not read the value; export again with the right key, or skip such values",
            entity: attribute.entity,
            attribute: attribute.name
        )
    }

    /// Opens the file that an object names for a value.
    ///
    /// No other file is opened.
    private func open(
        _ text: String,
        _ attribute: StoredAttribute,
        _ object: ManagedObject
    ) throws(StoreError) -> FileDescriptor? {
        let name = "\(object.entity.name)/\(object.number).\(attribute.name)"
        var members = JSONMembers(ArraySlice(text.utf8))
        guard let (key, value) = try? members.next(), key == "file", value == name else { return nil }
        guard let file = try FileSystem.openToRead("\(folder)/\(name)"), !FileSystem.isLink(folder, object.entity.name)
        else {
            throw StoreError(.noSuchFile, "the export has no file “\(name)”", attribute: attribute.name)
        }
        return file
    }

    private func contents(of file: FileDescriptor, _ attribute: StoredAttribute) throws(StoreError) -> Data {
        let count = FileSystem.length(of: file)
        guard count <= ValueStream.wholeCount else {
            throw StoreError(.limitExceeded, "the file exceeds a gigabyte", attribute: attribute.name)
        }
        return try FileReader(file, path: attribute.name).readAll(count: Int(count))
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

// MARK: - Many-to-many references

extension ExportReader {
    private mutating func insertPairs(of relationship: StoredRelationship, _ entity: StoredEntity) throws {
        let name = "\(entity.name).\(relationship.name)"
        guard relationship.parts.contains(where: \.hasPairs),
            var lines = try LineReader("\(name).jsonl", in: folder)
        else { return }
        var last: (number: Int64, count: Int64) = (0, 0)
        while let members = try lines.nextMembers() {
            let own = try number(members["_id"] ?? nil, lines)
            last = (own, own == last.number ? last.count + 1 : 1)
            let stated = (members["_position"] ?? nil).flatMap { Int64($0) }
            // In a family, lines are in order only among objects of one entity, and say which place they have among all.
            let place = relationship.leadsToFamily ? stated : stated ?? last.count * Position.step
            let position = relationship.description.isOrdered ? place : nil
            if let tenant = try TenantColumn.tenant(of: own, in: entity, on: context.database()) {
                try context.importNext(of: tenant)
            }
            try insertPair(own, members[relationship.name] ?? nil, position, relationship, lines)
            report.references[name, default: 0] += 1
        }
    }

    private func insertPair(
        _ number: Int64,
        _ text: String?,
        _ position: Int64?,
        _ relationship: StoredRelationship,
        _ lines: LineReader
    ) throws {
        let target = try lines.members(ArraySlice((text ?? "").utf8))
        let part = (target["entity"] ?? nil).flatMap(relationship.part)
        guard case .pairs(let table, let own)? = part?.storage else {
            throw lines.fault("“\(relationship.name)” cannot refer to this object")
        }
        let values = [number, try self.number(target["_id"] ?? nil, lines)] + (position.map { [$0] } ?? [])
        let column = own.positionColumn
        let columns = [own.column, own.opposite.column] + (position == nil ? [] : [column])
        let conflict = position == nil ? "NOTHING" : "UPDATE SET \(column) = excluded.\(column)"
        let isOwned = context.schema.pairTables[table]?.belongsToTenant == true
        let names = (columns + (isOwned ? [TenantColumn.name] : [])).map(\.description)
        let marks = columns.map { _ in "?" } + (isOwned ? [TenantColumn.current] : [])
        let key = TenantColumn.pairKey(isOwned, context.store.engine.dialect)
        let statement = try context.statement(
            """
            INSERT INTO \(TenantColumn.written(table, isOwned)) (\(names.joined(separator: ", "))) \
            VALUES (\(marks.joined(separator: ", "))) ON CONFLICT (\(key)) DO \(conflict)
            """
        )
        try statement.bind(values.map(ColumnValue.integer))
        try statement.run()
    }
}

extension StoredRelationship.Part {
    fileprivate var hasPairs: Bool {
        if case .pairs = storage { return true }
        return false
    }
}
