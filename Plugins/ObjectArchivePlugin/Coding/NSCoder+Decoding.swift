public import Foundation
internal import KeyedArchivePlugin
internal import Transformable

/// Methods of Foundation's `NSCoder` that exist only on Apple platforms, and others that Swift classes need.
extension NSCoder {
    /// Decodes an array of objects of a class.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - key: The key.
    /// - Returns: The objects, or nil if there is no array or it contains anything else.
    public func decodeArrayOfObjects<Object: NSObject & NSSecureCoding>(
        ofClass type: Object.Type,
        forKey key: String
    ) -> [Object]? {
        decodeArrayOfObjects(ofClasses: [type], forKey: key) as? [Object]
    }

    /// Decodes an array of objects of several classes.
    ///
    /// - Parameters:
    ///   - classes: The classes that objects can have.
    ///   - key: The key.
    /// - Returns: The objects, or nil if there is no array or it contains anything else.
    public func decodeArrayOfObjects(ofClasses classes: [AnyClass], forKey key: String) -> [Any]? {
        guard let coder = self as? ObjectUnarchiver else {
            return (decodeObject(of: [NSArray.self] + classes, forKey: key) as? NSArray).map { Array($0) }
        }
        return coder.attempt(nil) { try coder.objects(.key(key), allowed: AllowedClasses(classes)) }
    }

    /// Decodes an object that may not be initialized yet, such as the parent of the current object.
    ///
    /// In Swift, nothing can refer to an object before its initializer returns. If an object contains itself, use this
    /// method to decode the reference back to it. `body` is called immediately if the object is initialized, or as soon
    /// as it is.
    ///
    /// ```swift
    /// required init?(coder: NSCoder) {
    ///     super.init()
    ///     coder.decodeReference(of: Node.self, forKey: "parent") { [weak self] in self?.parent = $0 }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class of the object.
    ///   - key: The key.
    ///   - body: A closure that receives the object, or nil if there is none.
    public func decodeReference<Object: NSObject & NSSecureCoding>(
        of type: Object.Type,
        forKey key: String,
        _ body: @escaping (Object?) -> Void
    ) {
        guard let coder = self as? ObjectUnarchiver else { return body(decodeObject(of: type, forKey: key)) }
        coder.reference(.key(key), to: type, body)
    }
}

extension ObjectUnarchiver {
    fileprivate func reference<Object: NSObject>(
        _ slot: Slot,
        to type: Object.Type,
        _ body: @escaping (Object?) -> Void
    ) {
        let target = attempt(nil) { try field(slot).flatMap(storage.resolve) }
        guard let target, unfinished.contains(target) else {
            return body(attempt(nil) { try object(slot, allowed: AllowedClasses([type])) } as? Object)
        }
        let path = attempt(CodingPath.top) { try self.path(slot) }
        waiting[target, default: []]
            .append { [unowned self] object in
                guard let object = object as? Object else {
                    return self.failWithError(TransformerError.unexpectedClass("another", at: path, allowed: "\(type)"))
                }
                body(object)
            }
    }
}
