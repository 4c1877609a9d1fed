public import Foundation
internal import _PropertyLists

/// A locale as `NSLocale` keeps it: its identifier.
public struct ArchivedLocale: Sendable, Hashable {
    /// The identifier: `de_DE`.
    public let identifier: String

    /// Makes a locale of its identifier, which is not checked.
    public init(_ identifier: String) {
        self.identifier = identifier
    }

    /// The locale as Foundation has it.
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
