internal import Transformable

/// Counts the references of an adoption.
final class RelationshipTallies {
    struct Key: Hashable {
        let entity: String
        let name: String
    }

    private struct Tally {
        var report: AdoptionReport.Relationship
        /// The objects with the first dangling references.
        var danglingObjects: [Int64] = []
        /// References whose object does not refer back, although the inverse leads to one object, too.
        var oneSided = 0
        var isKept = true
        /// References between adopted objects that our model cannot hold.
        var unknown = 0
    }

    private static let namedObjects = 5

    private let model: CoreDataModel
    private let dangling: CoreDataStore.AdoptionOptions.Dangling
    private var tallies: [Key: Tally] = [:]

    init(_ model: CoreDataModel, _ dangling: CoreDataStore.AdoptionOptions.Dangling) {
        self.model = model
        self.dangling = dangling
    }

    /// Returns the key of a relationship that an entity declares or inherits.
    func key(_ name: String, declaredFor entity: String) -> Key {
        let declarer = model.lineage(of: entity).first { $0.relationships.contains { $0.name == name } }
        let key = Key(entity: declarer?.name ?? entity, name: name)
        if tallies[key] == nil {
            tallies[key] = Tally(report: AdoptionReport.Relationship(entity: key.entity, name: name))
        }
        return key
    }

    func noteKept(_ key: Key) { tallies[key]?.report.references += 1 }

    func noteLeftOut(_ key: Key) { tallies[key]?.report.leftOut += 1 }

    /// Records a reference for which our model has no relationship.
    func noteUnknown(_ key: Key) {
        tallies[key]?.unknown += 1
        noteLeftOut(key)
    }

    /// Records a reference whose object does not refer back.
    func noteOneSided(_ key: Key, isKept: Bool) {
        tallies[key]?.oneSided += 1
        tallies[key]?.isKept = isKept
        if !isKept { noteLeftOut(key) }
    }

    /// Records a reference to an object that does not exist.
    ///
    /// - Throws: `CoreDataError` with the code `dangling-reference` if the options say so.
    func noteDangling(_ key: Key, object: Int64) throws(CoreDataError) {
        guard dangling == .keepNull else {
            let reason = "object \(object) refers to an object that does not exist"
            throw CoreDataError(.danglingReference, reason, entity: key.entity, property: key.name)
        }
        tallies[key]?.report.dangling += 1
        guard let count = tallies[key]?.danglingObjects.count, count < Self.namedObjects else { return }
        tallies[key]?.danglingObjects.append(object)
    }

    /// The counts, sorted by entity and name.
    var reports: [AdoptionReport.Relationship] {
        tallies.values.map(\.report).sorted { ($0.entity, $0.name) < ($1.entity, $1.name) }
    }

    /// What was unusual about the references.
    var notes: [CoreDataNote] {
        tallies.sorted { ($0.key.entity, $0.key.name) < ($1.key.entity, $1.key.name) }
            .flatMap { key, tally in
                Self.texts(tally).map { CoreDataNote(entity: key.entity, property: key.name, $0) }
            }
    }

    private static func texts(_ tally: Tally) -> [String] {
        var texts: [String] = []
        let report = tally.report
        if report.dangling > 0 {
            let more = report.dangling > tally.danglingObjects.count ? ", …" : ""
            let objects = tally.danglingObjects.map(String.init).joined(separator: ", ") + more
            let of = report.dangling == 1 ? "of object" : "of objects"
            let references = report.dangling.counted("reference")
            texts.append("left out \(references) to objects that do not exist (\(of) \(objects))")
        }
        if tally.oneSided > 0 {
            let references = "\(tally.oneSided.counted("reference")) to objects that do not refer back"
            let reason = "because only the other object's references are stored"
            texts.append(tally.isKept ? "kept \(references)" : "left out \(references), \(reason)")
        }
        if tally.unknown > 0 {
            texts.append("left out \(tally.unknown.counted("reference")) for which the new model has no relationship")
        }
        let others = report.leftOut - (tally.isKept ? 0 : tally.oneSided) - tally.unknown
        if others > 0 {
            texts.append("left out \(others.counted("reference")) to or from objects that were not adopted")
        }
        return texts
    }

}
