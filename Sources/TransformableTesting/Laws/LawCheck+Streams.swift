internal import Foundation
internal import Transformable

extension LawCheck {
    private var streams: (any StreamTransformer)? { laws.transformer as? any StreamTransformer }

    /// Checks that streams read what whole values are encoded to and the other way around, however their input is
    /// divided into pieces.
    func checkStreams() {
        guard let streams else { return }
        eachValue(.streams, weight: 30) { index, value in
            guard let plain = value as? Data else { return }
            let encoded = try streams.encode(plain, in: context)
            let expected = try streams.decode(encoded, in: context)
            for division in Division.allCases {
                let form = try streamed(division.pieces(of: plain)) { try streams.encodingStream(in: context) }
                let decoded = try form.map { try streams.decode($0, in: context) }
                expect(decoded, expected, index, "what a stream encodes from \(division.rawValue) decodes")
                for (origin, form) in [("an encoded form", encoded), ("what a stream encodes", form ?? encoded)] {
                    let decoded = try streamed(division.pieces(of: form)) { try streams.decodingStream(in: context) }
                    expect(decoded, expected, index, "a stream decodes \(origin), in \(division.rawValue),")
                }
            }
        }
    }

    /// Returns the form that a stream encodes a value to, which can differ from that of the whole value.
    func streamedForm(of value: Value) -> Encoded? {
        guard let streams, let plain = value as? Data else { return nil }
        let form = try? streamed(Division.halves.pieces(of: plain)) { try streams.encodingStream(in: context) }
        guard let form else { return nil }
        return form as? Encoded
    }

    /// Checks that a stream either throws a typed error for a damaged form, or decodes it to the same value as without a
    /// stream.
    func checkStream(of damaged: Encoded, _ subject: String) {
        guard let streams, let damaged = damaged as? Data else { return }
        do {
            let pieces = Division.halves.pieces(of: damaged)
            guard let decoded = try streamed(pieces, { try streams.decodingStream(in: context) }) else { return }
            let isForged = traits.contains(.authenticated)
            expect(!isForged, .authenticated, "\(subject): decodes, but the transformer claims to be authenticated")
            guard let whole = try? streams.decode(damaged, in: context) else { return }
            expect(areSame(decoded, whole), .streams, "\(subject): a stream decodes it to a different value")
        } catch {
            inspect(error, subject)
        }
    }

    /// Records a violation if a result differs from the expected one.
    private func expect(_ result: Data?, _ expected: Data, _ index: Int, _ origin: String) {
        guard let result, !areSame(result, expected) else { return }
        let values = traits.contains(.confidential) ? "" : ": \(excerpt(of: result)), not \(excerpt(of: expected))"
        expect(false, .streams, "\(describe(index)): \(origin) to a different value\(values)")
    }

    private func areSame(_ left: Data, _ right: Data) -> Bool {
        guard let left = left as? Value, let right = right as? Value else { return false }
        return laws.areEqual(left, right)
    }
}

/// Passes pieces to a stream, and returns all of its output, or nil if that is out of proportion to a check.
///
/// A stream may produce more than fits in memory, such as the content of a small compressed file.
private func streamed(_ pieces: [Data], _ makeStream: () throws -> any ByteStream) throws -> Data? {
    var result = Data()
    func collect(_ piece: Data) throws {
        guard result.count + piece.count <= 32 << 20 else { throw TooMuchOutput() }
        result += piece
    }
    let stream = try makeStream()
    do {
        for piece in pieces { try stream.push(piece, into: collect) }
        try stream.finish(into: collect)
    } catch is TooMuchOutput {
        return nil
    }
    return result
}

private struct TooMuchOutput: Error {}

/// A way to divide bytes into pieces.
private enum Division: String, CaseIterable {
    case whole = "one piece"
    case halves = "two pieces"
    case bytes = "single bytes"

    /// Returns the pieces, which are slices and can be empty.
    ///
    /// Only the first and the last bytes of a long value are single.
    func pieces(of bytes: Data) -> [Data] {
        let count = bytes.count
        let cuts =
            switch self {
            case .whole: [Int]()
            case .halves: [count / 2]
            case .bytes: Array(0..<min(count, 256)) + Array(max(min(count, 256), count - 256)..<count)
            }
        return zip([0] + cuts, cuts + [count]).map { start, end in bytes.dropFirst(start).prefix(end - start) }
    }
}
