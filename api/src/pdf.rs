//! Checks of uploaded PDF documents. They are stored as they are: a document is not rewritten, it is refused
//! (docs/decisions/files-of-reviews.md).
//!
//! | Check | Refused |
//! |---|---|
//! | header, trailer | another begin than `%PDF-1.` or `%PDF-2.`; no `startxref`; more than white space after the last `%%EOF` |
//! | names in all bytes, and in all that can be unpacked | encryption, what acts when the document is opened, other files in it ([`ACTIVE`]) |
//! | short names outside of streams, and in streams of objects | the keys of such actions ([`KEYS`]) |
//! | streams of objects | those packed in another way than by `FlateDecode`; what is beyond the limits |

use flate2::{Decompress, FlushDecompress, Status};
use std::{sync::Arc, time::Duration};
use tokio::sync::Semaphore;

pub const MEDIA_TYPE: &str = "application/pdf";
/// Maximum size in bytes: twenty scanned pages of half a megabyte.
pub const MAX_PDF_BYTES: usize = 10 * 1024 * 1024;
/// Bytes of all streams together when they are unpacked: twenty uncompressed pages of a scanner (A4 in colour at 300 dpi have
/// 26 MB). They are never in memory as a whole; unpacking them takes a second.
const MAX_UNPACKED: u64 = 512 * 1024 * 1024;
/// Streams of a document: some for each page, font and picture.
const MAX_STREAMS: usize = 20_000;
/// Bytes in which the begin of a stream's object is looked for.
const MAX_DICTIONARY: usize = 16 * 1024;
/// The last `%%EOF` stands within as many bytes of the end, as readers look for it.
const TAIL: usize = 1024;
/// Longest name that is compared.
const MAX_NAME: usize = 20;
/// Unpacked bytes that are looked through at once.
const CHUNK: usize = 64 * 1024;
/// A name of [`MAX_NAME`] characters, each written as three, may stand across two chunks.
const OVERLAP: usize = 4 * MAX_NAME;
/// Concurrent checks; each takes a core for up to a second.
const CHECKED_AT_ONCE: usize = 2;
/// Timeout of the queue, and of a check.
const PATIENCE: Duration = Duration::from_secs(15);

const ENCRYPTION: &[&[u8]] = &[b"Encrypt"];
/// Names of what acts or carries files. They are looked for in all bytes: whose lengths mislead may hide an object in a
/// picture.
const ACTIVE: &[&[u8]] = &[
    b"JavaScript",
    b"Launch",
    b"EmbeddedFile",
    b"EmbeddedFiles",
    b"FileAttachment",
    b"RichMedia",
    b"Rendition",
    b"SubmitForm",
    b"ImportData",
    b"GoToE",
    b"GoToR",
];
/// What a document does when it is opened. Refused unless it is a place to begin at, as office programs write it.
const AT_OPENING: &[u8] = b"OpenAction";
/// White space between a key and its value, at most.
const MAX_SPACES: usize = 8;
/// Keys of the same: scripts, additional actions, embedded files, forms of XML. Too short to be looked for in pictures, whose
/// bytes contain them by chance.
const KEYS: &[&[u8]] = &[b"JS", b"AA", b"EF", b"XFA"];
/// Names of a document that may keep objects in streams.
const PACKING: &[&[u8]] = &[b"ObjStm", b"XRef"];
/// Filters other than `FlateDecode` that a stream of objects could be packed by, with the short names that some readers take.
const OTHER_FILTERS: &[&[u8]] = &[
    b"ASCIIHexDecode",
    b"ASCII85Decode",
    b"LZWDecode",
    b"RunLengthDecode",
    b"AHx",
    b"A85",
    b"LZW",
];

/// Why a document is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Cut off, or not to be looked through.
    Damaged,
    Encrypted,
    /// It acts when it is opened, or carries other files.
    Active,
    /// The queue is full.
    Busy,
}

/// Whether a file begins as a PDF document.
pub fn is_pdf(content: &[u8]) -> bool {
    content.starts_with(b"%PDF-")
}

/// Checks documents with bounded concurrency. Clones share the bound.
#[derive(Clone, Debug)]
pub struct Documents {
    turns: Arc<Semaphore>,
}

impl Default for Documents {
    fn default() -> Self {
        Self {
            turns: Arc::new(Semaphore::new(CHECKED_AT_ONCE)),
        }
    }
}

