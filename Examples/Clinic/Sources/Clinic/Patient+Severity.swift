/// The type that `Clinic.map.json` gives to an attribute.
enum Severity: Int16 {
    case low
    case high
}

// Code of your own is in extensions of the generated classes.
extension Patient {
    var isUrgent: Bool { severity == .high }
}
