import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

/// Archives that are well formed and meant to do harm.
@Suite struct HostileArchiveTests {
    typealias Names = BinaryPropertyListBuilder.Names

    /// Arrays of which each holds the next one, a number of times; the last one holds the object that is given.
    private func chain(_ count: Int, times: Int, last: Int) -> Data {
        var builder = BinaryPropertyListBuilder.archive { names in
            var extra: [BinaryPropertyListBuilder.Object] = [.uid(count + 1)]
            var objects: [Int] = []
            for level in 1...count {
                let reference = names.next + extra.count
                extra.append(.uid(level == count ? last : level + 1))
                extra.append(.array(Array(repeating: reference, count: times)))
                extra.append(.dictionary([(Names.isa, names.next), (Names.members, reference + 1)]))
                objects.append(reference + 2)
            }
            return (objects + [Names.arrayClass], extra)
        }
        builder.referenceWidth = 3
        builder.offsetWidth = 4
        return builder.data()
    }

    @Test func valuesThatContainThemselvesAreErrors() {
        let data = chain(3, times: 1, last: 1)
        let error = #expect(throws: TransformerError.self) { try ArchivedValueTransformer().decode(data) }
        #expect(error?.code == .cyclicReference)
    }

    @Test func cyclesOpenAsGraphs() throws {
        let archive = try Archive(chain(3, times: 1, last: 1))
        let root = try #require(archive["root"])
        #expect(root["NS.objects"]?[0]?["NS.objects"]?[0]?["NS.objects"]?[0]?.number == root.number)
        #expect(archive.description.contains("#1 NSArray (see above)"))
    }

    /// Thirty arrays, each with the next one ten times: 10³⁰ values in a few kilobytes.
    @Test func exponentialTreesAreErrors() {
        let data = chain(30, times: 10, last: 0)
        let error = #expect(throws: TransformerError.self) { try ArchivedValueTransformer().decode(data) }
        #expect(error?.code == .limitExceeded)
        let typed = #expect(throws: TransformerError.self) { try KeyedArchiveTransformer<Nested>().decode(data) }
        #expect(typed?.code == .limitExceeded)
    }

    @Test(arguments: [600, 100_000])
    func deepNestingIsAnError(depth: Int) throws {
        let data = chain(depth, times: 1, last: 0)
        let transformer = ArchivedValueTransformer(limits: KeyedArchiveLimits(depth: 500))
        let error = #expect(throws: TransformerError.self) { try transformer.decode(data) }
        #expect(error?.code == .limitExceeded)
        let typed = #expect(throws: TransformerError.self) { try KeyedArchiveTransformer<Nested>().decode(data) }
        #expect(typed?.code == .limitExceeded)
        #expect(try Archive(data).count == depth + 2)
    }

    /// Reading, comparing, writing, printing and freeing on a small stack, built without optimization.
    @Test func deepValuesDoNotOverflowTheStack() async throws {
        let data = chain(20_000, times: 1, last: 0)
        let isDone = await withCheckedContinuation { continuation in
            let thread = Thread {
                let limits = KeyedArchiveLimits(depth: KeyedArchiveLimits.deepest)
                let transformer = ArchivedValueTransformer(limits: limits)
                do {
                    let value = try transformer.decode(data)
                    let again = try transformer.decode(transformer.encode(value))
                    let printed = try ArchivedValue(json: Data(value.json.utf8))
                    let isSame = value == again && value.hashValue == again.hashValue && value == printed
                    continuation.resume(returning: isSame)
                } catch {
                    continuation.resume(returning: false)
                }
            }
            thread.stackSize = 256 << 10
            thread.start()
        }
        #expect(isDone)
    }

