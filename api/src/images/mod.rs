//! Uploaded images: stripped of everything but the picture, and test-decoded before storage.
//!
//! | Step | Action |
//! |---|---|
//! | sniff | detects the format by the first bytes |
//! | clean | rewrites the container from the picture's parts; metadata and trailing bytes are dropped except EXIF's orientation; no re-encoding |
//! | decode | decodes the cleaned image with bounded memory and time, on a blocking thread |

mod jpeg;
mod orientation;
mod png;
mod webp;

use std::{sync::Arc, time::Duration};
use tokio::sync::Semaphore;

/// Maximum pixels; more than today's telephones and cameras.
pub const MAX_PIXELS: u32 = 25_000_000;
/// Maximum side in pixels.
const MAX_SIDE: u32 = 16_000;
/// Decoder memory limit: 25 million pixels of four bytes plus working space.
const MAX_DECODER_BYTES: usize = 128 * 1024 * 1024;
/// Concurrent decodings; each takes a core for up to a second and up to 250 MB (a progressive JPEG).
const DECODED_AT_ONCE: usize = 2;
/// Timeout of the queue, and of decoding.
const PATIENCE: Duration = Duration::from_secs(15);

/// A supported format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Jpeg,
    Png,
    /// WebP.
    WebP,
}

impl Format {
    /// Detects the format by the first bytes, ignoring the file name.
    pub fn sniff(content: &[u8]) -> Option<Self> {
        let webp = content.starts_with(b"RIFF") && content.get(8..12) == Some(b"WEBP".as_slice());
        match content {
            _ if content.starts_with(&[0xFF, 0xD8, 0xFF]) => Some(Self::Jpeg),
            _ if content.starts_with(png::SIGNATURE) => Some(Self::Png),
            _ if webp => Some(Self::WebP),
            _ => None,
        }
    }

    /// Media type.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::WebP => "image/webp",
        }
    }
}

/// Why an image is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Unsupported format.
    NotAnImage,
    /// Truncated or undecodable.
    Damaged,
    /// An animation.
    Animated,
    /// Beyond [`MAX_PIXELS`] or [`MAX_SIDE`].
    TooManyPixels,
    /// The decoding queue is full.
    Busy,
}

/// Cleans and decodes images with bounded concurrency. Clones share the bound.
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
    /// The image without metadata, verified to be decodable.
    ///
    /// # Errors
    /// Why it is rejected.
    pub async fn clean(&self, content: impl AsRef<[u8]> + Send + 'static) -> Result<(Format, Vec<u8>), Fault> {
        let turn = tokio::time::timeout(PATIENCE, self.turns.clone().acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            return Err(Fault::Busy);
        };
        let decoding = tokio::task::spawn_blocking(move || {
            // Held until decoding ends, even if the caller is gone.
            let _turn = turn;
            clean_now(content.as_ref())
        });
        match tokio::time::timeout(PATIENCE, decoding).await {
            Ok(Ok(cleaned)) => cleaned,
            // A decoder that panics or times out was given a malicious image.
            Ok(Err(_)) | Err(_) => Err(Fault::Damaged),
        }
    }
}

/// Synchronous version.
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

/// Checks the size before decoding.
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

/// `length` bytes at an offset; [`Fault::Damaged`] beyond the end.
fn bytes(content: &[u8], at: usize, length: usize) -> Result<&[u8], Fault> {
    let end = at.checked_add(length).ok_or(Fault::Damaged)?;
    content.get(at..end).ok_or(Fault::Damaged)
}

#[cfg(test)]
mod tests;
