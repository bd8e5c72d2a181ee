//! Files of a tenant's own lists, as managers upload them: a plain CSV, read by the reader of the operator's command.

use super::store::{Packed, Packer};
use crate::problem::ApiError;
use actix_web::web::Bytes;
use caudal_domain::{FieldError, refusal::Params};
use caudal_screening::{
    Entry, Format, Limits, ReadError, Summary,
    read::{self, Problem, Warning, WarningKind},
};
use std::borrow::Cow;

/// A file of an own list. Lists of the size of published ones are loaded by the operator.
pub const MAX_OWN_BYTES: usize = 10 << 20;
/// Entries of an own list.
const MAX_OWN_ENTRIES: usize = 50_000;
/// Bytes of an entry.
const MAX_ENTRY_BYTES: u64 = 64 << 10;
/// Entries that are shown of a file.
const SAMPLE: usize = 10;
/// Characters of a file's text that a refusal repeats.
const MAX_SHOWN: usize = 60;

/// A file that was read.
pub struct OwnFile {
    pub packed: Packed,
    pub summary: Summary,
    /// The first entries.
    pub sample: Vec<Entry>,
}

/// Reads a file.
///
/// # Errors
/// 422 for a file that the reader refuses, with the line.
pub async fn read(content: Bytes) -> Result<OwnFile, ApiError> {
    let read = tokio::task::spawn_blocking(move || {
        let limits = Limits {
            file: MAX_OWN_BYTES as u64,
            entry: MAX_ENTRY_BYTES,
            entries: MAX_OWN_ENTRIES,
        };
        let mut packer = Packer::default();
        let mut sample = Vec::new();
        let mut take = |entry: Entry| {
            if sample.len() < SAMPLE {
                sample.push(entry.clone());
            }
            packer.take(entry);
        };
        let summary = read::read(Format::Csv, &content[..], limits, &mut take).map_err(refused)?;
        let packed = packer.finish().map_err(ApiError::internal)?;
        Ok(OwnFile {
            packed,
            summary,
            sample,
        })
    });
    read.await.map_err(ApiError::internal)?
}

fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MAX_SHOWN).collect()
}

/// The refusal of a file names the line and what is wrong in it.
fn refused(error: ReadError) -> ApiError {
    let mut params = Params::from([("row", error.line.to_string())]);
    let code = match error.problem {
        Problem::FileTooLarge(_) => {
            params.insert("max", MAX_OWN_BYTES.to_string());
            "screening_file_too_large"
        }
        Problem::EntryTooLarge(_) => "screening_entry_too_large",
        Problem::TooManyEntries(max) => {
            params.insert("max", max.to_string());
            "screening_too_many_entries"
        }
        Problem::Encoding(_) => "screening_not_utf8",
        Problem::Column(column) => {
            params.insert("header", column.to_owned());
            "screening_column_missing"
        }
        Problem::UnknownColumn(column) => {
            params.insert("header", shown(&column));
            "screening_column_unknown"
        }
        Problem::Fields { expected, found } => {
            params.insert("expected", expected);
            params.insert("found", found.to_string());
            "screening_fields_wrong"
        }
        Problem::IdRepeated { id, first } => {
            params.insert("id", shown(&id));
            params.insert("first", first.to_string());
            "screening_id_repeated"
        }
        Problem::Empty => "screening_list_empty",
        Problem::Input(_)
        | Problem::TooDeep(_)
        | Problem::DocumentType
        | Problem::Entity(_)
        | Problem::Malformed(_)
        | Problem::Root { .. }
        | Problem::CutOff => "screening_file_unreadable",
    };
    ApiError::all_invalid(vec![FieldError {
        field: Cow::Borrowed("file"),
        code,
        params,
    }])
}

/// Code of a warning.
pub const fn warned(warning: &Warning) -> &'static str {
    match warning.kind {
        WarningKind::Born => "screening_born_unknown",
        WarningKind::Empty | WarningKind::Other => "screening_entry_empty",
    }
}
