import Foundation
import Testing
import Transformable

@Suite struct StreamTransformerTests {
    /// Adds a number to each byte, in pieces.
    private struct Shift: StreamTransformer {
        let number: UInt8
        var traits = TransformerTraits.plain

        func encode(_ value: Data, in context: TransformContext) -> Data { Data(value.map { $0 &+ number }) }

        func decode(_ encoded: Data, in context: TransformContext) throws -> Data {
            guard !encoded.contains(0) else { throw TransformerError.invalidData("there is a zero: \(encoded)") }
            return Data(encoded.map { $0 &- number })
        }

        func encodingStream(in context: TransformContext) -> any ByteStream { Stream { encode($0, in: context) } }

        func decodingStream(in context: TransformContext) -> any ByteStream { Stream { try decode($0, in: context) } }

        final class Stream: ByteStream {
            let transform: (Data) throws -> Data

            init(_ transform: @escaping (Data) throws -> Data) {
                self.transform = transform
            }

            func push(_ bytes: Data, into output: (Data) throws -> Void) throws { try output(transform(bytes)) }

            func finish(into output: (Data) throws -> Void) throws { try output(Data([9])) }
        }
    }

    private func run(_ stream: any ByteStream, _ pieces: [Data]) throws -> Data {
        var result = Data()
        for piece in pieces { try stream.push(piece) { result += $0 } }
        try stream.finish { result += $0 }
        return result
    }

    @Test func aCompositionPipesPieces() throws {
        let both = Shift(number: 1).then(Shift(number: 10))
        #expect(try run(both.encodingStream(in: .none), [Data([1]), Data([2, 3])]) == Data([12, 13, 14, 19, 9]))
    }

    @Test func findsTheStreamingStagesAtTheEnd() throws {
        let registry = try TransformerRegistry {
            Registration.text
            Registration("shift", Shift(number: 1))
            Registration("flip", Stages.flipped)
        }
        let all = try registry.resolve("shift | shift", for: Data.self)
        #expect(all.streamed?.head == nil)
        #expect(try all.streamed?.tail.encode(Data([1])) == Data([3]))
        let some = try #require(try registry.resolve("text | flip | shift | shift", for: String.self).streamed)
        let head = try #require(some.head as? any Transformer<String, Data>)
        #expect(try some.tail.encode(head.encode("a")) == Data([~97 &+ 2]))
        #expect(try registry.resolve("shift | flip", for: Data.self).streamed == nil)
    }

    @Test func errorsNameTheStage() throws {
        let registry = try TransformerRegistry { Registration("shift", Shift(number: 1)) }
        let tail = try #require(try registry.resolve("shift", for: Data.self).streamed?.tail)
        let error = #expect(throws: TransformerError.self) {
            try run(tail.decodingStream(in: .none), [Data([0])])
        }
        #expect(error?.transformer == "shift")
    }

    @Test func errorsBeforeAConfidentialStageAreRedacted() throws {
        // 1 becomes 0, which the stage on the plain side refuses and would describe.
        let secret = Shift(number: 0).then(Shift(number: 1, traits: [.confidential]))
        let error = #expect(throws: TransformerError.self) {
            try run(secret.decodingStream(in: .none), [Data([1])])
        }
        #expect(error?.code == .invalidData)
        #expect(error?.message.contains("zero") == false)
    }

    @Test func errorsOfTheOutputAreUnchanged() throws {
        struct Refusal: Error {}
        let registry = try TransformerRegistry { Registration("shift", Shift(number: 1)) }
        let tail = try #require(try registry.resolve("shift | shift", for: Data.self).streamed?.tail)
        #expect(throws: Refusal.self) {
            try tail.encodingStream(in: .none).push(Data([1])) { _ in throw Refusal() }
        }
    }

    @Test func aCollectingStreamTransformsTheWhole() throws {
        let stream = CollectingStream { Data($0.reversed()) }
        #expect(try run(stream, [Data([1]), Data([2, 3])]) == Data([3, 2, 1]))
    }
}
