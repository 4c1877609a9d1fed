import Foundation
import Transformable
import TransformableStore
import _HostileInputs

/// Random patients, visits, and doctors: in a store, and as equivalent Swift values.
struct Hospital {
    struct Doctor {
        var name: String
        var boss: Int?
    }

    struct Visit {
        var cost: Double
        var days: Int
        var note: String?
        var patient: Int?
    }

    struct Patient {
        var name: String
        var nick: String?
        var age: Int?
        var small: Int16
        var weight: Double?
        var isActive: Bool
        var price: Decimal?
        var secret: String?
        var doctor: Int?
    }

    private(set) var doctors: [Doctor] = []
    private(set) var visits: [Visit] = []
    private(set) var patients: [Patient] = []

    static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Doctor",
                attributes: [.string("name")],
                relationships: [
                    .toOne("boss", "Doctor"), .toMany("patients", "Patient"), .toMany("guests", "Patient"),
                ]
            ),
            EntityDescription(
                "Patient",
                attributes: [
                    .string("name", .indexed), .string("nick", .optional), .integer("age", .optional, .indexed),
                    .int16("small"), .double("weight", .optional), .boolean("isActive"), .decimal("price", .optional),
                    .transformed("secret", "text | bound", as: String.self, .optional, .projected("text | blind")),
                ],
                relationships: [
                    .toOne("doctor", "Doctor", inverse: "patients"), .toMany("visits", "Visit"),
                    .toMany("hosts", "Doctor", inverse: "guests"),
                ]
            ),
            EntityDescription(
                "Visit",
                attributes: [.double("cost"), .integer("days"), .string("note", .optional)],
                relationships: [.toOne("patient", "Patient", inverse: "visits")]
            ),
        ])
    }

    init(patients count: Int, visits: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        doctors = (0..<10)
            .map { index in
                Doctor(name: Self.word(&random), boss: index < 4 ? nil : Int.random(in: 0..<4, using: &random))
            }
        patients = (0..<count)
            .map { _ in
                Patient(
                    name: Self.word(&random),
                    nick: Self.maybe(Self.word(&random), &random),
                    age: Self.maybe(Int.random(in: -3..<8, using: &random), &random),
                    small: Int16.random(in: 0..<5, using: &random),
                    weight: Self.maybe(Double(Int.random(in: 0..<20, using: &random)) / 4, &random),
                    isActive: Bool.random(using: &random),
                    price: Self.maybe(Decimal(Int.random(in: 0..<40, using: &random)) / 10, &random),
                    secret: Self.maybe(Self.word(&random), &random),
                    doctor: Self.maybe(Int.random(in: 0..<10, using: &random), &random)
                )
            }
        self.visits = (0..<visits)
            .map { _ in
                Visit(
                    cost: Double(Int.random(in: 0..<30, using: &random)) / 2,
                    days: Int.random(in: 1..<5, using: &random),
                    note: Self.maybe(Self.word(&random), &random),
                    patient: Self.maybe(Int.random(in: 0..<count, using: &random), &random)
                )
            }
    }

    private static func maybe<Value>(_ value: Value, _ random: inout SeededGenerator) -> Value? {
        Int.random(in: 0..<4, using: &random) > 0 ? value : nil
    }

    /// Text in Unicode's composed form, of characters of one, two and more bytes.
    private static func word(_ random: inout SeededGenerator) -> String {
        String(
            (0..<Int.random(in: 0..<4, using: &random)).map { _ in "aAbBéÉz漢👩‍👧".randomElement(using: &random) ?? "a" }
        )
    }

    func store() throws -> Store {
        let store = try Store.trial(model: Self.model(), transformers: Transformers().registry())
        try store.write { context in
            _ = try write(in: context)
        }
        return store
    }

    /// Gives the objects of a context the values of this hospital, and inserts what is missing.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - saved: The number of patients and of visits that exist, at most as many as those of this hospital. If there
    ///     are any, all doctors exist.
    /// - Returns: The numbers of the patients.
    /// - Throws: `StoreError`.
    func write(in context: StoreContext, saved: (patients: Int, visits: Int) = (0, 0)) throws -> [Int64] {
        func object(_ entity: String, _ index: Int, of count: Int) throws -> ManagedObject {
            guard index < count else { return try context.insert(entity) }
            return try context.object(ObjectID(entity: entity, number: Int64(index + 1)))
        }
        let doctors = try self.doctors.enumerated()
            .map { index, doctor in
                let object = try object("Doctor", index, of: saved.patients > 0 ? self.doctors.count : 0)
                try object.setValue(doctor.name, for: "name")
                return object
            }
        for (object, doctor) in zip(doctors, self.doctors) {
            try object.setObject(doctor.boss.map { doctors[$0] }, for: "boss")
        }
        let patients = try self.patients.enumerated()
            .map { index, patient in
                let object = try object("Patient", index, of: saved.patients)
                try fill(object, patient, doctors)
                return object
            }
        for (index, visit) in visits.enumerated() {
            let object = try object("Visit", index, of: saved.visits)
            try object.setValue(visit.cost, for: "cost")
            try object.setValue(visit.days, for: "days")
            try object.setValue(visit.note, for: "note")
            try object.setObject(visit.patient.map { patients[$0] }, for: "patient")
        }
        return patients.map(\.id.number)
    }

    private func fill(_ object: ManagedObject, _ patient: Patient, _ doctors: [ManagedObject]) throws {
        try object.setValue(patient.name, for: "name")
        try object.setValue(patient.nick, for: "nick")
        try object.setValue(patient.age, for: "age")
        try object.setValue(patient.small, for: "small")
        try object.setValue(patient.weight, for: "weight")
        try object.setValue(patient.isActive, for: "isActive")
        try object.setValue(patient.price, for: "price")
        try object.setValue(patient.secret, for: "secret")
        try object.setObject(patient.doctor.map { doctors[$0] }, for: "doctor")
        try object.setObjects(patient.small == 1 ? [doctors[0]] : [], for: "hosts")
    }
}
