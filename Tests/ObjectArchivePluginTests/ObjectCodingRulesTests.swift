import Foundation
import KeyedArchivePlugin
import ObjectArchivePlugin
import Testing
import Transformable

/// Which classes are made, what stands for what, and what happens when something fails.
@Suite struct ObjectCodingRulesTests {
    private func registry(_ classes: ArchiveClasses = []) throws -> TransformerRegistry {
        try TransformerRegistry { ObjectArchivePlugin(classes: classes) }
    }

    private func archive(_ object: NSObject, _ classes: ArchiveClasses = []) throws -> Data {
        try ObjectArchiveTransformer<Box>(classes: classes).encode(Box(object))
    }

    private func failure(_ body: () throws -> some Any) -> TransformerError? {
        #expect(throws: TransformerError.self) { try body() }
    }

    // MARK: Which classes are made

    @Test func theFamilySupportsClasses() throws {
        let transformer = try registry().transformer("keyed-archive(format: xml)", for: Everything.self)
        let bytes = try transformer.encode(.sample())
        #expect(bytes.starts(with: Data("<?xml".utf8)))
        #expect(try transformer.decode(bytes).isEqual(Everything.sample()))
    }

    @Test func theFamilyRejectsTypesThatCannotBeArchived() {
        final class Plain: NSObject {}
        #expect(failure { try registry().transformer("keyed-archive", for: Plain.self) }?.code == .unsupportedType)
        #expect(failure { try registry().transformer("keyed-archive", for: Insecure.self) }?.code == .invalidValue)
        #expect(failure { try registry().transformer("keyed-archive", for: Subclass.self) }?.code == .unsupported)
    }

    @Test func theNameOfAPrivateClassIsNotWritten() {
        final class Local: NSObject, NSSecureCoding {
            static var supportsSecureCoding: Bool { true }
            override init() {}
            init?(coder: NSCoder) {}
            func encode(with coder: NSCoder) {}
        }
        #expect(failure { try archive(Local()) }?.code == .unsupported)
        var classes = ArchiveClasses()
        classes.add(Local.self, as: "Acme.Local")
        #expect(throws: Never.self) { try archive(Local(), classes) }
    }

    @Test func errorsNameAnUnlistedClassAndItsPath() throws {
        let bytes = try archive(NSArray(array: ["a", Node("x")]))
        let error = failure { try ObjectArchiveTransformer<Box>().decode(bytes) }
        #expect(error?.code == .unexpectedClass)
        #expect(error?.message.contains("“content.1” is an object of class ObjectArchivePluginTests.Node") == true)
        #expect(throws: Never.self) { try ObjectArchiveTransformer<Box>(classes: [Node.self]).decode(bytes) }
    }

    @Test func theClassesOfACallApplyToItsResult() throws {
        let wrong = try archive(NSDictionary(dictionary: ["title": 5]))
        var classes = ArchiveClasses()
        classes.add(Node.self, as: "ObjectArchivePluginTests.Box")
        let error = failure { try ObjectArchiveTransformer<Node>(classes: classes).decode(wrong) }
        #expect(error?.code == .invalidData)
        let swapped = try ObjectArchiveTransformer<Node>().encode(Node("root", [Node("a")]))
        let read = failure { try ObjectArchiveTransformer<Box>(classes: [Node.self]).decode(swapped) }
        #expect(read?.code == .unexpectedClass)
        #expect(read?.message.contains("“root” is an object of class ObjectArchivePluginTests.Node") == true)
    }

    @Test func theArgumentNamesTheClasses() throws {
        let bytes = try archive(Node("x"))
        let listed = "keyed-archive(classes: \"ObjectArchivePluginTests.Node\")"
        #expect(throws: Never.self) { try registry([Node.self]).transformer(listed, for: Box.self).decode(bytes) }
        let none = try registry([Node.self]).transformer("keyed-archive(classes: \"\")", for: Box.self)
        #expect(failure { try none.decode(bytes) }?.code == .unexpectedClass)
        #expect(failure { try registry().transformer(listed, for: Box.self) }?.code == .invalidArgument)
    }

