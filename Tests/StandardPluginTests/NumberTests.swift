import Foundation
import StandardPlugin
import Testing
import Transformable

@Suite struct NumberTests {
    @Test(arguments: [
        Sample("int8", -1, "ff"), Sample("int16", -2, "feff"), Sample("int16(order: big)", -2, "fffe"),
        Sample("int32", 305_419_896, "78563412"), Sample("int32(order: big)", 305_419_896, "12345678"),
        Sample("int64", Int.min, "0000000000000080"), Sample("uint8", 255, "ff"), Sample("uint16", 258, "0201"),
        Sample("uint32", 4_294_967_295, "ffffffff"), Sample("uint64(order: big)", 1, "0000000000000001"),
    ])
    func writesIntegersAsBytes(sample: Sample<Int, String>) throws {
        #expect(try encode(sample.expression, sample.value, to: Data.self) == Data(hex: sample.encoded))
        #expect(try decode(sample.expression, Data(hex: sample.encoded), as: Int.self) == sample.value)
    }

    @Test(arguments: [("int8", 128), ("uint8", -1), ("uint16", 65_536), ("int32", 2_147_483_648), ("uint64", -1)])
    func rejectsIntegersThatDoNotFit(name: String, value: Int) {
        expectFailure(.invalidValue) { try encode(name, value, to: Data.self) }
    }

    @Test func rejectsBytesThatDoNotFit() {
        expectFailure(.invalidData, at: 3) { try decode("int32", Data(count: 3), as: Int.self) }
        expectFailure(.invalidData, at: 4) { try decode("int32", Data(count: 5), as: Int.self) }
        expectFailure(.invalidData) { try decode("uint64", Data(repeating: 255, count: 8), as: Int.self) }
    }

    @Test func supportsEveryIntegerType() throws {
        #expect(try decode("uint64", Data(repeating: 255, count: 8), as: UInt64.self) == .max)
        #expect(try encode("int16", UInt8(7), to: Data.self) == Data([7, 0]))
        #expect(try standardRegistry().resolve("int16").valueType is Int16.Type)
        expectFailure(.unsupportedType) { try standardRegistry().resolve("int16", for: String.self) }
    }

    @Test func ordersUnsignedBigEndianBytes() throws {
        let registry = try standardRegistry()
        #expect(try registry.resolve("uint32(order: big)").traits.contains(.ordered))
        #expect(try !registry.resolve("uint32").traits.contains(.ordered))
        #expect(try !registry.resolve("int32(order: big)").traits.contains(.ordered))
        #expect(try registry.resolve("uint8").traits.contains(.ordered))
    }

    /// IEEE 754's own bit patterns.
    @Test(arguments: [
        Sample("double(order: big)", 1.0, "3ff0000000000000"), Sample("double", -2.0, "00000000000000c0"),
        Sample("double(order: big)", 0.1, "3fb999999999999a"), Sample("double(order: big)", -0.0, "8000000000000000"),
        Sample("double(order: big)", .infinity, "7ff0000000000000"),
    ])
    func writesDoublesAsBytes(sample: Sample<Double, String>) throws {
        #expect(try encode(sample.expression, sample.value, to: Data.self) == Data(hex: sample.encoded))
        let value = try decode(sample.expression, Data(hex: sample.encoded), as: Double.self)
        #expect(value.bitPattern == sample.value.bitPattern)
    }

    @Test func preservesTheBitsOfNaN() throws {
        let bytes = Data(hex: "7ff4000000000001")
        let value = try decode("double(order: big)", bytes, as: Double.self)
        #expect(try encode("double(order: big)", value, to: Data.self) == bytes)
        #expect(try encode("float(order: big)", Float(1.5), to: Data.self) == Data(hex: "3fc00000"))
    }

