internal import Foundation
internal import Transformable
internal import TransformableModel
internal import TransformableStore

/// Converts the cells of an attribute from the form in which Core Data stores values to ours.
struct CellAdoption {
    /// The result of a conversion.
    enum Result {
        case cell(ColumnValue)
        /// A value in a file of its own.
        case file(UUID)
        /// A cell that is stored, but deserves a note.
        case noted(ColumnValue, Finding)
    }

    /// What is unusual about a cell, and what became of it.
    enum Finding: Hashable {
        /// Not a value of the attribute's type. The cell is kept, and reads as an error.
        case kept
        /// A finite number that is too large for the attribute's type in the new model. The cell is kept, and reads as an
        /// infinite number.
        case tooLarge
        /// `NaN` as a decimal number, which no column can hold. There is no value instead.
        case notANumber
        /// A Boolean value other than 0 and 1, which counts as true.
        case truth
        /// Bytes without the mark that says where the value is. They are taken as the value.
        case unmarked
        /// A value whose file is missing. Reading it is an error that says so.
        case missingFile
        /// A value that the attribute's rules in the new model do not allow. It is kept, because rules apply when a
        /// value is set.
        case againstRules
    }

    private let type: CoreDataAttributeType
    private let mayBeExternal: Bool
    private let isOptional: Bool
    /// The integers that the attribute's type in the new model has, or `nil` if it is not a type of integers.
    private let integers: ClosedRange<Int64>?
    private let isFloat: Bool

    /// Creates a conversion.
    ///
    /// - Parameters:
    ///   - attribute: The attribute in Core Data's model.
    ///   - target: The attribute in the new model, or `nil` if there is none.
    init(_ attribute: CoreDataAttribute, to target: AttributeDescription?) {
        type = attribute.type
        mayBeExternal = attribute.allowsExternalStorage
        isOptional = target?.isOptional ?? true
        integers = target?.type.integers
        isFloat = target?.type == .float
    }

    /// Converts a cell that is not null.
    func convert(_ cells: PackedRow, _ index: Int) -> Result {
        let result = converted(cells, index)
        switch result {
        case .cell(.integer(let number)) where integers?.contains(number) == false:
            return .noted(.integer(number), .kept)
        case .cell(.real(let number)) where isFloat && number.isFinite && !Float(number).isFinite:
            return .noted(.real(number), .tooLarge)
        case .cell, .file, .noted: return result
        }
    }

    /// Converts a cell as far as Core Data's model says what it contains.
    private func converted(_ cells: PackedRow, _ index: Int) -> Result {
        switch (type, cells.kind(index)) {
        case (.string, .text): text(cells, index)
        // The new model decides which integers can be read.
        case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer):
            .cell(.integer(cells.integer(index)))
        case (.double, .real), (.float, .real), (.date, .real): .cell(.real(cells.real(index)))
        case (.date, .integer), (.double, .integer), (.float, .integer): number(cells.integer(index))
        case (.boolean, .integer): boolean(cells.integer(index))
        case (.decimal, _): decimal(cells.value(index))
        case (.uri, .text): uri(cells, index)
        case (.uuid, .blob): uuid(cells.data(index))
        case (.binary, _), (.transformable, _): bytes(cells, index)
        default: .noted(cells.value(index), .kept)
        }
    }

    private func text(_ cells: PackedRow, _ index: Int) -> Result {
        guard let text = cells.text(index) else { return .noted(.brokenText(cells.data(index)), .kept) }
        return .cell(.text(text))
    }

    /// Core Data stores numbers without a fraction as integers.
    private func number(_ integer: Int64) -> Result {
        guard let number = Double(exactly: integer) else { return .noted(.integer(integer), .kept) }
        return .cell(.real(number))
    }

    private func boolean(_ number: Int64) -> Result {
        number == 0 || number == 1 ? .cell(.integer(number)) : .noted(.integer(1), .truth)
    }

    private func decimal(_ cell: ColumnValue) -> Result {
        if cell == .text("NaN") { return .noted(isOptional ? .null : cell, isOptional ? .notANumber : .kept) }
        guard let digits = cell.decimalDigits, let number = try? DecimalText.decimal(digits) else {
            return .noted(cell, .kept)
        }
        return .cell(.text(DecimalText.text(of: number)))
    }

    private func uri(_ cells: PackedRow, _ index: Int) -> Result {
        guard let text = cells.text(index) else { return .noted(.brokenText(cells.data(index)), .kept) }
        return URLText.url(text) == nil ? .noted(.text(text), .kept) : .cell(.text(text))
    }

    private func uuid(_ bytes: Data) -> Result {
        guard let uuid = UUID(bytes: bytes) else { return .noted(.blob(bytes), .kept) }
        return .cell(.text(uuid.uuidString))
    }

    private func bytes(_ cells: PackedRow, _ index: Int) -> Result {
        switch cells.kind(index) {
        case .blob: break
        // In a column of data, text would be taken for the name of a file.
        case .text: return .noted(.blob(cells.data(index)), .kept)
        case .integer, .real, .null: return .noted(cells.value(index), .kept)
        }
        let bytes = cells.data(index)
        guard mayBeExternal else { return .cell(.blob(bytes)) }
        switch ExternalData(bytes) {
        case .inline(let value): return .cell(.blob(value))
        case .file(let uuid): return .file(uuid)
        case nil: return .noted(.blob(bytes), .unmarked)
        }
    }
}

extension CellAdoption.Finding {
    /// A sentence about a number of such values, of which those with files should have them in the given folder.
    func text(_ count: Int, folder: String) -> String {
        let values = count.counted("value")
        return switch self {
        case .kept: "\(values) not of the attribute's type, kept as stored; reading them is an error"
        case .tooLarge: "\(values) too large for the attribute's type, kept as stored, and read as infinite"
        case .notANumber: "\(values) “not a number”, which a decimal attribute cannot hold, stored as missing values"
        case .truth: "\(values) other than 0 and 1, stored as true"
        case .unmarked: "\(values) without the mark of external storage, taken as the whole value"
        case .missingFile:
            "the files of \(values) are not in “\(folder)” next to the store; reading these values is an error"
        case .againstRules: "\(values) against the attribute's rules, such as a maximum or a pattern, kept as stored"
        }
    }
}