    /// One node with five thousand fields, of which the class is the last, stands for twenty thousand objects.
    @Test(.timeLimit(.minutes(1)))
    func objectsInASingleNodeAreReadOnce() throws {
        var builder = BinaryPropertyListBuilder.archive { names in
            let fields = Array(repeating: (key: Names.top, value: Names.number), count: 5_000)
            let extra: [BinaryPropertyListBuilder.Object] = [
                .uid(20_001), .uid(2), .array(Array(repeating: names.next + 1, count: 20_000)),
                .dictionary([(Names.isa, names.next), (Names.members, names.next + 2)]),
                .dictionary(fields + [(Names.members, names.next + 5), (Names.isa, names.next)]), .array([]),
            ]
            let copies = Array(repeating: names.next + 4, count: 19_999)
            return ([names.next + 3] + copies + [Names.arrayClass], extra)
        }
        builder.referenceWidth = 3
        builder.offsetWidth = 4
        let value = try ArchivedValueTransformer().decode(builder.data())
        #expect(value.array?.count == 20_000)
        #expect(try Archive(builder.data()).description.utf8.count < 100_000_000)
    }

    /// An inline list with 200 times the next one, and so on: 8 million lines.
    @Test(.timeLimit(.minutes(2)))
    func sharedListsInFieldsArePrintedInPart() throws {
        let builder = BinaryPropertyListBuilder.archive { names in
            let lists = (1...3)
                .map { BinaryPropertyListBuilder.Object.array(Array(repeating: names.next + $0, count: 200)) }
            let object = BinaryPropertyListBuilder.Object.dictionary([
                (Names.isa, names.next + 4), (Names.members, names.next),
            ])
            return ([names.next + 5, Names.arrayClass], lists + [.array([]), .uid(2), object])
        }
        let archive = try Archive(builder.data())
        #expect(archive.description.hasSuffix("\n… (more than 1000000 lines)\n"))
        let json = archive.json
        #expect(json.contains(#"{"$omitted": true}"#))
        #expect(json.hasSuffix("]\n}\n"))
    }

    /// A hundred references each to a megabyte of data and of text, of which a line shows only the beginning.
    private static let megabytes = {
        let head: [UInt8] = [0x4F, 0x12, 0x00, 0x0F, 0x42, 0x40]
        let text = String(repeating: "x", count: 1_000_000)
        let references = Array(repeating: Names.fixed.count, count: 100)
        let list = BinaryPropertyListBuilder.Object.array(references + references.map { $0 + 1 })
        let data = BinaryPropertyListBuilder.Object.bytes(head + Array(repeating: 7, count: 1_000_000))
        return (list: list, leaves: [data, .string(text)])
    }()

    private func details(_ builder: BinaryPropertyListBuilder) throws -> [Substring] {
        var builder = builder
        builder.offsetWidth = 4
        let inspections = try KeyedArchivePlugin().inspectors.compactMap { try $0.inspect(builder.data()) }
        return try #require(inspections.first?.details).split(separator: "\n")
    }

    @Test func referencesToLongTextInPropertyListsArePrinted() throws {
        var builder = BinaryPropertyListBuilder(objects: Names.fixed + Self.megabytes.leaves + [Self.megabytes.list])
        builder.top = builder.objects.count - 1
        let lines = try details(builder)
        #expect(lines.count == 201)
        #expect(lines[1] == "  1000000 bytes: \(String(repeating: "07", count: 32))…")
        #expect(lines[200] == "  “\(String(repeating: "x", count: 200))…” (1000000 bytes)")
        #expect(Set(lines).count == 3)
    }

    @Test func referencesToLongTextInArchivesArePrinted() throws {
        let builder = BinaryPropertyListBuilder.archive { names in
            let object = BinaryPropertyListBuilder.Object.dictionary([
                (Names.isa, names.next + 3), (Names.members, names.next + 2),
            ])
            let extra = Self.megabytes.leaves + [Self.megabytes.list, .uid(2), object]
            return ([names.next + 4, Names.arrayClass], extra)
        }
        let lines = try details(builder)
        #expect(lines.count == 202)
        #expect(Set(lines).count == 4)
        #expect(lines.last == "    “\(String(repeating: "x", count: 200))…” (1000000 bytes)")
    }

