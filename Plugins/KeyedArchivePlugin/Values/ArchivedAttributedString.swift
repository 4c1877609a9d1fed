internal import Foundation
internal import _PropertyLists

/// An archived `NSAttributedString`: text with runs of characters that have the same attributes.
public struct ArchivedAttributedString: Sendable {
    /// Characters that have the same attributes.
    public struct Run: Sendable {
        /// The length in UTF-16 code units.
        public let length: Int
        /// The attributes by name.
        public let attributes: ArchivedDictionary

        /// Creates a run.
        public init(_ length: Int, attributes: ArchivedDictionary = [:]) {
            self.length = length
            self.attributes = attributes
        }
    }

    /// The text.
    public let string: String
    private let lengths: [Int]
    /// The attributes of the runs.
    private let buffer: ValueBuffer

    /// Creates attributed text from runs, or returns nil if the sum of their lengths is not the length of the text.
    ///
    /// Adjacent runs with equal attributes are merged.
    ///
    /// - Parameters:
    ///   - string: The text.
    ///   - runs: The runs, from the first character to the last.
    public init?(_ string: String, runs: [Run]) {
        var rest = string.utf16.count
        var lengths: [Int] = []
        var attributes: [ArchivedValue] = []
        for run in runs {
            guard 1...max(1, rest) ~= run.length, rest > 0 else { return nil }
            rest -= run.length
            if attributes.last == .dictionary(run.attributes) {
                lengths[lengths.count - 1] += run.length
            } else {
                lengths.append(run.length)
                attributes.append(.dictionary(run.attributes))
            }
        }
        guard rest == 0 else { return nil }
        self.string = string
        self.lengths = lengths
        buffer = ValueBuffer(attributes)
    }

    /// Creates text with the same attributes for all characters.
    public init(_ string: String, attributes: ArchivedDictionary = [:]) {
        self.string = string
        lengths = string.isEmpty ? [] : [string.utf16.count]
        buffer = string.isEmpty ? .empty : ValueBuffer([.dictionary(attributes)])
    }

    /// The runs in order.
    public var runs: [Run] {
        zip(lengths, buffer.values).map { Run($0, attributes: $1.dictionary ?? [:]) }
    }
}

extension ArchivedAttributedString: ArchivedCompound {
    static let tag = "$attributedString"
    var nested: ValueBuffer? { buffer }

    /// Creates an attributed string from an object, which has a single dictionary of attributes, or a list of them and
    /// data that assigns them to runs.
    init?(_ instance: ArchivedInstance) {
        guard instance.hasOnly(["NSString", "NSAttributes", "NSAttributeInfo"]),
            let string = instance["NSString"]?.string
        else { return nil }
        if instance.isNone("NSAttributeInfo") {
            guard let attributes = instance.optional("NSAttributes", \.dictionary) else { return nil }
            guard !string.isEmpty || attributes?.isEmpty ?? true else { return nil }
            self.init(string, attributes: attributes ?? [:])
            return
        }
        guard let list = instance["NSAttributes"]?.array, let bytes = instance["NSAttributeInfo"]?.data,
            let info = PackedIntegers.decode(bytes), info.count.isMultiple(of: 2)
        else { return nil }
        var runs: [Run] = []
        for index in stride(from: 0, to: info.count, by: 2) {
            guard list.indices.contains(info[index + 1]), let attributes = list[info[index + 1]].dictionary else {
                return nil
            }
            runs.append(Run(info[index], attributes: attributes))
        }
        self.init(string, runs: runs)
    }

    func instance() -> ArchivedInstance {
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = [("NSString", .object(.string(string)))]
        if lengths.count == 1 {
            fields.append(("NSAttributes", .object(buffer.values[0])))
        } else if lengths.count > 1 {
            var unique: [ArchivedValue] = []
            var places: [ArchivedValue: Int] = [:]
            var info: [Int] = []
            for (length, attributes) in zip(lengths, buffer.values) {
                let place = places[attributes] ?? unique.count
                if place == unique.count {
                    places[attributes] = place
                    unique.append(attributes)
                }
                info += [length, place]
            }
            fields.append(("NSAttributes", .object(.array(ArchivedArray(unique)))))
            fields.append(("NSAttributeInfo", .object(.data(PackedIntegers.encode(info)))))
        }
        return ArchivedInstance(.known(.attributedString), fields: fields)
    }

    /// The text, and pairs of the length and the attributes of each run.
    var plain: ArchivedValue {
        let runs = zip(lengths, buffer.values).map { ArchivedValue.array([.integer(Int128($0)), $1]) }
        return .dictionary(["string": .string(string), "runs": .array(ArchivedArray(runs))])
    }

    init?(plain: ArchivedValue) {
        guard let pairs = plain.dictionary, pairs.hasOnly(["string", "runs"]), let string = pairs["string"]?.string,
            let runs = pairs["runs"]?.array
        else { return nil }
        let parsed = runs.compactMap { run -> Run? in
            guard let run = run.array, run.count == 2, let length = run[0].int, let attributes = run[1].dictionary
            else { return nil }
            return Run(length, attributes: attributes)
        }
        guard parsed.count == runs.count else { return nil }
        self.init(string, runs: parsed)
    }
}
