//! Kinds of imports, one file each: its fields, the words by which they are guessed, and how a row becomes commands.
//!
//! A kind is added by a file with its [`Kind`], and a variant of [`ImportKind`]. Fields are called as in the API, so that an
//! error of a command's field is shown in the field's column.

pub mod completions;
mod fees;
mod issuers;
mod openings;
pub(super) mod person;
mod recipients;
mod remittances;
mod users;

use super::{
    deliveries::Deliveries,
    known::Known,
    mapping::{Mapping, Values},
    reader::{NUMBER, shown},
    values::{self, CellFault, Number},
};
use caudal_domain::{
    Command, FieldError, Refusal, TenantState, customer,
    ids::{PartyId, PaymentGroupId, TenantId},
    office::Area,
    party::{Party, Role},
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// How a cell of a field is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportShape)]
pub enum Shape {
    Text,
    /// An amount of money, of which the kind says the currency.
    Number,
    Date,
    /// A day, with a time of the tenant's zone or without.
    Moment,
    /// Digits that are no number: a telephone, a card, a document.
    Digits,
}

/// A cell's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellValue {
    /// As the API has it.
    Text(String),
    Number(Number),
}

impl Shape {
    /// A cell's value.
    ///
    /// # Errors
    /// Error of the row.
    pub fn read(self, cell: &str, mapping: &Mapping) -> Result<CellValue, CellFault> {
        Ok(CellValue::Text(match self {
            Self::Text | Self::Digits if cell.starts_with(super::reader::DIGITS_LOST) => {
                return Err(CellFault::of("import_digits_lost"));
            }
            Self::Text | Self::Digits => match cell.strip_prefix(NUMBER) {
                // Without the currency of its format.
                Some(typed) => typed.split(' ').next().unwrap_or_default().to_owned(),
                None => shown(cell).to_owned(),
            },
            Self::Number => return values::number(cell, mapping.decimal).map(CellValue::Number),
            Self::Date => values::date(cell, mapping.dates)?,
            Self::Moment => values::moment(cell, mapping.dates)?,
        }))
    }
}

/// A field that a column may be.
#[derive(Clone, Copy, Debug)]
pub struct FieldSpec {
    /// As the API calls it.
    pub name: &'static str,
    pub required: bool,
    pub shape: Shape,
    /// Headers by which it is guessed: lower case, without accents.
    pub words: &'static [&'static str],
    /// Whether a value looks like one of this field.
    pub looks: Option<fn(&str) -> bool>,
    /// Other names under which its errors come.
    pub shows: &'static [&'static str],
}

impl FieldSpec {
    pub(super) const fn new(name: &'static str, shape: Shape, words: &'static [&'static str]) -> Self {
        Self {
            name,
            required: false,
            shape,
            words,
            looks: None,
            shows: &[],
        }
    }

    pub(super) const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    pub(super) const fn looking(self, looks: fn(&str) -> bool) -> Self {
        Self {
            looks: Some(looks),
            ..self
        }
    }

    pub(super) const fn showing(self, shows: &'static [&'static str]) -> Self {
        Self { shows, ..self }
    }
}

/// A command of a row. Its part, such as `sender`, is in its idempotency key.
#[derive(Debug)]
pub struct Step {
    pub part: String,
    pub command: Command,
}

/// Plan of a row.
#[derive(Debug)]
pub enum Plan {
    /// Commands in order; the last one is the row's own.
    Commands(Vec<Step>),
    /// The record exists already.
    There(Uuid),
    /// This import has added it, before it was interrupted.
    Done(Uuid),
}

/// Context for planning a row.
pub struct Setting<'a> {
    pub tenant: &'a TenantId,
    /// Id from which ids of the rows' records derive.
    pub import: Uuid,
    /// Approvals for which the row waited, and that ended without effect.
    pub ended_approvals: u32,
    pub state: &'a TenantState,
    /// Who imports.
    pub maker: &'a Party,
    /// Owner of customers.
    pub owner: PartyId,
    /// Seller of remittances.
    pub seller: PartyId,
    pub known: &'a mut Known,
    pub deliveries: &'a mut Deliveries,
    pub now: DateTime<Utc>,
}

impl Setting<'_> {
    /// Id of a record that rows open: equal in every repetition.
    pub fn id(&self, part: &str) -> Uuid {
        Uuid::new_v5(&self.import, part.as_bytes())
    }

    /// Id of a row's own record: equal in every repetition, and another one after an approval that ended without effect, as that
    /// of a person who was proposed and is erased is not taken twice.
    pub fn own_id(&self, part: String) -> Uuid {
        self.id(&again(part, self.ended_approvals))
    }

    /// The seller as a manager must name it; others sell for themselves, and own what they register.
    pub fn named_seller(&self) -> Option<PartyId> {
        (self.maker.role == Role::Manager).then_some(self.seller)
    }
}

/// A part of a row by name, distinct from that of tries that ended with their approvals.
pub fn again(part: String, ended_approvals: u32) -> String {
    match ended_approvals {
        0 => part,
        tries => format!("{part}/{tries}"),
    }
}

/// A kind of import.
pub trait Kind: Sync {
    fn fields(&self) -> &'static [FieldSpec];

    /// Area of which a member of the office needs the right to write.
    fn area(&self) -> Area;

