//! PNG: keeps the picture's chunks, up to the end of the image.

use super::{Fault, MAX_DECODER_BYTES, bytes, check_size, orientation::Orientation};
use png::{Decoder, Limits};
use std::io::Cursor;

pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Chunks of the picture and its colours.
const KEPT: [&[u8; 4]; 11] = [
    b"IHDR", b"PLTE", b"IDAT", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"sBIT", b"cICP", b"bKGD", b"pHYs",
];
const EXIF: &[u8; 4] = b"eXIf";
/// Chunk of animations.
const ANIMATION: &[u8; 4] = b"acTL";
const END: &[u8; 4] = b"IEND";
/// Length, type and checksum of a chunk.
const FRAME: usize = 12;

/// Chunks of the picture, with the orientation as the only metadata.
pub(super) fn clean(content: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut cleaned = Vec::with_capacity(content.len());
    cleaned.extend_from_slice(SIGNATURE);
    let mut orientation = None;
    let mut at = SIGNATURE.len();
    loop {
        let head: [u8; 8] = bytes(content, at, 8)?.try_into().map_err(|_| Fault::Damaged)?;
        let [a, b, c, d, kind @ ..] = head;
        let length = usize::try_from(u32::from_be_bytes([a, b, c, d])).map_err(|_| Fault::Damaged)?;
        let chunk = bytes(content, at, length.checked_add(FRAME).ok_or(Fault::Damaged)?)?;
        at += chunk.len();
        match &kind {
            END => {
                if let Some(orientation) = orientation {
                    write(&mut cleaned, EXIF, &Orientation::tiff(orientation));
                }
                cleaned.extend_from_slice(chunk);
                return Ok(cleaned);
            }
            ANIMATION => return Err(Fault::Animated),
            EXIF => orientation = Orientation::of_tiff(chunk.get(8..8 + length).unwrap_or_default()),
            kind if KEPT.contains(&kind) => cleaned.extend_from_slice(chunk),
            // An unknown critical chunk (upper-case first letter) can't be dropped.
            [first, ..] if first.is_ascii_uppercase() => return Err(Fault::Damaged),
            _ => {}
        }
    }
}

fn write(to: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).unwrap_or_default();
    to.extend_from_slice(&length.to_be_bytes());
    let checked = to.len();
    to.extend_from_slice(kind);
    to.extend_from_slice(data);
    let sum = checksum(to.get(checked..).unwrap_or_default());
    to.extend_from_slice(&sum.to_be_bytes());
}

/// PNG's CRC-32, without a table: used for a few bytes only.
pub(super) fn checksum(data: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in data {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

/// Decodes and discards row by row, in a row's memory.
pub(super) fn decode(cleaned: &[u8]) -> Result<(), Fault> {
    let mut decoder = Decoder::new_with_limits(
        Cursor::new(cleaned),
        Limits {
            bytes: MAX_DECODER_BYTES,
        },
    );
    let header = decoder.read_header_info().map_err(|_| Fault::Damaged)?;
    check_size(header.width, header.height)?;
    let mut reader = decoder.read_info().map_err(|_| Fault::Damaged)?;
    while reader.next_row().map_err(|_| Fault::Damaged)?.is_some() {}
    reader.finish().map_err(|_| Fault::Damaged)
}
