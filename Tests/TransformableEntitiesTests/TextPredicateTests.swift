import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableStore

/// Fetches by text in every kind of attribute, compared with Swift's result for the same objects in memory.
@Suite struct TextPredicateTests {
    typealias Property = PredicateExpressions.KeyPath<PredicateExpressions.Variable<Saying>, String>
    typealias Expressions = PredicateExpressions

    /// A comparison, as the expression that `#Predicate` expands to and as a condition.
    struct Rule: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let predicate: @Sendable (Property, [String]) -> any StandardPredicateExpression<Bool>
        let condition: @Sendable (Field, [String]) -> Condition
        /// The order that Swift documents, from which Swift 6.3 deviates for a few texts.
        var order: (@Sendable (String, [String]) -> Bool)?
    }

    static let rules: [Rule] = [
        Rule(testDescription: "==") {
            Expressions.build_Equal(lhs: $0, rhs: Expressions.build_Arg($1[0]))
        } condition: {
            $0 == $1[0]
        },
        Rule(testDescription: "!=") {
            Expressions.build_NotEqual(lhs: $0, rhs: Expressions.build_Arg($1[0]))
        } condition: {
            $0 != $1[0]
        },
        Rule(testDescription: "<") {
            Expressions.build_Comparison(lhs: $0, rhs: Expressions.build_Arg($1[0]), op: .lessThan)
        } condition: {
            $0 < $1[0]
        } order: {
            MixedText.precedes($0, $1[0])
        },
        Rule(testDescription: "<=") {
            Expressions.build_Comparison(lhs: $0, rhs: Expressions.build_Arg($1[0]), op: .lessThanOrEqual)
        } condition: {
            $0 <= $1[0]
        } order: {
            !MixedText.precedes($1[0], $0)
        },
        Rule(testDescription: ">") {
            Expressions.build_Comparison(lhs: $0, rhs: Expressions.build_Arg($1[0]), op: .greaterThan)
        } condition: {
            $0 > $1[0]
        } order: {
            MixedText.precedes($1[0], $0)
        },
        Rule(testDescription: ">=") {
            Expressions.build_Comparison(lhs: $0, rhs: Expressions.build_Arg($1[0]), op: .greaterThanOrEqual)
        } condition: {
            $0 >= $1[0]
        } order: {
            !MixedText.precedes($0, $1[0])
        },
        Rule(testDescription: "between") {
            Expressions.build_contains(Expressions.build_Arg(range($1)), $0)
        } condition: { field, operands in
            field.isBetween(range(operands).lowerBound, and: range(operands).upperBound)
        } order: { text, operands in
            let range = range(operands)
            return !MixedText.precedes(text, range.lowerBound) && !MixedText.precedes(range.upperBound, text)
        },
        Rule(testDescription: "in") {
            Expressions.build_contains(Expressions.build_Arg($1), $0)
        } condition: {
            $0.isIn($1)
        },
        Rule(testDescription: "contains") {
            Expressions.build_contains($0, Expressions.build_Arg($1[0]))
        } condition: {
            $0.contains($1[0])
        },
        Rule(testDescription: "starts") {
            Expressions.build_starts($0, with: Expressions.build_Arg($1[0]))
        } condition: {
            $0.starts(with: $1[0])
        },
    ]

    /// A range whose bounds are also in order for Swift, which traps otherwise.
    private static func range(_ operands: [String]) -> ClosedRange<String> {
        min(operands[0], operands[1])...max(operands[0], operands[1])
    }

    static let attributes: [(name: String, path: any KeyPath<Saying, String> & Sendable)] = [
        ("plain", \.plain), ("indexed", \.indexed), ("unique", \.unique), ("sealed", \.sealed), ("hidden", \.hidden),
        ("lowered", \.lowered),
    ]

    /// The number of comparisons of all cases together: some thousands, or more on request.
    private static let count =
        ProcessInfo.processInfo.environment["TRANSFORMABLE_TEXT_COMPARISONS"].flatMap(Int.init) ?? 720

    /// The number of operands that each case compares with, in every attribute and in both directions.
    private static var operandCount: Int {
        let perOperand = rules.count * Sayings.Arrangement.allCases.count * attributes.count * 2
        return (count + perOperand - 1) / perOperand
    }

    @Test(arguments: rules, Sayings.Arrangement.allCases)
    func findsTheSameTextAsSwift(_ rule: Rule, _ arrangement: Sayings.Arrangement) throws {
        var sayings = try Sayings(arrangement, seed: 1)
        var texts = MixedText(seed: 77)
        for round in 0..<Self.operandCount {
            // Occasionally, other texts.
            if round > 0, round % 8 == 0 { sayings = try Sayings(arrangement, seed: UInt64(round)) }
            for (name, path) in Self.attributes {
                let stored = sayings.objects.map { $0[keyPath: path] }
                let operands = (0..<2 + round % 3).map { _ in texts.operand(near: stored) }
                try Self.compare(rule, operands, name, path, in: sayings)
            }
        }
    }

    private static func compare(
        _ rule: Rule,
        _ operands: [String],
        _ name: String,
        _ path: any KeyPath<Saying, String> & Sendable,
        in sayings: Sayings
    ) throws {
        let predicate = Predicate<Saying> { variable in
            rule.predicate(Expressions.build_KeyPath(root: variable, keyPath: path), operands)
        }
        let expected = try sayings.objects
            .filter { saying in
                try rule.order.map { $0(saying[keyPath: path], operands) } ?? predicate.evaluate(saying)
            }
            .map(\.persistentID)
        let scalars = operands.map { $0.unicodeScalars.map { String($0.value, radix: 16) } }
        let found = try sayings.context.fetch(Saying.self, where: predicate).map(\.persistentID)
        #expect(found == expected, "predicate on \(name), \(scalars)")
        let condition = rule.condition(Field(name), operands)
        let byName = try sayings.context.ids(Saying.self, where: condition)
        #expect(byName == expected, "condition on \(name), \(scalars)")
        #expect(try sayings.context.count(Saying.self, where: condition) == expected.count)
    }

    @Test(arguments: Sayings.Arrangement.allCases, 1...4 as ClosedRange<UInt64>)
    func sortsLikeSwift(_ arrangement: Sayings.Arrangement, _ seed: UInt64) throws {
        let sayings = try Sayings(arrangement, seed: seed)
        for path in [\Saying.plain, \.indexed, \.unique] as [any KeyPath<Saying, String> & Sendable] {
            let found = try sayings.context.fetch(Saying.self, sortedBy: [SortDescriptor(path)])
            let texts = found.map { $0[keyPath: path] }
            #expect(!zip(texts, texts.dropFirst()).contains { MixedText.precedes($1, $0) })
            #expect(Set(found.map(\.persistentID)).count == Sayings.count)
        }
    }
}
