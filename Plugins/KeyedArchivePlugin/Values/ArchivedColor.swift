public import Foundation
internal import Transformable
internal import _PropertyLists

/// A color as `NSColor` or `UIColor` keeps it.
///
/// Patterns, and whatever else is no list of components, stay objects.
public struct ArchivedColor: Sendable, Hashable {
    /// What the components mean, and which class keeps them.
    public enum Space: String, CaseIterable, Sendable {
        /// `NSColor`: red, green, blue, independent of a device.
        case calibratedRGB
        /// `NSColor`: red, green, blue of a device.
        case deviceRGB
        /// `NSColor`: white, independent of a device.
        case calibratedWhite
        /// `NSColor`: white of a device.
        case deviceWhite
        /// `NSColor`: cyan, magenta, yellow, black of a device.
        case deviceCMYK
        /// `UIColor`: red, green, blue of sRGB, also beyond 0 and 1.
        case extendedRGB
        /// `UIColor`: white, also beyond 0 and 1.
        case extendedWhite
    }

    /// A color space of its own, and the color's components in it.
    public struct Profile: Sendable, Hashable {
        /// The number of one of AppKit's color spaces, 1 for generic RGB.
        public var number: Int?
        /// The number of one of AppKit's later color spaces, 12 for Display P3.
        public var laterNumber: Int?
        /// AppKit's number of the color model; nil is RGB.
        public var model: Int?
        /// The ICC profile.
        public var data: Data?
        /// The components in this space, followed by alpha.
        public var components: [Double] = []
        /// How much brighter than white it is.
        public var linearExposure: Double?

        /// Makes a profile that says nothing.
        public init() {}
    }

    /// What the components mean.
    public let space: Space
    /// The components, without alpha.
    public let components: [Double]
    /// The opacity.
    public let alpha: Double
    /// A color space of its own; the components are then those for readers who do not know it.
    public var profile: Profile?
    /// The list that the color is named in: `System`; nil for a color without a name, and for `UIColor`.
    public var catalog: String?
    /// The name in the list, or of one of UIKit's colors.
    public var name: String?

    /// Makes a color; nil if the space has another number of components.
    ///
    /// - Parameters:
    ///   - space: What the components mean.
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

    /// The field that keeps the components as text.
    var textField: String {
        switch componentCount {
        case 1: "NSWhite"
        case 3: "NSRGB"
        default: "NSCMYK"
        }
    }

    /// The fields that keep the components of a `UIColor` as numbers.
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
                "a color of AppKit has both a catalog and a name, one of UIKit no catalog and no profile"
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
