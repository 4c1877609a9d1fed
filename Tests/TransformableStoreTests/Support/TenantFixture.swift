import EncryptionPlugin
import Foundation
import StandardPlugin
import Transformable
import TransformableSQLite
import TransformableStore

/// A clinic whose patients belong to tenants, with one object of each entity for tenants 1 and 2.
struct TenantFixture {
    struct IDs: Sendable {
        let patient: ObjectID
        let friend: ObjectID
        let ward: ObjectID
        let tag: ObjectID
    }

    let folder: Folder
    let keys: KeyRing
    let store: Store
    let country: ObjectID
    let first: IDs
    let second: IDs

    init(inMemory: Bool = false, authenticatesRows: Bool = false) throws {
        folder = try Folder()
        keys = try KeyRing.empty.addingKey(named: "clinic")
        let registry = try Self.registry(keys)
        let model = try Self.model { if authenticatesRows { Self.authenticateRows(of: &$0) } }
        store = try .trial(at: inMemory ? nil : folder.file(), model: model, transformers: registry)
        country = try store.writeShared { context in
            let country = try context.insert("Country")
            try country.setValue("DK", for: "code")
            return country.id
        }
        first = try Self.fill(store, 1, country)
        second = try Self.fill(store, 2, country)
    }

    /// Returns the names and sealed values of all patients, which are read without creating objects.
    func secretsAcrossTenants() throws -> [String] {
        try store.readAcrossTenants { context in
            try context.values("Patient", of: ["name", "ssn"])
                .map { row in
                    let secret = try row.value("ssn", as: String?.self)
                    return "\(try row.value("name", as: String.self)) \(secret ?? "-")"
                }
        }
        .sorted()
    }

    static func registry(_ keys: KeyRing) throws -> TransformerRegistry {
        try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: keys)
        }
    }

    static func model(version: Int = 1, _ change: (inout [EntityDescription]) -> Void = { _ in }) throws -> Model {
        var entities = [
            EntityDescription("Country", attributes: [.string("code", .unique)], shared: true),
            EntityDescription(
                "Patient",
                attributes: [
                    .string("name", .indexed),
                    .integer("badge", .unique),
                    .transformed("ssn", "text | sealed", as: String.self, .optional, .projected("text | blind-index")),
                    .transformed("scan", "sealed", as: Data.self, .optional, .externalStorage(over: 100)),
                ],
                relationships: [
                    .toOne("ward", "Ward", inverse: "patients"),
                    .toOne("country", "Country"),
                    .toMany("friends", "Patient"),
                    .toMany("tags", "Tag", inverse: "patients"),
                ],
                unique: [["name", "badge"]]
            ),
            EntityDescription("Guest", parent: "Patient"),
            EntityDescription(
                "Ward",
                attributes: [.string("name", .unique)],
                relationships: [.toMany("patients", "Patient", inverse: "ward", deleteRule: .cascade)]
            ),
            EntityDescription(
                "Tag",
                attributes: [.string("name")],
                relationships: [.toMany("patients", "Patient", inverse: "tags")]
            ),
        ]
        change(&entities)
        return try Model(version: version, hasTenants: true, entities: entities)
    }

    /// Gives tags to the rows of patients, guests, wards, and countries.
    static func authenticateRows(of entities: inout [EntityDescription]) {
        for index in entities.indices where ["Patient", "Ward", "Country"].contains(entities[index].name) {
            entities[index].authenticatesRows = true
        }
    }

    /// Inserts the same objects for a tenant, of which only the name of the patient and the bytes of its scan differ.
    private static func fill(_ store: Store, _ tenant: Int64, _ country: ObjectID) throws -> IDs {
        try store.write(tenant: tenant) { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada \(tenant)", for: "name")
            try patient.setValue(1, for: "badge")
            try patient.setValue("123-45-6789", for: "ssn")
            try patient.setValue(Data(repeating: UInt8(tenant), count: 500), for: "scan")
            try patient.setObject(context.object(country), for: "country")
            let friend = try context.insert("Guest")
            try friend.setValue("Ben", for: "name")
            try friend.setValue(1, for: "badge")
            let ward = try context.insert("Ward")
            try ward.setValue("East", for: "name")
            let tag = try context.insert("Tag")
            try tag.setValue("urgent", for: "name")
            try patient.setObject(ward, for: "ward")
            try patient.add(friend, to: "friends")
            try patient.add(tag, to: "tags")
            return IDs(patient: patient.id, friend: friend.id, ward: ward.id, tag: tag.id)
        }
    }
}

extension StoreContext {
    /// The names of the patients that satisfy a condition.
    func names(where condition: Condition = .all) throws -> [String] {
        try fetch("Patient", where: condition).map { try $0.value("name", as: String.self) }
    }
}