    @Test func theArgumentAppliesToArchivedValues() throws {
        let bytes = try archive(NSArray(array: [Node("x")]))
        let box = "ObjectArchivePluginTests.Box"
        let all = try registry().transformer("keyed-archive", for: ArchivedValue.self)
        #expect(throws: Never.self) { try all.decode(bytes) }
        let some = try registry().transformer("keyed-archive(classes: \"\(box)\")", for: ArchivedValue.self)
        let error = failure { try some.decode(bytes) }
        #expect(error?.code == .unexpectedClass)
        #expect(error?.message.contains("“content.0” is an object of class ObjectArchivePluginTests.Node") == true)
        let both = "keyed-archive(classes: [\"\(box)\", \"ObjectArchivePluginTests.Node\"])"
        #expect(throws: Never.self) { try registry().transformer(both, for: ArchivedValue.self).decode(bytes) }
    }

    @Test func classesAreNotPartOfTheSignature() throws {
        let resolved = try registry().resolve("keyed-archive(classes: \"A, B\")")
        #expect(resolved.signature.description == "keyed-archive/1(root: \"root\")")
        #expect(resolved.expression.description == "keyed-archive(classes: \"A, B\")")
    }

    // MARK: What stands for what

    @Test func classesAreRenamedInBothDirections() throws {
        var writing = ArchiveClasses()
        writing.add(Node.self, as: "Acme.Node")
        let bytes = try ObjectArchiveTransformer<Node>(classes: writing).encode(Node("x"))
        #expect(try Archive(bytes)["root"]?.archivedClass?.name == "Acme.Node")
        #expect(failure { try ObjectArchiveTransformer<Node>().decode(bytes) }?.code == .unexpectedClass)
        var reading = ArchiveClasses()
        reading.add(Node.self, formerly: ["Acme.Node"])
        #expect(try ObjectArchiveTransformer<Node>(classes: reading).decode(bytes).title == "x")
    }

    @Test func objectsCanReplaceThemselves() throws {
        let transformer = ObjectArchiveTransformer<Box>(classes: [Node.self])
        let proxy = Proxy(title: "p")
        let bytes = try transformer.encode(Box(NSArray(array: [proxy, proxy])))
        let read = try transformer.decode(bytes).content as? [Node]
        #expect(read?.map(\.title) == ["p", "p"])
        #expect(read?.first === read?.last)
    }

    @Test func anAwakenedObjectReplacesTheOriginal() throws {
        let transformer = ObjectArchiveTransformer<Box>(classes: [Shared.self])
        let object = Shared()
        let read =
            try transformer.decode(transformer.encode(Box(NSArray(array: [object, object])))).content as? [NSObject]
        #expect(read?.count == 2)
        #expect(read?.allSatisfy { $0 === Shared.instance } == true)
    }

    @Test func theChainIncludesSuperclasses() throws {
        let root = try Archive(ObjectArchiveTransformer<Leaf>().encode(Leaf("x")))["root"]
        let chain = ["ObjectArchivePluginTests.Leaf", "ObjectArchivePluginTests.Node", "NSObject"]
        #expect(root?.archivedClass?.chain == chain)
    }

    // MARK: Without keys

    @Test func valuesWithoutKeysStayInOrder() throws {
        let transformer = ObjectArchiveTransformer<Sequential>()
        #expect(try transformer.decode(transformer.encode(Sequential())).isEqual(Sequential()))
        let foundation = try NSKeyedArchiver.archivedData(withRootObject: Sequential(), requiringSecureCoding: false)
        #expect(try transformer.decode(foundation).isEqual(Sequential()))
    }

    // MARK: Failures

