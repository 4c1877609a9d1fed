public import Foundation
internal import Transformable
internal import _PropertyLists

/// An archived `NSColor` or `UIColor`.
///
/// Patterns and other colors that are not lists of components remain objects.
public struct ArchivedColor: Sendable, Hashable {
    /// The meaning of the components, and the class of the color.
    public enum Space: String, CaseIterable, Sendable {
        /// Device-independent RGB of `NSColor`.
        case calibratedRGB
        /// Device-dependent RGB of `NSColor`.
        case deviceRGB
        /// Device-independent gray of `NSColor`.
        case calibratedWhite
        /// Device-dependent gray of `NSColor`.
        case deviceWhite
        /// Device-dependent CMYK of `NSColor`.
        case deviceCMYK
        /// sRGB of `UIColor`, with components that can be outside the range from 0 to 1.
        case extendedRGB
        /// Gray of `UIColor`, which can be outside the range from 0 to 1.
        case extendedWhite
    }

    /// A custom color space, and the components of the color in it.
    public struct Profile: Sendable, Hashable {
        /// The number of an AppKit color space, such as 1 for generic RGB.
        public var number: Int?
        /// The number of a newer AppKit color space, such as 12 for Display P3.
        public var laterNumber: Int?
        /// AppKit's number of the color model, or nil for RGB.
        public var model: Int?
        /// The ICC profile.
        public var data: Data?
        /// The components in this space, followed by alpha.
        public var components: [Double] = []
        /// The linear exposure, which indicates how much brighter than white the color is.
        public var linearExposure: Double?

        /// Creates an empty profile.
        public init() {}
    }

    /// The meaning of the components.
    public let space: Space
    /// The components, without alpha.
    public let components: [Double]
    /// The opacity.
    public let alpha: Double
    /// A custom color space.
    ///
    /// If there is one, ``components`` are for readers that do not support it.
    public var profile: Profile?
    /// The catalog that the color belongs to, such as `System`, or nil for a color without a name and for `UIColor`.
    public var catalog: String?
    /// The name in the catalog, or the name of a UIKit color.
    public var name: String?

    /// Creates a color, or returns nil if the number of components is wrong.
    ///
    /// - Parameters:
    ///   - space: The meaning of the components.
    ///   - components: The components, without alpha.
    ///   - alpha: The opacity.
    public init?(_ space: Space, _ components: [Double], alpha: Double = 1) {
        guard components.count == space.componentCount else { return nil }
        self.space = space
        self.components = components
        self.alpha = alpha
    }
}

extension ArchivedColor.Space {
    fileprivate var componentCount: Int {
        switch self {
        case .calibratedWhite, .deviceWhite, .extendedWhite: 1
        case .calibratedRGB, .deviceRGB, .extendedRGB: 3
        case .deviceCMYK: 4
        }
    }

    var isUIKit: Bool { self == .extendedRGB || self == .extendedWhite }

    /// The number in the field `NSColorSpace`.
    var number: Int {
        switch self {
        case .calibratedRGB: 1
        case .deviceRGB, .extendedRGB: 2
        case .calibratedWhite: 3
        case .deviceWhite, .extendedWhite: 4
        case .deviceCMYK: 5
        }
    }

    /// The field that contains the components as text.
    var textField: String {
        switch componentCount {
        case 1: "NSWhite"
        case 3: "NSRGB"
        default: "NSCMYK"
        }
    }

    /// The fields that contain the components of a `UIColor` as numbers.
    var fields: [String] { componentCount == 1 ? ["UIWhite"] : ["UIRed", "UIGreen", "UIBlue"] }
}

extension ArchivedColor: ArchivedCompound {
    static let tag = "$color"

    init?(_ instance: ArchivedInstance) {
        guard let color = instance.archivedClass.symbol == .uiColor ? Self(uiColor: instance) : Self(nsColor: instance)
        else { return nil }
        self = color
    }

    func instance() throws(TransformerError) -> ArchivedInstance {
        let isWhole = space.isUIKit ? catalog == nil && profile == nil : (catalog == nil) == (name == nil)
        guard isWhole else {
            throw .invalidValue(
                "an AppKit color must have both a catalog and a name or neither, and a UIKit color cannot have a catalog or a profile"
            )
        }
        return space.isUIKit ? uiColor : try nsColor()
    }

