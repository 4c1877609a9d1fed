/// Names of which each is used once: a name that is taken gets a number.
///
/// The number that is tried next is remembered for each name, so that thousands of columns with the same name do not take
/// forever.
struct UniqueNames {
    private var used: Set<String>
    private var numbers: [String: Int] = [:]

    init(_ names: Set<String> = []) {
        used = names
    }

    var count: Int { used.count }

    /// Adds a name, and returns it with the lowest number that makes it unique.
    mutating func add(_ name: String) -> String {
        guard !used.insert(name).inserted else { return name }
        var number = numbers[name] ?? 1
        while !used.insert("\(name)\(number)").inserted { number += 1 }
        numbers[name] = number + 1
        return "\(name)\(number)"
    }
}
