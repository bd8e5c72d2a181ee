//! Stored events in PostgreSQL's binary COPY format, parsed in place: only what the chain covers is decoded.

use crate::{
    error::JournalError,
    log::chain::{self, Hash},
};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

/// Header of a binary COPY: signature, no flags, no extension.
const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// Columns in the order read by [`Row`].
pub(super) const COLUMNS: &str = "position, aggregate_type, aggregate_id, sequence, event_type, event_version, \
                                  recorded_at, metadata, payload, hash";
/// Number of columns.
const FIELDS: i16 = 10;
/// PostgreSQL's `infinity` and `-infinity`.
const INFINITE: [i64; 2] = [i64::MAX, i64::MIN];

/// A row of the log, borrowed from the buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    pub(crate) position: i64,
    pub(crate) aggregate_type: &'a str,
    pub(crate) aggregate_id: &'a str,
    pub(crate) sequence: i64,
    pub(crate) event_type: &'a str,
    pub(crate) event_version: &'a str,
    /// `None` for an infinite time.
    pub(crate) recorded_at: Option<DateTime<Utc>>,
    pub(crate) metadata: &'a str,
    pub(crate) payload: &'a str,
    /// `None` for a hash of another length.
    pub(crate) hash: Option<Hash>,
}

impl Row<'_> {
    /// Hash expected after the hash `previous`; `None` for an event without a valid time.
    pub(crate) fn expected_hash(&self, tenant: &TenantId, previous: &Hash) -> Option<Hash> {
        let link = chain::Link {
            tenant: tenant.as_str(),
            position: self.position,
            aggregate_type: self.aggregate_type,
            aggregate_id: self.aggregate_id,
            sequence: self.sequence,
            event_type: self.event_type,
            event_version: self.event_version,
            recorded_at: self.recorded_at?,
            metadata: self.metadata,
            payload: self.payload,
        };
        Some(chain::hash(previous, &link))
    }
}

/// Buffer of received COPY bytes.
#[derive(Debug, Default)]
pub(super) struct Rows {
    bytes: Vec<u8>,
    /// Bytes parsed.
    read: usize,
    has_begun: bool,
}

impl Rows {
    /// Appends bytes and drops the parsed ones.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.read);
        self.read = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// Next complete row; `None` when it has not arrived yet, or at the end.
    ///
    /// # Errors
    /// Malformed bytes.
    pub(super) fn next(&mut self) -> Result<Option<Row<'_>>, JournalError> {
        if !self.has_begun {
            if self.bytes.len() < HEADER.len() {
                return Ok(None);
            }
            if !self.bytes.starts_with(HEADER) {
                return Err(unexpected());
            }
            self.has_begun = true;
            self.read = HEADER.len();
        }
        let mut reader = Reader(self.bytes.get(self.read..).unwrap_or_default());
        let Some(row) = reader.row()? else { return Ok(None) };
        self.read = self.bytes.len() - reader.0.len();
        Ok(Some(row))
    }
}

/// Byte reader; a read returns `None` on too few bytes.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn row(&mut self) -> Result<Option<Row<'a>>, JournalError> {
        let Some(fields) = self.array().map(i16::from_be_bytes) else {
            return Ok(None);
        };
        match fields {
            // End marker.
            -1 => return Ok(None),
            FIELDS => {}
            _ => return Err(unexpected()),
        }
        let mut fields = [&[] as &[u8]; FIELDS as usize];
        for field in &mut fields {
            let Some(length) = self.array().map(i32::from_be_bytes) else {
                return Ok(None);
            };
            // No column of the log is ever NULL, whose length is -1.
            let length = usize::try_from(length).map_err(|_| unexpected())?;
            let Some((bytes, rest)) = self.0.split_at_checked(length) else {
                return Ok(None);
            };
            (*field, self.0) = (bytes, rest);
        }
        let [
            position,
            aggregate_type,
            aggregate_id,
            sequence,
            event_type,
            event_version,
            recorded_at,
            metadata,
            payload,
            hash,
        ] = fields;
        Ok(Some(Row {
            position: number(position)?,
            aggregate_type: text(aggregate_type)?,
            aggregate_id: text(aggregate_id)?,
            sequence: number(sequence)?,
            event_type: text(event_type)?,
            event_version: text(event_version)?,
            recorded_at: moment(number(recorded_at)?),
            metadata: text(metadata)?,
            payload: text(payload)?,
            hash: hash.try_into().ok(),
        }))
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*bytes)
    }
}

fn number(bytes: &[u8]) -> Result<i64, JournalError> {
    Ok(i64::from_be_bytes(bytes.try_into().map_err(|_| unexpected())?))
}

fn text(bytes: &[u8]) -> Result<&str, JournalError> {
    std::str::from_utf8(bytes).map_err(|_| unexpected())
}

/// PostgreSQL's time: microseconds since 2000.
fn moment(micros: i64) -> Option<DateTime<Utc>> {
    if INFINITE.contains(&micros) {
        return None;
    }
    let epoch = NaiveDate::from_ymd_opt(2000, 1, 1)?.and_hms_opt(0, 0, 0)?.and_utc();
    epoch.checked_add_signed(TimeDelta::microseconds(micros))
}

fn unexpected() -> JournalError {
    JournalError::Unexpected("a COPY of the log that is none".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(bytes: &[u8]) -> Vec<u8> {
        [&i32::try_from(bytes.len()).unwrap().to_be_bytes(), bytes].concat()
    }

    fn copied() -> Vec<u8> {
        let mut bytes = HEADER.to_vec();
        bytes.extend(FIELDS.to_be_bytes());
        bytes.extend(field(&7_i64.to_be_bytes()));
        bytes.extend(field(b"customer"));
        bytes.extend(field(b"0197a3c0-0000-7000-8000-000000000001"));
        bytes.extend(field(&2_i64.to_be_bytes()));
        bytes.extend(field(b"CardAdded"));
        bytes.extend(field(b"1.0"));
        bytes.extend(field(&1_000_001_i64.to_be_bytes()));
        bytes.extend(field(b"{}"));
        bytes.extend(field("{\"a\":\"Á\"}".as_bytes()));
        bytes.extend(field(&[7; 32]));
        bytes.extend((-1_i16).to_be_bytes());
        bytes
    }

    #[test]
    fn a_row_is_read_however_its_bytes_come() {
        for size in [1, 3, 50, 1_000] {
            let (mut rows, mut found) = (Rows::default(), 0);
            for bytes in copied().chunks(size) {
                rows.push(bytes);
                while let Some(row) = rows.next().unwrap() {
                    found += 1;
                    assert_eq!((row.position, row.sequence, row.payload), (7, 2, "{\"a\":\"Á\"}"));
                    assert_eq!(
                        row.recorded_at.unwrap().to_rfc3339(),
                        "2000-01-01T00:00:01.000001+00:00"
                    );
                    assert_eq!(row.hash, Some([7; 32]));
                }
            }
            assert_eq!(found, 1, "{size}");
        }
    }

    #[test]
    fn infinity_is_no_moment_and_rubbish_no_row() {
        assert_eq!(INFINITE.map(moment), [None, None]);
        let mut rows = Rows::default();
        rows.push(&[b'x'; 40]);
        assert!(rows.next().is_err());
    }
}