    @Test(arguments: [("0", 0), ("-7", -7), ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min)])
    func writesIntegersAsText(text: String, value: Int) throws {
        #expect(try encode("integer-text", value, to: String.self) == text)
        #expect(try decode("integer-text", text, as: Int.self) == value)
    }

    @Test(arguments: [
        ("", 0), ("+1", 0), ("01", 0), ("-", 1), ("-0", 0), ("1 ", 1), (" 1", 0), ("1.0", 1), ("٣", 0),
        ("9223372036854775808", 0),
    ])
    func rejectsOtherTextOfIntegers(text: String, offset: Int) {
        expectFailure(.invalidData, at: offset) { try decode("integer-text", text, as: Int.self) }
    }

    @Test(arguments: [
        ("0.1", 0.1), ("-0.0", -0.0), ("5e-324", Double.leastNonzeroMagnitude), ("1e+16", 1e16),
        ("12345.678", 12345.678),
    ])
    func writesDoublesAsShortestText(text: String, value: Double) throws {
        #expect(try encode("double-text", value, to: String.self) == text)
        #expect(try decode("double-text", text, as: Double.self).bitPattern == value.bitPattern)
    }

    @Test(arguments: [("nan", 0), ("inf", 0), (".5", 0), ("1.", 2), ("0x1p3", 1), ("1e", 2), ("1e999", 0), ("1,5", 1)])
    func rejectsOtherTextOfDoubles(text: String, offset: Int) {
        expectFailure(.invalidData, at: offset) { try decode("double-text", text, as: Double.self) }
    }

    /// IEEE 754 rounds to zero what is at most half of the least number: 2⁻¹⁰⁷⁵, which is just over 2.47e-324, and 2⁻¹⁵⁰,
    /// which is just over 7e-46.
    @Test(arguments: ["1e-400", "-1e-400", "2.4703e-324", "0.001e-324"])
    func rejectsTextOfDoublesThatWouldBecomeZero(text: String) {
        expectFailure(.invalidData, at: 0) { try decode("double-text", text, as: Double.self) }
    }

    @Test(arguments: ["1e-50", "-1e-50", "7e-46"])
    func rejectsTextOfFloatsThatWouldBecomeZero(text: String) {
        expectFailure(.invalidData, at: 0) { try decode("double-text", text, as: Float.self) }
    }

    @Test(arguments: ["0", "-0.0", "0e-400", "0.000e999"])
    func readsEveryTextOfZero(text: String) throws {
        let sign: FloatingPointSign = text.hasPrefix("-") ? .minus : .plus
        #expect(try decode("double-text", text, as: Double.self) == 0)
        #expect(try decode("double-text", text, as: Double.self).sign == sign)
        #expect(try decode("double-text", text, as: Float.self).sign == sign)
    }

    @Test func readsTheLeastNumbers() throws {
        #expect(try decode("double-text", "2.4704e-324", as: Double.self) == .leastNonzeroMagnitude)
        #expect(try decode("double-text", "7.1e-46", as: Float.self) == .leastNonzeroMagnitude)
    }

    @Test func writesFloatsAsShortestText() throws {
        #expect(try encode("double-text", Float(0.1), to: String.self) == "0.1")
        #expect(try decode("double-text", "0.1", as: Float.self) == 0.1)
        expectFailure(.invalidData) { try decode("double-text", "1e39", as: Float.self) }
        expectFailure(.invalidValue) { try encode("double-text", Double.nan, to: String.self) }
    }

    @Test(arguments: [
        ("12.5", "12.5"), ("-0.00", "0"), ("1.50", "1.5"), ("1e3", "1000"), ("1.5E-3", "0.0015"), ("100", "100"),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ("0.10000000000000000000000000000000000001", "0.10000000000000000000000000000000000001"),
        // 2 to the power of 128, less 1: the largest mantissa.
        ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
        ("-3.40282366920938463463374607431768211455", "-3.40282366920938463463374607431768211455"),
    ])
    func writesDecimalsExactly(text: String, canonical: String) throws {
        let value = try decode("decimal", text, as: Decimal.self)
        #expect(try encode("decimal", value, to: String.self) == canonical)
        #expect(try decode("decimal", canonical, as: Decimal.self) == value)
    }

    @Test(arguments: [
        "", "12abc", "Apple", ".5", "1e200", "1e-200", "NaN", "1,5", "0x10",
        "123456789012345678901234567890123456789.1", "340282366920938463463374607431768211456",
        "3.40282366920938463463374607431768211456", "999999999999999999999999999999999999999",
    ])
    func rejectsOtherTextOfDecimals(text: String) {
        expectFailure(.invalidData) { try decode("decimal", text, as: Decimal.self) }
    }

    @Test func writesBooleansAsDigitsOrWords() throws {
        #expect(try encode("bool", true, to: String.self) == "1")
        #expect(try decode("bool", "0", as: Bool.self) == false)
        #expect(try encode("bool(true: yes, false: no)", false, to: String.self) == "no")
        #expect(try decode("bool(true: yes, false: no)", "yes", as: Bool.self))
        expectFailure(.invalidData) { try decode("bool", "true", as: Bool.self) }
        expectFailure(.invalidArgument) { try standardRegistry().resolve("bool(true: \"0\")") }
    }

    @Test func convertsNumbersForColumns() throws {
        #expect(try encode("integer", 7, to: Int64.self) == 7)
        #expect(try encode("integer", true, to: Int64.self) == 1)
        #expect(try encode("digits | integer", "no. 007", to: Int64.self) == 7)
        #expect(try encode("real", Float(0.5), to: Double.self) == 0.5)
        #expect(try encode("real", "12.25", to: Double.self) == 12.25)
        expectFailure(.invalidValue) { try encode("integer", UInt64.max, to: Int64.self) }
        expectFailure(.invalidValue) { try encode("integer", "12a", to: Int64.self) }
        expectFailure(.invalidValue) { try encode("real", Double.nan, to: Double.self) }
        #expect(try !standardRegistry().resolve("integer", ending: .column).isReversible)
    }
}
