import Foundation
import Testing
import Transformable

@Suite struct LiftingTests {
    @Test func liftsToOptionals() throws {
        let lifted = Stages.digits.lifted
        #expect(try lifted.encode(nil) == nil)
        #expect(try lifted.encode(5) == "5")
        #expect(try lifted.decode(nil) == nil)
        #expect(try lifted.decode("5") == 5)
        #expect(try lifted.isUnchanged(nil, since: nil, in: .none))
        #expect(try !lifted.isUnchanged(nil, since: "5", in: .none))
    }

    @Test func optionalsForwardCandidates() throws {
        #expect(try Stages.Rotating().lifted.candidates(for: "a", in: .none) == ["2a", "1a"])
        #expect(try Stages.Rotating().lifted.candidates(for: nil, in: .none) == [nil])
        #expect(try Stages.Rotating().lifted.candidates(forAnyOf: ["a", nil], in: .none) == ["2a", "1a", nil])
    }

    // Otherwise, a search would find only what was written with the newest key.
    @Test func collectionsCombineCandidates() throws {
        let rotating = Stages.Rotating()
        let all = [["2a", "2b"], ["2a", "1b"], ["1a", "2b"], ["1a", "1b"]]
        #expect(try rotating.ofArray.candidates(for: ["a", "b"], in: .none) == all)
        #expect(try rotating.ofArray.candidates(for: [], in: .none) == [[]])
        #expect(try Set(rotating.ofSet.candidates(for: ["a", "b"], in: .none)) == Set(all.map { Set($0) }))
        let dictionary = rotating.ofDictionary(keyedBy: Int.self)
        #expect(try dictionary.candidates(for: [7: "a"], in: .none) == [[7: "2a"], [7: "1a"]])
        let pairs = try dictionary.candidates(for: [7: "a", 8: "b"], in: .none)
        #expect(Set(pairs) == Set(all.map { [7: $0[0], 8: $0[1]] }))
    }

    @Test func arraysRefuseTooManyCombinations() throws {
        let long = Array(repeating: "a", count: 13)
        #expect(try Stages.Rotating().ofArray.candidates(for: Array(long.dropLast()), in: .none).count == 4096)
        #expect(throws: TransformerError(.limitExceeded, "")) {
            try Stages.Rotating().ofArray.candidates(for: long, in: .none)
        }
        #expect(try Stages.digits.ofArray.candidates(for: Array(0..<5000), in: .none).map(\.count) == [5000])
    }

    @Test func optionalsForwardIsUnchanged() throws {
        let lifted = OpaqueTransformer().lifted
        let bytes = try lifted.encode(Opaque(5))
        #expect(try lifted.isUnchanged(Opaque(5), since: bytes, in: .none))
        #expect(try !lifted.isUnchanged(Opaque(6), since: bytes, in: .none))
        #expect(try !lifted.isUnchanged(nil, since: bytes, in: .none))
        #expect(try lifted.isUnchanged(nil, since: nil, in: .none))
    }

    @Test func collectionsForwardIsUnchanged() throws {
        let array = OpaqueTransformer().ofArray
        let bytes = try array.encode([Opaque(5), Opaque(6)])
        #expect(try array.isUnchanged([Opaque(5), Opaque(6)], since: bytes, in: .none))
        #expect(try !array.isUnchanged([Opaque(6), Opaque(5)], since: bytes, in: .none))
        #expect(try !array.isUnchanged([Opaque(5)], since: bytes, in: .none))
        let dictionary = OpaqueTransformer().ofDictionary(keyedBy: Int.self)
        let encoded = try dictionary.encode([1: Opaque(5)])
        #expect(try dictionary.isUnchanged([1: Opaque(5)], since: encoded, in: .none))
        #expect(try !dictionary.isUnchanged([2: Opaque(5)], since: encoded, in: .none))
        #expect(try !dictionary.isUnchanged([:], since: encoded, in: .none))
    }

    @Test func liftsToArrays() throws {
        let lifted = Stages.digits.ofArray
        #expect(try lifted.encode([3, -1]) == ["3", "-1"])
        #expect(try lifted.decode(["3", "-1"]) == [3, -1])
        #expect(try lifted.encode([]) == [])
    }

    @Test func errorsOfArraysIncludeTheIndex() {
        let error = #expect(throws: TransformerError.self) { try Stages.digits.ofArray.decode(["1", "2", "x"]) }
        #expect(error?.code == .invalidData)
        #expect(error?.message.contains("index 2") == true)
        #expect(error?.message.contains("“x” is no integer") == true)
    }

    @Test func errorsOfNestedArraysIncludeBothIndexes() {
        let error = #expect(throws: TransformerError.self) { try Stages.digits.ofArray.ofArray.decode([[], ["x"]]) }
        #expect(error?.message == "at index 1: at index 0: “x” is no integer")
    }

    @Test func liftsToSets() throws {
        let lifted = Stages.digits.ofSet
        #expect(try lifted.encode([3, -1]) == ["3", "-1"])
        #expect(try lifted.decode(["3", "-1"]) == [3, -1])
    }

    @Test func setsLoseNoElement() {
        let even = FunctionTransformer<Int, Int>(encode: { $0 / 2 * 2 }, decode: { $0 / 2 * 2 })
        #expect(throws: TransformerError.invalidValue("")) { try even.ofSet.encode([2, 3]) }
        #expect(throws: TransformerError.invalidData("")) { try even.ofSet.decode([2, 3]) }
    }

    @Test func liftsToDictionaries() throws {
        let lifted = Stages.digits.ofDictionary(keyedBy: String.self)
        #expect(try lifted.encode(["a": 3]) == ["a": "3"])
        #expect(try lifted.decode(["a": "3"]) == ["a": 3])
        let error = #expect(throws: TransformerError.self) { try lifted.decode(["a": "1", "b": "x"]) }
        #expect(error?.message.contains("key “b”") == true)
    }

    @Test func otherErrorsAreWrapped() {
        let error = #expect(throws: TransformerError.self) { try Stages.word.ofArray.decode(["a b"]) }
        #expect(error?.code == .invalidData)
        #expect(error?.underlying is Stages.QuotingError)
    }

    @Test func liftsOneWayTransformers() throws {
        #expect(try Stages.size.ofArray.encode([Data(), Data(count: 3)]) == [0, 3])
        #expect(try Stages.size.lifted.encode(nil) == nil)
        #expect(!(Stages.size.ofArray is any Transformer))
    }

    @Test func liftedFormsHaveNoOrder() {
        let ordered = IdentityTransformer<Int>()
        #expect(ordered.traits.contains(.ordered))
        #expect(!ordered.ofArray.traits.contains(.ordered))
        #expect(!ordered.ofSet.traits.contains(.ordered))
        #expect(!ordered.ofDictionary(keyedBy: Int.self).traits.contains(.ordered))
    }
}

/// A number that only its transformer compares.
private struct Opaque: Sendable {
    let number: UInt8

    init(_ number: UInt8) {
        self.number = number
    }
}

/// Encodes another way each time, and knows which values are equal.
private struct OpaqueTransformer: Transformer {
    let traits: TransformerTraits = []

    func encode(_ value: Opaque, in context: TransformContext) -> Data {
        Data([value.number, UInt8.random(in: 0...255)])
    }

    func decode(_ encoded: Data, in context: TransformContext) throws -> Opaque {
        guard let number = encoded.first else { throw TransformerError.invalidData("there are no bytes") }
        return Opaque(number)
    }

    func isUnchanged(_ value: Opaque, since encoded: Data, in context: TransformContext) throws -> Bool {
        try decode(encoded, in: context).number == value.number
    }
}
