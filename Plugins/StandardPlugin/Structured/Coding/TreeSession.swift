/// What all encoders of one tree share.
final class TreeSession {
    let format: TreeFormat
    private var orders: [ObjectIdentifier: TreeOrder] = [:]

    init(_ format: TreeFormat) {
        self.format = format
    }

    /// Returns the order of the elements of a collection.
    ///
    /// A cast to a protocol takes longer than the rest of the work.
    func order<Value>(of value: Value) -> TreeOrder {
        let type = ObjectIdentifier(Value.self)
        if let order = orders[type] { return order }
        let order = TreeOrder(of: value)
        orders[type] = order
        return order
    }
}
