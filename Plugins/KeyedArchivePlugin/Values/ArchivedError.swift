internal import _PropertyLists

/// An error as `NSError` keeps it.
public struct ArchivedError: Sendable {
    /// The domain: `NSCocoaErrorDomain`.
    public let domain: String
    /// The code within the domain.
    public let code: Int
    /// What else is known of the error.
    public let userInfo: ArchivedDictionary

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - domain: The domain.
    ///   - code: The code within the domain.
    ///   - userInfo: What else is known of it.
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

    /// An error that knows nothing else has the null reference there.
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
