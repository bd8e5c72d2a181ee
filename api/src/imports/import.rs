//! An import, its rows and what becomes of them.

use super::{
    kinds::ImportKind,
    mapping::Mapping,
    reader::{Notice, RawRow},
    values::Decimal,
};
use caudal_domain::{Expected, FieldError, Figures, ids::TenantId, money::Amount};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use uuid::Uuid;

/// Where an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ImportState {
    /// Uploaded: its columns are to be confirmed, and a preview made.
    Mapping,
    Previewing,
    Previewed,
    Running,
    Paused,
    Done,
    Canceled,
}

impl ImportState {
    const ALL: &'static [Self] = &[
        Self::Mapping,
        Self::Previewing,
        Self::Previewed,
        Self::Running,
        Self::Paused,
        Self::Done,
        Self::Canceled,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mapping => "mapping",
            Self::Previewing => "previewing",
            Self::Previewed => "previewed",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Done => "done",
            Self::Canceled => "canceled",
        }
    }

    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|state| state.as_str() == name)
    }
}

/// What is encrypted of an import beside its rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    pub name: String,
    pub headers: Vec<String>,
    pub notices: Vec<Notice>,
    pub mapping: Mapping,
    /// Whether semicolons separate the file's columns.
    #[serde(default)]
    pub by_semicolon: bool,
}

impl Details {
    /// How numbers are written in the file of errors: as the file shows or, where it shows nothing, as spreadsheet programs write
    /// them that separate columns alike.
    pub fn decimal(&self) -> Decimal {
        self.mapping.decimal.unwrap_or(if self.by_semicolon {
            Decimal::Comma
        } else {
            Decimal::Point
        })
    }
}

/// The ZIP of proofs beside a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofsFile {
    pub name: String,
    /// Names of the entries.
    pub entries: Vec<String>,
    /// SHA-256 of each; none of files of earlier versions.
    #[serde(default)]
    pub digests: Vec<String>,
}

/// An import.
#[derive(Clone, Debug)]
pub struct Import {
    pub id: Uuid,
    pub owner: Uuid,
    pub maker: Uuid,
    pub kind: ImportKind,
    /// `None` once the content is erased.
    pub details: Option<Details>,
    /// `None` before it is uploaded, and once the content is erased.
    pub proofs: Option<ProofsFile>,
    pub rows: i32,
    pub state: ImportState,
    /// Previews begun so far.
    pub pass: i32,
    pub next_row: i32,
    pub failure: Option<String>,
    /// Money of the latest preview.
    pub summary: Option<Summary>,
    /// Rows by result when a pass ended.
    pub counts: Option<PassCounts>,
    pub created_at: DateTime<Utc>,
    pub changed_at: DateTime<Utc>,
    pub erase_at: DateTime<Utc>,
}

/// Money that the rows of a preview move: sums of the rows that would be added.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// The seller's balances before the first row and after the last one.
    pub balances: Vec<ImportBalance>,
    /// What is charged and what is paid out, by currency.
    pub sums: Vec<ImportSum>,
    /// Totals of another system beside those of the rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<ImportTotal>,
    /// Places of the proofs that belong to no row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused_proofs: Vec<usize>,
}

/// A seller's balance around a preview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportBalance {
    #[schema(example = "CUP")]
    pub currency: String,
    /// Before the first row, as a decimal string.
    #[schema(example = "2000.00")]
    pub begins: String,
    /// After the last row, as a decimal string.
    #[schema(example = "150.00")]
    pub ends: String,
}

/// Money of a preview in a currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportSum {
    #[schema(example = "USD")]
    pub currency: String,
    /// Charged to senders or owed by the seller, as a decimal string.
    #[schema(example = "1050.00")]
    pub charged: String,
    /// Paid out to recipients, as a decimal string.
    #[schema(example = "0.00")]
    pub paid_out: String,
    /// Opening balances, as a decimal string.
    #[serde(default)]
    #[schema(example = "0.00", required)]
    pub opened: String,
}

/// A total that another system says, beside that of the rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportTotal {
    #[schema(example = "CUP")]
    pub currency: String,
    /// What the other system says, as a decimal string.
    #[schema(example = "480000.00")]
    pub expected: String,
    /// What the rows that would be added come to: paid out, or opened.
    #[schema(example = "479500.00")]
    pub found: String,
    /// `found` less `expected`, as a decimal string.
    #[schema(example = "-500.00")]
    pub difference: String,
}

/// What becomes of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportRowResult)]
pub enum RowResult {
    /// Added, or would be.
    Added,
    /// What it says is there already.
    There,
    /// Waits for an approval, or would.
    Waiting,
    Refused,
    /// A person left it out.
    LeftOut,
}

impl RowResult {
    pub const ALL: &'static [Self] = &[Self::Added, Self::There, Self::Waiting, Self::Refused, Self::LeftOut];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::There => "there",
            Self::Waiting => "waiting",
            Self::Refused => "refused",
            Self::LeftOut => "leftOut",
        }
    }

    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|result| result.as_str() == name)
    }
}

