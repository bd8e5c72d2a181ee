//! Entries as they are stored: in chunks, with a digest over all.

use caudal_screening::Entry;
use sha2::{Digest as _, Sha256};

/// Entries of a chunk: about half a megabyte of JSON, so that no statement is large.
const CHUNK_ENTRIES: usize = 2_000;

/// Entries as they are stored, with the digest over all.
#[derive(Debug)]
pub struct Packed {
    pub(super) chunks: Vec<String>,
    pub(super) digest: Vec<u8>,
    pub(super) entries: usize,
    pub(super) names: usize,
}

impl Packed {
    /// SHA-256 of the entries, in hexadecimal.
    pub fn version(&self) -> String {
        hex::encode(&self.digest)
    }

    pub const fn entries(&self) -> usize {
        self.entries
    }

    pub const fn names(&self) -> usize {
        self.names
    }
}

/// Collects entries into chunks.
#[derive(Debug, Default)]
pub struct Packer {
    waiting: Vec<Entry>,
    chunks: Vec<String>,
    entries: usize,
    names: usize,
    failure: Option<serde_json::Error>,
}

impl Packer {
    pub fn take(&mut self, entry: Entry) {
        self.entries += 1;
        self.names += entry.names.len();
        self.waiting.push(entry);
        if self.waiting.len() == CHUNK_ENTRIES {
            self.pack();
        }
    }

    fn pack(&mut self) {
        match serde_json::to_string(&self.waiting) {
            Ok(chunk) => self.chunks.push(chunk),
            Err(error) => self.failure = Some(error),
        }
        self.waiting.clear();
    }

    /// The packed list.
    ///
    /// # Errors
    /// When an entry could not be written.
    pub fn finish(mut self) -> Result<Packed, serde_json::Error> {
        if !self.waiting.is_empty() {
            self.pack();
        }
        if let Some(error) = self.failure {
            return Err(error);
        }
        let digest = digest_of(self.chunks.iter().map(String::as_str));
        Ok(Packed {
            chunks: self.chunks,
            digest,
            entries: self.entries,
            names: self.names,
        })
    }
}

pub(super) fn digest_of<'a>(chunks: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let mut sha = Sha256::new();
    for chunk in chunks {
        add_chunk(&mut sha, chunk);
    }
    sha.finalize().to_vec()
}

pub(super) fn add_chunk(sha: &mut Sha256, chunk: &str) {
    sha.update((chunk.len() as u64).to_be_bytes());
    sha.update(chunk);
}
