internal import Foundation
internal import Transformable
internal import TransformableStore

/// Creates the cells of a listing.
///
/// Whatever is the same for all rows is determined once.
struct CellMaker {
    fileprivate struct Column {
        enum Source {
            case tenant
            case number
            case entity
            case attribute(AnyHumanForm?)
            /// An attribute whose bytes are summarized.
            case bytes(AnyHumanForm?, opens: Bool)
            case references(ReferenceForm)
        }

        let name: String
        let source: Source

        static let tenant = Self(name: "_tenant", source: .tenant)
        static let number = Self(name: "_id", source: .number)
        static let entity = Self(name: "entity", source: .entity)
    }

    private static let largeCount = 1 << 16

    private let columns: [Column]
    private let inspectors: [Inspector]
    /// The number of cells that could not be read, by reason.
    private(set) var failures: [CellFailure: Int] = [:]

    /// Creates a cell maker.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - store: The store.
    ///   - names: The columns to show: attributes, relationships, `_id` for the object's number, `entity` for its
    ///     entity, and `_tenant` for its tenant. If nil, the columns are the tenant and the entity if they can differ,
    ///     the number, all attributes, and all relationships.
    ///   - tenant: Whose objects to show.
    ///   - registry: The transformers.
    /// - Throws: ``CommandError`` if there is no such entity or attribute, or if a column is given twice.
    init(
        _ entity: String,
        of store: Store,
        columns names: [String]?,
        tenant: TenantChoice?,
        _ registry: TransformerRegistry
    ) throws {
        let stored = try store.storedAttributes(of: entity)
        let references = store.referenceForms(of: entity, beside: stored)
        let attributes = stored.map(Column.init) + references.filter(\.isShown).map(Column.init)
        let specials: [Column] = store.model.hasTenants ? [.number, .entity, .tenant] : [.number, .entity]
        var first: [Column] = tenant == .all && store.model.belongsToTenants(entity) ? [.tenant] : []
        first += store.hasChildren(entity) ? [.number, .entity] : [.number]
        columns =
            try names?
            .map { name in
                let special = specials.first { $0.name == name }
                if let special, !attributes.contains(where: { $0.name == name }) { return special }
                if let form = references.first(where: { $0.name == name }) { return Column(form) }
                return Column(try store.storedProperty(name, of: entity))
            } ?? first + attributes
        inspectors = registry.inspectors
        if let twice = names?.firstRepeated { throw CommandError(.usage, "--columns contains “\(twice)” twice") }
    }

    /// The titles of the columns.
    var header: [String] { columns.map(\.name) }

    /// Returns the cells of an object.
    ///
    /// - Parameter object: The object.
    /// - Returns: One cell for each column.
    /// - Throws: `StoreError` if the store or an external file cannot be read.
    mutating func cells(of object: ManagedObject) throws -> [Cell] {
        var cells: [Cell] = []
        for column in columns {
            switch column.source {
            case .tenant:
                let tenant = try object.context.tenant(of: object)
                cells.append(tenant.map { Cell.literal("\($0)") } ?? .null)
            case .number: cells.append(.literal("\(object.id.number)"))
            case .entity: cells.append(.text(object.id.entity))
            case .bytes(let form, let opens):
                cells.append(
                    try largeCell(column.name, opens: opens, in: object) ?? cell(of: column.name, form, in: object)
                )
            case .attribute(let form): cells.append(try cell(of: column.name, form, in: object))
            case .references(let form): cells.append(try form.cell(of: object))
            }
        }
        return cells
    }

    private mutating func cell(of name: String, _ form: AnyHumanForm?, in object: ManagedObject) throws -> Cell {
        let value: Any?
        do {
            value = try object.anyValue(name)
        } catch let error as StoreError where error.concernsCell {
            // The external file may be missing.
            return failedCell(error, count: (try? object.encodedBytes(name))?.count ?? 0)
        }
        guard let value else { return .null }
        guard let form else { return Cell(plain: value) }
        // A value may have no text form, such as a number that JSON cannot represent. Then its bytes are summarized,
        // too.
        guard form.isText, let text = try? form.print(value, nil) else {
            let bytes = try object.encodedBytes(name) ?? Data()
            return .bytes(kind: kind(of: bytes), count: bytes.count)
        }
        return Cell(text: text, of: value)
    }

    /// Returns the summary of a large value by reading only its beginning, or nil if the value is small, missing, or
    /// damaged.
    private mutating func largeCell(_ name: String, opens: Bool, in object: ManagedObject) throws -> Cell? {
        guard let start = try largeStart(of: name, in: object), start.count > Self.largeCount else { return nil }
        do {
            // If the value cannot be opened, reading its first piece fails.
            if opens { _ = try object.forEachPiece(of: name, isStored: false) { _ in false } }
        } catch let error as StoreError where error.concernsCell {
            return failedCell(error, count: start.count)
        }
        let kind = opens ? kind(of: start.bytes, isWhole: false) : FileKind(sniffing: start.bytes, isWhole: false).name
        return .bytes(kind: kind, count: start.count)
    }

    /// Returns the first bytes of a large value, or nil if reading the whole value tells what is wrong with it.
    ///
    /// After any other error, a server refuses everything else in the transaction, and no longer says why.
    private func largeStart(of name: String, in object: ManagedObject) throws -> (bytes: Data, count: Int)? {
        do {
            return try object.storedStart(name)
        } catch let error as StoreError where error.concernsCell {
            return nil
        }
    }

    private mutating func failedCell(_ error: StoreError, count: Int) -> Cell {
        let failure = CellFailure(error)
        failures[failure, default: 0] += 1
        return .failure(failure, count: count)
    }

    private func kind(of bytes: Data, isWhole: Bool = true) -> String {
        for inspector in inspectors {
            if let inspection = try? inspector.inspect(bytes) { return inspection.kindAndSize }
        }
        return FileKind(sniffing: bytes, isWhole: isWhole).name
    }
}

extension StoreError {
    /// Whether a value cannot be shown because of what is stored, rather than because of an attempt to read it.
    ///
    /// If a page of a large value is damaged, the other rows can still be read.
    fileprivate var concernsCell: Bool { isFailureToDecode || code == .corruptFile }
}

extension CellMaker.Column {
    /// Creates a column for an attribute.
    ///
    /// If its expression cannot be resolved, it has neither a form nor values.
    fileprivate init(_ attribute: AttributeInfo) {
        let form = (try? attribute.transformedForm) ?? nil
        let source: Source =
            attribute.givesPieces ? .bytes(form, opens: attribute.transformer != nil) : .attribute(form)
        self.init(name: attribute.name, source: source)
    }

    fileprivate init(_ form: ReferenceForm) {
        self.init(name: form.name, source: .references(form))
    }
}

extension Inspection {
    /// A summary such as “PNG image 640 × 480”, with the size if a width and a height are known.
    fileprivate var kindAndSize: String {
        let sides = ["width", "height"].compactMap { label in facts.first { $0.label == label }?.value }
        return sides.count == 2 ? "\(kind) \(sides[0]) × \(sides[1])" : kind
    }
}
