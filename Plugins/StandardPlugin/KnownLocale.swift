internal import Foundation
internal import Transformable

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
