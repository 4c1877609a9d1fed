internal import Foundation
internal import TransformableImages

/// Colors that are defined by numbers rather than by an ICC profile.
struct ColorNumbers {
    /// A point of the CIE 1931 diagram.
    typealias Point = (x: Double, y: Double)

    var white: Point = (0.3127, 0.3290)
    var red: Point = (0.640, 0.330)
    var green: Point = (0.300, 0.600)
    var blue: Point = (0.150, 0.060)
    /// Returns the light from 0 to 1 of a sample from 0 to 1.
    var light: (Double) -> Double = Self.sRGBLight

    /// The light of equally spaced samples.
    var curve: [Float] {
        let last = 4095
        return (0...last).map { Float(min(max(light(Double($0) / Double(last)), 0), 1)) }
    }
}

extension ColorNumbers {
    /// Creates the colors that gamma and chromaticities define.
    ///
    /// Whatever is missing is that of sRGB. Nil if both are missing or invalid.
    init?(gamma: Int?, chromaticities: ColorProfile.Chromaticities?) {
        let gamma = gamma.flatMap { (1000...10_000_000).contains($0) ? $0 : nil }
        let points = chromaticities.flatMap(Self.points)
        guard gamma != nil || points != nil else { return nil }
        if let gamma { light = { pow($0, 100_000 / Double(gamma)) } }
        if let points { (white, red, green, blue) = (points[0], points[1], points[2], points[3]) }
    }

    /// Adobe RGB (1998), section 4.3.
    static var adobeRGB: Self {
        Self(green: (0.21, 0.71)) { pow($0, 563 / 256) }
    }

    private static func points(_ chromaticities: ColorProfile.Chromaticities) -> [Point]? {
        let points = [chromaticities.white, chromaticities.red, chromaticities.green, chromaticities.blue]
        guard points.allSatisfy({ (0...100_000).contains($0.x) && (1...100_000).contains($0.y) }) else { return nil }
        return points.map { (Double($0.x) / 100_000, Double($0.y) / 100_000) }
    }
}

extension ColorNumbers {
    /// The luminance of white in cd/m² on a display that also shows highlights (ITU-R BT.2408, section 2.1).
    private static let referenceWhite = 203.0

    /// Creates the colors of code points of ITU-T H.273, or nil if they are unknown or not those of RGB.
    init?(_ codePoints: ColorCodePoints) {
        guard codePoints.matrix == 0, codePoints.isFullRange, let light = Self.light(codePoints.transfer) else {
            return nil
        }
        self.light = light
        let daylight: Point = (0.3127, 0.3290)
        let incandescent: Point = (0.310, 0.316)
        switch codePoints.primaries {
        case 1: break
        case 4: (white, red, green, blue) = (incandescent, (0.67, 0.33), (0.21, 0.71), (0.14, 0.08))
        case 5: (white, red, green, blue) = (daylight, (0.64, 0.33), (0.29, 0.60), (0.15, 0.06))
        case 6, 7: (white, red, green, blue) = (daylight, (0.630, 0.340), (0.310, 0.595), (0.155, 0.070))
        case 8: (white, red, green, blue) = (incandescent, (0.681, 0.319), (0.243, 0.692), (0.145, 0.049))
        case 9: (white, red, green, blue) = (daylight, (0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
        case 11: (white, red, green, blue) = ((0.314, 0.351), (0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
        case 12: (white, red, green, blue) = (daylight, (0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
        case 22: (white, red, green, blue) = (daylight, (0.630, 0.340), (0.295, 0.605), (0.155, 0.077))
        default: return nil
        }
    }

    /// Returns the inverse of a transfer function of H.273, table 3.
    private static func light(_ transfer: UInt8) -> ((Double) -> Double)? {
        switch transfer {
        case 1, 6, 11, 14, 15: { $0 < 0.081 ? $0 / 4.5 : pow(($0 + 0.099) / 1.099, 1 / 0.45) }
        case 4: { pow($0, 2.2) }
        case 5: { pow($0, 2.8) }
        case 7: { $0 < 0.0913 ? $0 / 4 : pow(($0 + 0.1115) / 1.1115, 1 / 0.45) }
        case 8: { $0 }
        case 13: sRGBLight
        case 16: perceptualQuantizerLight
        case 18: hybridLogGammaLight
        default: nil
        }
    }

    /// The curve of IEC 61966-2-1.
    private static func sRGBLight(_ sample: Double) -> Double {
        sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
    }

    /// The curve of SMPTE ST 2084, with compressed highlights.
    private static func perceptualQuantizerLight(_ sample: Double) -> Double {
        compressed(PerceptualQuantizer.luminance(sample))
    }

    /// The curve of ITU-R BT.2100 for a display of 1,000 cd/m², with compressed highlights.
    private static func hybridLogGammaLight(_ sample: Double) -> Double {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        let scene = sample <= 0.5 ? sample * sample / 3 : (exp((sample - c) / a) + b) / 12
        return compressed(pow(scene, 1.2) * 1000)
    }

    /// Returns the light on a display whose brightest white is reference white (ITU-R BT.2390, section 5.4.1).
    ///
    /// Highlights of up to 1,000 cd/m² are compressed, brighter ones are cut off, and everything below about 90 cd/m²
    /// stays as it is.
    ///
    /// - Parameter luminance: The luminance in cd/m².
    /// - Returns: The light from 0 to 1.
    private static func compressed(_ luminance: Double) -> Double {
        let brightest = 1000.0
        let source = PerceptualQuantizer.sample(brightest)
        let largest = PerceptualQuantizer.sample(referenceWhite) / source
        let knee = 1.5 * largest - 0.5
        let sample = PerceptualQuantizer.sample(min(luminance, brightest)) / source
        guard sample > knee else { return luminance / referenceWhite }
        // A curve that has the slope of 1 at the knee, and of 0 at the end.
        let t = (sample - knee) / (1 - knee)
        let (squared, cubed) = (t * t, t * t * t)
        let result =
            (2 * cubed - 3 * squared + 1) * knee + (cubed - 2 * squared + t) * (1 - knee)
            + (3 * squared - 2 * cubed) * largest
        return PerceptualQuantizer.luminance(result * source) / referenceWhite
    }
}

/// The curve of SMPTE ST 2084 between samples from 0 to 1 and luminances up to 10,000 cd/m².
private enum PerceptualQuantizer {
    private static let exponents = (m1: 0.1593017578125, m2: 78.84375)
    private static let factors = (c1: 0.8359375, c2: 18.8515625, c3: 18.6875)

    static func luminance(_ sample: Double) -> Double {
        let power = pow(sample, 1 / exponents.m2)
        return 10_000 * pow(max(power - factors.c1, 0) / (factors.c2 - factors.c3 * power), 1 / exponents.m1)
    }

    static func sample(_ luminance: Double) -> Double {
        let power = pow(luminance / 10_000, exponents.m1)
        return pow((factors.c1 + factors.c2 * power) / (1 + factors.c3 * power), exponents.m2)
    }
}
