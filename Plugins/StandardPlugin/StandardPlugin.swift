internal import Foundation
public import Transformable

/// A plugin for common needs: text, numbers, dates, identifiers, JSON, property lists, base-N encodings, and
/// compression.
///
/// ```swift
/// let registry = try TransformerRegistry {
///     StandardPlugin()
/// }
/// let settings = try registry.transformer("json | gzip", for: Settings.self)
/// ```
public struct StandardPlugin: TransformerPlugin {
    /// The plugin's name, “standard”.
    public let name = "standard"

    /// Creates the plugin.
    public init() {}

    /// The transformers, in the order of the source folders.
    public var registrations: [Registration] {
        Self.text
        Self.numbers
        Self.dates
        Self.identifiers
        Self.structured
        Self.baseN
        Self.compression
    }
}

extension CodableExpression {
    /// The value as JSON.
    public static var json: Self { Self("json") }

    /// The value as a property list.
    public static var propertyList: Self { Self("plist") }
}

extension TransformerError.Code {
    /// The input is truncated.
    public static let truncatedData = Self(rawValue: "truncated-data")
    /// The input has trailing bytes.
    public static let trailingData = Self(rawValue: "trailing-data")
    /// The checksum of the input does not match its contents.
    public static let checksumMismatch = Self(rawValue: "checksum-mismatch")
    /// A stage that binds values to their location is used for the elements of a list.
    public static let contextualElement = Self(rawValue: "contextual-element")
}

/// Returns the locale for an identifier that ICU knows, including aliases such as `zh_TW` and `iw_IL`.
func knownLocale(_ identifier: String) throws(TransformerError) -> Locale {
    let canonical = Locale.canonicalIdentifier(from: identifier).replacing("-", with: "_")
    let base = String(canonical.prefix { $0 != "@" })
    if knownLocales.contains(base) || base == "en_US_POSIX" { return Locale(identifier: identifier) }
    guard let known = alias(of: base) else {
        throw TransformerError(.invalidArgument, "there is no locale “\(identifier)”")
    }
    return Locale(identifier: known + canonical.dropFirst(base.count))
}

/// Returns the listed locale that an identifier is an alias of.
///
/// The alias may use a former language code, omit the script that its region implies, or stand for Norwegian Bokmål.
private func alias(of identifier: String) -> String? {
    let current = Locale.identifier(.icu, from: identifier)
    let full = Locale(identifier: identifier).language.maximalIdentifier.replacing("-", with: "_")
    let norwegian = current.hasPrefix("no_") ? "nb" + current.dropFirst(2) : nil
    return [current, full, norwegian].compactMap(\.self).first(where: knownLocales.contains)
}

private let knownLocales = Set(Locale.availableIdentifiers.map { $0.replacing("-", with: "_") })
