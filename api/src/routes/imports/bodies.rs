//! Bodies of the calls of imports.

use crate::{
    catalogue::TextTemplate,
    imports::{
        import::{Counts, ImportBalance, ImportState, ImportSum, ImportTotal, RowResult},
        kinds::{ImportKind, Shape},
        mapping::Mapping,
        reader::Notice,
    },
};
use caudal_projections::refs::Ref;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// A file to import: CSV, XLSX or ODS, at most 20 MB, 50,000 rows and 100 columns.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is the form's shape in the OpenAPI document")]
pub struct ImportInput {
    /// What its rows are.
    pub(super) kind: ImportKind,
    /// Name of the file, for the history: at most 200 characters.
    pub(super) name: Option<String>,
    /// The file.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    pub(super) file: Vec<u8>,
}

/// A ZIP of images: at most 64 MB and 500 entries of 5 MB each.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is the form's shape in the OpenAPI document")]
pub struct ImportProofsInput {
    /// Name of the file, for the history: at most 200 characters.
    pub(super) name: Option<String>,
    /// The ZIP. JPEG, PNG or WebP, with names that the rows say, or that begin with the codes of the remittances.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    pub(super) file: Vec<u8>,
}

/// A change of a row: of some cells, or whether it is left out.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportRowInput {
    /// New texts of cells, as the file writes numbers and dates.
    #[serde(default)]
    pub(super) cells: Vec<ImportCellInput>,
    /// Whether the row is left out; unchanged when absent.
    #[serde(default)]
    pub(super) left_out: Option<bool>,
}

/// A cell of a row.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportCellInput {
    /// Column, from 0.
    pub(super) column: usize,
    /// Text, at most 1,000 characters.
    pub(super) text: String,
}

/// What files may be imported as.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportKinds {
    /// Those that the caller may import.
    pub(super) results: Vec<ImportKindView>,
}

/// A kind of imports with its fields.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportKindView {
    pub(super) kind: ImportKind,
    /// Whether a manager says whose the rows are.
    pub(super) owned: bool,
    /// Whether a ZIP of proofs belongs to such a list.
    pub(super) proofs: bool,
    /// What its columns may be.
    pub(super) fields: Vec<ImportField>,
}

/// A field that a column may be.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportField {
    /// Name, as in the call that makes such a record.
    #[schema(example = "senderName")]
    pub(super) name: &'static str,
    /// Whether a column or a fixed value is needed for it.
    pub(super) required: bool,
    /// How its cells are read.
    pub(super) shape: Shape,
}

/// Imports of the caller; of the office for its members.
#[derive(Debug, Serialize, ToSchema)]
pub struct Imports {
    /// The newest 100, newest first.
    pub(super) results: Vec<ImportView>,
}

/// An import.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportView {
    /// Id: derived from the kind and the content, so that the same file is the same import. The audit finds the events of an
    /// import by it (`requestId`).
    pub(super) id: Uuid,
    pub(super) kind: ImportKind,
    pub(super) state: ImportState,
    /// Name of the file; null once its content is erased.
    pub(super) name: Option<String>,
    /// Rows below the header.
    pub(super) rows: i32,
    /// Rows that the preview or the run under way, or the last one, has done.
    pub(super) done: i32,
    /// Rows by result in the latest preview; null before the first has ended.
    pub(super) previewed: Option<Counts>,
    /// Rows by result in the run; null before it was first interrupted or ended.
    pub(super) imported: Option<Counts>,
    /// Why it stopped by itself; null otherwise.
    pub(super) failure: Option<ImportFailure>,
    /// Who uploaded it, and alone may change and run it.
    pub(super) maker: Ref,
    /// When it was uploaded.
    pub(super) created_at: DateTime<Utc>,
    /// When its state last changed.
    pub(super) changed_at: DateTime<Utc>,
    /// When its content is erased, or was.
    pub(super) erase_at: DateTime<Utc>,
}

/// Why an import stopped by itself.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportFailure {
    #[schema(example = "permission_missing")]
    pub(super) code: String,
    /// Text in the caller's language.
    pub(super) detail: String,
}

