internal import Transformable
internal import TransformableModel
internal import TransformableSQLite
internal import TransformableStore

/// Takes over the objects of a store.
struct StoreAdoption {
    private let source: CoreDataStore
    private let work: AdoptionWork
    private let progress: ((Int) throws -> Void)?
    private var report = AdoptionReport()
    private var strangers: [Int64?: Int] = [:]

    init(
        _ source: CoreDataStore,
        _ work: AdoptionWork,
        progress: ((Int) throws -> Void)?
    ) {
        self.source = source
        self.work = work
        self.progress = progress
    }

    /// Takes over all rows and references.
    mutating func run(_ reader: ForeignReader) throws -> AdoptionReport {
        for table in source.entityTables { try adopt(table: table, reader) }
        for pair in source.layout.pairs { try adopt(pair, reader) }
        for entity in report.entities { try keepNumbers(of: entity.name) }
        report.entities.sort { $0.name < $1.name }
        report.relationships = work.tallies.reports
        report.notes += work.tallies.notes
        try noteHistory(reader)
        return report
    }

    /// Ensures that new objects get numbers that have never been used, unless there would be too few of them.
    private mutating func keepNumbers(of entity: String) throws {
        let number = source.lastNumber(of: entity)
        guard number <= StoreLoader.highestNumber else {
            let text = "ignored the highest number on record, \(number), which leaves too few for new objects"
            return report.notes.append(CoreDataNote(entity: entity, text))
        }
        if !work.isRehearsal { try work.loader.keepNumbers(upTo: number, of: entity) }
    }

    /// Reports the history of changes, which is of use only to the app.
    private mutating func noteHistory(_ reader: ForeignReader) throws {
        guard source.tables["ACHANGE"] != nil else { return }
        var count = 0
        try reader.forEachRow("SELECT 1 FROM \"ACHANGE\" NOT INDEXED", count: 1) { _ in
            count += 1
            return true
        }
        guard count > 0 else { return }
        report.notes.append(CoreDataNote("left out the history of \(count.counted("change"))"))
    }

    // MARK: - Objects

    private mutating func adopt(table: String, _ reader: ForeignReader) throws {
        var scan = TableScan(table, source.layout, source.tables)
        var adopters: [Int64: EntityAdopter] = [:]
        for (number, place) in scan.entities.sorted(by: { $0.key < $1.key }) where work.adopted[number] != nil {
            adopters[number] = try EntityAdopter(place, &scan, work)
        }
        let strays = scan.strays.map { ($0, PairAdopter($0.place.relationship.name, of: $0.place.entity, work)) }
        guard !adopters.isEmpty || !work.isSelective else { return }
        let before = report.objectCount
        var count = 0
        try scan.run(reader) { row in
            let entity = row.kind(TableScan.entity) == .integer ? row.integer(TableScan.entity) : nil
            guard let adopter = entity.flatMap({ adopters[$0] }), row.integer(TableScan.number) > 0 else {
                strangers[entity, default: 0] += 1
                return true
            }
            try adopter.adopt(row)
            for (stray, pairs) in strays { try Self.adopt(row, stray, pairs) }
            count += 1
            if count & 255 == 0 { try progress?(before + count) }
            return true
        }
        noteStrangers(in: table, scan.entities)
        for (_, adopter) in adopters.sorted(by: { $0.key < $1.key }) {
            report.entities.append(adopter.report)
            report.notes += adopter.notes
            report.fileCount += adopter.fileCount
        }
    }

    /// Takes over a reference of a to-many relationship without an inverse, which is stored in the related object's row.
    private static func adopt(_ row: PackedRow, _ stray: TableScan.Stray, _ pairs: PairAdopter) throws {
        guard row.kind(stray.value) == .integer else { return }
        let owner = row.kind(stray.target) == .integer ? row.integer(stray.target) : nil
        try pairs.adopt(
            PairScan.Pair(
                owner: PairScan.Object(number: row.integer(stray.value), entity: owner),
                related: PairScan.Object(number: row.integer(TableScan.number), entity: row.integer(TableScan.entity)),
                position: stray.order.flatMap { row.kind($0) == .integer ? row.integer($0) : nil },
                backPosition: nil
            )
        )
    }

    /// Reports rows that belong to no entity whose objects are adopted.
    private mutating func noteStrangers(in table: String, _ entities: [Int64: EntityPlace]) {
        for (number, count) in strangers.sorted(by: { ($0.key ?? 0) < ($1.key ?? 0) }) {
            let rows = count.counted("row")
            guard let number, let place = entities[number] else {
                let owner = number.map { "of an unknown entity, \($0)" } ?? "of no entity"
                report.notes.append(CoreDataNote("\(rows) of “\(table)” left out, \(owner)"))
                continue
            }
            report.notes.append(CoreDataNote(entity: place.name, "\(rows) left out, \(reason(number, place))"))
        }
        strangers = [:]
    }

    private func reason(_ number: Int64, _ place: EntityPlace) -> String {
        if work.adopted[number] != nil { return "whose numbers are not positive" }
        if place.isAbstract { return "although the entity is abstract" }
        return work.isSelective
            ? "because the entity was not selected" : "because the new model has no entity for their objects"
    }

    // MARK: - Many-to-many relationships

    private func adopt(_ pair: PairPlace, _ reader: ForeignReader) throws {
        let scan = PairScan(pair, source.layout, source.tables)
        let (own, back) = (relationship(for: pair.first), relationship(for: pair.second))
        // Our model keeps the two apart if it does not have them as inverses of each other, and can lack one of them.
        let isApart = own.map { $0.inverse != back?.name && back?.inverse != $0.name } ?? true
        let hasOpposite = !pair.isOwnInverse && back != nil && isApart
        let adopter =
            own != nil || back == nil ? PairAdopter(pair.first.relationship.name, of: pair.first.entity, work) : nil
        let opposite = hasOpposite ? PairAdopter(pair.second.relationship.name, of: pair.second.entity, work) : nil
        try scan.run(reader) { found in
            try adopter?.adopt(found)
            try opposite?.adopt(found.reversed)
        }
        guard pair.isOwnInverse else { return }
        try scan.run(reader) { try adopter?.mirror($0) }
    }

    /// Returns the relationship of our model that one direction of a many-to-many relationship is copied to.
    private func relationship(for side: PairPlace.Side) -> RelationshipDescription? {
        work.members(of: side.entity).sorted { $0.key < $1.key }.lazy
            .compactMap { [work] in work.model.relationships(of: $0.value).first { $0.name == side.relationship.name } }
            .first
    }
}
