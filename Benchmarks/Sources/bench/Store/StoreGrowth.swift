import Foundation

/// The cost of a row in a small and in a large table, which should be the same.
enum StoreGrowth {
    private static let counts: [Int64] = [1_000, 10_000, 100_000, 1_000_000]

    static var scenarios: [Scenario] {
        [
            Scenario("write a row among so many", maximumRounds: 3) { try writers() },
            Scenario("read a row among so many", maximumRounds: 3) { try readers() },
        ]
    }

    static var footprints: [Footprint] {
        [Footprint("go through a million rows and read all") { try measureCursor() }]
    }

    private static func writers() throws -> [Contender] {
        let folder = try TemporaryFolder()
        return counts.map { count in
            Contender("\(count)", count: Int(count)) { try folder.withFile { try StorePatients(at: $0).write(count) } }
        }
    }

    private static func readers() throws -> [Contender] {
        let folder = try TemporaryFolder()
        return try counts.map { count in
            let store = try StorePatients(at: folder.file("\(count)"))
            try store.writeOnAllCores(count)
            return Contender("\(count)", count: Int(count)) {
                consume(try withExtendedLifetime(folder) { try store.sum() })
            }
        }
    }

    private static func measureCursor() throws -> Footprint.Bytes {
        let folder = try TemporaryFolder()
        let file = folder.file("store")
        let store = try StorePatients(at: file)
        try store.writeOnAllCores(1_000_000)
        let gauge = try MemoryGauge()
        consume(try store.sum())
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        return Footprint.Bytes(peak: try gauge.peak(), size: size ?? 0)
    }
}
