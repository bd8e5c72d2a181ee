//! EXIF orientation: the only metadata kept.

/// TIFF tag of the orientation.
const TAG: u16 = 0x0112;
/// TIFF type: a 16-bit number.
const SHORT: u16 = 3;
/// Maximum directory entries read; cameras write some 20.
const MAX_ENTRIES: u16 = 200;

/// Orientation 2 to 8 of EXIF. 1, upright, is omitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Orientation(u8);

impl Orientation {
    /// Orientation from TIFF data; `None` when missing, upright or unreadable.
    pub(super) fn of_tiff(tiff: &[u8]) -> Option<Self> {
        let big_endian = match tiff.get(..4)? {
            b"MM\0*" => true,
            b"II*\0" => false,
            _ => return None,
        };
        let short = |at: usize| {
            let bytes: [u8; 2] = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
            Some(if big_endian {
                u16::from_be_bytes(bytes)
            } else {
                u16::from_le_bytes(bytes)
            })
        };
        let bytes: [u8; 4] = tiff.get(4..8)?.try_into().ok()?;
        let directory = if big_endian {
            u32::from_be_bytes(bytes)
        } else {
            u32::from_le_bytes(bytes)
        };
        let directory = usize::try_from(directory).ok()?;
        for entry in 0..short(directory)?.min(MAX_ENTRIES) {
            let at = directory.checked_add(2 + 12 * usize::from(entry))?;
            if short(at)? == TAG && short(at + 2)? == SHORT {
                let value = u8::try_from(short(at + 8)?).ok()?;
                return (2..=8).contains(&value).then_some(Self(value));
            }
        }
        None
    }

    /// TIFF data with the orientation only.
    pub(super) fn tiff(self) -> [u8; 26] {
        let mut tiff = *b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0";
        tiff[19] = self.0;
        tiff
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_orientation_is_read_in_both_byte_orders_and_written_back() {
        for value in 2..=8 {
            assert_eq!(
                Orientation::of_tiff(&Orientation(value).tiff()),
                Some(Orientation(value))
            );
        }
        let little = b"II*\0\x08\0\0\0\x02\0\x0f\x01\x02\0\x04\0\0\0abc\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
        assert_eq!(Orientation::of_tiff(little), Some(Orientation(6)));
        assert_eq!(Orientation::of_tiff(&Orientation(1).tiff()), None);
        for rubbish in [&b""[..], b"MM\0*", b"MM\0*\xff\xff\xff\xff", b"II*\0\x08\0\0\0\xff\xff"] {
            assert_eq!(Orientation::of_tiff(rubbish), None);
        }
    }
}
