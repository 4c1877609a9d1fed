public import Foundation
internal import _PropertyLists

/// An archived `NSLocale`, which consists of its identifier.
public struct ArchivedLocale: Sendable, Hashable {
    /// The identifier, such as `de_DE`.
    public let identifier: String

    /// Creates a locale from an identifier, which is not validated.
    public init(_ identifier: String) {
        self.identifier = identifier
    }

    /// The Foundation locale.
    public var locale: Locale { Locale(identifier: identifier) }
}

extension ArchivedLocale: ArchivedCompound {
    static let tag = "$locale"

    init?(_ instance: ArchivedInstance) {
        guard instance.hasOnly(["NS.identifier"]), let identifier = instance["NS.identifier"]?.string else {
            return nil
        }
        self.identifier = identifier
    }

    func instance() -> ArchivedInstance {
        ArchivedInstance(.known(.locale), fields: [("NS.identifier", .object(.string(identifier)))])
    }

    var plain: ArchivedValue { .string(identifier) }

    init?(plain: ArchivedValue) {
        guard let identifier = plain.string else { return nil }
        self.identifier = identifier
    }
}
