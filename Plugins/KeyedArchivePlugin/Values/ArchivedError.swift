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
