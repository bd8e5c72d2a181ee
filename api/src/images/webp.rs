//! WebP: keeps the picture's chunks, within the declared length.

use super::{Fault, MAX_DECODER_BYTES, bytes, check_size, orientation::Orientation};
use image_webp::WebPDecoder;
use std::io::Cursor;

/// `RIFF`, length, `WEBP`.
const HEAD: usize = 12;
/// Flags in an extended file's first byte: which chunks exist.
const ICC: u8 = 0x20;
const ALPHA: u8 = 0x10;
const EXIF: u8 = 0x08;
const XMP: u8 = 0x04;
const ANIMATION: u8 = 0x02;

/// Chunks of the picture, with the orientation as the only metadata.
pub(super) fn clean(content: &[u8]) -> Result<Vec<u8>, Fault> {
    let said: [u8; 4] = bytes(content, 4, 4)?.try_into().map_err(|_| Fault::Damaged)?;
    let said = usize::try_from(u32::from_le_bytes(said)).map_err(|_| Fault::Damaged)?;
    let file = bytes(content, 0, said.checked_add(8).ok_or(Fault::Damaged)?)?;
    let mut cleaned = Vec::with_capacity(file.len());
    cleaned.extend_from_slice(b"RIFF\0\0\0\0WEBP");
    let (mut orientation, mut extended, mut has_picture) = (None, None, false);
    let mut at = HEAD;
    while at < file.len() {
        let head: [u8; 8] = bytes(file, at, 8)?.try_into().map_err(|_| Fault::Damaged)?;
        let [kind @ .., a, b, c, d] = head;
        let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).map_err(|_| Fault::Damaged)?;
        let data = bytes(file, at + 8, length)?;
        // Chunks of odd length are padded.
        at += 8 + length + length % 2;
        match &kind {
            b"VP8X" => {
                let flags = data.first().ok_or(Fault::Damaged)?;
                if flags & ANIMATION != 0 {
                    return Err(Fault::Animated);
                }
                extended = Some(cleaned.len() + 8);
                write(&mut cleaned, &kind, data);
            }
            b"ANIM" | b"ANMF" => return Err(Fault::Animated),
            b"VP8 " | b"VP8L" | b"ALPH" => {
                has_picture |= &kind != b"ALPH";
                write(&mut cleaned, &kind, data);
            }
            b"EXIF" => {
                // Some programs prepend JPEG's EXIF mark.
                let tiff = data.strip_prefix(b"Exif\0\0").unwrap_or(data);
                orientation = Orientation::of_tiff(tiff);
            }
            _ => {}
        }
    }
    if !has_picture {
        return Err(Fault::Damaged);
    }
    // Only an extended file has further chunks.
    if let Some(flags) = extended.and_then(|at| cleaned.get_mut(at)) {
        *flags &= ALPHA & !(ICC | XMP);
        if orientation.is_some() {
            *flags |= EXIF;
        }
    }
    if let (Some(orientation), Some(_)) = (orientation, extended) {
        write(&mut cleaned, b"EXIF", &orientation.tiff());
    }
    let length = u32::try_from(cleaned.len() - 8).map_err(|_| Fault::Damaged)?;
    if let Some(place) = cleaned.get_mut(4..8) {
        place.copy_from_slice(&length.to_le_bytes());
    }
    Ok(cleaned)
}

fn write(to: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    to.extend_from_slice(kind);
    to.extend_from_slice(&u32::try_from(data.len()).unwrap_or_default().to_le_bytes());
    to.extend_from_slice(data);
    if data.len() % 2 == 1 {
        to.push(0);
    }
}

/// Decodes and discards the picture.
pub(super) fn decode(cleaned: &[u8]) -> Result<(), Fault> {
    let mut decoder = WebPDecoder::new(Cursor::new(cleaned)).map_err(|_| Fault::Damaged)?;
    decoder.set_memory_limit(MAX_DECODER_BYTES);
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    let mut picture = vec![0; decoder.output_buffer_size().ok_or(Fault::TooManyPixels)?];
    decoder.read_image(&mut picture).map_err(|_| Fault::Damaged)
}
