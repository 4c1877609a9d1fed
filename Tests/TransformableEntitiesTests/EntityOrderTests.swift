import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableStore

/// The order of a fetch, compared with Swift's.
@Suite struct EntityOrderTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let order: [SortDescriptor<Guest>]

        init(_ name: String, _ order: SortDescriptor<Guest>...) {
            testDescription = name
            self.order = order
        }
    }

    @Test(arguments: [
        Case("text", SortDescriptor(\.name)),
        Case("text, by its characters", SortDescriptor(\.name, comparator: .lexical)),
        Case("text, the other way", SortDescriptor(\.name, comparator: .lexical, order: .reverse)),
        Case("optional text", SortDescriptor(\.nick), SortDescriptor(\.weight, order: .reverse)),
        Case("optional numbers", SortDescriptor(\.age, order: .reverse), SortDescriptor(\.name)),
        Case("single precision", SortDescriptor(\.ratio), SortDescriptor(\.small)),
        Case("dates", SortDescriptor(\.born, order: .reverse), SortDescriptor(\.name)),
        Case("identifiers", SortDescriptor(\.token)),
        Case("decimal numbers", SortDescriptor(\.price), SortDescriptor(\.name, order: .reverse)),
        Case("text of what it leads to", SortDescriptor(\.room?.name), SortDescriptor(\.name, order: .reverse)),
        Case("numbers, two steps away", SortDescriptor(\.room?.annex?.floor, order: .reverse), SortDescriptor(\.name)),
        Case("enumeration in the order of its raw values", SortDescriptor(\.grade), SortDescriptor(\.name)),
    ])
    func sortsLikeSwift(_ test: Case) throws {
        try Hotel.store.get()
            .read { context in
                let guests = try context.fetch(Guest.self)
                let found = try context.fetch(Guest.self, sortedBy: test.order)
                #expect(found.map(\.persistentID) == guests.sorted(using: test.order).map(\.persistentID))
            }
    }

    /// A property after `!` is the same column.
    ///
    /// The fetch does not trap if there is no object.
    @Test func sortsThroughForcedPaths() throws {
        try Hotel.store.get()
            .read { context in
                let forced = [SortDescriptor(\Guest.room!.annex!.floor), SortDescriptor(\Guest.room!.annex?.name)]
                let optional = [SortDescriptor(\Guest.room?.annex?.floor), SortDescriptor(\Guest.room?.annex?.name)]
                let expected = try context.fetch(Guest.self).sorted(using: optional)
                #expect(try context.fetch(Guest.self, sortedBy: forced) == expected)
                #expect(try context.ids(Guest.self, sortedBy: optional) == expected.map(\.persistentID))
            }
    }

    /// The same where `!` comes after `?`.
    @Test(arguments: [
        (SortDescriptor(\Guest.room?.annex!.floor), SortDescriptor(\Guest.room?.annex?.floor)),
        (SortDescriptor(\Guest.room?.annex!.name), SortDescriptor(\Guest.room?.annex?.name)),
        (SortDescriptor(\Guest.room?.annex!.annex!.floor), SortDescriptor(\Guest.room?.annex?.annex?.floor)),
        (SortDescriptor(\Guest.room?.annex!.annex?.name), SortDescriptor(\Guest.room?.annex?.annex?.name)),
    ])
    func sortsThroughMixedPaths(_ mixed: SortDescriptor<Guest>, _ optional: SortDescriptor<Guest>) throws {
        try Hotel.store.get()
            .read { context in
                let expected = try context.fetch(Guest.self).sorted(using: [optional, SortDescriptor(\.name)])
                let found = try context.fetch(Guest.self, sortedBy: [mixed, SortDescriptor(\.name)])
                #expect(found.map(\.persistentID) == expected.map(\.persistentID))
            }
    }

    @Test(arguments: [
        Case("rank", SortDescriptor(\.rank)),
        Case("size", SortDescriptor(\.age), SortDescriptor(\.size)),
        Case("secret", SortDescriptor(\.secret)),
        Case("stored property", SortDescriptor(\.initials)),
        Case("stored property", SortDescriptor(\.persistentID.number)),
        Case("stored property", SortDescriptor(\.name.count)),
        Case("stored property", SortDescriptor(\.room?.name.count)),
        Case("stored property", SortDescriptor(\.room?.persistentID.number)),
        Case("stored property", SortDescriptor(\.room?.annex!.name.count)),
    ])
    func rejectsOrdersThatDifferInSQL(_ test: Case) throws {
        let error = #expect(throws: StoreError.self) {
            _ = try Hotel.store.get().read { try $0.fetch(Guest.self, sortedBy: test.order).count }
        }
        #expect(error?.code == .unsupported || error?.code == .invalidCondition)
        #expect(error?.description.contains(test.testDescription) == true, "\(error?.description ?? "")")
    }
}
