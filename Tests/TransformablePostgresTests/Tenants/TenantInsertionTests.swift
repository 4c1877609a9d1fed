import Foundation
import Testing
import Transformable
import TransformableModel
import TransformableStore
import _PostgresServer

@testable import TransformablePostgres  // The engine is internal.

/// Many new objects of tenants, whose tables refuse COPY.
///
/// The suite runs on Citus if there is a cluster, and on PostgreSQL otherwise.
@Suite(.needsPostgres) struct TenantInsertionTests {
    private let address: PostgresAddress
    private let schema = "insertion-\(UUID().uuidString.prefix(8))"

    init() throws {
        address = try CitusCluster.address.map { try PostgresAddress($0) } ?? PostgresServer.boundAddress.get()
        try TenantClinic.open(address, schema, model: Self.model(), connections: options()).close()
    }

    private func options(pooling usesTransactionPooling: Bool = false) -> PostgresOptions {
        var options = PostgresOptions()
        if CitusCluster.address != nil { options.distribution = .byTenant }
        options.usesTransactionPooling = usesTransactionPooling
        return options
    }

    private static func model() throws -> Model {
        try Model(
            hasTenants: true,
            entities: [
                EntityDescription(
                    "Item",
                    attributes: [
                        .string("name", .optional), .int64("count", .optional), .int16("size", .optional),
                        .int32("width", .optional), .double("weight", .optional), .decimal("price", .optional),
                        .uuid("card", .optional), .boolean("isOpen", .optional), .date("made", .optional),
                        .data("bytes", .optional),
                    ]
                ),
                EntityDescription("Seat", attributes: [.string("label", .unique)]),
                EntityDescription(
                    "Scan",
                    attributes: [.integer("number", .unique), .data("image", .externalStorage(over: 100))]
                ),
            ]
        )
    }

    private func engine(pooling usesTransactionPooling: Bool = false) -> PostgresEngine {
        PostgresEngine(
            address,
            schema: schema,
            options: options(pooling: usesTransactionPooling),
            lockTimeout: .seconds(20),
            isDistributed: CitusCluster.address != nil
        )
    }

    private func open(_ engine: PostgresEngine? = nil) throws -> Store {
        try Store(
            engine: engine ?? self.engine(),
            model: Self.model(),
            transformers: TransformerRegistry {},
            options: .mustExist,
            hooks: [:]
        )
    }

    /// Inserts an object for each element in a block of a tenant.
    private func insert<Element: Sendable>(
        _ elements: some Sequence<Element>,
        into entity: String,
        of tenant: Int64,
        in store: Store,
        fill: @escaping @Sendable (ManagedObject, Element) throws -> Void
    ) throws {
        _ = try store.write(tenant: tenant) { try $0.insert(many: elements, into: entity, fill: fill) }
    }

    private func labels(_ store: Store, _ tenant: Int64) throws -> [String] {
        try store.read(tenant: tenant) { context in
            try context.fetch("Seat").map { try $0.value("label", as: String.self) }
        }
    }

    // MARK: - Rows

    @Test(arguments: [false, true]) func manyRowsTakeFewRoundTrips(usesTransactionPooling: Bool) throws {
        let engine = engine(pooling: usesTransactionPooling)
        let store = try open(engine)
        for tenant in 1...2 as ClosedRange<Int64> {
            var statements = 0
            let roundTrips = try EngineStore.roundTrips(engine) {
                statements = try EngineStore.statements(engine) {
                    try insert(0..<5000, into: "Seat", of: tenant, in: store) { try $0.setValue("\($1)", for: "label") }
                }
            }
            // They include the first use of each statement, for which the server is asked for its types.
            #expect(roundTrips <= 12)
            #expect(statements <= 12)
        }
        #expect(try labels(store, 1) == (0..<5000).map(String.init))
        #expect(try store.readAcrossTenants { try $0.count("Seat") } == 10_000)
    }

