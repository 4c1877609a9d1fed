import Foundation
import GeometryPlugin
import Testing
import Transformable
import _HostileInputs

/// Damaged texts give a value that encodes again, or a typed error at a place within the text.
@Suite struct MutatedTextTests {
    private static let alphabet = Array("{}[](), .-+0123456789eEinfasx\n\0é".utf8)

    private static func mutations(of text: String, count: Int) -> [String] {
        var generator = SeededGenerator(seed: UInt64(text.utf8.count))
        return (0..<count)
            .map { _ in
                var bytes = Array(text.utf8)
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let start = Int.random(in: 0...bytes.count, using: &generator)
                    let end = min(bytes.count, start + Int.random(in: 0...2, using: &generator))
                    let added = (0..<Int.random(in: 0...2, using: &generator))
                        .compactMap { _ in alphabet.randomElement(using: &generator) }
                    bytes.replaceSubrange(start..<end, with: added)
                }
                return String(decoding: bytes, as: UTF8.self)
            }
    }

    @Test(arguments: ["{{1.5, -2}, {3e+20, 4}}", "{{nan(0x1f), -inf}, {inf, -snan(0x2)}}", "{{0,0},{1e-05,12345678}}"])
    func rects(text: String) throws {
        try check(GeometryTransformer<CGRect>(), Self.mutations(of: text, count: 2_000)) {
            $0.numbers.map(\.bitPattern)
        }
    }

    @Test(arguments: ["[1, 0, 0, 1, 2.5, 3]", "{0.1, 1, 22, 333, -4444, 55555}"])
    func affineTransforms(text: String) throws {
        try check(GeometryTransformer<AffineTransform>(), Self.mutations(of: text, count: 2_000)) {
            $0.numbers.map(\.bitPattern)
        }
    }

    @Test(arguments: ["{2, 5}", "{9223372036854775807, 0}", "{-9223372036854775808, 9223372036854775807}"])
    func ranges(text: String) throws {
        let texts = Self.mutations(of: text, count: 2_000)
        try check(RangeTransformer<NSRange>(), texts) { $0 }
        try check(RangeTransformer<Range<Int>>(), texts) { $0 }
    }

    private func check<Value, Key: Equatable>(
        _ transformer: some Transformer<Value, String>,
        _ texts: [String],
        key: (Value) -> Key
    ) throws {
        for text in texts {
            do {
                let value = try transformer.decode(text)
                let again = try transformer.decode(transformer.encode(value))
                #expect(key(again) == key(value), "\(text)")
            } catch let error as TransformerError {
                #expect(error.code == .invalidData, "\(text)")
                #expect((0...text.utf8.count).contains(error.offset ?? -1), "\(text)")
            }
        }
    }
}
