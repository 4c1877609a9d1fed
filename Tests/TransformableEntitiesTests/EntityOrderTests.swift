import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableStore

/// The order of a fetch, beside that of Swift.
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
        Case("enumeration in the order of its raw values", SortDescriptor(\.grade), SortDescriptor(\.name)),
    ])
    func sortsAsSwiftDoes(_ test: Case) throws {
        try Hotel.store.get()
            .read { context in
                let guests = try context.fetch(Guest.self)
                let found = try context.fetch(Guest.self, sortBy: test.order)
                #expect(found.map(\.persistentID) == guests.sorted(using: test.order).map(\.persistentID))
            }
    }

    @Test(arguments: [
        Case("rank", SortDescriptor(\.rank)),
        Case("size", SortDescriptor(\.age), SortDescriptor(\.size)),
        Case("secret", SortDescriptor(\.secret)),
        Case("stored property", SortDescriptor(\.initials)),
        Case("stored property", SortDescriptor(\.persistentID.number)),
        Case("stored property", SortDescriptor(\.name.count)),
    ])
    func refusesWhatSQLSortsOtherwise(_ test: Case) throws {
        let error = #expect(throws: StoreError.self) {
            _ = try Hotel.store.get().read { try $0.fetch(Guest.self, sortBy: test.order).count }
        }
        #expect(error?.code == .unsupported || error?.code == .invalidCondition)
        #expect(error?.description.contains(test.testDescription) == true, "\(error?.description ?? "")")
    }
}
