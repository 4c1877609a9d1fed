import Foundation
import Testing
import _HostileInputs

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