    /// Roles that may import it: those that may make its commands.
    fn roles(&self) -> &'static [Role] {
        customer::ROLES
    }

    /// Whether the rows belong to a seller, whom a manager names.
    fn has_owner(&self) -> bool {
        true
    }

    /// Whether a ZIP of proofs belongs to the list.
    fn has_proofs(&self) -> bool {
        false
    }

    /// Whether a run needs a fresh code of the second factor, as the calls for its rows do.
    fn needs_fresh_code(&self) -> bool {
        false
    }

    /// Whether its rows are movements, of which the tenant's rule may ask for a fresh code.
    fn moves_money(&self) -> bool {
        false
    }

    /// Whether a run needs totals of another system to which the rows come.
    fn needs_totals(&self) -> bool {
        false
    }

    /// Area that a member of the office reads besides to see the imports of others: what their rows tell.
    fn also_tells(&self) -> Option<Area> {
        None
    }

    /// Whether rows name parties.
    fn names_parties(&self) -> bool {
        false
    }

    /// The commands of a row.
    ///
    /// # Errors
    /// All that is wrong with it.
    fn plan(&self, row: u32, values: &Values, setting: &mut Setting<'_>) -> Result<Plan, Refusal>;
}

/// The kinds by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ImportKind {
    Issuers,
    Recipients,
    Remittances,
    Completions,
    Openings,
    Fees,
    Users,
}

impl ImportKind {
    pub const ALL: &'static [Self] = &[
        Self::Issuers,
        Self::Recipients,
        Self::Remittances,
        Self::Completions,
        Self::Openings,
        Self::Fees,
        Self::Users,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Issuers => "issuers",
            Self::Recipients => "recipients",
            Self::Remittances => "remittances",
            Self::Completions => "completions",
            Self::Openings => "openings",
            Self::Fees => "fees",
            Self::Users => "users",
        }
    }

    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }

    #[must_use]
    pub fn rules(self) -> &'static dyn Kind {
        match self {
            Self::Issuers => &issuers::Issuers,
            Self::Recipients => &recipients::Recipients,
            Self::Remittances => &remittances::Remittances,
            Self::Completions => &completions::Completions,
            Self::Openings => &openings::Openings,
            Self::Fees => &fees::Fees,
            Self::Users => &users::Users,
        }
    }

    #[must_use]
    pub fn fields(self) -> &'static [FieldSpec] {
        self.rules().fields()
    }

    #[must_use]
    pub fn field(self, name: &str) -> Option<&'static FieldSpec> {
        self.fields().iter().find(|spec| spec.name == name)
    }
}

/// Resolution of a name in a row.
enum Named<T> {
    None,
    One(T),
    Several,
}

fn only<T: Copy + PartialEq>(mut found: impl Iterator<Item = T>) -> Named<T> {
    let Some(first) = found.next() else { return Named::None };
    // One thing may have several names.
    if found.all(|other| other == first) {
        Named::One(first)
    } else {
        Named::Several
    }
}

/// Of the names of some things, the one that is written so; or else, as names are also written without accents and punctuation,
/// the only one that is like it. What `fits` whatever its name counts among the latter.
fn named<T: Copy + PartialEq>(text: &str, names: &[(T, &str)], fits: impl Fn(T) -> bool) -> Named<T> {
    let exact = |name: &str| name.trim().to_lowercase();
    let (written, folded) = (exact(text), values::folded(text));
    let exactly = names.iter().filter(|(_, name)| exact(name) == written);
    match only(exactly.map(|(one, _)| *one)) {
        Named::None => {}
        found => return found,
    }
    let is_like = |name: &str| !folded.is_empty() && values::folded(name) == folded;
    let like = names.iter().filter(|(one, name)| is_like(name) || fits(*one));
    only(like.map(|(one, _)| *one))
}

/// The group that a row names: by its name, or by its currency where one active group pays it out.
fn group(field: &'static str, name: &str, state: &TenantState) -> Result<PaymentGroupId, Refusal> {
    let active = state.groups().filter(|group| group.is_active);
    let names: Vec<_> = active.map(|group| (group.id, group.name.as_str())).collect();
    let pays = |id| {
        let group = state.group(id);
        group.is_some_and(|group| group.currency_to.as_str().eq_ignore_ascii_case(name.trim()))
    };
    match named(name, &names, pays) {
        Named::One(group) => Ok(group),
        Named::Several => Err(invalid(field, "import_group_ambiguous")),
        Named::None => Err(invalid(field, "payment_group_unknown")),
    }
}

/// Yes or no in either language.
fn flag(field: &'static str, text: &str) -> Result<bool, Refusal> {
    match values::folded(text).as_str() {
        "si" | "yes" | "verdadero" | "true" | "1" | "x" => Ok(true),
        "no" | "falso" | "false" | "0" => Ok(false),
        _ => Err(invalid(field, "boolean_expected")),
    }
}

/// Refusal by one field.
fn invalid(field: &'static str, code: &'static str) -> Refusal {
    Refusal::invalid(field, code)
}

/// Errors as fields, for one that has none.
pub fn errors_of(refusal: Refusal) -> Vec<FieldError> {
    if refusal.errors.is_empty() {
        return vec![FieldError {
            field: "".into(),
            code: refusal.code,
            params: refusal.params,
        }];
    }
    refusal.errors
}

/// A request of the API from fields.
fn request(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let fields: BTreeMap<_, _> = fields.into_iter().collect();
    json!(fields)
}
