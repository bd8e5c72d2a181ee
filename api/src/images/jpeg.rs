//! JPEG: keeps the picture's segments in order, up to the end of the image.

use super::{Fault, MAX_PIXELS, MAX_SIDE, bytes, check_size, orientation::Orientation};
use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, options::DecoderOptions},
};

const START: u8 = 0xD8;
const END: u8 = 0xD9;
const SCAN: u8 = 0xDA;
const APP0: u8 = 0xE0;
const APP1: u8 = 0xE1;
const APP14: u8 = 0xEE;

/// Prefix of the TIFF data in an EXIF segment.
const EXIF: &[u8] = b"Exif\0\0";
/// Maximum scans of a progressive JPEG; encoders write some 10. Each costs a pass over the picture, so thousands of
/// empty ones would take hours.
const MAX_SCANS: usize = 64;

/// Segments of the picture, with the orientation as the only metadata.
pub(super) fn clean(content: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut cleaned = Vec::with_capacity(content.len());
    cleaned.extend_from_slice(&[0xFF, START]);
    let mut orientation = None;
    // The orientation segment precedes all but APP0.
    let mut is_told = false;
    let (mut at, mut scans) = (2, 0);
    loop {
        let marker = next_marker(content, &mut at)?;
        if marker == END {
            break;
        }
        let length = usize::from(u16::from_be_bytes([
            *content.get(at).ok_or(Fault::Damaged)?,
            *content.get(at + 1).ok_or(Fault::Damaged)?,
        ]));
        let segment = bytes(content, at, length.max(2))?;
        at += segment.len();
        let data = segment.get(2..).unwrap_or_default();
        match marker {
            APP1 => {
                if let Some(tiff) = data.strip_prefix(EXIF) {
                    orientation = orientation.or_else(|| Orientation::of_tiff(tiff));
                }
                continue;
            }
            // JFIF, and Adobe's colour segment.
            APP0 if data.starts_with(b"JFIF\0") => {
                // Drops the thumbnail.
                let head = data.get(..12).ok_or(Fault::Damaged)?;
                cleaned.extend_from_slice(&[0xFF, APP0, 0, 16]);
                cleaned.extend_from_slice(head);
                cleaned.extend_from_slice(&[0, 0]);
                continue;
            }
            APP14 if data.starts_with(b"Adobe") && data.len() == 12 => {}
            // Frame headers, tables, restart intervals, scans.
            0xC0..=0xCF | 0xDA..=0xDF => {}
            // Other application segments and comments.
            0xE0..=0xEF | 0xFE => continue,
            _ => return Err(Fault::Damaged),
        }
        if !is_told && matches!(marker, 0xC0..=0xCF | 0xDA..=0xDF) {
            is_told = true;
            if let Some(orientation) = orientation {
                tell(&mut cleaned, orientation);
            }
        }
        cleaned.extend_from_slice(&[0xFF, marker]);
        cleaned.extend_from_slice(segment);
        if marker == SCAN {
            scans += 1;
            if scans > MAX_SCANS {
                return Err(Fault::Damaged);
            }
            let end = end_of_scan(content, at)?;
            cleaned.extend_from_slice(bytes(content, at, end - at)?);
            at = end;
        }
    }
    if scans == 0 {
        return Err(Fault::Damaged);
    }
    cleaned.extend_from_slice(&[0xFF, END]);
    Ok(cleaned)
}

/// Next marker, which any number of 0xFF may precede.
fn next_marker(content: &[u8], at: &mut usize) -> Result<u8, Fault> {
    if content.get(*at) != Some(&0xFF) {
        return Err(Fault::Damaged);
    }
    while content.get(*at) == Some(&0xFF) {
        *at += 1;
    }
    let marker = *content.get(*at).ok_or(Fault::Damaged)?;
    *at += 1;
    Ok(marker)
}

/// End of a scan's data: the first marker that is neither an escaped 0xFF nor a restart.
fn end_of_scan(content: &[u8], from: usize) -> Result<usize, Fault> {
    let mut at = from;
    loop {
        let rest = content.get(at..).ok_or(Fault::Damaged)?;
        at += rest.iter().position(|byte| *byte == 0xFF).ok_or(Fault::Damaged)?;
        match content.get(at + 1).ok_or(Fault::Damaged)? {
            0x00 | 0xD0..=0xD7 => at += 2,
            0xFF => at += 1,
            _ => return Ok(at),
        }
    }
}

fn tell(cleaned: &mut Vec<u8>, orientation: Orientation) {
    let tiff = orientation.tiff();
    let length = u16::try_from(2 + EXIF.len() + tiff.len()).unwrap_or_default();
    cleaned.extend_from_slice(&[0xFF, APP1]);
    cleaned.extend_from_slice(&length.to_be_bytes());
    cleaned.extend_from_slice(EXIF);
    cleaned.extend_from_slice(&tiff);
}

/// Decodes and discards the picture.
pub(super) fn decode(cleaned: &[u8]) -> Result<(), Fault> {
    let side = usize::try_from(MAX_SIDE).unwrap_or(usize::MAX);
    let options = DecoderOptions::default()
        .set_strict_mode(true)
        .set_max_width(side)
        .set_max_height(side);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(cleaned), options);
    // The decoder reports its own size limit as a mere failure.
    let (width, height) = size(cleaned)?;
    check_size(width, height)?;
    decoder.decode_headers().map_err(|_| Fault::Damaged)?;
    let needed = decoder.output_buffer_size().ok_or(Fault::Damaged)?;
    if needed > 4 * usize::try_from(MAX_PIXELS).unwrap_or(usize::MAX) {
        return Err(Fault::TooManyPixels);
    }
    decoder.decode().map_err(|_| Fault::Damaged)?;
    Ok(())
}

/// Size from the frame header.
fn size(cleaned: &[u8]) -> Result<(u32, u32), Fault> {
    let mut at = 2;
    loop {
        let marker = next_marker(cleaned, &mut at)?;
        let length = bytes(cleaned, at, 2)?;
        if matches!(marker, 0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF) {
            let size = bytes(cleaned, at + 3, 4)?;
            let number = |high: usize| u32::from(u16::from_be_bytes([size[high], size[high + 1]]));
            return Ok((number(2), number(0)));
        }
        if matches!(marker, SCAN | END) {
            return Err(Fault::Damaged);
        }
        at += usize::from(u16::from_be_bytes([length[0], length[1]])).max(2);
    }
}
