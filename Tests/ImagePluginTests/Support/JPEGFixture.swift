import Foundation
import Testing

/// A JPEG file of 21 × 13 pixels, made from a computed picture by cjpeg 2.1.5 at quality 80, with the option
/// that its name says; those of four channels by Pillow 13 and by a C program on libjpeg-turbo.
///
/// The checksums are CRC-32 of the samples that djpeg 2.1.5 gives for the file; of four channels, Pillow.
struct JPEGFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let checksum: UInt32
    let base64: String

    var testDescription: String { name }
    var bytes: Data { Data(base64Encoded: base64.filter { !$0.isWhitespace }) ?? Data() }

    static let all = [baseline, progressive, gray, arithmetic, restarts, rgb, odd, cmyk, ycck]

    static let baseline = Self(
        name: "baseline",
        checksum: 0xbf44_a95c,
        base64: """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYn
            KSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo
            KCgoKCgoKCj/wAARCAANABUDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF
            BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW
            V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi
            4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC
            AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm
            Z2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq
            8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDx/SfCW/b+7/Suw03wYiqGkQKPcV6P4e0S2bbkfpXUaVo1vIGmkG4gZxj9K4KGLpqhCc48
            0p3tfZJWu316rTqeTkfFFS61PNLTwjB5fELsPULRXuNjokMsW4uy+y8CisoYx1VzwpJp+S/Vt/efp1LiiagtWf/Z
            """
    )

    static let progressive = Self(
        name: "progressive",
        checksum: 0xbf44_a95c,
        base64: """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYn
            KSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo
            KCgoKCgoKCj/wgARCAANABUDASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAABgAF/8QAFgEBAQEAAAAAAAAAAAAAAAAABAIG
            /9oADAMBAAIQAxAAAAEfsI9Q5DU4p0//xAAZEAACAwEAAAAAAAAAAAAAAAABAwACBBH/2gAIAQEAAQUCVki8crkHM6axSamUSCP/
            xAAZEQACAwEAAAAAAAAAAAAAAAAAAgEEBRH/2gAIAQMBAT8Bo6jC6k8P/8QAGhEBAAIDAQAAAAAAAAAAAAAAAQACAxESIf/aAAgB
            AgEBPwGmWvAptYZuvSs//8QAGRAAAgMBAAAAAAAAAAAAAAAAABABETEh/9oACAEBAAY/AsOmK5X/xAAaEAADAAMBAAAAAAAAAAAA
            AAAAAREhQXGB/9oACAEBAAE/IbQLSqQ31+DUKGYvK1w//9oADAMBAAIAAwAAABA4z//EABcRAQEBAQAAAAAAAAAAAAAAAAEAIRH/
            2gAIAQMBAT8Q6DYp1v/EABwRAQABBAMAAAAAAAAAAAAAAAERACExQWGRwf/aAAgBAgEBPxA1/GJwBErvZbdMY6PB6r3X/8QAHBAB
            AAICAwEAAAAAAAAAAAAAAQARIWExUaHh/9oACAEBAAE/EPjIMCNk4oXZGeHkMBYLqvJa2pgT/9k=
            """
    )

    static let gray = Self(
        name: "gray",
        checksum: 0x7ed9_1437,
        base64: """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYn
            KSopGR8tMC0oMCUoKSj/wAALCAANABUBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF
            BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW
            V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi
            4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/APH9J8Jb9v7v9K7DTfBiKoaRAo9xXSWnhGDy+IXYeoWuj8PaJbNtyP0rqNK0a3kD
            TSDcQM4x+ldNY6JDLFuLsvsvAr//2Q==
            """
    )

    static let arithmetic = Self(
        name: "arithmetic",
        checksum: 0xbf44_a95c,
        base64: """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYn
            KSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo
            KCgoKCgoKCj/yQARCAANABUDASIAAhEBAxEB/8wACgAQEAUBEBEF/9oADAMBAAIRAxEAPwD/ALhkPtMQvoGqwAJ2N2PVdSq4w1GD
            yrYEbJBp+dwKbJlBJB2HwgL+3KR94coP4o+mZurnYDQlfsh0nv8AMktK1cNpxKO/2M5lRHgX/nHf3tDPHBjUkUtiCtKDnDNOyLbx
            6KWyqULO8VXnwazzZy/zDcbM3m9meHbe2CUnmj0r9+G9ki+o/9k=
            """
    )

    static let restarts = Self(
        name: "restarts",
        checksum: 0xed7b_07e4,
        base64: """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYn
            KSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo
            KCgoKCgoKCj/wAARCAANABUDASEAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF
            BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW
            V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi
            4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC
            AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm
            Z2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq
            8vP09fb3+Pn6/90ABAAB/9oADAMBAAIRAxEAPwDx/SfCW/b+7/Suw03wYiqGkQKPcVOEoU8RTdWq7RWrbO3I85aaSZ//0Kdp4Rg8
            viF2HqForH/hNe1ObXdJWfnrJP70mfrdLN58i94//9HX8PaJbNtyP0rqNK0a3kDTSDcQM4x+leJCq5YWhCXwvmk135Urfm/wPhsi
            xtTmP//S9lsdEhli3F2X2XgUV87Rp18TBVnWlHm1sm0l5JX2PVpY+aglY//Z
            """
    )

    static let rgb = Self(
        name: "rgb",
        checksum: 0x1540_3f9f,
        base64: """
            /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAGBAUGBQQGBgUGBwcGCAoQCgoJCQoUDg8MEBcUGBgXFBYWGh0lHxobIxwWFiAsICMmJykq
            KRkfLTAtKDAlKCko/8AAEQgADQAVA1IRAEcRAEIRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMC
            BAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElK
            U1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY
            2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAAwDUgBHAEIAAD8A8M8Ef8s68t/4V1/0x/SvBfB/hn+2dnybt3tX0B4I/wCWdH/Cuv8A
            pj+let2vwj0ew0r+0vEM1tY2QyPMnIG9tpbao6sxCnCqCTjgGvdPD3/HkPwo/wCFdf8ATH9Klt/CfgFnkS20fW9RiTbtubayQRvk
            A8CR0bjpyo5BxkYNfBfgj/lnX1x/witj6fpU37NmkW9/9l84dcdq+gPBH/LOj/hFbH0/SrvhOJfE8Or+NPE3+nXdpZS3S2y/u40j
            iRnWGPrsXgjuckk5JJPunh7/AI8h+FH/AAitj6fpW74W0zUfF9odTm1y+0vKJGtrpUsltAgAPRQ+SSSSSxJ5xnAAH//Z
            """
    )

    static let odd = Self(
        name: "odd",
        checksum: 0x4a2d_ebbb,
        base64: """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYn
            KSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo
            KCgoKCgoKCj/wAARCAANABUDATEAAhIBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF
            BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW
            V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi
            4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC
            AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm
            Z2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq
            8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDm9E+F8Eu35Y66zTPhnaMuUhj2gZ3Mf6V0tn8M7d48rDER9AKiNPDewVfEXd9ktW/Tbbrf
            87I8OdScqdKKdrqKut1fmk2vN2t6F8K8UVLLVn//2Q==
            """
    )

    static let cmyk = Self(
        name: "cmyk",
        checksum: 0x18f7_8886,
        base64: """
            /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAGBAUGBQQGBgUGBwcGCAoQCgoJCQoUDg8MEBcUGBgXFBYWGh0lHxobIxwWFiAsICMmJykq
            KRkfLTAtKDAlKCko/8AAFAgADQAVBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIB
            AwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZH
            SElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV
            1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwD3Hxv/AMtK9R/4WL/02/WvePGHib+xt/z7dvvXver6l975
            q+f/ABv/AMtKP+Fi/wDTb9a8luvi5rF/qv8AZvh6G5vr04PlwAnYu4LuY9FUFhlmIAzyRXE6vqX3vmrwvxD/AMfp/Gj/AIWL/wBN
            v1qG48WePlSN7nWNE06V9262ub1zImCRyY0deevDHgjODkVx99qX7771fenjf/lpXyP/AMJVfev61F+0nq9xYfavJPTPeu11e7k+
            avn/AMb/APLSj/hKr71/WqXiyVvDE2keC/DP+g2l3exWrXLfvJHkldUaaTpvbkHsMAAYAAHFavdyfNXhfiH/AI/T+NH/AAlV96/r
            WD4p1PTvCF2NMh0Ox1TDvI11qsUdzO5JHVimAAAAAoA4zjJJPH313J51f//Z
            """
    )

    static let ycck = Self(
        name: "ycck",
        checksum: 0x0884_e3e0,
        base64: """
            /9j/7gAOQWRvYmUAZAAAAAAC/9sAQwAGBAUGBQQGBgUGBwcGCAoQCgoJCQoUDg8MEBcUGBgXFBYWGh0lHxobIxwWFiAsICMmJykq
            KRkfLTAtKDAlKCko/9sAQwEHBwcKCAoTCgoTKBoWGigoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo
            KCgoKCgo/8AAFAgADQAVBAEiAAIRAQMRAQQiAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMF
            BQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RV
            VldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh
            4uPk5ebn6Onq8fLz9PX29/j5+v/EAB8BAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwAB
            AgMRBAUhMQYSQVEHYXETIjKBCBRCkaGxwQkjM1LwFWJy0QoWJDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2Rl
            ZmdoaWpzdHV2d3h5eoKDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj5OXm5+jp
            6vLz9PX29/j5+v/aAA4EAQACEQMRBAAAPwDx/SfCW/b+7/Suw03wYiqGkQKPcV6P4e0S2bbkfpXUaVo1vIGmkG4gZxj9K4KGLpqh
            Cc480p3tfZJWu316rTqeTkfFFS61Pe9X1L73zVxOr6l975ql1e7k+auK1e7k+avNLTwjB5fELsPULRXuNjokMsW4uy+y8CisoYx1
            VzwpJp+S/Vt/efp1LiiagtWF9qX7771FcffXcnnUV//Z
            """
    )
}
