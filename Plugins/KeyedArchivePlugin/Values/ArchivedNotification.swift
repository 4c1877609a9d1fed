internal import _PropertyLists

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
