public import Foundation
internal import _PropertyLists

/// An archived `NSTimeZone`: its name, and the rules at the time of archiving.
public struct ArchivedTimeZone: Sendable, Hashable {
    /// The name, such as `Europe/Paris` or `GMT+0100`.
    public let name: String
    /// The rules as a time zone file (RFC 8536), or nil for a fixed offset.
    public let data: Data?

    /// Creates a time zone from a name, which is not validated.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - data: The rules. Without rules, readers look the name up.
    public init(_ name: String, data: Data? = nil) {
        self.name = name
        self.data = data
    }

    /// The Foundation time zone with this name, or nil if there is none.
    public var timeZone: TimeZone? {
        TimeZone(identifier: name) ?? TimeZone(abbreviation: name)
    }
}

extension ArchivedTimeZone: ArchivedCompound {
    static let tag = "$timeZone"

    init?(_ instance: ArchivedInstance) {
        guard instance.hasOnly(["NS.name", "NS.data"]), let name = instance["NS.name"]?.string,
            let data = instance.optional("NS.data", \.data)
        else { return nil }
        self.init(name, data: data)
    }

    func instance() -> ArchivedInstance {
        let data = data.map { ArchivedValue.data($0) }
        return ArchivedInstance(
            .known(.timeZone),
            fields: [("NS.name", .object(.string(name))), ("NS.data", .object(data))]
        )
    }

    /// The name, or a dictionary of the name and the data.
    var plain: ArchivedValue {
        guard let data else { return .string(name) }
        return .dictionary(["name": .string(name), "data": .data(data)])
    }

    init?(plain: ArchivedValue) {
        if let name = plain.string {
            self.init(name)
            return
        }
        guard let pairs = plain.dictionary, pairs.hasOnly(["name", "data"]), let name = pairs["name"]?.string,
            let data = pairs["data"]?.data
        else { return nil }
        self.init(name, data: data)
    }
}