impl Documents {
    /// # Errors
    /// Why it is refused.
    pub async fn check(&self, content: impl AsRef<[u8]> + Send + 'static) -> Result<(), Fault> {
        let turn = tokio::time::timeout(PATIENCE, self.turns.clone().acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            return Err(Fault::Busy);
        };
        let checking = tokio::task::spawn_blocking(move || {
            // Held until the check ends, even if the caller is gone.
            let _turn = turn;
            check_now(content.as_ref())
        });
        match tokio::time::timeout(PATIENCE, checking).await {
            Ok(Ok(checked)) => checked,
            Ok(Err(_)) | Err(_) => Err(Fault::Damaged),
        }
    }
}

/// [`Documents::check`], on the calling thread and without a queue.
fn check_now(content: &[u8]) -> Result<(), Fault> {
    if !content.starts_with(b"%PDF-1.") && !content.starts_with(b"%PDF-2.") {
        return Err(Fault::Damaged);
    }
    check_end(content)?;
    check_names(content, |name, after| verdict(name, after, &[]))?;
    if has_name(content, PACKING) && has_name(content, OTHER_FILTERS) {
        return Err(Fault::Damaged);
    }
    check_outside(content)?;
    let mut left = MAX_UNPACKED;
    let (mut at, mut streams) = (0, 0);
    // Also within the data of streams: the lengths may mislead.
    while let Some(stream) = Stream::next(content, at) {
        streams += 1;
        if streams > MAX_STREAMS {
            return Err(Fault::Damaged);
        }
        check_stream(&stream, content, &mut left)?;
        at = stream.data;
    }
    Ok(())
}

fn slice(content: &[u8], from: usize, to: usize) -> &[u8] {
    content.get(from..to).unwrap_or_default()
}

fn check_end(content: &[u8]) -> Result<(), Fault> {
    let tail = slice(content, content.len().saturating_sub(TAIL), content.len());
    let end = last(tail, b"%%EOF").ok_or(Fault::Damaged)?;
    let after = slice(tail, end + b"%%EOF".len(), tail.len());
    if !after.iter().all(|byte| is_space(*byte)) || last(content, b"startxref").is_none() {
        return Err(Fault::Damaged);
    }
    Ok(())
}

/// Judges a name by what stands after it.
fn verdict(name: &[u8], after: &[u8], keys: &[&[u8]]) -> Result<(), Fault> {
    if name == AT_OPENING && !is_place(after) {
        return Err(Fault::Active);
    }
    if ENCRYPTION.contains(&name) {
        return Err(Fault::Encrypted);
    }
    if ACTIVE.contains(&name) || keys.contains(&name) {
        return Err(Fault::Active);
    }
    Ok(())
}

/// Whether a value is an array, as places in a document are. Where the bytes end before it, the next ones have the name too.
fn is_place(value: &[u8]) -> bool {
    match value.iter().take(MAX_SPACES).find(|byte| !is_space(**byte)) {
        Some(byte) => *byte == b'[',
        None => value.len() < MAX_SPACES,
    }
}

/// Checks the short names between the streams.
fn check_outside(content: &[u8]) -> Result<(), Fault> {
    let mut at = 0;
    while let Some(stream) = Stream::next(content, at) {
        check_names(slice(content, at, stream.keyword), |name, after| {
            verdict(name, after, KEYS)
        })?;
        let data = slice(content, stream.data, content.len());
        let end = first(data, b"endstream").map(|end| stream.data + end + b"endstream".len());
        at = end.unwrap_or(content.len());
    }
    check_names(slice(content, at, content.len()), |name, after| {
        verdict(name, after, KEYS)
    })
}

/// A stream, by the place of its keyword.
struct Stream {
    /// Place of the word `stream`.
    keyword: usize,
    /// Place of its first byte of data.
    data: usize,
}

impl Stream {
    /// The next one: its keyword ends a line.
    fn next(content: &[u8], from: usize) -> Option<Self> {
        let mut at = from;
        loop {
            let keyword = at + first(slice(content, at, content.len()), b"stream")?;
            at = keyword + b"stream".len();
            let rest = slice(content, at, content.len());
            let spaces = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            let data = match (rest.get(spaces), rest.get(spaces + 1)) {
                (Some(b'\r'), Some(b'\n')) => at + spaces + 2,
                (Some(b'\n' | b'\r'), _) => at + spaces + 1,
                _ => continue,
            };
            if !slice(content, 0, keyword).ends_with(b"end") {
                return Some(Self { keyword, data });
            }
        }
    }

    /// The bytes before the data, back to the begin of the object.
    fn dictionary<'a>(&self, content: &'a [u8]) -> &'a [u8] {
        let before = slice(content, self.keyword.saturating_sub(MAX_DICTIONARY), self.keyword);
        slice(before, last(before, b"obj").unwrap_or(0), before.len())
    }
}

