import Foundation
import Testing
import Transformable
import TransformableTesting

@Suite struct PlantedFaultTests {
    @Test(arguments: PlantedFault.ofValues + PlantedFault.ofTraits + PlantedFault.ofDecoders)
    func lawCatchesItsFault(fault: PlantedFault) {
        let violations = fault.violations()
        #expect(violations.contains { $0.law == fault.law })
        #expect(violations.filter { $0.law != fault.law && !fault.consequences.contains($0.law) } == [])
    }
}

/// A transformer that consists of closures for everything that can be implemented incorrectly.
///
/// By default, it correctly writes integers as decimal digits.
struct PlantedTransformer<Value: Equatable & Sendable, Encoded: Equatable & Sendable>: Transformer {
    var traits: TransformerTraits = .plain
    var encoding: @Sendable (Value, TransformContext) throws -> Encoded
    var decoding: @Sendable (Encoded, TransformContext) throws -> Value
    var comparison: (@Sendable (Value, Encoded) throws -> Bool)?
    var finding: (@Sendable (Value) throws -> [Encoded])?
    var findingAny: (@Sendable ([Value]) throws -> [Encoded])?

    func encode(_ value: Value, in context: TransformContext) throws -> Encoded {
        try encoding(value, context)
    }

    func decode(_ encoded: Encoded, in context: TransformContext) throws -> Value {
        try decoding(encoded, context)
    }

    func isUnchanged(_ value: Value, since encoded: Encoded, in context: TransformContext) throws -> Bool {
        try comparison?(value, encoded) ?? (encode(value, in: context) == encoded)
    }

    func candidates(for value: Value, in context: TransformContext) throws -> [Encoded] {
        try finding?(value) ?? [encode(value, in: context)]
    }

    func candidates(forAnyOf values: [Value], in context: TransformContext) throws -> [Encoded] {
        try findingAny?(values) ?? values.flatMap { try candidates(for: $0, in: context) }
    }
}

/// Transformers with planted faults, and the laws that detect them.
struct PlantedFault: CustomStringConvertible, Sendable {
    let description: String
    /// The law that must be violated.
    let law: TransformerLaw
    /// Laws that the fault can also violate.
    let consequences: [TransformerLaw]
    let violations: @Sendable () -> [LawViolation]

    init<Value: Equatable & Sendable, Encoded: Equatable & Sendable>(
        _ description: String,
        breaks law: TransformerLaw,
        and consequences: TransformerLaw...,
        of transformer: some OneWayTransformer<Value, Encoded>,
        values: [Value],
        prepare: @escaping @Sendable (inout TransformerLaws<Value, Encoded>) -> Void = { _ in }
    ) {
        self.description = description
        self.law = law
        self.consequences = consequences
        violations = {
            var prepared = TransformerLaws(of: transformer, values: values)
            prepare(&prepared)
            return prepared.violations()
        }
    }
}

/// Strictly parsed decimal digits, which the planted faults distort.
enum Digits {
    static func encode(_ number: Int) -> Data {
        Data(String(number).utf8)
    }

    static func decode(_ bytes: Data) throws -> Int {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let number = Int(text), String(number) == text else {
            throw TransformerError.invalidData("the bytes are not the digits of an integer")
        }
        return number
    }

    static let values = [0, 1, -1, 42, 1234, Int.max, Int.min]
}