/// An error of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowError {
    /// Column in which it is shown; none for the whole row.
    pub column: Option<usize>,
    pub field: String,
    pub code: String,
    pub params: BTreeMap<String, String>,
}

impl RowError {
    pub fn of(error: FieldError, column: Option<usize>) -> Self {
        Self {
            column,
            field: error.field.into_owned(),
            code: error.code.to_owned(),
            params: error
                .params
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        }
    }
}

/// Figures of a row in its preview. The run adds the row at these, or refuses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RowFigures {
    pub payout: Amount,
    pub total_to_pay: Amount,
}

impl From<Figures> for RowFigures {
    fn from(figures: Figures) -> Self {
        Self {
            payout: figures.payout,
            total_to_pay: figures.total_to_pay,
        }
    }
}

impl From<RowFigures> for Expected {
    fn from(figures: RowFigures) -> Self {
        Self {
            payout: Some(figures.payout),
            total_to_pay: Some(figures.total_to_pay),
        }
    }
}

/// What a preview of a piece was made of.
#[derive(Debug, Default)]
pub struct PieceRows {
    /// Number of the first row.
    pub first: i32,
    pub cells: Vec<RawRow>,
    /// Approvals that ended without effect, by row.
    pub ended_approvals: HashMap<i32, u32>,
}

impl PieceRows {
    pub(super) fn cells_of(&self, row: i32) -> Option<&RawRow> {
        self.cells.get(usize::try_from(row - self.first).ok()?)
    }
}

/// What earlier passes, and persons, left of the rows of a piece.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// Number of rows of which anything is noted.
    pub noted: usize,
    /// A run has ended them.
    pub ended: HashSet<i32>,
    /// A person left them out.
    pub left_out: HashSet<i32>,
    /// The preview refused them, so that nobody confirmed them: what it said. A run registers those of their customers and cards
    /// that the preview had for the rows after them, and no more.
    pub refused: HashMap<i32, Outcome>,
    /// Figures that the latest preview showed, by row.
    pub previewed: HashMap<i32, RowFigures>,
    /// Approvals that ended without effect, by row.
    pub ended_approvals: HashMap<i32, u32>,
}

/// Outcome of a row in a preview or a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    pub result: RowResult,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<RowError>,
    /// Record that the row adds or means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Uuid>,
    /// Code of a remittance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The seller's balance after the row, with its currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<(String, String)>,
    /// Figures of a row that would be added, in a preview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<RowFigures>,
    /// Proposal that the row, or its card, waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Uuid>,
    /// Parts of a refused row's commands that its preview decided before the refusal: what the rows after it rely on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<String>,
}

impl Outcome {
    /// A result of which nothing more is to be told.
    pub const fn of(result: RowResult) -> Self {
        Self {
            result,
            errors: Vec::new(),
            record: None,
            code: None,
            balance: None,
            figures: None,
            proposal: None,
            decided: Vec::new(),
        }
    }
}

/// A row for the screen.
#[derive(Clone, Debug)]
pub struct ShownRow {
    pub row: i32,
    pub line: i32,
    pub cells: Option<Vec<String>>,
    pub preview: Option<Outcome>,
    pub result: Option<Outcome>,
    pub left_out: bool,
}

/// Numbers of rows by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportCounts)]
pub struct Counts {
    /// Added, or would be.
    pub added: i64,
    /// What they say is there already.
    pub there: i64,
    /// Wait for an approval, or would.
    pub waiting: i64,
    /// Refused, or would be.
    pub refused: i64,
    /// Left out by a person.
    pub left_out: i64,
}

impl Counts {
    pub fn add(&mut self, result: RowResult, rows: i64) {
        let count = match result {
            RowResult::Added => &mut self.added,
            RowResult::There => &mut self.there,
            RowResult::Waiting => &mut self.waiting,
            RowResult::Refused => &mut self.refused,
            RowResult::LeftOut => &mut self.left_out,
        };
        *count += rows;
    }

    /// Rows of a result; all rows with one for `None`.
    #[must_use]
    pub const fn of(&self, result: Option<RowResult>) -> i64 {
        match result {
            Some(RowResult::Added) => self.added,
            Some(RowResult::There) => self.there,
            Some(RowResult::Waiting) => self.waiting,
            Some(RowResult::Refused) => self.refused,
            Some(RowResult::LeftOut) => self.left_out,
            None => self.added + self.there + self.waiting + self.refused + self.left_out,
        }
    }
}

/// Rows by result in the latest preview and in the run, and by what each row shows: its result, or else its preview.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PassCounts {
    pub preview: Counts,
    pub run: Counts,
    pub shown: Counts,
}

/// A change of a row by a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowChange {
    /// Texts by column.
    Cells(BTreeMap<usize, String>),
    LeaveOut(bool),
}

/// An import that a node works on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Due {
    pub tenant: TenantId,
    /// Whose import it is; the nil id for the office.
    pub owner: Uuid,
    pub id: Uuid,
}
