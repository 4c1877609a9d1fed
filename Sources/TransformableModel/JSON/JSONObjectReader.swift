internal import Foundation
internal import Transformable

/// Reads the members of a JSON object and collects the faults in it.
///
/// All readers of a document share one list of faults. A member that is missing or has the wrong type is read as its
/// default, so reading continues and finds every fault.
struct JSONObjectReader {
    final class Faults {
        /// The first faults, and one more than an error lists.
        private(set) var list: [String] = []
        /// The names of everything that has a fault.
        ///
        /// A missing name is recorded as an empty string.
        var misread: Set<String> = []

        func add(_ fault: String) {
            if list.count <= StoreError.faultLimit { list.append(fault) }
        }

        /// Returns a Boolean value that indicates whether a rule may appear to be broken only because something was
        /// misread.
        func explain(_ fault: String) -> Bool {
            let words = fault.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            return misread.contains("") || words.contains { misread.contains(String($0)) }
        }
    }

    private let path: String
    private let members: [String: JSONTree]
    private let faults: Faults

    /// Creates a reader for an object, all of whose members must have known names.
    init?(_ tree: JSONTree, path: String, keys: Set<String>, faults: Faults) {
        guard case .object(let members) = tree else {
            faults.add("\(path) is not an object")
            return nil
        }
        for stranger in Set(members.keys).subtracting(keys).sorted() {
            faults.add("\(path) has an unknown key “\(stranger)”")
        }
        self.path = path
        self.members = members
        self.faults = faults
    }

    func fault(_ message: String) {
        faults.add("\(path): \(message)")
        guard case .string(let name)? = members["name"] else {
            _ = faults.misread.insert("")
            return
        }
        faults.misread.insert(name)
    }

    private func member<Value>(_ key: String, _ what: String, _ read: (JSONTree) -> Value?) -> Value? {
        guard let tree = members[key], tree != .null else { return nil }
        guard let value = read(tree) else {
            fault("“\(key)” is not \(what)")
            return nil
        }
        return value
    }

    /// Returns the key that the object uses for a member: its current key, or an earlier one.
    ///
    /// Using both is a fault.
    func key(_ key: String, or earlier: String) -> String {
        guard members[earlier] != nil else { return key }
        if members[key] != nil { fault("both “\(key)” and its former name “\(earlier)” are present") }
        return earlier
    }

    func string(_ key: String) -> String? {
        member(key, "a string") { if case .string(let text) = $0 { text } else { nil } }
    }

    func requiredString(_ key: String) -> String {
        guard members[key] != nil else {
            fault("“\(key)” is missing")
            return ""
        }
        return string(key) ?? ""
    }

    func flag(_ key: String, default defaultValue: Bool = false) -> Bool {
        member(key, "true or false") { if case .boolean(let flag) = $0 { flag } else { nil } } ?? defaultValue
    }

    func integer(_ key: String) -> Int? {
        member(key, "a whole number") { if case .integer(let number) = $0 { Int(exactly: number) } else { nil } }
    }

    func number(_ key: String) -> Double? {
        member(key, "a number that fits in 64 bits with all of its digits") {
            switch $0 {
            case .integer(let number): Double(exactly: number)
            case .number(let text): RealText.number(text, as: Double.self).flatMap { $0.says(text) ? $0 : nil }
            default: nil
            }
        }
    }

    func word<Value: RawRepresentable & CaseIterable>(_ key: String) -> Value? where Value.RawValue == String {
        guard let text = string(key) else { return nil }
        if let value = Value(rawValue: text) { return value }
        let words = Value.allCases.map(\.rawValue)
        let nearest = nearestNames(to: text, among: words).map { "“\($0)”" }.joined(separator: " or ")
        let hint = nearest.isEmpty ? "" : "; did you mean \(nearest)?"
        fault("“\(key)” is “\(text)”, but must be one of \(words.joined(separator: ", "))\(hint)")
        return nil
    }

    func list(_ key: String) -> [JSONTree] {
        member(key, "a list") { if case .list(let list) = $0 { list } else { nil } } ?? []
    }

    func strings(_ key: String) -> [String: String] {
        member(key, "an object whose values are strings") { tree in
            guard case .object(let members) = tree else { return nil }
            let texts = members.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
            return texts.count == members.count ? texts : nil
        } ?? [:]
    }

    func tree(_ key: String) -> JSONTree? {
        members[key].flatMap { $0 == .null ? nil : $0 }
    }

    /// Reads every element of a list of objects.
    func objects<Value>(_ key: String, keys: Set<String>, _ read: (JSONObjectReader) -> Value) -> [Value] {
        list(key).enumerated().compactMap { element($0, of: key, $1, keys: keys, read) }
    }

    /// Reads an element of a list, which must be an object.
    func element<Value>(
        _ index: Int,
        of key: String,
        _ tree: JSONTree,
        keys: Set<String>,
        _ read: (JSONObjectReader) -> Value
    ) -> Value? {
        JSONObjectReader(tree, path: "\(path).\(key)[\(index)]", keys: keys, faults: faults).map(read)
    }

    /// Reads a member that is itself an object.
    func object<Value>(_ key: String, keys: Set<String>, _ read: (JSONObjectReader) -> Value) -> Value? {
        tree(key).flatMap { JSONObjectReader($0, path: "\(path).\(key)", keys: keys, faults: faults) }.map(read)
    }
}

extension Double {
    /// Returns a Boolean value that indicates whether the number's shortest text has the same digits as a given text.
    func says(_ text: String) -> Bool {
        guard let exact = try? DecimalText.decimal(text), let own = try? DecimalText.decimal("\(self)") else {
            // Beyond the range of decimals, comparing the digits is enough.
            return Self.digits(of: text) == Self.digits(of: "\(self)")
        }
        return exact == own
    }

    /// Returns the significant digits of a number.
    private static func digits(of text: String) -> String {
        let mantissa = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber)
        let start = mantissa.drop { $0 == "0" }
        return String(start.reversed().drop { $0 == "0" })
    }
}
