//! Images that people upload: cleaned of everything but the picture, and decoded once before they are kept.
//!
//! | Step | What happens |
//! |---|---|
//! | sniff | the format is known by the first bytes |
//! | clean | the container is written anew from the parts that make the picture; metadata and trailing bytes go, of EXIF the orientation alone stays; nothing is encoded again |
//! | decode | the cleaned image is decoded in bounded memory and time, on a thread for blocking work |

mod jpeg;
mod orientation;
mod png;
mod webp;

use std::{sync::Arc, time::Duration};
use tokio::sync::Semaphore;

/// The most pixels of an image: more than the 24 million of present telephones and cameras.
pub const MAX_PIXELS: u32 = 25_000_000;
/// The longest side of an image in pixels.
const MAX_SIDE: u32 = 16_000;
/// Memory that a decoder may take: 25 million pixels of four bytes, with some room for its own.
const MAX_DECODER_BYTES: usize = 128 * 1024 * 1024;
/// Images decoded at once. Each takes a core for up to a second and up to some 250 MB (a progressive JPEG).
const DECODED_AT_ONCE: usize = 2;
/// How long an upload waits for its turn to be decoded, and how long decoding may then take.
const PATIENCE: Duration = Duration::from_secs(15);

/// A format that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Jpeg,
    Png,
    /// WebP.
    WebP,
}

impl Format {
    /// The format of a content by its first bytes, whatever its name says.
    pub fn sniff(content: &[u8]) -> Option<Self> {
        let webp = content.starts_with(b"RIFF") && content.get(8..12) == Some(b"WEBP".as_slice());
        match content {
            _ if content.starts_with(&[0xFF, 0xD8, 0xFF]) => Some(Self::Jpeg),
            _ if content.starts_with(png::SIGNATURE) => Some(Self::Png),
            _ if webp => Some(Self::WebP),
            _ => None,
        }
    }

    /// Its name in HTTP.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::WebP => "image/webp",
        }
    }
}

/// Why an image is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The first bytes are of no format that is kept.
    NotAnImage,
    /// The picture is cut off, or can't be decoded.
    Damaged,
    /// The picture moves.
    Animated,
    /// The picture is beyond [`MAX_PIXELS`] or [`MAX_SIDE`].
    TooManyPixels,
    /// Too many images wait to be decoded.
    Busy,
}

/// Cleans and decodes images, a bounded number at once. Clones share the bound.
#[derive(Clone, Debug)]
pub struct Images {
    turns: Arc<Semaphore>,
}

impl Default for Images {
    fn default() -> Self {
        Self {
            turns: Arc::new(Semaphore::new(DECODED_AT_ONCE)),
        }
    }
}

impl Images {
    /// The image without its metadata, once it is known that it can be decoded.
    ///
    /// # Errors
    /// Why it is not kept.
    pub async fn clean(&self, content: impl AsRef<[u8]> + Send + 'static) -> Result<(Format, Vec<u8>), Fault> {
        let turn = tokio::time::timeout(PATIENCE, self.turns.clone().acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            return Err(Fault::Busy);
        };
        let decoding = tokio::task::spawn_blocking(move || {
            // Kept until decoding ends, also where nobody waits for it any more.
            let _turn = turn;
            clean_now(content.as_ref())
        });
        match tokio::time::timeout(PATIENCE, decoding).await {
            Ok(Ok(cleaned)) => cleaned,
            // A decoder that panics or takes this long was given something to make it do so.
            Ok(Err(_)) | Err(_) => Err(Fault::Damaged),
        }
    }
}

/// The same, here and now.
fn clean_now(content: &[u8]) -> Result<(Format, Vec<u8>), Fault> {
    let format = Format::sniff(content).ok_or(Fault::NotAnImage)?;
    let cleaned = match format {
        Format::Jpeg => jpeg::clean(content)?,
        Format::Png => png::clean(content)?,
        Format::WebP => webp::clean(content)?,
    };
    match format {
        Format::Jpeg => jpeg::decode(&cleaned)?,
        Format::Png => png::decode(&cleaned)?,
        Format::WebP => webp::decode(&cleaned)?,
    }
    Ok((format, cleaned))
}

/// Checks a picture's size before anything of it is decoded.
fn check_size(width: u32, height: u32) -> Result<(), Fault> {
    if width == 0 || height == 0 {
        return Err(Fault::Damaged);
    }
    let pixels = u64::from(width) * u64::from(height);
    if width.max(height) > MAX_SIDE || pixels > u64::from(MAX_PIXELS) {
        return Err(Fault::TooManyPixels);
    }
    Ok(())
}

/// Returns `length` bytes of a slice from an offset; [`Fault::Damaged`] where the slice ends before.
fn bytes(content: &[u8], at: usize, length: usize) -> Result<&[u8], Fault> {
    let end = at.checked_add(length).ok_or(Fault::Damaged)?;
    content.get(at..end).ok_or(Fault::Damaged)
}

#[cfg(test)]
mod tests;
