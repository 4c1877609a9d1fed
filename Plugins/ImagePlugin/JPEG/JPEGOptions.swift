internal import Foundation
public import Transformable

/// How a JPEG is written.
public struct JPEGOptions: Sendable, Hashable {
    /// How much less colour is stored than brightness.
    public enum Subsampling: String, CaseIterable, Sendable {
        /// As much.
        case none = "4:4:4"
        /// Half, across.
        case halfAcross = "4:2:2"
        /// A quarter: half across, half down.
        case quarter = "4:2:0"
        /// Half, down.
        case halfDown = "4:4:0"
        /// A quarter, across.
        case quarterAcross = "4:1:1"

        /// Samples of brightness for one of colour, across and down.
        var factors: (horizontal: Int, vertical: Int) {
            switch self {
            case .none: (1, 1)
            case .halfAcross: (2, 1)
            case .quarter: (2, 2)
            case .halfDown: (1, 2)
            case .quarterAcross: (4, 1)
            }
        }
    }

    /// An opaque colour of 8 bits a sample.
    public struct Background: Sendable, Hashable {
        /// Red, 0 to 255.
        public var red: UInt8
        /// Green, 0 to 255.
        public var green: UInt8
        /// Blue, 0 to 255.
        public var blue: UInt8

        /// Makes options; what is left out has the standard value.
        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }
    }

    /// From 0, smallest, to 100, best, on libjpeg's scale.
    public var quality: Int
    /// How much less colour is stored.
    public var subsampling: Subsampling
    /// Whether the picture comes in scans of growing detail; usually smaller, too.
    public var isProgressive: Bool
    /// Whether Huffman codes are made for the picture: smaller, slower.
    ///
    /// A progressive file's always are.
    public var isOptimized: Bool
    /// What shows through transparent pixels; without it, an image with alpha is an error.
    public var background: Background?

    /// Quality 85, a quarter of the colour, one scan, standard codes.
    public static let standard = Self()

    /// Makes options; what is left out has the standard value.
    public init(
        quality: Int = 85,
        subsampling: Subsampling = .quarter,
        isProgressive: Bool = false,
        isOptimized: Bool = false,
        background: Background? = nil
    ) {
        self.quality = quality
        self.subsampling = subsampling
        self.isProgressive = isProgressive
        self.isOptimized = isOptimized
        self.background = background
    }
}

extension JPEGOptions.Subsampling: ArgumentConvertible {
    /// The choices, in quotes.
    public static var argumentType: String {
        "one of " + allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    }

    /// Reads it from text in quotes.
    public init?(argument: ArgumentValue) {
        guard case .string(let text) = argument else { return nil }
        self.init(rawValue: text)
    }

    /// Its text in quotes.
    public var argument: ArgumentValue? { .string(rawValue) }
}

extension JPEGOptions.Background: ArgumentConvertible {
    /// How a colour is written.
    public static var argumentType: String { "a colour as \"#rrggbb\"" }

    /// Reads it from text in quotes.
    public init?(argument: ArgumentValue) {
        guard case .string(let text) = argument else { return nil }
        self.init(text)
    }

    /// Reads a colour as `#rrggbb`, in hexadecimal digits of either case.
    public init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit),
            let number = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        red = UInt8(truncatingIfNeeded: number >> 16)
        green = UInt8(truncatingIfNeeded: number >> 8)
        blue = UInt8(truncatingIfNeeded: number)
    }

    /// Its text in quotes.
    public var argument: ArgumentValue? { .string(description) }
}

extension JPEGOptions.Background: CustomStringConvertible {
    /// The colour as `#rrggbb`.
    public var description: String {
        "#" + [red, green, blue].map { String(format: "%02x", $0) }.joined()
    }
}
