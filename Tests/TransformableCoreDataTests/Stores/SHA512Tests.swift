import Foundation
import Testing

// The hash function is not part of the interface.
@testable import TransformableCoreData

struct SHA512Tests {
    /// A message of a repeated letter, and its hash according to Python's `hashlib`.
    struct Case: CustomStringConvertible {
        let count: Int
        let hash: String
        var description: String { "\(count) letters" }
    }

    static let cases = [
        Case(
            count: 0,
            hash: """
                cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
                47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e
                """
        ),
        Case(
            count: 1,
            hash: """
                1f40fc92da241694750979ee6cf582f2d5d7d28e18335de05abc54d0560e0f53\
                02860c652bf08d560252aa5e74210546f369fbbbce8c12cfc7957b2652fe9a75
                """
        ),
        Case(
            count: 111,
            hash: """
                fa9121c7b32b9e01733d034cfc78cbf67f926c7ed83e82200ef8681819692176\
                0b4beff48404df811b953828274461673c68d04e297b0eb7b2b4d60fc6b566a2
                """
        ),
        Case(
            count: 112,
            hash: """
                c01d080efd492776a1c43bd23dd99d0a2e626d481e16782e75d54c2503b5dc32\
                bd05f0f1ba33e568b88fd2d970929b719ecbb152f58f130a407c8830604b70ca
                """
        ),
        Case(
            count: 113,
            hash: """
                55ddd8ac210a6e18ba1ee055af84c966e0dbff091c43580ae1be703bdb85da31\
                acf6948cf5bd90c55a20e5450f22fb89bd8d0085e39f85a86cc46abbca75e24d
                """
        ),
        Case(
            count: 119,
            hash: """
                130396a75cb483f2eee8c56d8a668bb3d2641f5243212c0bee2bd33da096ad9e\
                b8179fe18f9eaacf76e09fae9de4c3f14ba13341e345be05bf76c182cc3468cb
                """
        ),
        Case(
            count: 120,
            hash: """
                f241de612b01aa2fa3cf01531d2a8e5e17fc761dfd48a704a834a47f57d6eade\
                7804ecc39be42fdef16ec6adeaf7c01c2fd0c4cc97d3860907cfa4a3b36d0c05
                """
        ),
        Case(
            count: 127,
            hash: """
                828613968b501dc00a97e08c73b118aa8876c26b8aac93df128502ab360f91ba\
                b50a51e088769a5c1eff4782ace147dce3642554199876374291f5d921629502
                """
        ),
        Case(
            count: 128,
            hash: """
                b73d1929aa615934e61a871596b3f3b33359f42b8175602e89f7e06e5f658a24\
                3667807ed300314b95cacdd579f3e33abdfbe351909519a846d465c59582f321
                """
        ),
        Case(
            count: 129,
            hash: """
                4f681e0bd53cda4b5a2041cc8a06f2eabde44fb16c951fbd5b87702f07aeab61\
                1565b19c47fde30587177ebb852e3971bbd8d3fd30da18d71037dfbd98420429
                """
        ),
        Case(
            count: 239,
            hash: """
                52c853cb8d907f3d4d6b889beb027985d7c273486d75f8baf26f80d24e90c74c\
                6c3de3e22131582380a7d14d43f2941a31385439cd6ddc469f628015e50bf286
                """
        ),
        Case(
            count: 240,
            hash: """
                4c296d90c61052a62ffb1dd196f1b7b09373b1f93e71836baebf89690546b759\
                5684dbe9467a8e484fa0d1094272b4344a7c24f5fee8daedeb0bf549c985ab5f
                """
        ),
        Case(
            count: 1000,
            hash: """
                67ba5535a46e3f86dbfbed8cbbaf0125c76ed549ff8b0b9e03e0c88cf90fa634\
                fa7b12b47d77b694de488ace8d9a65967dc96df599727d3292a8d9d447709c97
                """
        ),
    ]

    @Test(arguments: cases)
    func hashesLikeAnotherImplementation(_ vector: Case) {
        let hash = SHA512.hash(Data(repeating: UInt8(ascii: "a"), count: vector.count))
        #expect(hash.map { String(format: "%02x", $0) }.joined() == vector.hash)
    }

    /// The message of FIPS 180-4.
    @Test func hashesTheExampleOfTheStandard() {
        let hash = SHA512.hash(Data("abc".utf8)).base64EncodedString()
        #expect(hash == "3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==")
    }
}
