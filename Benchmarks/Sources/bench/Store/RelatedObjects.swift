import Foundation
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

@Entity
final class Parent {
    @Relationship(inverse: \Child.parent, isOrdered: true) var kids: [Child]
    @Relationship(inverse: \Child.holder) var loose: [Child]
}

@Entity
final class Child {
    var number: Int
    @Relationship var parent: Parent?
    @Relationship var holder: Parent?

    init(_ number: Int) {
        self.number = number
    }
}

/// The cost of to-many relationships, one object at a time or all at once.
enum RelatedObjects {
    static var scenarios: [Scenario] {
        [4_000, 32_000]
            .flatMap { count in
                [
                    Scenario("add \(count) objects to an ordered relationship", maximumRounds: 5) {
                        try contenders(count, append: { $0.kids.append($1) }, assign: { $0.kids = $1 }, "kids")
                    },
                    Scenario("add \(count) objects to a relationship without order", maximumRounds: 5) {
                        try contenders(count, append: { $0.loose.append($1) }, assign: { $0.loose = $1 }, "loose")
                    },
                ]
            }
    }

    private static func contenders(
        _ count: Int,
        append: @escaping (Parent, Child) -> Void,
        assign: @escaping (Parent, [Child]) -> Void,
        _ name: String
    ) throws -> [Contender] {
        let store = try Store.inMemory(for: Parent.self, Child.self, transformers: TransformerRegistry {})
        func edit(_ body: (StoreContext, Parent) throws -> Void) throws {
            let context = store.makeContext()
            let parent = context.insert(Parent())
            try body(context, parent)
            try Disagreement.unless(
                try parent.managedObject?.objects(name).count == count,
                "the number of objects"
            )
            context.rollback()
        }
        return [
            Contender("append each", count: count) {
                try edit { _, parent in for number in 0..<count { append(parent, Child(number)) } }
            },
            Contender("append each, and read all", count: count) {
                try edit { _, parent in
                    for number in 0..<count {
                        append(parent, Child(number))
                        consume(name == "kids" ? parent.kids.count : parent.loose.count)
                    }
                }
            },
            Contender("add each by name", count: count) {
                try edit { context, parent in
                    for _ in 0..<count { try parent.managedObject?.add(context.insert("Child"), to: name) }
                }
            },
            Contender("set all", count: count) {
                try edit { _, parent in assign(parent, (0..<count).map { Child($0) }) }
            },
            Contender("set all by name", count: count) {
                try edit { context, parent in
                    let children = try (0..<count).map { _ in try context.insert("Child") }
                    try parent.managedObject?.setObjects(children, for: name)
                }
            },
        ]
    }
}
