import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableStore

/// A class that stores ids as values.
@Entity
private final class Pointer {
    var name: String
    var target: PersistentID<Ward>?
    @Relationship var ward: Ward?

    init(_ name: String, _ target: PersistentID<Ward>?) {
        self.name = name
        self.target = target
    }
}

@Suite struct StoredIDTests {
    private let store: Store
    private static let first = PersistentID<Ward>(number: 1)
    private static let second = PersistentID<Ward>(number: 2)

    init() throws {
        store = try Store.inMemory(for: Pointer.self, Ward.self, transformers: Fixtures.registry())
        try store.write { context in
            let ward = context.insert(Ward())
            for (name, target) in [("a", Self.first), ("b", Self.second), ("c", nil)] {
                context.insert(Pointer(name, target)).ward = name == "b" ? ward : nil
            }
        }
    }

    private func names(_ condition: Condition) throws -> [String] {
        try store.read { try $0.fetch(Pointer.self, where: condition).map(\.name) }
    }

    @Test func predicatesCompareStoredIDs() throws {
        let (first, list) = (Self.first, [Self.first, Self.second])
        #expect(try names(Condition(#Predicate<Pointer> { $0.target == first })) == ["a"])
        #expect(try names(Condition(#Predicate<Pointer> { $0.target != first })) == ["b", "c"])
        let isListed = #Predicate<Pointer> { $0.target.flatMap { list.contains($0) } == true }
        #expect(try names(Condition(isListed)) == ["a", "b"])
        // The same values as ids of objects.
        #expect(try names(Condition(#Predicate<Pointer> { $0.ward?.persistentID == first })) == ["b"])
    }

    @Test func keyPathsCompareStoredIDs() throws {
        #expect(try names(\Pointer.target == Self.second) == ["b"])
        #expect(try names((\Pointer.target).isIn([Self.first, nil])) == ["a", "c"])
        #expect(try names(\Pointer.ward == Self.first) == ["b"])
    }
}
