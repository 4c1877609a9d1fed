internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable

extension FoundationClass {
    /// Classes that Apple's Foundation and Foundation on Linux archive in different forms.
    ///
    /// Both forms are written, so that both can read them.
    static var variants: [Self] {
        [
            Self(
                NSAffineTransform.self,
                "NSAffineTransform",
                encode: { transform, archiver in
                    transform.encode(with: archiver)
                    let numbers = (transform as AffineTransform).numbers
                    guard let bytes = ArchivedAffineTransform.bytes(numbers) else { return }
                    try bytes.withUnsafeBytes { try archiver.put($0, in: .key(ArchivedAffineTransform.structField)) }
                },
                decode: { try $0.affineTransform() as NSAffineTransform }
            ),
            Self(
                NSPersonNameComponents.self,
                "NSPersonNameComponents",
                encode: { name, archiver in
                    name.encode(with: archiver)
                    try archiver.putParts(of: name)
                },
                decode: { try $0.personName() }
            ),
            Self(
                NSDateComponents.self,
                "NSDateComponents",
                encode: { components, archiver in
                    components.encode(with: archiver)
                    let leapMonth = components.isLeapMonth ? 1 : 0
                    try archiver.put(leapMonth, in: .key("NS.leapMonth"))
                },
                decode: { try $0.dateComponents() }
            ),
        ]
    }

    /// The field in which Apple's archivers store the parts of a person's name, as an object of a private class.
    fileprivate static let namePartsField = "NS.nameComponentsPrivate"
    fileprivate static let nameParts = ArchivedClass("_NSPersonNameComponentsData")
    /// The field of that object in which they store how the name is pronounced, as a name of its own.
    fileprivate static let phoneticField = "NS.phoneticRepresentation"
}

extension ObjectUnarchiver {
    /// Decodes a transform from the array of Foundation on Linux, or from Apple's bytes, which the identity does not
    /// have.
    fileprivate func affineTransform() throws -> AffineTransform {
        if try find("$0", in: frame()).flatMap(storage.resolve) != nil {
            var numbers = [Float](repeating: 0, count: 6)
            try numbers.withUnsafeMutableBytes { numbers in
                guard let start = numbers.baseAddress else { return }
                try values("f", count: 6, into: start)
            }
            return AffineTransform(numbers: numbers.map { Double($0) }) ?? .identity
        }
        guard let bytes = try bytes(.key(ArchivedAffineTransform.structField)) else { return .identity }
        guard let transform = ArchivedAffineTransform.numbers(bytes).flatMap(AffineTransform.init(numbers:)) else {
            throw broken(NSAffineTransform.self)
        }
        return transform
    }
}

extension ObjectArchiver {
    /// Adds the object that contains the parts of a name.
    fileprivate func putParts(of name: NSPersonNameComponents) throws {
        let (node, path) = try add(.key(FoundationClass.namePartsField))
        tree.set(node, to: FoundationClass.nameParts)
        frames.append(Frame(node: node, path: path))
        defer { frames.removeLast() }
        name.encode(with: self)
        guard let phonetic = name.phoneticRepresentation else { return }
        try put(phonetic as NSPersonNameComponents, in: .key(FoundationClass.phoneticField))
    }
}

extension ObjectUnarchiver {
    /// Decodes a name from the object that contains its parts, or from its own fields.
    fileprivate func personName() throws -> NSPersonNameComponents {
        guard let index = try field(.key(FoundationClass.namePartsField)), let node = storage.resolve(index) else {
            return try nameParts()
        }
        guard storage.archivedClass(at: node)?.name == FoundationClass.nameParts.name else {
            throw broken(NSPersonNameComponents.self)
        }
        let path = try path(.key(FoundationClass.namePartsField))
        frames.append(Frame(node: node, path: path, allowed: AllowedClasses([])))
        defer { frames.removeLast() }
        return try nameParts()
    }

    private func nameParts() throws -> NSPersonNameComponents {
        let name = NSPersonNameComponents()
        name.namePrefix = try text(.key("NS.namePrefix"))
        name.givenName = try text(.key("NS.givenName"))
        name.middleName = try text(.key("NS.middleName"))
        name.familyName = try text(.key("NS.familyName"))
        name.nameSuffix = try text(.key("NS.nameSuffix"))
        name.nickname = try text(.key("NS.nickname"))
        name.phoneticRepresentation = try object(NSPersonNameComponents.self, FoundationClass.phoneticField)
            .map { $0 as PersonNameComponents }
        return name
    }
}

extension ObjectUnarchiver {
    fileprivate func dateComponents() throws -> NSDateComponents {
        let components = NSDateComponents()
        let fields: [(String, ReferenceWritableKeyPath<NSDateComponents, Int>)] = [
            ("era", \.era), ("year", \.year), ("month", \.month), ("day", \.day), ("hour", \.hour),
            ("minute", \.minute), ("second", \.second), ("nanosec", \.nanosecond), ("weekday", \.weekday),
            ("weekdayOrdinal", \.weekdayOrdinal), ("quarter", \.quarter), ("weekOfMonth", \.weekOfMonth),
            ("weekOfYear", \.weekOfYear), ("yearForWOY", \.yearForWeekOfYear),
        ]
        for (name, field) in fields {
            components[keyPath: field] = try integer(.key("NS.\(name)")) ?? NSDateComponentUndefined
        }
        let leapMonths: [Int] = try ["NS.leapMonth", "NS.isLeapMonth"].map { try integer(.key($0)) ?? 0 }
        components.isLeapMonth = leapMonths.contains { $0 != 0 }
        components.calendar = try object(NSCalendar.self, "NS.calendar").map { $0 as Calendar }
        components.timeZone = try object(NSTimeZone.self, "NS.timezone").map { $0 as TimeZone }
        return components
    }
}
