import Foundation
import GeometryPlugin
import Testing
import Transformable

@Suite struct PackedGeometryTransformerTests {
    /// IEEE 754 binary64: 1 is 0x3FF0…, 2 is 0x4000…, -0.5 is 0xBFE0….
    @Test func writesLittleEndianDoubles() throws {
        let bytes = try PackedGeometryTransformer<Vector>().encode(Vector(dx: 1, dy: -0.5))
        #expect(Array(bytes) == [0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0xE0, 0xBF])
    }

    @Test func usesEightBytesPerNumber() throws {
        #expect(try PackedGeometryTransformer<CGRect>().encode(.zero) == Data(count: 32))
        #expect(try PackedGeometryTransformer<AffineTransform>().encode(.identity).count == 48)
        #expect(try PackedGeometryTransformer<NSEdgeInsets>().encode(NSEdgeInsets()).count == 32)
    }

    @Test(arguments: [0, 1, 31, 33, 64])
    func requiresTheExactLength(count: Int) throws {
        let error = try #require(throws: TransformerError.self) {
            try PackedGeometryTransformer<CGRect>().decode(Data(count: count))
        }
        #expect(error.code == .invalidData)
        #expect(error.offset == min(count, 32))
    }

    @Test func readsSlices() throws {
        let bytes =
            Data([9, 9, 9]) + (try PackedGeometryTransformer<CGPoint>().encode(CGPoint(x: 3, y: 4))) + Data([9])
        #expect(try PackedGeometryTransformer<CGPoint>().decode(bytes[3..<19]) == CGPoint(x: 3, y: 4))
    }
}

@Suite struct VectorTests {
    /// `CGVector` is coded as an array of dx and dy.
    @Test func vectorsAreEncodedAsTwoNumbers() throws {
        let json = try JSONEncoder().encode(Vector(dx: 1.5, dy: -2))
        #expect(String(decoding: json, as: UTF8.self) == "[1.5,-2]")
        #expect(try JSONDecoder().decode(Vector.self, from: json) == Vector(dx: 1.5, dy: -2))
    }
}
