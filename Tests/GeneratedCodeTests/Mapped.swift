/// The type of an attribute in the model “Mapped”.
enum Sky: Int64 {
    case clear
    case cloudy
}
