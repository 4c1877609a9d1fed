public import Foundation
internal import Transformable
internal import _PropertyLists

/// What Foundation's `NSCoder` has on a Mac and not here, and what Swift classes need beyond it.
extension NSCoder {
    /// Decodes an array of objects of one class.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - key: The key.
    /// - Returns: The objects; nil if there is no array, or it holds anything else.
    public func decodeArrayOfObjects<Object: NSObject & NSSecureCoding>(
        ofClass type: Object.Type,
        forKey key: String
    ) -> [Object]? {
        decodeArrayOfObjects(ofClasses: [type], forKey: key) as? [Object]
    }

    /// Decodes an array of objects of several classes.
    ///
    /// - Parameters:
    ///   - classes: The classes that objects may have.
    ///   - key: The key.
    /// - Returns: The objects; nil if there is no array, or it holds anything else.
    public func decodeArrayOfObjects(ofClasses classes: [AnyClass], forKey key: String) -> [Any]? {
        guard let coder = self as? ObjectUnarchiver else {
            return (decodeObject(of: [NSArray.self] + classes, forKey: key) as? NSArray).map { Array($0) }
        }
        return coder.attempt(nil) { try coder.objects(.key(key), allowed: AllowedClasses(classes)) }
    }

    /// Decodes an object that may still be in the making, such as the parent of the object that asks.
    ///
    /// Swift initializes an object as it makes it, so that nothing can refer to an object whose
    /// `init(coder:)` has not returned. Of an object that contains itself, the way back is read by this
    /// method: `body` is called at once if the object is there, and otherwise as soon as it is.
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
    ///   - body: Takes the object; nil if there is none.
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
