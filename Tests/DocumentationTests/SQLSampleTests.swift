import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// The samples of the article on SQL.
@Suite struct SQLSampleTests {
    private func store() throws -> Store {
        let attributes: [AttributeDescription] = [
            .string("ward", .optional), .integer("age"),
            .transformed(
                "secret",
                "text | sealed",
                as: String.self,
                .optional,
                .projected("blind-index", as: "secret_blind")
            ),
        ]
        let model = try Model(entities: [EntityDescription("Patient", attributes: attributes)])
        let keys = try KeyRing.empty.addingKey(named: "clinic")
        let registry = try TransformerRegistry {
            Registration.text
            EncryptionPlugin(keys: keys)
        }
        let store = try Store.inMemory(model: model, transformers: registry)
        try store.write { context in
            for (ward, age) in [("East", 40), ("East", 20), ("West", 30), ("West", 5)] {
                let patient = try context.insert("Patient")
                try patient.setValue(ward, for: "ward")
                try patient.setValue(age, for: "age")
                try patient.setValue("\(age)", for: "secret")
            }
        }
        return store
    }

    @Test func readsRows() throws {
        let store = try store()
        var report: [String] = []
        let wards = try store.read { context in
            try context.rows(
                "SELECT ward, count(*) AS beds FROM Patient WHERE age >= ? GROUP BY ward HAVING count(*) > 1",
                arguments: [18]
            )
        }
        for row in wards {
            report.append("\(try row.value("ward", as: String.self)): \(try row.value("beds", as: Int.self))")
        }
        #expect(report == ["East: 2"])
        try store.read { context in
            let ranks = try context.rows("SELECT _id, secret, rank() OVER (ORDER BY age) AS place FROM Patient")
            let secret = try ranks[0].decoded("secret", as: String.self, of: "Patient")
            #expect(secret == "5")
        }
    }
}
