internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable
internal import _PropertyLists

extension FoundationClass {
    /// Strings and data.
    static var texts: [Self] {
        [
            Self(
                NSString.self,
                "NSString",
                encode: { try $1.putInline(String($0), in: .key("NS.string")) },
                decode: { NSString(string: try $0.storage.string($0.frame().node)) }
            ),
            Self(
                NSMutableString.self,
                "NSMutableString",
                "NSString",
                encode: { try $1.putInline(String($0), in: .key("NS.string")) },
                decode: { NSMutableString(string: try $0.storage.string($0.frame().node)) }
            ),
            Self(
                NSData.self,
                "NSData",
                encode: { try $1.putInline($0, in: .key("NS.data")) },
                decode: { NSData(data: try $0.storage.data($0.frame().node)) }
            ),
            Self(
                NSMutableData.self,
                "NSMutableData",
                "NSData",
                encode: { try $1.putInline($0, in: .key("NS.data")) },
                decode: { NSMutableData(data: try $0.storage.data($0.frame().node)) }
            ),
        ]
    }
}

extension ObjectArchiver {
    fileprivate func putInline(_ data: NSData, in slot: Slot) throws {
        try Data(referencing: data).withUnsafeBytes { try put($0, in: slot) }
    }
}
