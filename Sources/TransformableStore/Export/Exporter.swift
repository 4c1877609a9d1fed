internal import Foundation
internal import Transformable

/// Writes objects as JSON lines, and values without a text form as files.
struct Exporter {
    private let context: StoreContext
    private let contents: ExportContents
    private let folder: String
    private let failures: LineFile
    private var report = ExportReport()
    private var manifest = ExportManifest()
    private var files = ExportManifest.Files()

    init(_ context: StoreContext, _ contents: ExportContents, to folder: String) throws {
        self.context = context
        self.contents = contents
        self.folder = folder
        // Sealed values may be exported unencrypted.
        try FileSystem.makeFolder(folder, mode: 0o700)
        report.failuresFile = ExportManifest.failuresName(for: context.schema)
        failures = LineFile("\(folder)/\(report.failuresFile)")
    }

    mutating func run() throws -> ExportReport {
        try context.database().tenants?.requireAllRows()
        do {
            try exportAll()
        } catch let error as Unwritten {
            throw error.cause
        }
        return report
    }

    /// Writes all files, so that they survive a power failure.
    private mutating func exportAll() throws {
        if contents == .everything {
            try LineFile("\(folder)/model.json").writeWhole(Data("\(context.store.model.jsonText())\n".utf8))
        }
        for entity in context.schema.entities {
            try export(entity)
            if contents == .everything { try exportPairs(of: entity) }
            let values = "\(folder)/\(entity.name)"
            if FileSystem.exists(values) { try FileSystem.synchronize(folder: values) }
        }
        try failures.finish()
        // Written last, so that an export with a manifest is complete.
        if contents == .everything {
            manifest.files = files
            try LineFile("\(folder)/\(ExportManifest.fileName)").writeWhole(manifest.json)
        }
        try FileSystem.synchronize(folder: folder)
    }

    /// Writes the many-to-many relationships, with one related object per line, in order.
    ///
    /// Both sides are in one table. The second side is also written if it has an order of its own.
    private mutating func exportPairs(of entity: StoredEntity) throws {
        for relationship in entity.relationships {
            let file = ExportManifest.pairsName(of: relationship.name, entity.name)
            let lines = LineFile("\(folder)/\(file)")
            if relationship.hasPairs, file.contains("/") { try makeFolder(for: entity) }
            var count = 0
            for part in relationship.parts {
                guard case .pairs(let table, let own) = part.storage else { continue }
                let isOrdered = relationship.description.isOrdered
                guard isOrdered || own == .first else { continue }
                let (column, other) = (own.column, own.opposite.column)
                let position = isOrdered ? own.positionColumn.description : "NULL"
                // Objects without a position come last, as in an object's list. PostgreSQL does not sort by constants.
                let places = isOrdered ? "\(position) IS NULL, \(position), " : ""
                let sql = "SELECT \(column), \(other), \(position) FROM \(table) ORDER BY \(column), \(places)\(other)"
                let pairs = try context.database().statement(sql, cached: false)
                defer { pairs.reset() }
                let (name, destination) = (JSONLine.string(relationship.name), JSONLine.string(part.destination))
                while try pairs.step() {
                    let target = "{\"entity\":\(destination),\"_id\":\(pairs.integer(1))}"
                    // Objects of several entities share one order, which differs from that of the lines.
                    let isMixed = relationship.leadsToFamily && !pairs.packedRow(from: 2, count: 1).isNull(0)
                    let place = isMixed ? ",\"_position\":\(pairs.integer(2))" : ""
                    try lines.write("{\"_id\":\(pairs.integer(0)),\(name):\(target)\(place)}")
                    count += 1
                }
            }
            try lines.finish()
            guard count > 0 else { continue }
            manifest.references.append(.init(entity: entity.name, relationship: relationship.name, count: count))
        }
    }

    private mutating func export(_ entity: StoredEntity) throws {
        let lines = LineFile("\(folder)/\(entity.name).jsonl")
        // Positions in an order are attributes, too, although the model does not name them.
        let forms = entity.attributes.map { $0.exportForm(ExportManifest.version) }
        let before = report.objectCount
        try context.forEachRow(of: entity, selecting: entity.statements.readList.text) { statement in
            let object = try context.object(at: statement, entity)
            var fields = ["\"_id\":\(object.number)"]
            if let tenant = try context.tenant(of: object) { fields.append("\"_tenant\":\(tenant)") }
            for attribute in entity.columns {
                guard let value = try json(of: attribute, forms[attribute.index], object) else { continue }
                fields.append("\(JSONLine.string(attribute.name)):\(value)")
            }
            if contents == .everything { try lines.write("{\(fields.joined(separator: ","))}") }
            report.objectCount += 1
        }
        try lines.finish()
        let last = try context.database().lastNumber(of: entity.name)
        manifest.entities.append(.init(name: entity.name, objects: report.objectCount - before, lastNumber: last))
    }

