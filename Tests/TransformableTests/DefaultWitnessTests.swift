import Foundation
import Testing
import Transformable

/// What a transformer gets that states no more than it must.
@Suite struct DefaultWitnessTests {
    @Test func deterministicTransformersCompareBytes() throws {
        #expect(try Stages.digits.isUnchanged(5, since: "5", in: .none))
        #expect(try !Stages.digits.isUnchanged(5, since: "+5", in: .none))
    }

    @Test func otherTransformersCompareValues() throws {
        let bytes = try Stages.salted.encode(Data([1]))
        #expect(try Stages.salted.isUnchanged(Data([1]), since: bytes, in: .none))
        #expect(try !Stages.salted.isUnchanged(Data([2]), since: bytes, in: .none))
        #expect(throws: TransformerError.invalidData("")) {
            try Stages.salted.isUnchanged(Data([2]), since: Data(), in: .none)
        }
    }

    @Test func optionalValuesAreCompared() throws {
        let optional = FunctionTransformer<Int?, Data>(
            traits: [],
            encode: { Data("\($0 ?? -1)".utf8) },
            decode: { Int(String(decoding: $0, as: UTF8.self)).flatMap { $0 < 0 ? nil : $0 } }
        )
        #expect(try optional.isUnchanged(nil, since: Data("-1".utf8), in: .none))
        #expect(try !optional.isUnchanged(nil, since: Data("1".utf8), in: .none))
        #expect(try !optional.isUnchanged(1, since: Data("-1".utf8), in: .none))
        #expect(try optional.isUnchanged(1, since: Data("1".utf8), in: .none))
    }

    @Test func valuesWithoutEqualityCountAsChanged() throws {
        struct Opaque: Sendable {}
        let opaque = FunctionTransformer<Opaque, Data>(traits: [], encode: { _ in Data() }, decode: { _ in Opaque() })
        #expect(try !opaque.isUnchanged(Opaque(), since: Data(), in: .none))
    }

    @Test func theEncodedFormIsTheOnlyCandidate() throws {
        #expect(try Stages.digits.candidates(for: 5, in: .none) == ["5"])
    }

    @Test func encodesAndDecodesWithoutAContext() throws {
        let place = FunctionTransformer<Int, Int> { $0 }
        #expect(try place.encode(1) == 1)
        #expect(try place.decode(1) == 1)
        #expect(TransformContext.none == TransformContext())
    }
}
