import Foundation
import Transformable
import TransformableSQLite
import TransformableStore

/// The cost of a block of a tenant, compared with a block of a store without tenants.
enum TenantBlocks {
    private static let blockCount = 100

    static var scenarios: [Scenario] {
        [20, 200]
            .map { entities in
                Scenario("read \(blockCount) blocks of two tenants in a store of \(entities) entities") {
                    try contenders(entities)
                }
            }
    }

    private static func contenders(_ entities: Int) throws -> [Contender] {
        let folder = try TemporaryFolder()
        let own = try store(entities, hasTenants: true, at: folder.file("tenants"))
        let plain = try store(entities, hasTenants: false, at: folder.file("plain"))
        for tenant in 1...2 as ClosedRange<Int64> {
            try own.write(tenant: tenant) { _ = try $0.insert("Entity0") }
            try plain.write { _ = try $0.insert("Entity0") }
        }
        return [
            Contender("with tenants", count: blockCount) {
                for number in 0..<blockCount {
                    consume(try own.read(tenant: Int64(number % 2 + 1)) { try $0.count("Entity0") })
                }
            },
            Contender("without tenants", count: blockCount) {
                for _ in 0..<blockCount {
                    consume(try withExtendedLifetime(folder) { try plain.read { try $0.count("Entity0") } })
                }
            },
        ]
    }

    private static func store(_ count: Int, hasTenants: Bool, at url: URL) throws -> Store {
        let entities = (0..<count).map { EntityDescription("Entity\($0)", attributes: [.string("name", .optional)]) }
        let model = try Model(hasTenants: hasTenants, entities: entities)
        return try Store(at: url, model: model, transformers: TransformerRegistry {})
    }
}
