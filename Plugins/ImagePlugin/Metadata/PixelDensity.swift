/// How many pixels there are to a unit of length, or merely the shape of a pixel.
public struct PixelDensity: Sendable {
    /// What the numbers count pixels of.
    public enum Unit: String, Sendable {
        /// Nothing: the numbers are a ratio.
        case ratio
        /// Pixels of a metre.
        case metre
        /// Pixels of a centimetre.
        case centimetre
        /// Pixels of an inch of 25.4 mm.
        case inch
    }

    /// Pixels of a unit, across.
    public var horizontal: Int
    /// Pixels of a unit, down.
    public var vertical: Int
    /// The unit.
    public var unit: Unit

    /// Makes a density of its numbers.
    public init(horizontal: Int, vertical: Int, unit: Unit) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.unit = unit
    }

    /// Pixels of a metre, rounded; nil for a mere ratio.
    public var perMetre: (horizontal: Int, vertical: Int)? {
        let factor: Double
        switch unit {
        case .ratio: return nil
        case .metre: factor = 1
        case .centimetre: factor = 100
        case .inch: factor = 1 / 0.0254
        }
        return (Self.scaled(horizontal, by: factor), Self.scaled(vertical, by: factor))
    }

    /// Pixels of an inch; nil for a mere ratio.
    public var perInch: (horizontal: Double, vertical: Double)? {
        let factor: Double
        switch unit {
        case .ratio: return nil
        case .metre: factor = 0.0254
        case .centimetre: factor = 2.54
        case .inch: factor = 1
        }
        return (Double(horizontal) * factor, Double(vertical) * factor)
    }

    private static func scaled(_ number: Int, by factor: Double) -> Int {
        Int(exactly: (Double(number) * factor).rounded()) ?? number
    }
}

extension PixelDensity: Hashable {
    /// Whether two densities are the same when rounded to pixels of a metre, as PNG stores them.
    public static func == (left: Self, right: Self) -> Bool {
        left.comparable == right.comparable
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(comparable)
    }

    private var comparable: [Int] {
        guard let (horizontal, vertical) = perMetre else { return [0, horizontal, vertical] }
        return [1, horizontal, vertical]
    }
}
