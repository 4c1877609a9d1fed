/// The living objects of one entity, by their numbers.
///
/// Open addressing with linear probing: an object enters and leaves with each row of a fetch, which a
/// dictionary made slow.
@safe
struct ObjectTable {
    // Numbers start at 1, so 0 marks a free place.
    private var numbers: [Int64]
    // At each place with a number, a reference to a living object: it takes itself out when it goes.
    private var objects: [Unmanaged<ManagedObject>?]
    private var count = 0
    private var mask: Int

    init() {
        numbers = Array(repeating: 0, count: 8)
        unsafe objects = Array(repeating: nil, count: 8)
        mask = 7
    }

    /// Numbers come in runs, which a multiplication by an odd constant spreads.
    private func home(_ number: Int64) -> Int {
        let product = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product >> 32) & mask
    }

    private func place(_ number: Int64) -> Int {
        var place = home(number)
        while numbers[place] != 0, numbers[place] != number {
            place = (place + 1) & mask
        }
        return place
    }

    subscript(number: Int64) -> ManagedObject? {
        guard number != 0 else { return nil }
        return unsafe objects[place(number)]?.takeUnretainedValue()
    }

    /// The objects themselves.
    var living: [ManagedObject] {
        unsafe objects.compactMap { unsafe $0?.takeUnretainedValue() }
    }

    mutating func insert(_ object: ManagedObject) {
        guard object.number != 0 else { return }
        if (count + 1) * 4 > (mask + 1) * 3 { grow() }
        let place = place(object.number)
        if numbers[place] == 0 { count += 1 }
        numbers[place] = object.number
        unsafe objects[place] = Unmanaged.passUnretained(object)
    }

    mutating func remove(_ number: Int64) {
        guard number != 0 else { return }
        var gap = place(number)
        guard numbers[gap] != 0 else { return }
        count -= 1
        // Whoever probed past the gap moves up into it.
        var next = (gap + 1) & mask
        while numbers[next] != 0 {
            let distance = (next - home(numbers[next])) & mask
            if distance >= (next - gap) & mask {
                numbers[gap] = numbers[next]
                unsafe objects[gap] = unsafe objects[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        numbers[gap] = 0
        unsafe objects[gap] = nil
    }

    private mutating func grow() {
        let oldNumbers = numbers
        let oldObjects = unsafe objects
        mask = mask * 2 + 1
        numbers = Array(repeating: 0, count: mask + 1)
        unsafe objects = Array(repeating: nil, count: mask + 1)
        for index in oldNumbers.indices where oldNumbers[index] != 0 {
            let place = place(oldNumbers[index])
            numbers[place] = oldNumbers[index]
            unsafe objects[place] = unsafe oldObjects[index]
        }
    }
}