    /// An archive in XML of a number of references to index paths or index sets, which share the data of 10,000 integers.
    private func indexes(_ name: String, _ fields: String, objects: Int, references: Int) -> Data {
        func reference(_ number: Int) -> String { "<dict><key>CF$UID</key><integer>\(number)</integer></dict>" }
        func described(_ name: String) -> String { "<dict><key>$classname</key><string>\(name)</string></dict>" }
        let members = (0..<references).map { reference(5 + $0 % objects) }.joined()
        let data = Data(repeating: 1, count: 10_000).base64EncodedString()
        let object = "<dict><key>$class</key>\(reference(4))\(fields)\(reference(2))</dict>"
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>$version</key><integer>100000</integer><key>$archiver</key><string>NSKeyedArchiver</string>
            <key>$top</key><dict><key>root</key>\(reference(1))</dict><key>$objects</key><array><string>$null</string>
            <dict><key>$class</key>\(reference(3))<key>NS.objects</key><array>\(members)</array></dict>
            <data>\(data)</data>\(described("NSArray"))\(described(name))
            \(String(repeating: object, count: objects))</array></dict></plist>
            """
        return Data(text.utf8)
    }

    @Test(arguments: [
        ("NSIndexPath", "<key>NSIndexPathLength</key><integer>10000</integer><key>NSIndexPathData</key>"),
        ("NSIndexSet", "<key>NSRangeCount</key><integer>5000</integer><key>NSRangeData</key>"),
    ])
    func sharedIntegersAreAnError(name: String, fields: String) throws {
        func decode(objects: Int, references: Int) throws -> ArchivedValue {
            try ArchivedValueTransformer().decode(indexes(name, fields, objects: objects, references: references))
        }
        #expect(try decode(objects: 20, references: 20).array?.count == 20)
        #expect(try decode(objects: 1, references: 20).array?.count == 20)
        let many = #expect(throws: TransformerError.self) { try decode(objects: 200, references: 200) }
        #expect(many?.code == .limitExceeded)
        let repeated = #expect(throws: TransformerError.self) { try decode(objects: 1, references: 200) }
        #expect(repeated?.code == .limitExceeded)
    }

    /// Two class objects with the same list of names.
    private func classes(_ count: Int, names text: String) -> Data {
        BinaryPropertyListBuilder.archive { names in
            let (list, keys) = (names.next + 2, [Names.className, names.next])
            let extra: [BinaryPropertyListBuilder.Object] = [
                .string("$classes"), .string(text), .array(Array(repeating: names.next + 1, count: count)),
                .dictionary([(keys[0], names.next + 1), (keys[1], list)]),
                .dictionary([(keys[0], names.next + 1), (keys[1], list)]),
                .uid(3), .uid(4),
                .dictionary([(Names.isa, names.next + 5)]), .dictionary([(Names.isa, names.next + 6)]),
            ]
            return ([names.next + 7, names.next + 8, names.next + 3, names.next + 4], extra)
        }
        .data()
    }

    @Test func aClassHasAtMostAHundredNames() throws {
        #expect(try Archive(classes(100, names: "Acme")).classes.map(\.chain.count) == [100, 100])
        let error = #expect(throws: TransformerError.self) { try Archive(classes(101, names: "Acme")) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.offset != nil)
    }

    @Test func classesShareTheirNames() throws {
        let text = String(repeating: "x", count: 10_000)
        let archive = try Archive(classes(100, names: text))
        let names = archive.classes.flatMap { [$0.name] + $0.chain }
        #expect(names.count == 202)
        #expect(Set(names).count == 1)
        #expect(Set(names.map(address)).count == 1)
    }

    private func address(_ text: String) -> UnsafeRawPointer? {
        text.utf8.withContiguousStorageIfAvailable { UnsafeRawPointer($0.baseAddress) } ?? nil
    }

    private func address(_ data: Data) -> UnsafeRawPointer? {
        data.withUnsafeBytes { $0.baseAddress }
    }

    /// An array of three objects of class `NSString` or `NSData` that have the same content.
    private func copies(_ name: String, _ field: String, of content: BinaryPropertyListBuilder.Object) -> Data {
        BinaryPropertyListBuilder.archive { names in
            let extra: [BinaryPropertyListBuilder.Object] = [
                content, .string(field), .string(name), .dictionary([(Names.className, names.next + 2)]),
                .uid(2), .uid(3), .uid(4), .uid(5), .uid(6),
                .array([names.next + 4, names.next + 5, names.next + 6]),
                .dictionary([(Names.isa, names.next + 7), (Names.members, names.next + 9)]),
                .dictionary([(Names.isa, names.next + 8), (names.next + 1, names.next)]),
                .dictionary([(Names.isa, names.next + 8), (names.next + 1, names.next)]),
                .dictionary([(Names.isa, names.next + 8), (names.next + 1, names.next)]),
            ]
            let members = [names.next + 11, names.next + 12, names.next + 13]
            return ([names.next + 10] + members + [Names.arrayClass, names.next + 3], extra)
        }
        .data()
    }

    @Test func copiesOfAStringShareMemory() throws {
        let text = String(repeating: "x", count: 10_000)
        let archive = copies("NSString", "NS.string", of: .string(text))
        let strings = try KeyedArchiveTransformer<[String]>().decode(archive)
        #expect(strings == [text, text, text])
        #expect(Set(strings.map(address)).count == 1)
        let values = try ArchivedValueTransformer().decode(archive).array?.compactMap(\.string) ?? []
        #expect(values == [text, text, text])
        #expect(Set(values.map(address)).count == 1)
    }

    @Test func copiesOfDataShareMemory() throws {
        let (bytes, head): ([UInt8], [UInt8]) = (Array(repeating: 7, count: 10_000), [0x4F, 0x11, 0x27, 0x10])
        let archive = copies("NSData", "NS.data", of: .bytes(head + bytes))
        let data = try KeyedArchiveTransformer<[Data]>().decode(archive)
        #expect(data == Array(repeating: Data(bytes), count: 3))
        #expect(Set(data.map(address)).count == 1)
        let values = try ArchivedValueTransformer().decode(archive).array?.compactMap(\.data) ?? []
        #expect(values == data)
        #expect(Set(values.map(address)).count == 1)
    }

    @Test func limitsOnBytesAndObjectsAreEnforced() throws {
        let data = try ArchivedValueTransformer().encode(.array(ArchivedArray((0..<1_000).map { .integer($0) })))
        for limits in [KeyedArchiveLimits(bytes: 1_000), KeyedArchiveLimits(objects: 100)] {
            let error = #expect(throws: TransformerError.self) {
                try ArchivedValueTransformer(limits: limits).decode(data)
            }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test(arguments: [KeyedArchiveLimits(bytes: 1_000), KeyedArchiveLimits(objects: 100)])
    func valuesBeyondTheLimitsAreNotEncoded(limits: KeyedArchiveLimits) throws {
        let numbers = Array(0..<1_000)
        let value = ArchivedValue.array(ArchivedArray(numbers.map { .integer(Int128($0)) }))
        let error = #expect(throws: TransformerError.self) {
            try ArchivedValueTransformer(limits: limits).encode(value)
        }
        #expect(error?.code == .limitExceeded)
        let other = #expect(throws: TransformerError.self) {
            try KeyedArchiveTransformer<[Int]>(limits: limits).encode(numbers)
        }
        #expect(other?.code == .limitExceeded)
        #expect(throws: Never.self) { try KeyedArchiveTransformer<[Int]>(limits: limits).encode([1, 2, 3]) }
    }
}

/// Arrays of arrays, as deep as they come.
private struct Nested: Codable {
    var children: [Nested]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        children = container.decodeNil() ? [] : try container.decode([Nested].self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(children)
    }
}
