import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableStore

/// Predicates on text, compared with Swift's result for the same objects.
struct EntityTextTests {
    private static let texts = [
        "", "e", "\u{E9}", "e\u{301}", "\u{E9}t\u{E9}", "e\u{301}te\u{301}", "\u{212B}", "\u{C5}b", "A\u{30A}", "f",
        "K", "\u{212A}",
        "\u{1100}\u{1161}\u{11A8}", "\u{AC01}", "a\u{323}\u{302}", "a\u{302}\u{323}", "👩‍👧", "👩", "\r\n", "\n", "a\r",
    ]

    private static func predicates(_ text: String) -> [Predicate<Guest>] {
        [
            #Predicate { $0.name == text }, #Predicate { $0.name != text }, #Predicate { $0.name.contains(text) },
            #Predicate { $0.name.starts(with: text) }, #Predicate { $0.nick == text },
            #Predicate { text.contains($0.name) },
        ]
    }

    private static func precedes(_ text: String, _ other: String) -> Bool {
        let (text, other) = (text.precomposedStringWithCanonicalMapping, other.precomposedStringWithCanonicalMapping)
        return text.unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
    }

    @Test(arguments: texts) func textConditionsFindMatchingObjects(_ text: String) throws {
        let store = try Hotel.empty()
        try store.write { context in
            for (index, text) in Self.texts.enumerated() {
                let guest = context.insert(Guest())
                guest.name = text
                guest.nick = Self.texts[(index * 5 + 1) % Self.texts.count]
            }
        }
        try store.read { (context: StoreContext) throws in
            let guests = try context.fetch(Guest.self)
            for predicate in Self.predicates(text) {
                let expected = try guests.filter { try predicate.evaluate($0) }.map(\.persistentID)
                #expect(try context.fetch(Guest.self, where: predicate).map(\.persistentID) == expected)
            }
            // The order that Swift documents: its own `<` departs from it for some texts that are not composed.
            let smaller = guests.filter { Self.precedes($0.name, text) }.map(\.persistentID)
            #expect(try context.fetch(Guest.self, where: #Predicate { $0.name < text }).map(\.persistentID) == smaller)
        }
    }
}
