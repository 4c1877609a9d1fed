import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

/// `NSValue` of structures that Foundation on Linux does not have, or in forms of other times.
@Suite struct ArchivedStructureTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let fields: [String: ArchivedInstance.FieldValue]
        let value: ArchivedValue

        init(_ value: ArchivedValue, _ fields: [String: ArchivedInstance.FieldValue]) {
            self.fields = fields
            self.value = value
        }

        /// A structure behind the text of its type.
        init(_ value: ArchivedValue, _ encoding: String, _ numbers: [ArchivedInstance.FieldValue]) {
            let numbered = numbers.enumerated().map { ("$\($0 + 1)", $1) }
            self.init(value, Dictionary(uniqueKeysWithValues: [("$0", .object(.string(encoding)))] + numbered))
        }

        var testDescription: String { value.json }
    }

    /// The fields are those of `-[NSConcreteValue encodeWithCoder:]`.
    static let special = [
        Case(
            .offset(ArchivedOffset(horizontal: 1, vertical: -2.5)),
            ["NS.special": .inline(13), "NS.offset.h": .inline(1.0), "NS.offset.v": .inline(-2.5)]
        ),
        Case(
            .directionalEdgeInsets(ArchivedDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)),
            [
                "NS.special": .inline(14), "NS.dirEdgeVal.top": .inline(1.0), "NS.dirEdgeVal.leading": .inline(2.0),
                "NS.dirEdgeVal.bottom": .inline(3.0), "NS.dirEdgeVal.trailing": .inline(4.0),
            ]
        ),
    ]

    static let typed = [
        Case(.point(CGPoint(x: 1, y: 2.5)), "{CGPoint=dd}", [.inline(1.0), .inline(2.5)]),
        Case(.point(CGPoint(x: 1, y: 2.5)), "{_NSPoint=ff}", [.object("{1, 2.5}")]),
        Case(.size(CGSize(width: 1, height: 2)), "{CGSize=ff}", [.inline(1), .inline(2)]),
        Case(
            .rect(CGRect(x: 1, y: 2, width: 3, height: 4)),
            "{CGRect={CGPoint=dd}{CGSize=dd}}",
            [.object("{{1, 2}, {3, 4}}")]
        ),
        Case(.range(NSRange(location: 5, length: 6)), "{_NSRange=QQ}", [.inline(5), .inline(6)]),
        Case(
            .transform(AffineTransform(m11: 1, m12: 2, m21: 3, m22: 4, tX: 5, tY: 6)),
            "{CGAffineTransform=dddddd}",
            (1...6).map { .inline(.real(Double($0))) }
        ),
        Case(
            .edgeInsets(ArchivedEdgeInsets(top: 1, left: 2, bottom: 3, right: 4, isUIKit: true)),
            "{UIEdgeInsets=dddd}",
            (1...4).map { .inline(.real(Double($0))) }
        ),
        Case(.offset(ArchivedOffset(horizontal: 1, vertical: 2)), "{UIOffset=dd}", [.inline(1.0), .inline(2.0)]),
    ]

    private func read(_ fields: [String: ArchivedInstance.FieldValue]) throws -> ArchivedValue {
        let instance = ArchivedInstance(ArchivedClass("NSValue"), fields: fields)
        return try ArchivedValueTransformer().decode(ArchivedValueTransformer().encode(.object(instance)))
    }

    @Test(arguments: special + typed)
    func becomesAValue(case: Case) throws {
        #expect(try read(`case`.fields) == `case`.value)
        #expect(try ArchivedValue(json: Data(`case`.value.json.utf8)) == `case`.value)
    }

    @Test(arguments: special)
    func writesStructuresLikeApple(case: Case) throws {
        let root = try #require(Archive(ArchivedValueTransformer().encode(`case`.value))["root"])
        #expect(root.archivedClass == ArchivedClass("NSValue"))
        #expect(Set(root.fields.map(\.name)) == Set(`case`.fields.keys))
        for field in root.fields {
            guard case .inline(let value)? = `case`.fields[field.name] else { continue }
            #expect(field.value.real == value.real && field.value.integer == value.integer)
        }
    }

    /// Many objects can refer to the same text, and parse it again.
    @Test(arguments: [
        ("", 1_000, true), ("", 1_001, false), ("{CGPoint=dd}", 1_000, true), ("{CGPoint=dd}", 1_001, false),
    ])
    func textIsLimited(encoding: String, count: Int, isRead: Bool) throws {
        let text = "{1, 2}" + String(repeating: " ", count: count - 6)
        let special: [String: ArchivedInstance.FieldValue] = [
            "NS.special": .inline(1), "NS.pointval": .object(.string(text)),
        ]
        let typed: [String: ArchivedInstance.FieldValue] = [
            "$0": .object(.string(encoding)), "$1": .object(.string(text)),
        ]
        let value = try? read(encoding.isEmpty ? special : typed)
        #expect((value == .point(CGPoint(x: 1, y: 2))) == isRead)
    }

    /// Too few numbers, too many, other kinds, no structure.
    @Test(
        arguments: [
            ["NS.special": .inline(13), "NS.offset.h": .inline(1.0)],
            ["NS.special": .inline(13), "NS.offset.h": .inline("1"), "NS.offset.v": .inline(1.0)],
            ["NS.special": .inline(15), "NS.offset.h": .inline(1.0), "NS.offset.v": .inline(1.0)],
            ["$0": .object("{CGPoint=dd}"), "$1": .inline(1.0)],
            ["$0": .object("{CGPoint=dd}"), "$1": .object("{1, 2, 3}")],
            ["$0": .object("{CGPoint=dd}"), "$1": .inline(1.0), "$2": .inline(1.0), "$3": .inline(1.0)],
            ["$0": .object("{_NSRange=QQ}"), "$1": .inline(0.5), "$2": .inline(1.0)],
            ["$0": .object("{CGPoint=dd}")], ["$0": .object("")], ["$0": .object("i"), "$1": .inline(1)],
        ] as [[String: ArchivedInstance.FieldValue]]
    )
    func unknownStructuresStayObjects(fields: [String: ArchivedInstance.FieldValue]) throws {
        // An archive stores names that begin with a dollar sign unchanged; nothing is escaped here.
        let value = try read(fields)
        guard case .object(let instance) = value else {
            Issue.record("\(value.json) was read")
            return
        }
        #expect(instance.fields.count == fields.count)
    }
}
