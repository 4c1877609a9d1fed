import Foundation

extension AllSamples {
    static var standardNumbers: [any SampleSet] {
        integers + reals + others + columns
    }

    private static var integers: [any SampleSet] {
        [
            Samples("int8", [Int8.min, -1, 0, 1, .max]),
            Samples("int16", [Int16.min, -1, 0, 1, .max]),
            Samples("int32(order: big)", [Int32.min, -1, 0, 1, .max]),
            Samples("int64", [Int64.min, -1, 0, 1, .max]),
            Samples("int64(order: big)", [Int.min, -1, 0, 1, .max]),
            Samples("int16", [0, -1, 32_767], refused: [32_768, .min]),
            Samples("uint8", [UInt8.min, 1, .max]),
            Samples("uint16", [UInt16.min, 1, .max]),
            Samples("uint32(order: big)", [UInt32.min, 1, .max]),
            Samples("uint64", [UInt64.min, 1, .max]),
            Samples("uint32", [0, 1], refused: [-1, 1 << 32]),
            Samples("integer-text", [Int64.min, -1, 0, 1, .max], rejected: ["", "+", "1.0", " 1", "٣", "0x1"]),
            Samples("integer-text", [UInt8.min, .max], rejected: ["256", "-1"]),
        ]
    }

    private static let doubles: [Double] = [
        0, -0.0, 0.1, -1e300, .leastNonzeroMagnitude, .pi, .greatestFiniteMagnitude, .infinity, -.infinity, .nan,
    ]

    private static let floats: [Float] = [
        0, -0.0, 0.1, -1e30, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, .nan,
    ]

    private static var reals: [any SampleSet] {
        let ofDoubles = ["double", "double(order: big)"]
            .map { Samples($0, doubles) { $0.bitPattern == $1.bitPattern } }
        let ofFloats = ["float", "float(order: big)"]
            .map { Samples($0, floats) { $0.bitPattern == $1.bitPattern } }
        let texts: [any SampleSet] = [
            Samples("double-text", doubles.filter(\.isFinite), refused: [.nan, .infinity]) {
                $0.bitPattern == $1.bitPattern
            },
            Samples("double-text", floats.filter(\.isFinite), refused: [.nan, -.infinity]) {
                $0.bitPattern == $1.bitPattern
            },
        ]
        return ofDoubles as [any SampleSet] + ofFloats + texts + formatted
    }

    private static var formatted: [any SampleSet] {
        let moderate = doubles.filter { abs($0) < 1e15 }
        let small: [Double] = [0, 0.25, -1]
        let scientific: [Double] = [0, 12_500, -1e-9]
        return [
            Samples("number-format", moderate) { abs($0 - $1) < 0.001 },
            Samples("number-format(style: percent, locale: \"de_DE\")", small) { abs($0 - $1) < 0.01 },
            Samples("number-format(style: currency, currency: \"EUR\")", small) { abs($0 - $1) < 0.01 },
            Samples("number-format(style: scientific)", scientific) { abs($0 - $1) < 1e-12 },
        ]
    }

    private static var others: [any SampleSet] {
        let decimals = ["0", "1", "-0.5", "3.14159265358979323846", "12345678901234567890.123", "1e100", "-1e-100"]
        return [
            Samples("decimal", decimals.compactMap { Decimal(string: $0) }, rejected: ["", "1e", "NaN", "--1", "1 "]),
            Samples("bool", [true, false], rejected: ["", "2", "true", "01"]),
            Samples("bool(true: \"yes\", false: \"no\")", [true, false], rejected: ["1"]),
            Samples("map(pairs: [[1, \"low\"], [2, \"high\"]])", [Int64(1), 2], refused: [3], rejected: ["medium"]),
            Samples("map(pairs: [[\"l\", \"low\"]], defaultValue: \"l\", defaultEncoded: \"?\")", ["l", "other"]),
        ]
    }

    private static var columns: [any SampleSet] {
        [
            Samples("integer", ["0", "-12", "99"], refused: ["", "x"]),
            Samples("integer", [0, Int.max]),
            Samples("integer", [true, false]).ordered { $0 ? 1 : 0 },
            Samples("real", ["0", "-1.5"], refused: ["", "x"]),
            Samples("real", [0, -0.0, Double.pi]),
        ]
    }
}