    /// Returns a value as JSON, or `nil` if there is none.
    private mutating func json(
        of attribute: StoredAttribute,
        _ form: AnyHumanForm?,
        _ object: ManagedObject
    ) throws -> String? {
        do {
            let kind = attribute.description.type
            let isText = kind == .transformed ? form?.isText ?? false : kind != .data
            if attribute.failure == nil, !isText { return try file(of: attribute, object) }
            return try object.anyValue(attribute.name).map { try text(of: $0, attribute, form) }
        } catch let error as StoreError {
            guard !error.concernsAccessToFiles else { throw error }
            return try failure(error, of: attribute, object)
        } catch let error as Unwritten {
            throw error
        } catch {
            // A value may have no text form, such as NaN in a type whose form is JSON.
            let failed = StoreError(.invalidValue, "the value has no text form", underlying: error)
            return try failure(failed, of: attribute, object)
        }
    }

    private func text(of value: Any, _ attribute: StoredAttribute, _ form: AnyHumanForm?) throws -> String {
        let kind = attribute.description.type
        guard kind != .transformed else { return try JSONLine.value(value, form, isTransformed: true) }
        // An enumeration, for example, is exported as its raw value, which is what an import expects.
        let isPlain = type(of: value) == kind.valueType as Any.Type
        let plain = isPlain ? value : try kind.valueType.init(column: attribute.column(any: value))
        return try JSONLine.value(plain, PlainForm.form(for: kind.valueType), isTransformed: false)
    }

    /// Writes the bytes of a value in pieces, and returns the file's name, or `nil` if there is no value.
    private mutating func file(of attribute: StoredAttribute, _ object: ManagedObject) throws -> String? {
        if contents == .undecodable {
            // Read the value to get the error.
            _ = try object.anyValue(attribute.name)
            return nil
        }
        let name = try path(of: attribute, object)
        let output = LineFile("\(folder)/\(name)")
        do {
            guard try write(attribute, of: object, to: output) else { return nil }
            try output.finish()
        } catch {
            FileSystem.remove("\(folder)/\(name)")
            throw error
        }
        report.fileCount += 1
        files.count += 1
        files.bytes += output.count
        return "{\"file\":\(JSONLine.string(name))}"
    }

    /// Writes the bytes of a value, in pieces if all of its stages support that, and returns `false` if there is none.
    private func write(_ attribute: StoredAttribute, of object: ManagedObject, to output: LineFile) throws -> Bool {
        if attribute.valueType == Data.self, attribute.hasWholeStage {
            guard let bytes = try object.anyValue(attribute.name) as? Data else { return false }
            try output.write(bytes)
            return true
        }
        guard let stream = try object.stream(attribute.name) else { return false }
        try output.write(Data())
        while let piece = try stream.next() { try output.write(piece) }
        return true
    }

    /// Writes the stored bytes, and the reason why they cannot be decoded.
    private mutating func failure(
        _ error: StoreError,
        of attribute: StoredAttribute,
        _ object: ManagedObject
    ) throws -> String {
        report.undecodableCount += 1
        if error.isUnopened { report.unopenedCount += 1 }
        var file = "null"
        if let bytes = try? object.encodedBytes(attribute.name) {
            let name = try path(of: attribute, object)
            try LineFile("\(folder)/\(name)").writeWhole(bytes)
            report.fileCount += 1
            file = JSONLine.string(name)
        }
        let reason = JSONLine.string(error.transformerError?.code.rawValue ?? error.code.rawValue)
        try failures.write(
            """
            {"entity":\(JSONLine.string(object.entity.name)),"_id":\(object.number),\
            "attribute":\(JSONLine.string(attribute.name)),"file":\(file),"reason":\(reason)}
            """
        )
        return "{\"file\":\(file),\"failure\":\(reason)}"
    }

    private func makeFolder(for entity: StoredEntity) throws {
        try FileSystem.makeFolder("\(folder)/\(entity.name)", mode: 0o700)
    }

    private func path(of attribute: StoredAttribute, _ object: ManagedObject) throws -> String {
        try makeFolder(for: object.entity)
        return "\(object.entity.name)/\(object.number).\(attribute.name)"
    }
}
