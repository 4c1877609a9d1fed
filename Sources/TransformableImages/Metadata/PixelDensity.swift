/// The number of pixels per unit of length, or only the aspect ratio of a pixel.
public struct PixelDensity: Sendable {
    /// The unit of length.
    public enum Unit: String, Sendable {
        /// No unit: the numbers are an aspect ratio.
        case ratio
        /// Pixels per meter.
        case meter
        /// Pixels per centimeter.
        case centimeter
        /// Pixels per inch (25.4 mm).
        case inch
    }

    /// The number of pixels per unit horizontally.
    public var horizontal: Int
    /// The number of pixels per unit vertically.
    public var vertical: Int
    /// The unit.
    public var unit: Unit

    /// Creates a density.
    public init(horizontal: Int, vertical: Int, unit: Unit) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.unit = unit
    }

    /// The number of pixels per meter, rounded, or nil for an aspect ratio.
    public var perMeter: (horizontal: Int, vertical: Int)? {
        let factor: Double
        switch unit {
        case .ratio: return nil
        case .meter: factor = 1
        case .centimeter: factor = 100
        case .inch: factor = 1 / 0.0254
        }
        return (Self.scaled(horizontal, by: factor), Self.scaled(vertical, by: factor))
    }

    /// The number of pixels per inch, or nil for an aspect ratio.
    public var perInch: (horizontal: Double, vertical: Double)? {
        let factor: Double
        switch unit {
        case .ratio: return nil
        case .meter: factor = 0.0254
        case .centimeter: factor = 2.54
        case .inch: factor = 1
        }
        return (Double(horizontal) * factor, Double(vertical) * factor)
    }

    private static func scaled(_ number: Int, by factor: Double) -> Int {
        Int(exactly: (Double(number) * factor).rounded()) ?? number
    }
}

extension PixelDensity: Hashable {
    /// Returns whether two densities are equal when rounded to pixels per meter, which is how PNG stores them.
    public static func == (left: Self, right: Self) -> Bool {
        left.comparable == right.comparable
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(comparable)
    }

    private var comparable: [Int] {
        guard let (horizontal, vertical) = perMeter else { return [0, horizontal, vertical] }
        return [1, horizontal, vertical]
    }
}