/// An import with its columns and figures.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportDetail {
    #[serde(flatten)]
    pub(super) import: ImportView,
    /// Whether the caller may change and run it.
    pub(super) own: bool,
    /// Whether the caller may pause and cancel it.
    pub(super) stoppable: bool,
    /// Columns of the file; empty once its content is erased.
    pub(super) headers: Vec<String>,
    /// The first rows.
    pub(super) sample: Vec<Vec<String>>,
    /// Which columns are which fields: as saved for such files, or guessed. Null once the content is erased.
    pub(super) mapping: Option<Mapping>,
    /// For whom the office imports: the mapping's `owner`. Null for the imports of sellers, which are their own, for kinds without
    /// one, and before one is chosen.
    pub(super) seller: Option<Ref>,
    /// The ZIP of proofs; null before it is uploaded, for other kinds, and once the content is erased.
    pub(super) proofs: Option<ImportProofs>,
    /// What is to be known about how the file was read.
    pub(super) notices: Vec<Notice>,
    /// Rows by result so far in the preview.
    pub(super) preview_counts: Counts,
    /// Rows by result so far in the run.
    pub(super) run_counts: Counts,
    /// Rows by what they show: the result of the run, or else of the preview.
    pub(super) shown_counts: Counts,
    /// The seller's balances before the first row and after the last one, by the latest preview: all payment groups of a
    /// currency together. What is owed, below 0, only where the rows move no balance of the currency.
    pub(super) balances: Vec<ImportBalance>,
    /// What the rows of the latest preview charge, pay out and open.
    pub(super) sums: Vec<ImportSum>,
    /// Totals of another system beside those of the latest preview; empty where the mapping says none.
    pub(super) expected: Vec<ImportTotal>,
}

/// The ZIP of proofs of a list of completions.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportProofs {
    /// Name of the file.
    pub(super) name: String,
    /// Number of entries.
    pub(super) entries: usize,
    /// Names of entries that belong to no row, by the latest preview; null before it.
    pub(super) unused: Option<Vec<String>>,
}

/// A row with what becomes of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportRow {
    /// Number of the row below the header, from 0.
    pub(super) row: i32,
    /// Line of the file, from 1.
    pub(super) line: i32,
    /// Cells; empty once the content is erased.
    pub(super) cells: Vec<String>,
    /// Whether it is left out.
    pub(super) left_out: bool,
    /// Result in the latest preview; null after a change of the row.
    pub(super) preview: Option<RowResult>,
    /// Result in the run; null before it.
    pub(super) result: Option<RowResult>,
    /// Errors of the run, or else of the preview.
    pub(super) errors: Vec<ImportRowError>,
    /// The record that it added or means; null in a preview.
    pub(super) record: Option<Uuid>,
    /// Code of its remittance; null for others, and in a preview.
    pub(super) code: Option<String>,
    /// The seller's balance after the row, in the preview, or what the rows up to it open; null where the row moves neither.
    pub(super) balance: Option<ImportRowBalance>,
}

/// A seller's balance after a row, or what the rows up to it open.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportRowBalance {
    /// Decimal string.
    #[schema(example = "1850.00")]
    pub(super) amount: String,
    #[schema(example = "CUP")]
    pub(super) currency: String,
}

/// An error of a row.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportRowError {
    /// Column that it is about, from 0; null for the whole row.
    pub(super) column: Option<usize>,
    /// Field that it is about; empty for the whole row.
    #[schema(example = "amount")]
    pub(super) field: String,
    /// Stable code, such as `balance_insufficient`; `docs/errors.md` lists all.
    pub(super) code: String,
    /// Text in the caller's language (`Accept-Language`).
    pub(super) detail: String,
    /// Values of placeholders in `detail`.
    #[serde(flatten)]
    pub(super) said: TextTemplate,
}

/// Page of rows.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ImportRowsParams {
    /// Page, from 1.
    #[serde(rename = "CurrentPage", default)]
    #[param(required = false)]
    pub(super) current_page: Option<i64>,
    /// Rows of a page: 1 to 100, or 0 for all, up to 10,000.
    #[serde(rename = "RecordsPerPage", default)]
    #[param(required = false)]
    pub(super) records_per_page: Option<i64>,
    /// Rows that show this result alone.
    #[serde(default)]
    #[param(required = false)]
    pub(super) result: Option<RowResult>,
}

/// Format of the file of rows in error.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ImportFileParams {
    /// `csv` or `xlsx`.
    pub(super) format: String,
}
