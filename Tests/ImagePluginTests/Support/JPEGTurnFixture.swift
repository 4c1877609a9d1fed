import Foundation
import Testing

/// A JPEG file of 48 × 32 pixels, made from a computed picture by cjpeg 2.1.5 at quality 60, with the sampling that its
/// name says.
///
/// The checksums are CRC-32 of the files that jpegtran 2.1.5 gives with `-copy none -optimize -perfect`, with and without
/// `-progressive`, and with the option that makes a picture of each orientation from 1 to 8 upright: none, `-flip
/// horizontal`, `-rotate 180`, `-flip vertical`, `-transpose`, `-rotate 90`, `-transverse`, and `-rotate 270`.
struct JPEGTurnFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let optimized: [UInt32]
    let progressive: [UInt32]
    let base64: String

    var testDescription: String { name }
    var bytes: Data { Data(base64Encoded: base64.filter { !$0.isWhitespace }) ?? Data() }

    static let quarter = Self(
        name: "quarter",
        optimized: [
            0x3704_ad1b, 0xeffa_2929, 0x513a_d8d4, 0x0f86_d8bb, 0xd0a4_986b, 0xb0d7_09b1, 0xa68e_63b1,
            0x8a54_e705,
        ],
        progressive: [
            0x2541_5ce3, 0xec60_a2da, 0xdb1f_78e9, 0x43bf_f929, 0x81e0_5c75, 0x4940_926c, 0xd7f3_1d37,
            0x3ede_ca67,
        ],
        base64: """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNS
            Mj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P
            T0//wAARCAAgADADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQID
            AAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlq
            c3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3
            +Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEI
            FEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImK
            kpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDg
            I7X2qzHa+1aMdr7VZjtfaojMzo4gzo7X2qzHa+1aMdr7VZjtfatozPVo4gzo7X2qzHa+1aMdr7VZjtfatozPVo4gzI7X2qzHa+1aMdr7
            VajtfavHjM/OaOIM2O19qsx2vtWlHa+1WY7X2raMz1aOIM2O19qnMAjiaRgcIpY49q1I7X2puoQ+Xp8hBALAKPfJ5/TNdFOXNJI73jPZ
            UpT7Js//2Q==
            """
    )

    static let halfAcross = Self(
        name: "halfAcross",
        optimized: [
            0x7edf_db9f, 0xe82a_f2ca, 0x3799_1b83, 0x8df3_4601, 0x4a8d_1026, 0xfc29_a393, 0x1eba_7e92,
            0xabeb_bb30,
        ],
        progressive: [
            0x8356_158e, 0x40b5_ba7b, 0x9b7d_0a5a, 0x747a_5991, 0x464e_00f4, 0x0030_42de, 0x434a_4f00,
            0x3611_79c0,
        ],
        base64: """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNS
            Mj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P
            T0//wAARCAAgADADASEAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQID
            AAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlq
            c3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3
            +Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEI
            FEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImK
            kpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDg
            I7X2qzHa+1EZGlGoWY7X2qzHa+1bRkepRqFmO19qsx2vtW0ZHq0ahmR2vtVmO19q82Mj4ejULMdr7VZjtfatoyPVo1CzHa+1WY7X2raM
            j1aNQzI7X2qzHa+1ebGR8PRqFmO19qsx2vtW0ZHq0ahZjtfapzAI4mkYHCKWOPat4O7senTrKMXJ9DOjtfarUdr7V5kZHxNGoWY7X2qz
            Ha+1bRkerRqFmO19qbqEPl6fIQQCwCj3yef0zXTRd5pHZWrcuHnK/R/kf//Z
            """
    )
}
