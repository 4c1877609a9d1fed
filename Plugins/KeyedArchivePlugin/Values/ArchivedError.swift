public import Foundation
package import Transformable
internal import _PropertyLists

/// An archived `NSError`.
public struct ArchivedError: Sendable {
    /// The domain, such as `NSCocoaErrorDomain`.
    public let domain: String
    /// The code in the domain.
    public let code: Int
    /// Additional information about the error.
    public let userInfo: ArchivedDictionary

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - domain: The domain.
    ///   - code: The code in the domain.
    ///   - userInfo: Additional information about the error.
    public init(domain: String, code: Int, userInfo: ArchivedDictionary = [:]) {
        self.domain = domain
        self.code = code
        self.userInfo = userInfo
    }
}

extension ArchivedError: ArchivedCompound {
    static let tag = "$error"
    var nested: ValueBuffer? { userInfo.buffer }

    init?(_ instance: ArchivedInstance) {
        guard instance.hasOnly(["NSDomain", "NSCode", "NSUserInfo"]), let domain = instance["NSDomain"]?.string,
            let code = instance.integer("NSCode"), let userInfo = instance.optional("NSUserInfo", \.dictionary)
        else { return nil }
        self.init(domain: domain, code: code, userInfo: userInfo ?? [:])
    }

    /// Returns the object.
    ///
    /// The field for additional information is the null reference if there is none.
    func instance() -> ArchivedInstance {
        let userInfo = userInfo.isEmpty ? nil : ArchivedValue.dictionary(userInfo)
        return ArchivedInstance(
            .known(.error),
            fields: [
                ("NSDomain", .object(.string(domain))), ("NSCode", .integer(code)), ("NSUserInfo", .object(userInfo)),
            ]
        )
    }

    var plain: ArchivedValue {
        .dictionary(
            ArchivedDictionary(present: [
                ("domain", .string(domain)), ("code", .integer(Int128(code))),
                ("userInfo", userInfo.isEmpty ? nil : .dictionary(userInfo)),
            ])
        )
    }

    init?(plain: ArchivedValue) {
        guard let pairs = plain.dictionary, pairs.hasOnly(["domain", "code", "userInfo"]),
            let domain = pairs["domain"]?.string, let code = pairs["code"]?.int,
            let userInfo = pairs.optional("userInfo", \.dictionary)
        else { return nil }
        self.init(domain: domain, code: code, userInfo: userInfo ?? [:])
    }
}

/// An archived `NSNotification`.
public struct ArchivedNotification: Sendable {
    /// The name.
    public let name: String
    /// The object and the user information, if they exist.
    private let buffer: ValueBuffer
    private let hasObject: Bool

    /// Creates a notification.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - object: The object that posted the notification.
    ///   - userInfo: Additional information.
    public init(_ name: String, object: ArchivedValue? = nil, userInfo: ArchivedDictionary? = nil) {
        self.name = name
        hasObject = object != nil
        buffer = ValueBuffer([object, userInfo.map { .dictionary($0) }].compactMap(\.self))
    }

    /// The object that posted the notification.
    public var object: ArchivedValue? { hasObject ? buffer.values[0] : nil }

    /// Additional information.
    public var userInfo: ArchivedDictionary? {
        buffer.values.dropFirst(hasObject ? 1 : 0).first?.dictionary
    }
}

extension ArchivedNotification: ArchivedCompound {
    static let tag = "$notification"
    var nested: ValueBuffer? { buffer }

    init?(_ instance: ArchivedInstance) {
        guard instance.hasOnly(["NS.name", "NS.object", "NS.userinfo"]), let name = instance["NS.name"]?.string,
            let object = instance.optional("NS.object", { $0 }),
            let userInfo = instance.optional("NS.userinfo", \.dictionary)
        else { return nil }
        self.init(name, object: object, userInfo: userInfo)
    }

    func instance() -> ArchivedInstance {
        ArchivedInstance(
            .known(.notification),
            fields: [
                ("NS.name", .object(.string(name))), ("NS.object", .object(object)),
                ("NS.userinfo", .object(userInfo.map { .dictionary($0) })),
            ]
        )
    }

    var plain: ArchivedValue {
        .dictionary(
            ArchivedDictionary(present: [
                ("name", .string(name)), ("object", object), ("userInfo", userInfo.map { .dictionary($0) }),
            ])
        )
    }

    init?(plain: ArchivedValue) {
        guard let pairs = plain.dictionary, pairs.hasOnly(["name", "object", "userInfo"]),
            let name = pairs["name"]?.string, let userInfo = pairs.optional("userInfo", \.dictionary)
        else { return nil }
        self.init(name, object: pairs["object"], userInfo: userInfo)
    }
}

/// An archived URL: a string, which can be relative to other URLs.
public struct ArchivedURL: Sendable {
    /// The string, which is relative if there are bases.
    public let relativeString: String
    /// The string of the URL that this one is relative to, that of its base, and so on.
    public let bases: [String]

    /// Creates a URL from strings, which are not validated.
    ///
    /// - Parameters:
    ///   - relativeString: The string.
    ///   - bases: The strings of the URLs that it is relative to, nearest first.
    public init(_ relativeString: String, bases: [String] = []) {
        self.relativeString = relativeString
        self.bases = bases
    }

    /// Creates an archived URL from a URL.
    ///
    /// - Parameter url: The URL.
    public init(_ url: URL) {
        relativeString = url.relativeString
        bases = Array(sequence(first: url, next: \.baseURL).dropFirst().map(\.relativeString))
    }

    /// The maximum number of bases, of which a URL seldom has more than one.
    ///
    /// Many URLs can have the same bases, and each has a copy of them.
    static let mostBases = 64

    /// The cost of creating the Foundation URL, in terms of values.
    package var cost: Int { 16 * bases.count }

    /// Verifies that the URL can be decoded again.
    package func checkBases() throws(TransformerError) {
        guard bases.count <= Self.mostBases else { throw Self.tooManyBases() }
    }

    static func tooManyBases(offset: Int? = nil) -> TransformerError {
        let message = "a URL is relative to a chain of more than \(mostBases) URLs; archive an absolute URL instead"
        return .limitExceeded(message, offset: offset)
    }

    /// The Foundation URL, or nil if a string is not a URL.
    public var url: URL? {
        var base: URL?
        for string in bases.reversed() {
            guard let next = URL(string: string, relativeTo: base) else { return nil }
            base = next
        }
        return URL(string: relativeString, relativeTo: base)
    }
}
