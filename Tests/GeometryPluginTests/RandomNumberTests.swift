import Foundation
import GeometryPlugin
import Testing
import Transformable
import _HostileInputs

/// Random numbers of each class, four to a rect; a million when it is asked for.
@Suite struct RandomNumberTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["TRANSFORMABLE_RANDOM_VALUES"].flatMap(Int.init) ?? 10_000

    private static func rects(_ numbers: DoubleClass) -> [CGRect] {
        var generator = SeededGenerator(seed: 20_010_101)
        return (0..<count / 4)
            .map { _ in CGRect(numbers: (0..<4).map { _ in numbers.number(&generator) }) }
    }

    private static func bits(_ rects: [CGRect]) -> [UInt64] {
        rects.flatMap { $0.numbers.map(\.bitPattern) }
    }

    @Test(arguments: DoubleClass.allCases)
    func rectsRoundTripAsTextBitForBit(numbers: DoubleClass) throws {
        let rects = Self.rects(numbers)
        let transformer = GeometryTransformer<CGRect>()
        let read = try rects.map { try transformer.decode(transformer.encode($0)) }
        #expect(Self.bits(read) == Self.bits(rects))
    }

    @Test(arguments: DoubleClass.allCases)
    func rectsRoundTripAsPackedBytesBitForBit(numbers: DoubleClass) throws {
        let rects = Self.rects(numbers)
        let transformer = PackedGeometryTransformer<CGRect>()
        let read = try rects.map { try transformer.decode(transformer.encode($0)) }
        #expect(Self.bits(read) == Self.bits(rects))
    }

    /// The C library's own words, and back from them; only NaNs lose their signs and payloads.
    @Test(arguments: DoubleClass.allCases)
    func writesNumbersInAppleStyleLikeC(numbers: DoubleClass) throws {
        let transformer = GeometryTransformer<CGRect>(style: .apple)
        for rect in Self.rects(numbers).prefix(1_000) {
            let text = try transformer.encode(rect)
            let printed = String(format: "{{%.17g, %.17g}, {%.17g, %.17g}}", arguments: rect.numbers)
            #expect(text == printed.replacing("-nan", with: "nan"))
            let read = try transformer.decode(text).numbers
            #expect(zip(read, rect.numbers).allSatisfy { $0.bitPattern == $1.bitPattern || $0.isNaN && $1.isNaN })
        }
    }

    /// Foundation writes the shortest digits too, but forgets a NaN's payload and leaves `.0` at whole numbers.
    @Test(arguments: DoubleClass.allCases.filter { !$0.isNaN })
    func writesNumbersLikeFoundation(numbers: DoubleClass) throws {
        for rect in Self.rects(numbers).prefix(1_000) where rect.numbers.allSatisfy({ !$0.isNaN }) {
            let text = NSStringFromRect(rect).replacing(".0,", with: ",").replacing(".0}", with: "}")
            #expect(try GeometryTransformer<CGRect>().encode(rect) == text)
        }
    }
}

/// Classes of bit patterns that a double can have, or that make trouble as text.
enum DoubleClass: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case anyBits, subnormal, huge, tiny, integer, zeroOrInfinite, quietNaN, signalingNaN, shortDecimal, nearPowerOfTen

    var testDescription: String { rawValue }

    var isNaN: Bool { self == .quietNaN || self == .signalingNaN }

    func number(_ generator: inout SeededGenerator) -> Double {
        let bits = generator.next()
        let sign = bits & 1 << 63
        let fraction = bits & (1 << 52 - 1)
        return switch self {
        case .anyBits: Double(bitPattern: bits)
        case .subnormal: Double(bitPattern: sign | fraction)
        case .huge: Double(bitPattern: sign | (0x7FE - bits >> 52 & 0xF) << 52 | fraction)
        case .tiny: Double(bitPattern: sign | (1 + bits >> 52 & 0xF) << 52 | fraction)
        case .integer: Double(Int64(bitPattern: bits) >> Int64.random(in: 0..<63, using: &generator))
        case .zeroOrInfinite: Double(bitPattern: sign | (bits & 1) * 0x7FF << 52)
        case .quietNaN: Double(bitPattern: sign | 0xFFF << 51 | fraction >> 1)
        case .signalingNaN: Double(bitPattern: sign | 0x7FF << 52 | max(fraction >> 1, 1))
        case .shortDecimal: Double(Int64(bitPattern: bits) >> 44) / 1000
        case .nearPowerOfTen: Self.beside(pow(10, Double(Int(bits >> 8) % 308)), &generator)
        }
    }

    private static func beside(_ number: Double, _ generator: inout SeededGenerator) -> Double {
        let distance = Int64.random(in: -2...2, using: &generator)
        return Double(bitPattern: UInt64(Int64(bitPattern: number.bitPattern) + distance))
    }
}