/// Looks through what a stream unpacks to. What is no packed stream has been looked through as it is.
fn check_stream(stream: &Stream, content: &[u8], left: &mut u64) -> Result<(), Fault> {
    let dictionary = stream.dictionary(content);
    // Some readers take a stream with the key `First` for one of objects, whatever its type.
    let of_objects = has_name(dictionary, &[b"ObjStm", b"First"]);
    if of_objects && has_name(dictionary, &[b"Predictor"]) {
        return Err(Fault::Damaged);
    }
    let keys = if of_objects { KEYS } else { &[] };
    let packed = slice(content, stream.data, content.len());
    if of_objects && !is_packed(packed) {
        if has_name(dictionary, &[b"Filter"]) {
            return Err(Fault::Damaged);
        }
        let data = slice(packed, 0, first(packed, b"endstream").unwrap_or(packed.len()));
        let length = u64::try_from(data.len()).unwrap_or(u64::MAX);
        *left = left.checked_sub(length).ok_or(Fault::Damaged)?;
        return check_names(data, |name, after| verdict(name, after, keys));
    }
    if !is_packed(packed) {
        return Ok(());
    }
    let whole = unpack(packed, left, |chunk| {
        check_names(chunk, |name, after| verdict(name, after, keys))
    })?;
    if of_objects && !whole {
        return Err(Fault::Damaged);
    }
    Ok(())
}

/// Whether bytes begin as a stream of zlib.
fn is_packed(data: &[u8]) -> bool {
    let (Some(method), Some(flags)) = (data.first(), data.get(1)) else {
        return false;
    };
    method & 0x0F == 8 && (u16::from(*method) * 256 + u16::from(*flags)) % 31 == 0
}

/// Unpacks a stream chunk by chunk, and tells whether it was whole. Of a damaged one the begin is looked through, as readers
/// show it.
fn unpack(packed: &[u8], left: &mut u64, look: impl Fn(&[u8]) -> Result<(), Fault>) -> Result<bool, Fault> {
    let mut inflater = Decompress::new(true);
    let mut window: Vec<u8> = Vec::with_capacity(CHUNK + OVERLAP);
    let mut chunk = vec![0; CHUNK];
    loop {
        let (read, written) = (inflater.total_in(), inflater.total_out());
        let rest = usize::try_from(read).ok().and_then(|read| packed.get(read..));
        let outcome = inflater.decompress(rest.unwrap_or_default(), &mut chunk, FlushDecompress::None);
        let count = inflater.total_out() - written;
        *left = left.checked_sub(count).ok_or(Fault::Damaged)?;
        window.extend_from_slice(slice(&chunk, 0, usize::try_from(count).unwrap_or(CHUNK)));
        look(&window)?;
        window.drain(..window.len().saturating_sub(OVERLAP));
        match outcome {
            Ok(Status::StreamEnd) => return Ok(true),
            Err(_) => return Ok(false),
            Ok(_) if count == 0 && inflater.total_in() == read => return Ok(false),
            Ok(_) => {}
        }
    }
}

fn has_name(content: &[u8], names: &[&[u8]]) -> bool {
    let check = |name: &[u8], _: &[u8]| {
        if names.contains(&name) {
            Err(Fault::Active)
        } else {
            Ok(())
        }
    };
    check_names(content, check).is_err()
}

/// Asks for every name, as it is meant: `/J#61vaScript` is `JavaScript`. Longer ones than [`MAX_NAME`] are none of ours.
fn check_names(content: &[u8], check: impl Fn(&[u8], &[u8]) -> Result<(), Fault>) -> Result<(), Fault> {
    let mut name = Vec::with_capacity(MAX_NAME + 1);
    let mut rest = content;
    while let Some(slash) = rest.iter().position(|byte| *byte == b'/') {
        rest = slice(rest, slash + 1, rest.len());
        name.clear();
        let mut bytes = rest;
        while let Some((byte, after)) = bytes.split_first() {
            if ends_name(*byte) || name.len() > MAX_NAME {
                break;
            }
            bytes = after;
            let escaped = (*byte == b'#').then(|| hexadecimal(after)).flatten();
            name.push(escaped.unwrap_or(*byte));
            if escaped.is_some() {
                bytes = slice(after, 2, after.len());
            }
        }
        check(&name, bytes)?;
    }
    Ok(())
}

/// The byte that two hexadecimal digits write.
fn hexadecimal(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| digits.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\0' | b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

const fn ends_name(byte: u8) -> bool {
    is_space(byte)
        || matches!(
            byte,
            b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%'
        )
}

fn first(content: &[u8], word: &[u8]) -> Option<usize> {
    content.windows(word.len()).position(|window| window == word)
}

fn last(content: &[u8], word: &[u8]) -> Option<usize> {
    content.windows(word.len()).rposition(|window| window == word)
}

#[cfg(test)]
mod tests;