    var plain: ArchivedValue {
        .dictionary(
            ArchivedDictionary(present: [
                ("space", .string(space.rawValue)), ("components", .reals(components)), ("alpha", .real(alpha)),
                ("profile", profile?.plain), ("catalog", catalog.map { .string($0) }),
                ("name", name.map { .string($0) }),
            ])
        )
    }

    init?(plain: ArchivedValue) {
        guard let pairs = plain.dictionary,
            pairs.hasOnly(["space", "components", "alpha", "profile", "catalog", "name"]),
            let space = pairs["space"]?.string.flatMap(Space.init), let components = pairs["components"]?.realNumbers,
            let alpha = pairs["alpha"]?.number, let profile = pairs.optional("profile", Profile.init(plain:)),
            let catalog = pairs.optional("catalog", \.string), let name = pairs.optional("name", \.string)
        else { return nil }
        self.init(space, components, alpha: alpha)
        self.profile = profile
        self.catalog = catalog
        self.name = name
    }
}

extension ArchivedColor.Profile {
    fileprivate var plain: ArchivedValue {
        .dictionary(
            ArchivedDictionary(present: [
                ("number", number.map { .integer(Int128($0)) }),
                ("laterNumber", laterNumber.map { .integer(Int128($0)) }),
                ("model", model.map { .integer(Int128($0)) }), ("data", data.map { .data($0) }),
                ("components", .reals(components)), ("linearExposure", linearExposure.map { .real($0) }),
            ])
        )
    }

    fileprivate init?(plain: ArchivedValue) {
        guard let pairs = plain.dictionary,
            pairs.hasOnly(["number", "laterNumber", "model", "data", "components", "linearExposure"]),
            let number = pairs.optional("number", \.int), let laterNumber = pairs.optional("laterNumber", \.int),
            let model = pairs.optional("model", \.int), let data = pairs.optional("data", \.data),
            let components = pairs["components"]?.realNumbers,
            let linearExposure = pairs.optional("linearExposure", \.number)
        else { return nil }
        self.number = number
        self.laterNumber = laterNumber
        self.model = model
        self.data = data
        self.components = components
        self.linearExposure = linearExposure
    }
}

/// `UIColor`, whose components are stored as 32-bit and 64-bit numbers, and rounded as ASCII text.
extension ArchivedColor {
    private static let nameField = "UISystemColorName"
    private static let countField = "UIColorComponentCount"
    private static let preciseSuffix = "-Double"

    init?(uiColor instance: ArchivedInstance) {
        let space: Space = instance.slot("UIWhite") != nil ? .extendedWhite : .extendedRGB
        let names = space.fields + ["UIAlpha"]
        guard
            instance.hasOnly(
                Set(names + names.map { $0 + Self.preciseSuffix })
                    .union([Self.nameField, Self.countField, "NSColorSpace", space.textField])
            ),
            instance.isNone(space.textField) || instance[space.textField]?.data != nil,
            [nil, space.number].contains(instance.integer("NSColorSpace")),
            let name = instance.optional(Self.nameField, \.string)
        else { return nil }
        let numbers = names.compactMap { instance[$0 + Self.preciseSuffix]?.number ?? instance[$0]?.number }
        guard numbers.count == names.count, [nil, numbers.count].contains(instance.integer(Self.countField)) else {
            return nil
        }
        self.init(space, numbers.dropLast(), alpha: numbers[numbers.count - 1])
        self.name = name
    }

    private var uiColor: ArchivedInstance {
        let numbers = components + [alpha]
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = [
            (Self.countField, .integer(numbers.count)), ("NSColorSpace", .integer(space.number)),
            (space.textField, .inline(.data(Self.rounded(alpha == 1 ? components : numbers)))),
        ]
        for (name, number) in zip(space.fields + ["UIAlpha"], numbers) {
            fields.append((name, .inline(.real(Double(Float(number))))))
            fields.append((name + Self.preciseSuffix, .inline(.real(number))))
        }
        if let name { fields.append((Self.nameField, .object(.string(name)))) }
        return ArchivedInstance(.known(.uiColor), fields: fields)
    }

    /// Formats numbers with C's `%.3g`.
    private static func rounded(_ numbers: [Double]) -> Data {
        Data(numbers.map { String(format: "%.3g", $0) }.joined(separator: " ").utf8)
    }
}