    @Test func errorsNameAnUnsupportedObjectAndItsPath() {
        let subclass = Subclass(name: "a", value: "b")
        #expect(failure { try archive(NSArray(array: ["a", subclass])) }?.code == .unsupported)
        let error = failure { try archive(NSArray(array: ["a", Insecure()])) }
        #expect(error?.message.contains("“content.1” is of type Insecure") == true)
    }

    @Test func aClassCanFail() throws {
        let transformer = ObjectArchiveTransformer<Choosy>()
        let error = failure { try transformer.decode(transformer.encode(Choosy())) }
        #expect((error?.underlying as? CocoaError)?.code == .coderReadCorrupt)
    }

    @Test(arguments: [NSCoder.DecodingFailurePolicy.setErrorAndReturn, .raiseException])
    func valuesAreZeroAfterAFailure(policy: NSCoder.DecodingFailurePolicy) throws {
        let box = ObjectArchiveTransformer<Box>(classes: [Choosy.self], failurePolicy: policy)
        #expect(failure { try box.decode(box.encode(Box(Choosy()))) }?.code == .invalidData)
    }

    @Test func aFailedInitializerIsAnErrorWithThePath() throws {
        let fields: [String: ArchivedInstance.FieldValue] = ["title": .object(nil)]
        let broken = ArchivedValue.object(
            ArchivedInstance(ArchivedClass("ObjectArchivePluginTests.Node"), fields: fields)
        )
        let error = failure { try ObjectArchiveTransformer<Node>().decode(ArchivedValueTransformer().encode(broken)) }
        #expect(error?.message == "“root” was refused by Node.init(coder:)")
    }

    @Test(arguments: [
        ("number", ArchivedInstance.FieldValue.inline("x")), ("number", .inline(.integer(Int128(Int64.max) + 1))),
        ("small", .inline(.integer(1 << 31))), ("number", .inline(0.5)), ("flag", .inline(2)), ("ratio", .inline("1")),
        ("single", .inline(1e300)),
        ("bytes", .inline("1")), ("name", .object(5)), ("date", .object("1")), ("list", .object(5)),
        ("list", .object(.array([.url(ArchivedURL("a:b"))]))), ("table", .object(["a": .set([])])),
    ])
    func wrongTypesAreErrors(field: String, value: ArchivedInstance.FieldValue) throws {
        let archivedClass = ArchivedClass("ObjectArchivePluginTests.Everything")
        let broken = ArchivedValue.object(ArchivedInstance(archivedClass, fields: [field: value]))
        let bytes = try ArchivedValueTransformer().encode(broken)
        let error = failure { try ObjectArchiveTransformer<Everything>().decode(bytes) }
        #expect(error?.message.contains("“\(field)") == true, "\(error?.message ?? "")")
    }

    @Test func missingKeysAreZeroAndNil() throws {
        let archivedClass = ArchivedClass("ObjectArchivePluginTests.Everything")
        let bytes = try ArchivedValueTransformer().encode(.object(ArchivedInstance(archivedClass, fields: [:])))
        #expect(try ObjectArchiveTransformer<Everything>().decode(bytes).isEqual(Everything()))
    }

    @Test func readingAParentImmediatelyIsAnError() throws {
        let box = Box(NSMutableArray())
        (box.content as? NSMutableArray)?.add(box)
        let bytes = try ObjectArchiveTransformer<Box>().encode(box)
        (box.content as? NSMutableArray)?.removeAllObjects()
        let error = failure { try ObjectArchiveTransformer<Box>().decode(bytes) }
        #expect(error?.code == .cyclicReference)
        #expect(error?.message.contains("“content.0”") == true)
    }

    @Test func depthIsLimited() throws {
        let chain = (0..<600).reduce(NSArray()) { inner, _ in NSArray(object: inner) }
        #expect(failure { try archive(chain) }?.code == .limitExceeded)
        var nested = ArchivedValue.array([])
        for _ in 0..<100 { nested = .array([nested]) }
        let bytes = try ArchivedValueTransformer().encode(nested)
        let transformer = ObjectArchiveTransformer<NSArray>(limits: KeyedArchiveLimits(depth: 50))
        #expect(failure { try transformer.decode(bytes) }?.code == .limitExceeded)
    }

