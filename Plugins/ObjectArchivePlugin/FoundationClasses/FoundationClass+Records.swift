internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable
internal import _PropertyLists

extension FoundationClass {
    /// Objects with a few named parts.
    static var records: [Self] {
        [
            Self(
                NSError.self,
                "NSError",
                encode: { error, archiver in
                    try archiver.put(error.domain, in: .key("NSDomain"))
                    try archiver.put(error.code, in: .key("NSCode"))
                    try archiver.put(error.userInfo.isEmpty ? nil : error.userInfo, in: .key("NSUserInfo"))
                },
                decode: { unarchiver in
                    guard let domain = try unarchiver.text(.key("NSDomain")) else {
                        throw unarchiver.broken(NSError.self)
                    }
                    let code: Int = try unarchiver.integer(.key("NSCode")) ?? 0
                    return NSError(domain: domain, code: code, userInfo: try unarchiver.table("NSUserInfo"))
                }
            ),
            Self(NSNotification.self, "NSNotification") { unarchiver in
                guard let name = try unarchiver.text(.key("NS.name")) else {
                    throw unarchiver.broken(NSNotification.self)
                }
                return NSNotification(
                    name: Notification.Name(name),
                    object: try unarchiver.object(.key("NS.object"), allowed: unarchiver.frame().allowed.withValues),
                    userInfo: try unarchiver.table("NS.userinfo")
                )
            },
            Self(NSPersonNameComponents.self, "NSPersonNameComponents") { unarchiver in
                let name = NSPersonNameComponents()
                name.namePrefix = try unarchiver.text(.key("NS.namePrefix"))
                name.givenName = try unarchiver.text(.key("NS.givenName"))
                name.middleName = try unarchiver.text(.key("NS.middleName"))
                name.familyName = try unarchiver.text(.key("NS.familyName"))
                name.nameSuffix = try unarchiver.text(.key("NS.nameSuffix"))
                name.nickname = try unarchiver.text(.key("NS.nickname"))
                return name
            },
            Self(NSURLQueryItem.self, "NSURLQueryItem") { unarchiver in
                guard let name = try unarchiver.text(.key("NS.name")) else {
                    throw unarchiver.broken(NSURLQueryItem.self)
                }
                return NSURLQueryItem(name: name, value: try unarchiver.text(.key("NS.value")))
            },
            Self(NSRegularExpression.self, "NSRegularExpression") { unarchiver in
                guard let pattern = try unarchiver.text(.key("NSPattern")) else {
                    throw unarchiver.broken(NSRegularExpression.self)
                }
                let options: UInt = try unarchiver.integer(.key("NSOptions")) ?? 0
                return try NSRegularExpression(pattern: pattern, options: .init(rawValue: options & 0x7F))
            },
            Self(NSAffineTransform.self, "NSAffineTransform") { unarchiver in
                let transform = NSAffineTransform()
                var numbers = [Float](repeating: 0, count: 6)
                try numbers.withUnsafeMutableBytes { numbers in
                    guard let start = numbers.baseAddress else { return }
                    try unarchiver.values("f", count: 6, into: start)
                }
                let parts = numbers.map { CGFloat($0) }
                transform.transformStruct = NSAffineTransformStruct(
                    m11: parts[0],
                    m12: parts[1],
                    m21: parts[2],
                    m22: parts[3],
                    tX: parts[4],
                    tY: parts[5]
                )
                return transform
            },
        ]
    }
}

extension ObjectUnarchiver {
    /// Decodes a dictionary with text keys, if it exists.
    fileprivate func table(_ key: String) throws -> [String: Any]? {
        let allowed = try frame().allowed.withValues
        guard let object = try object(.key(key), allowed: allowed) else { return nil }
        guard let table = object as? NSDictionary, table.allKeys.allSatisfy({ $0 is String }) else {
            throw TransformerError.unreadable(try path(.key(key)), "it is not a dictionary with text keys")
        }
        var result: [String: Any] = [:]
        for (key, value) in table {
            if let key = key as? String { result[key] = value }
        }
        return result
    }
}
