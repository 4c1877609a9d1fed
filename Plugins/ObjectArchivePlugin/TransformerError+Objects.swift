internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable

extension TransformerError {
    static func unknownClass(_ name: String, at path: CodingPath) -> Self {
        let message = "“\(place(path))” is an object of class \(name), which is not registered; add it to the classes"
        return Self(.unexpectedClass, message)
    }

    static func notCodable(_ type: Any.Type, at path: CodingPath) -> Self {
        .invalidValue("“\(place(path))” is of type \(type), which does not support secure coding")
    }

    static func foundationSubclass(_ type: AnyClass, of superclass: AnyClass) -> Self {
        guard type != superclass else {
            let message = "the coding of the Foundation class \(type) cannot be called safely"
            return Self(.unsupported, message + "; archive its parts, or decode it as an ArchivedValue")
        }
        let message = "\(type) inherits from \(superclass), whose own coding cannot be called safely"
        return Self(.unsupported, message + "; use a property of that class instead")
    }

    static func privateClass(_ type: AnyClass) -> Self {
        let message = "\(type) is private, so its name is not stable; declare a name with KeyedArchiveNamed"
        return Self(.unsupported, message)
    }

    static func refused(_ type: AnyClass, at path: CodingPath) -> Self {
        .invalidData("“\(place(path))” was refused by \(type).init(coder:)")
    }

    static func cycle(at path: CodingPath) -> Self {
        let message = """
            “\(place(path))” is an object that is still being decoded, because it contains itself; \
            decode the reference back to it with decodeReference(of:forKey:)
            """
        return Self(.cyclicReference, message)
    }

    static func unreadable(_ path: CodingPath, _ reason: String) -> Self {
        .invalidData("“\(place(path))” cannot be decoded: \(reason)")
    }
}
