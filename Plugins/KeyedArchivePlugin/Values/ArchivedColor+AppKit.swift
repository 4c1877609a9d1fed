internal import Foundation
internal import Transformable
internal import _PropertyLists

/// `NSColor`, whose components are stored as ASCII text, and again in a custom color space if there is one.
extension ArchivedColor {
    private static let catalogNumber = 6
    private static let fields: Set = [
        "NSColorSpace", "NSRGB", "NSWhite", "NSCMYK", "NSComponents", "NSCustomColorSpace", "NSLinearExposure",
    ]

    init?(nsColor instance: ArchivedInstance) {
        guard instance.integer("NSColorSpace") == Self.catalogNumber else {
            self.init(components: instance)
            return
        }
        guard instance.hasOnly(["NSColorSpace", "NSCatalogName", "NSColorName", "NSColor"]),
            let catalog = instance["NSCatalogName"]?.string, let name = instance["NSColorName"]?.string,
            case .color(let color)? = instance["NSColor"], color.name == nil, !color.space.isUIKit
        else { return nil }
        self = color
        self.catalog = catalog
        self.name = name
    }

    private init?(components instance: ArchivedInstance) {
        guard let space = Space.allCases.first(where: { $0.number == instance.integer("NSColorSpace") }),
            instance.hasOnly(Self.fields), instance[space.textField] != nil,
            let numbers = instance.optional(space.textField, ColorText.numbers),
            let custom = instance.optional("NSComponents", ColorText.numbers),
            let exposure = instance.optional("NSLinearExposure", ColorText.numbers), exposure?.count ?? 1 == 1
        else { return nil }
        let (components, alpha) = Self.split(numbers ?? [], space)
        self.init(space, components, alpha: alpha)
        if !instance.isNone("NSCustomColorSpace") {
            guard case .object(let profile)? = instance["NSCustomColorSpace"] else { return nil }
            guard let profile = Profile(profile, components: custom ?? [], exposure: exposure?.first) else {
                return nil
            }
            self.profile = profile
        } else if custom != nil || exposure != nil {
            return nil
        }
    }

    /// Splits off alpha, which follows the components unless it is 1.
    private static func split(_ numbers: [Double], _ space: Space) -> ([Double], alpha: Double) {
        let count = space == .deviceCMYK ? 4 : space.textField == "NSWhite" ? 1 : 3
        return numbers.count == count + 1 ? (numbers.dropLast(), numbers[count]) : (numbers, 1)
    }

    func nsColor() throws(TransformerError) -> ArchivedInstance {
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = [("NSColorSpace", .integer(space.number))]
        // A C string ends with a NUL.
        let numbers = alpha == 1 ? components : components + [alpha]
        guard (numbers + (profile?.components ?? []) + [profile?.linearExposure ?? 0]).allSatisfy(\.isFinite) else {
            throw .invalidValue("the components of an AppKit color must be finite")
        }
        let text = ColorText.data(numbers) + [0]
        fields.append((space.textField, .inline(.data(text))))
        if let profile {
            fields.append(("NSCustomColorSpace", .object(.object(profile.instance))))
            fields.append(("NSComponents", .inline(.data(ColorText.data(profile.components)))))
            if let exposure = profile.linearExposure {
                fields.append(("NSLinearExposure", .inline(.data(ColorText.data([exposure])))))
            }
        }
        let color = ArchivedInstance(.known(.nsColor), fields: fields)
        guard let name else { return color }
        return ArchivedInstance(
            .known(.nsColor),
            fields: [
                ("NSColorSpace", .integer(Self.catalogNumber)), ("NSCatalogName", .object(.string(catalog ?? ""))),
                ("NSColorName", .object(.string(name))), ("NSColor", .object(.object(color))),
            ]
        )
    }
}

/// `NSColorSpace`.
extension ArchivedColor.Profile {
    fileprivate init?(_ instance: ArchivedInstance, components: [Double], exposure: Double?) {
        guard instance.archivedClass.name == "NSColorSpace",
            instance.hasOnly(["NSID", "NSSpaceID", "NSModel", "NSICC"]),
            let number = instance.optional("NSID", \.int), let later = instance.optional("NSSpaceID", \.int),
            let model = instance.optional("NSModel", \.int), let data = instance.optional("NSICC", \.data)
        else { return nil }
        self.init()
        self.number = number
        self.laterNumber = later
        self.model = model
        self.data = data
        self.components = components
        linearExposure = exposure
    }

    fileprivate var instance: ArchivedInstance {
        let numbers = [("NSID", number), ("NSSpaceID", laterNumber), ("NSModel", model)]
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] =
            numbers.compactMap { name, number in number.map { (name, .integer($0)) } }
        if let data { fields.append(("NSICC", .object(.data(data)))) }
        return ArchivedInstance(ArchivedClass("NSColorSpace"), fields: fields)
    }
}

/// Numbers in ASCII, separated by spaces.
enum ColorText {
    static func numbers(_ value: ArchivedValue) -> [Double]? {
        let length = value.data?.count ?? value.string?.utf8.count ?? 0
        guard length <= GeometryString.longest else { return nil }
        guard let text = value.data.map({ String(decoding: $0, as: UTF8.self) }) ?? value.string else { return nil }
        let parts = text.split { $0 == " " || $0 == "\0" }
        let numbers = parts.compactMap { Double($0) }
        return numbers.count == parts.count && numbers.allSatisfy(\.isFinite) ? numbers : nil
    }

    /// Returns the fewest digits that represent the numbers exactly.
    static func data(_ numbers: [Double]) -> Data {
        let texts = numbers.map { number in
            let text = number.description
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        return Data(texts.joined(separator: " ").utf8)
    }
}
