package import Foundation
internal import Transformable

/// Fills the table of an entity with rows that another program has written.
///
/// The cells of a row are those of ``columns``, in that order.
package final class EntityLoader {
    /// The columns of a row: the attributes that are stored, the parts of composites, references, and positions.
    package let columns: [AttributeDescription]
    /// The attributes whose transformers cannot be resolved, along with the reasons.
    package let unresolved: [(name: String, error: StoreError)]
    private let entity: StoredEntity
    private let context: StoreContext
    private let statement: any EngineStatement
    private let places: [String: Int]
    /// The columns whose values can be in files.
    private let external: [Int]

    init(_ entity: StoredEntity, _ context: StoreContext) throws {
        self.entity = entity
        self.context = context
        let columns = entity.columns.map(\.description)
        self.columns = columns
        unresolved = entity.columns.compactMap { attribute in attribute.failure.map { (attribute.name, $0) } }
        statement = try context.database().statement(entity.statements.insert, cached: false)
        places = Dictionary(columns.indices.map { (columns[$0].name, $0) }) { first, _ in first }
        external = entity.columns.indices.filter { entity.columns[$0].isExternal }
    }

    /// Returns the index of an attribute's column, or `nil` if it has none.
    package func column(_ name: String) -> Int? { places[name] }

    /// Whether only values that were encoded in this store can be decoded, because each is bound to its place.
    ///
    /// - Parameter index: The index of the column.
    /// - Returns: Whether bytes from elsewhere can never be decoded, or `false` if the transformer is unknown.
    package func bindsValues(at index: Int) -> Bool {
        entity.columns[index].transformer?.traits.contains(.contextual) == true
    }

    /// Returns the index of the column that refers to the objects of an entity.
    ///
    /// - Parameters:
    ///   - relationship: The name of a to-one relationship.
    ///   - destination: The name of the entity of the related objects.
    /// - Returns: The index, or `nil` if the references are stored elsewhere.
    package func reference(_ relationship: String, to destination: String) -> Int? {
        let part = entity.relationships.first { $0.name == relationship }?.part(destination)
        guard case .column(let index)? = part?.storage else { return nil }
        return places[entity.attributes[index].name]
    }

    /// Returns the index of the column with an object's position in the inverse of a to-one relationship.
    ///
    /// - Parameter relationship: The name of the to-one relationship.
    /// - Returns: The index, or `nil` if the inverse is not ordered.
    package func position(_ relationship: String) -> Int? {
        let position = entity.relationships.first { $0.name == relationship }?.position
        return position.flatMap { places[entity.attributes[$0].name] }
    }

    /// Returns the cell with an attribute's default.
    ///
    /// - Parameters:
    ///   - index: The index of the column.
    ///   - number: The object's number.
    /// - Returns: The cell, or null if the attribute has no default.
    /// - Throws: `StoreError` if the default cannot be encoded.
    package func defaultCell(at index: Int, _ number: Int64) throws -> ColumnValue {
        let attribute = entity.columns[index]
        guard let value = attribute.description.defaultValue else { return .null }
        let slot = try attribute.slot(any: value.value(for: attribute))
        return try attribute.encode(slot, in: context.place(of: number, attribute, entity))
    }

    /// Inserts a row.
    ///
    /// - Parameters:
    ///   - number: The object's number.
    ///   - cells: The cells of ``columns``.
    /// - Throws: `StoreError` with the object if the row cannot be stored.
    package func insert(_ number: Int64, _ cells: [ColumnValue]) throws {
        do {
            try statement.bind(number, at: 1)
            try statement.bind(1, at: 2)
            for index in cells.indices {
                try statement.bind(cells[index], at: index + 3)
                if !entity.uniqueText.isEmpty { context.noteText(cells[index], in: index, of: entity, number) }
            }
            for index in external { try bindExternal(cells[index], at: index, number) }
            if !entity.projected.isEmpty || !entity.compounds.isEmpty { try bindProjections(number, cells) }
            try statement.run()
        } catch var error as StoreError {
            error.entity = error.entity ?? entity.name
            error.object = error.object ?? ObjectID(entity: entity.name, number: number)
            throw error
        }
    }

    // MARK: - Large values

    /// Moves the bytes of a large value to a file.
    private func bindExternal(_ cell: ColumnValue, at index: Int, _ number: Int64) throws {
        let attribute = entity.columns[index]
        let place = context.place(of: number, attribute, entity)
        let moved = try attribute.external(cell, at: place, context.schema, on: context.database())
        try statement.bind(moved, at: index + 3)
    }

    /// Copies a file into the folder of external values.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - index: The index of the column.
    ///   - number: The number of the object that is inserted next.
    /// - Returns: The cell that refers to the copy, the bytes of a file that is too small for one of its own, or `nil`
    ///   if there is no such file.
    /// - Throws: `StoreError` if the file cannot be read or copied.
    package func adopt(file path: String, at index: Int, _ number: Int64) throws -> ColumnValue? {
        guard let descriptor = try FileSystem.openToRead(path) else { return nil }
        let attribute = entity.columns[index]
        let count = FileSystem.length(of: descriptor)
        var reader = FileReader(descriptor, path: path)
        guard let threshold = attribute.description.externalThreshold, let blobs = context.schema.blobs,
            count > threshold
        else {
            guard count <= ValueStream.wholeCount else {
                throw StoreError(.limitExceeded, "the file “\(path)” exceeds a gigabyte", attribute: attribute.name)
            }
            return .blob(try reader.readAll(count: Int(count)))
        }
        let pending = try PendingBlob(in: blobs)
        while case let piece = try reader.read(upTo: 1 << 20), !piece.isEmpty { try pending.write(piece) }
        return try pending.publish(at: context.place(of: number, attribute, entity), on: context.database())
    }

    /// Returns a cell that refers to a file that is missing, which reads as an error that says so.
    package static func missingFile(_ uuid: UUID) -> ColumnValue {
        BlobRecord(uuid: uuid, length: 0, checksum: Data()).cell
    }

    // MARK: - Projections

    /// Returns the cell of a projection of an attribute.
    ///
    /// - Parameters:
    ///   - name: The projection's name.
    ///   - index: The index of the attribute's column.
    ///   - cell: The attribute's cell.
    ///   - number: The object's number.
    /// - Returns: The cell, or null if the value has no projection.
    /// - Throws: `StoreError` if the projection cannot be computed.
    package func projection(
        _ name: String,
        of index: Int,
        _ cell: ColumnValue,
        _ number: Int64
    ) throws -> ColumnValue {
        let attribute = entity.columns[index]
        let place = context.place(of: number, attribute, entity)
        let cells = try attribute.project(attribute.load(PackedRow(single: cell), 0, in: place), in: place)
        return zip(attribute.projections, cells).first { $0.0.name == name }?.1 ?? .null
    }

    private func bindProjections(_ number: Int64, _ cells: [ColumnValue]) throws {
        let slots = entity.columns.indices.map { index in
            entity.columns[index]
                .load(
                    PackedRow(single: cells[index]),
                    0,
                    in: context.place(of: number, entity.columns[index], entity)
                )
        }
        var index = cells.count + 3
        func bind(_ cell: ColumnValue) throws {
            try statement.bind(cell, at: index)
            if !entity.uniqueText.isEmpty { context.noteText(cell, in: index - 3, of: entity, number) }
            index += 1
        }
        for attribute in entity.projected {
            let slot = attribute.cell.map { slots[$0] } ?? Slot()
            let place = context.place(of: number, attribute, entity)
            for cell in try attribute.project(slot, in: place) { try bind(cell) }
        }
        let place = context.place(in: entity)
        for compound in entity.compounds {
            try bind(compound.project(in: place) { attribute in attribute.cell.map { slots[$0] } ?? Slot() })
        }
    }
}