    @Test(arguments: [false, true]) func valuesAreThoseThatWereSet(usesTransactionPooling: Bool) throws {
        let store = try open(engine(pooling: usesTransactionPooling))
        let names = ["", "NULL", "{a,b}", "\"quoted\"", "back\\slash", "tab\t, new\nline", "’žluťoučký’ 🏥", "\\x41"]
        let bytes = [Data(), Data([0]), Data("blob:".utf8), Data((0...255).map(UInt8.init))]
        try insert(0..<1000, into: "Item", of: 3, in: store) { item, number in
            guard !number.isMultiple(of: 3) else { return }
            try item.setValue(names[number % names.count], for: "name")
            try item.setValue(Int64(number) << 40, for: "count")
            try item.setValue(Int16(number) - 500, for: "size")
            try item.setValue(Int32(number) * 1_000_000, for: "width")
            try item.setValue(number == 5 ? .infinity : -Double(number) / 3, for: "weight")
            try item.setValue(Decimal(number) / 8, for: "price")
            try item.setValue(UUID(uuidString: "00000000-0000-0000-0000-00000000000\(number % 10)"), for: "card")
            try item.setValue(number.isMultiple(of: 2), for: "isOpen")
            try item.setValue(Date(timeIntervalSinceReferenceDate: Double(number) + 0.1), for: "made")
            try item.setValue(bytes[number % bytes.count], for: "bytes")
        }
        try store.read(tenant: 3) { context in
            let items = try context.fetch("Item")
            #expect(items.count == 1000)
            for (number, item) in items.enumerated() {
                let isSet = !number.isMultiple(of: 3)
                #expect(try item.value("name", as: String?.self) == (isSet ? names[number % names.count] : nil))
                #expect(try item.value("count", as: Int64?.self) == (isSet ? Int64(number) << 40 : nil))
                #expect(try item.value("size", as: Int16?.self) == (isSet ? Int16(number) - 500 : nil))
                #expect(try item.value("width", as: Int32?.self) == (isSet ? Int32(number) * 1_000_000 : nil))
                let weight = number == 5 ? .infinity : -Double(number) / 3
                #expect(try item.value("weight", as: Double?.self) == (isSet ? weight : nil))
                #expect(try item.value("price", as: Decimal?.self) == (isSet ? Decimal(number) / 8 : nil))
                let card = UUID(uuidString: "00000000-0000-0000-0000-00000000000\(number % 10)")
                #expect(try item.value("card", as: UUID?.self) == (isSet ? card : nil))
                #expect(try item.value("isOpen", as: Bool?.self) == (isSet ? number.isMultiple(of: 2) : nil))
                let made = Date(timeIntervalSinceReferenceDate: Double(number) + 0.1)
                #expect(try item.value("made", as: Date?.self) == (isSet ? made : nil))
                #expect(try item.value("bytes", as: Data?.self) == (isSet ? bytes[number % bytes.count] : nil))
            }
        }
    }

    @Test func someRowsHaveExternalValues() throws {
        let store = try open()
        let image = { @Sendable (number: Int) in
            Data(repeating: UInt8(number % 251), count: number % 700 == 9 ? 200_000 : 20)
        }
        try insert(0..<2000, into: "Scan", of: 1, in: store) { scan, number in
            try scan.setValue(number, for: "number")
            try scan.setValue(image(number), for: "image")
        }
        try store.read(tenant: 1) { context in
            let scans = try context.fetch("Scan")
            #expect(scans.count == 2000)
            for (number, scan) in scans.enumerated() {
                #expect(try scan.value("number", as: Int.self) == number)
                #expect(try scan.value("image", as: Data.self) == image(number))
            }
        }
        #expect(try store.read(tenant: 2) { try $0.count("Scan") } == 0)
    }

    // MARK: - Errors

    @Test(arguments: [1, 700, 4999]) func errorsNameTheElementWhoseValueIsNotUnique(_ culprit: Int) throws {
        let store = try open()
        try store.write(tenant: 1) { try $0.insert("Seat").setValue("taken", for: "label") }
        for label in ["taken", "0"] {
            let error = try #require(throws: StoreError.self) {
                try insert(0..<5000, into: "Seat", of: 1, in: store) { seat, number in
                    try seat.setValue(number == culprit ? label : "\(number)", for: "label")
                }
            }
            #expect(error.code == .notUnique)
            #expect(error.element == culprit)
            #expect(error.entity == "Seat")
            #expect(error.attribute == "label")
            #expect(error.object?.entity == "Seat")
            #expect(try labels(store, 1) == ["taken"])
        }
        // Another tenant has its own labels.
        try insert(["taken", "0"], into: "Seat", of: 2, in: store) { try $0.setValue($1, for: "label") }
        #expect(try labels(store, 2) == ["taken", "0"])
    }

    @Test func errorsNameTheElementWhoseValueCannotBeStored() throws {
        let store = try open()
        let error = try #require(throws: StoreError.self) {
            try insert(0..<3000, into: "Seat", of: 1, in: store) { seat, number in
                try seat.setValue(number == 2500 ? "nul \0" : "\(number)", for: "label")
            }
        }
        #expect(error.code == .invalidValue)
        #expect(error.element == 2500)
        #expect(error.attribute == "label")
        #expect(try labels(store, 1) == [])
    }

    @Test func textThatIsEqualInSwiftIsNotUnique() throws {
        let store = try open()
        let error = try #require(throws: StoreError.self) {
            try insert(0..<600, into: "Seat", of: 1, in: store) { seat, number in
                let label = number == 5 ? "caf\u{e9}" : number == 500 ? "cafe\u{301}" : "\(number)"
                try seat.setValue(label, for: "label")
            }
        }
        #expect(error.code == .notUnique)
        #expect(error.attribute == "label")
        #expect(try labels(store, 1) == [])
    }

    @Test func aBlockGoesOnAfterAValueThatIsNotUnique() throws {
        let store = try open()
        try store.write(tenant: 1) { context in
            let seats = try (0..<2500)
                .map { number in
                    let seat = try context.insert("Seat")
                    try seat.setValue("\(number == 2000 ? 7 : number)", for: "label")
                    return seat
                }
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .notUnique)
            #expect(error?.object == seats[2000].id)
            try seats[2000].setValue("2000", for: "label")
        }
        #expect(try labels(store, 1) == (0..<2500).map(String.init))
    }
}
