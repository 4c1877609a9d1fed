import Testing
import TransformableEntities
import TransformableStore

/// Returns an object from its block, which programs must not do.
private final class Leak: @unchecked Sendable {
    // Used after the block has ended.
    var swatch: Swatch?
}

@Suite struct EndedBlockTests {
    private static func leak() throws -> Leak {
        let store = try Store.inMemory(for: Swatch.self, Lasting.self, transformers: Fixtures.registry())
        let leak = Leak()
        let id = try store.write { context in
            let swatch = context.insert(Swatch())
            swatch.title = "red"
            return swatch.persistentID
        }
        try store.read { leak.swatch = try $0.object(id) }
        return leak
    }

    @Test func aSetterStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            try EndedBlockTests.leak().swatch?.title = "blue"
        }
    }

    @Test func aGetterWithoutAValueStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            let swatch = try EndedBlockTests.leak().swatch
            _ = swatch?.shades
        }
    }

    @Test func valuesInMemoryCanBeRead() throws {
        let leak = try Self.leak()
        #expect(leak.swatch?.hex == "")
        leak.swatch?.color = 1
        #expect(leak.swatch?.color == 1)
        #expect(throws: StoreError(.readOnly, "")) { try leak.swatch?.$title.setValue("blue") }
    }
}
