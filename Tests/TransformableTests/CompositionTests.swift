import Foundation
import Testing
import Transformable

@Suite struct CompositionTests {
    @Test func runsStagesInOrderAndBack() throws {
        let composed = Stages.digits.then(TextTransformer()).then(Stages.flipped)
        #expect(try composed.encode(7) == Data([0xC8]))  // the complement of 0x37, the digit 7
        #expect(try composed.decode(Data([0xCE, 0xCD])) == 12)
    }

    @Test func compositionIsOneWayIfAStageIs() throws {
        let composed = Stages.digits.then(TextTransformer()).then(Stages.size)
        #expect(try composed.encode(1234) == 4)
        #expect(!(composed is any Transformer))
    }

    @Test func asksEachStageForItsCandidates() throws {
        let composed = Stages.digits.then(Stages.Rotating())
        #expect(try composed.candidates(for: 5, in: .none) == ["25", "15"])
        let twice = composed.then(Stages.Rotating())
        #expect(try twice.candidates(for: 5, in: .none) == ["225", "125", "215", "115"])
        #expect(try composed.candidates(forAnyOf: [5, 6], in: .none) == ["25", "15", "26", "16"])
    }

    @Test func comparesBytesIfEncodingIsDeterministic() throws {
        let composed = Stages.digits.then(TextTransformer())
        #expect(try composed.isUnchanged(5, since: Data("5".utf8), in: .none))
        #expect(try !composed.isUnchanged(5, since: Data("05".utf8), in: .none))
    }

    @Test func comparesValuesIfEncodingIsNotDeterministic() throws {
        let composed = Stages.digits.then(TextTransformer()).then(Stages.salted)
        #expect(try composed.isUnchanged(5, since: composed.encode(5), in: .none))
        #expect(try !composed.isUnchanged(5, since: composed.encode(6), in: .none))
    }

    @Test func theIdentityChangesNothing() throws {
        let composed = IdentityTransformer<Int>().then(Stages.digits).then(IdentityTransformer())
        #expect(try composed.encode(5) == "5")
        #expect(try composed.decode("6") == 6)
        #expect(composed.traits == .deterministic)
    }

    @Test func inverts() throws {
        let inverted = Stages.digits.inverted
        #expect(try inverted.encode("12") == 12)
        #expect(try inverted.decode(12) == "12")
        #expect(inverted.traits == .deterministic)
        #expect(try inverted.inverted.encode(3) == "3")
        #expect(throws: TransformerError.invalidData("")) { try inverted.encode("x") }
    }

    @Test func passesOnTheContext() throws {
        let stamped = StampingTransformer().then(Stages.flipped)
        let context = TransformContext(entity: 1, attribute: 7)
        let bytes = try stamped.encode("a", in: context)
        #expect(bytes == Data([~7, ~0x61]))
        #expect(try stamped.decode(bytes, in: context) == "a")
        #expect(throws: TransformerError.invalidData("")) { try stamped.decode(bytes, in: .none) }
    }
}

/// Text behind the number of its attribute.
private struct StampingTransformer: Transformer {
    let traits: TransformerTraits = [.deterministic, .contextual]

    func encode(_ value: String, in context: TransformContext) -> Data {
        Data([UInt8(context.attribute ?? 0)]) + Data(value.utf8)
    }

    func decode(_ encoded: Data, in context: TransformContext) throws -> String {
        guard encoded.first == UInt8(context.attribute ?? 0) else {
            throw TransformerError.invalidData("the bytes belong to another attribute")
        }
        return try TextTransformer().decode(encoded.dropFirst())
    }
}