    /// A tree of 2^40 values that is forty arrays: as a member of a set it would be compared for ever.
    @Test func sharedObjectsAreDecodedInReasonableTime() throws {
        let tree = (0..<40).reduce(NSArray(object: "x")) { inner, _ in NSArray(array: [inner, inner]) }
        let bytes = try archive(tree)
        #expect(failure { try ObjectArchiveTransformer<Box>().decode(bytes) }?.code == .limitExceeded)
    }

    /// Core Foundation hashes the two ends and the middle of a long string only.
    @Test func collidingStringsAreDecodedInReasonableTime() throws {
        let keys = (0..<20_000)
            .map { number -> ArchivedValue in
                let middle = String(repeating: "m", count: 40)
                let digits = String(repeating: "0", count: 8 - String(number).count) + String(number)
                let padding = String(repeating: "p", count: 40)
                return .string(padding + digits + middle + "x" + middle + "00000000" + padding)
            }
        let bytes = try ArchivedValueTransformer().encode(.array([.set(ArchivedSet(keys))]))
        let clock = ContinuousClock()
        let time = clock.measure { _ = try? ObjectArchiveTransformer<NSArray>().decode(bytes) }
        #expect(time < .seconds(5))
    }
}

/// Supports coding, and not the secure kind.
final class Insecure: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { false }
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

/// Inherits from a class whose own coding traps, and adds no state to its class, which is safe from any thread.
final class Subclass: NSURLQueryItem, @unchecked Sendable {}

/// Is archived as a node.
final class Proxy: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let title: String
    init(title: String) { self.title = title }
    init?(coder: NSCoder) { nil }
    func encode(with coder: NSCoder) {}
    override func replacementObject(for coder: NSCoder) -> Any? { Node(title) }
}

/// One for all.
final class Shared: NSObject, NSSecureCoding, ArchiveAwakening {
    // It has no state.
    nonisolated(unsafe) static let instance = Shared()
    static var supportsSecureCoding: Bool { true }
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
    func awakeAfter(using coder: NSCoder) -> Any? { Shared.instance }
}

/// Encodes without keys.
final class Sequential: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    var text = "text"
    var number: Int32 = -7
    var numbers: [Double] = [1, 2.5, -3]
    var data = Data([1, 2])

    override init() {}

    init?(coder: NSCoder) {
        text = coder.decodeObject() as? String ?? ""
        coder.decodeValue(ofObjCType: "i", at: &number)
        numbers = [0, 0, 0]
        numbers.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            coder.decodeArray(ofObjCType: "d", count: 3, at: start)
        }
        data = coder.decodeData() ?? Data()
    }

    func encode(with coder: NSCoder) {
        coder.encode(text as Any?)
        coder.encodeValue(ofObjCType: "i", at: &number)
        numbers.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            coder.encodeArray(ofObjCType: "d", count: 3, at: start)
        }
        coder.encode(data)
    }

    override func isEqual(_ other: Any?) -> Bool {
        guard let other = other as? Sequential else { return false }
        return text == other.text && number == other.number && numbers == other.numbers && data == other.data
    }
}

/// Is never content with what it reads, and says what it saw of the failure.
final class Choosy: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() {}

    init?(coder: NSCoder) {
        coder.failWithError(CocoaError(.coderReadCorrupt))
        let isSeen = coder.error != nil
        precondition(isSeen == (coder.decodingFailurePolicy == .setErrorAndReturn), "the policy says what is seen")
        precondition(coder.decodeInteger(forKey: "number") == 0, "after a failure everything is zero")
        return nil
    }

    func encode(with coder: NSCoder) { coder.encode(5, forKey: "number") }
}
