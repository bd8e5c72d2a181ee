//! Kinds of imports, one file each: its fields, the words by which they are guessed, and how a row becomes commands.
//!
//! A kind is added by a file with its [`Kind`], and a variant of [`ImportKind`]. Fields are called as in the API, so that an
//! error of a command's field is shown in the field's column.

pub mod completions;
mod fees;
mod issuers;
mod openings;
mod recipients;
mod remittances;

use super::{
    deliveries::Deliveries,
    known::{Found, Known, PersonKeys},
    mapping::{Mapping, Values},
    reader::shown,
    values,
};
use crate::input::customer::{CustomerInput, NewCustomer};
use caudal_domain::{
    Books, Command, FieldError, Refusal,
    customer::{
        self, CustomerCommand, CustomerKind,
        card::{Brand, CardNumber},
    },
    ids::{CardId, CustomerId, PartyId, PaymentGroupId, TenantId},
    nomenclator::place,
    office::Area,
    party::{Party, Role},
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// How a cell of a field is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportShape)]
pub enum Shape {
    Text,
    /// A number with decimals, such as money.
    Number,
    Date,
    /// A day, with a time of the tenant's zone or without.
    Moment,
    /// Digits that are no number: a telephone, a card, a document.
    Digits,
}

impl Shape {
    /// A cell's value as the API has it.
    ///
    /// # Errors
    /// The code of what is wrong with it.
    pub fn read(self, cell: &str, mapping: &Mapping) -> Result<String, &'static str> {
        match self {
            Self::Text => Ok(shown(cell).to_owned()),
            Self::Number => values::number(cell, mapping.decimal),
            Self::Date => Ok(values::date(cell, mapping.dates)),
            Self::Moment => Ok(values::moment(cell, mapping.dates)),
            Self::Digits if cell.starts_with(super::reader::DIGITS_LOST) => Err("import_digits_lost"),
            Self::Digits => Ok(shown(cell).to_owned()),
        }
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

/// What a row becomes.
#[derive(Debug)]
pub enum Plan {
    /// Commands in order; the last one is the row's own.
    Commands(Vec<Step>),
    /// What it would add is there already.
    There(Uuid),
    /// This import has added it, before it was interrupted.
    Done(Uuid),
}

/// What a row is planned with.
pub struct Setting<'a> {
    pub tenant: &'a TenantId,
    /// Id from which ids of the rows' records derive.
    pub import: Uuid,
    pub books: &'a Books,
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
    /// Id of a record that a row opens: equal in every repetition.
    pub fn id(&self, part: &str) -> Uuid {
        Uuid::new_v5(&self.import, part.as_bytes())
    }

    /// The seller as a manager must name it; others sell for themselves, and own what they register.
    pub fn named_seller(&self) -> Option<PartyId> {
        (self.maker.role == Role::Manager).then_some(self.seller)
    }
}

/// A kind of import.
pub trait Kind: Sync {
    fn fields(&self) -> &'static [FieldSpec];

    /// Area of which a member of the office needs the right to write.
    fn area(&self) -> Area;

    /// Who may import it: whoever may make its commands.
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
}

impl ImportKind {
    pub const ALL: &'static [Self] = &[
        Self::Issuers,
        Self::Recipients,
        Self::Remittances,
        Self::Completions,
        Self::Openings,
        Self::Fees,
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

/// The group that a row names: by its name, or by its currency where one active group pays it out.
fn group(field: &'static str, name: &str, books: &Books) -> Result<PaymentGroupId, Refusal> {
    let wanted = values::folded(name);
    let active = || books.groups().filter(|group| group.is_active);
    if let Some(group) = active().find(|group| values::folded(&group.name) == wanted) {
        return Ok(group.id);
    }
    let mut paying = active().filter(|group| group.currency_to.as_str().eq_ignore_ascii_case(name.trim()));
    match (paying.next(), paying.next()) {
        (Some(group), None) => Ok(group.id),
        (Some(_), Some(_)) => Err(invalid(field, "import_group_ambiguous")),
        (None, _) => Err(invalid(field, "payment_group_unknown")),
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

fn is_email(text: &str) -> bool {
    text.contains('@') && text.contains('.') && !text.contains(' ')
}

fn is_phone(text: &str) -> bool {
    text.trim().starts_with('+') && text.bytes().filter(u8::is_ascii_digit).count() >= 8
}

fn is_card(text: &str) -> bool {
    text.bytes().filter(u8::is_ascii_digit).count() == 16
        && text.chars().all(|c| c.is_ascii_digit() || c == ' ' || c == '-')
        && text.trim_start().starts_with('9')
}

/// Refusal by one field.
fn invalid(field: &'static str, code: &'static str) -> Refusal {
    Refusal::invalid(field, code)
}

/// Fields of a customer's request, of the columns with a prefix: `recipientName` becomes `name`.
struct Person {
    fields: Map<String, Value>,
    prefix: &'static str,
}

/// Name of a prefixed column: `name` of `recipient` is `recipientName`.
pub(super) fn prefixed(prefix: &str, field: &str) -> String {
    if prefix.is_empty() {
        return field.to_owned();
    }
    let mut letters = field.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    prefix.chars().chain(first).chain(letters).collect()
}

/// Texts of a customer that the request has under the same name.
const TEXTS: &[&str] = &[
    "name",
    "lastName",
    "secondSurname",
    "personalIdentificationExpirationDate",
    "personalIdentificationIssueDate",
    "phoneNumber",
    "addressLine",
    "repart",
    "country",
    "alias",
    "alternativeName",
    "alternativeLastName",
    "alternativePersonalIdentificationNumber",
    "alternativePhoneNumber",
    "email",
    "zipCode",
];

impl Person {
    fn of(prefix: &'static str, kind: CustomerKind, values: &Values) -> Result<Self, Refusal> {
        let value = |field: &str| values.get(&prefixed(prefix, field));
        let mut fields = Map::new();
        for name in TEXTS {
            if let Some(text) = value(name) {
                fields.insert((*name).to_owned(), json!(text));
            }
        }
        if let Some(number) = value("personalIdentificationNumber") {
            fields.insert("personalIdentificationNumber".to_owned(), json!(number));
            let kind_of = match value("personalIdentificationType") {
                Some(text) => document_type(text)
                    .ok_or_else(|| Refusal::invalid(prefixed(prefix, "personalIdentificationType"), "value_unknown"))?,
                // Cuba's identity card has eleven digits.
                None if number.len() == 11 && number.bytes().all(|c| c.is_ascii_digit()) => 0,
                None => 1,
            };
            fields.insert("personalIdentificationType".to_owned(), json!(kind_of));
        }
        match kind {
            CustomerKind::Issuer => {
                fields.insert("customerType".to_owned(), json!(0));
                for name in ["province", "municipality"] {
                    if let Some(text) = value(name) {
                        fields.insert(name.to_owned(), json!(text));
                    }
                }
            }
            CustomerKind::Recipient => {
                fields.insert("customerType".to_owned(), json!(1));
                place_of(prefix, value("province"), value("municipality"), &mut fields)?;
            }
        }
        Ok(Self { fields, prefix })
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name).and_then(Value::as_str)
    }

    /// What the customer is found by.
    fn keys(&self) -> PersonKeys {
        let name: Vec<_> = ["name", "lastName", "secondSurname"]
            .iter()
            .filter_map(|field| self.text(field))
            .collect();
        PersonKeys::new(
            self.text("personalIdentificationNumber"),
            self.text("phoneNumber"),
            Some(name.join(" ").as_str()).filter(|name| !name.is_empty()),
        )
    }

    /// The request of the API, with what only the row knows.
    fn request(
        mut self,
        id: CustomerId,
        owner: Option<PartyId>,
        sender: Option<CustomerId>,
    ) -> Result<NewCustomer, Refusal> {
        if let Some(owner) = owner {
            self.fields.insert("agencyId".to_owned(), json!(owner.0));
        }
        if let Some(sender) = sender {
            self.fields.insert("senderId".to_owned(), json!(sender.0));
        }
        let prefix = self.prefix;
        let input: CustomerInput =
            serde_json::from_value(Value::Object(self.fields)).map_err(|_| Refusal::conflict("request_unreadable"))?;
        input.new_customer(id).map_err(|refusal| named(prefix, refusal))
    }
}

/// Errors of a request's fields under the names of the columns.
pub(super) fn named(prefix: &str, mut refusal: Refusal) -> Refusal {
    for error in &mut refusal.errors {
        let field = error.field.split(['[', '.']).next().unwrap_or_default();
        let field = if field == "card" { "cardNumber" } else { field };
        error.field = prefixed(prefix, field).into();
    }
    refusal
}

/// Number of a document's type by its name in either language, or by its number in the API.
fn document_type(text: &str) -> Option<u8> {
    let words: &[&[&str]] = &[
        &["0", "ci", "carne", "carne de identidad", "identity card", "cuban id"],
        &["1", "pasaporte", "passport"],
        &["2", "seguro social", "social security", "ssn"],
        &["3", "alien card", "residencia", "green card"],
        &["4", "us passport card", "tarjeta de pasaporte"],
        &[
            "5",
            "licencia",
            "licencia de conducir",
            "licencia de conduccion",
            "driver licence",
            "driver license",
        ],
        &["6", "id", "identificacion oficial", "official id"],
    ];
    let text = values::folded(text);
    let found = words.iter().position(|words| words.contains(&text.as_str()))?;
    u8::try_from(found).ok()
}

/// The brand of which a card's number is.
fn brand_of(number: &str) -> Option<Brand> {
    let brands = Brand::ALL.iter().copied();
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    // A wrong number of a known brand is refused by the card's own rule.
    brands.into_iter().find(|brand| digits.starts_with(brand.prefix()))
}

/// Place of a recipient by names, which the request has by ids.
fn place_of(
    prefix: &str,
    province: Option<&str>,
    municipality: Option<&str>,
    fields: &mut Map<String, Value>,
) -> Result<(), Refusal> {
    let unknown = |field, code| Refusal::invalid(prefixed(prefix, field), code);
    let found = province
        .map(|name| {
            let name = values::folded(name);
            let mut provinces = place::provinces().iter();
            provinces
                .find(|province| values::folded(&province.name) == name)
                .ok_or_else(|| unknown("province", "province_unknown"))
        })
        .transpose()?;
    if let Some(province) = found {
        fields.insert("provinceId".to_owned(), json!(province.id.0));
    }
    if let Some(name) = municipality {
        let name = values::folded(name);
        let provinces = place::provinces().iter();
        let mut named: Vec<_> = provinces
            .filter(|province| found.is_none_or(|found| found.id == province.id))
            .flat_map(|province| &province.municipalities)
            .filter(|place| values::folded(&place.name) == name)
            .collect();
        let place = match (named.pop(), named.is_empty()) {
            (Some(place), true) => place,
            (Some(_), false) => return Err(unknown("municipality", "import_municipality_in_several_provinces")),
            (None, _) => return Err(unknown("municipality", "municipality_unknown")),
        };
        fields.insert("municipalityId".to_owned(), json!(place.id.0));
        fields.insert("provinceId".to_owned(), json!(place.province.0));
    }
    Ok(())
}

/// A customer of a row: found, or with the steps that register it.
struct Meant {
    id: CustomerId,
    steps: Vec<Step>,
    /// The card that the row names.
    card: Option<CardId>,
    /// Whether the row adds the customer or the card, or has added it before the import was interrupted.
    is_new: bool,
}

impl Meant {
    /// The row that adds this and nothing else.
    fn plan(self) -> Plan {
        match (self.is_new, self.steps.is_empty()) {
            (false, _) => Plan::There(self.id.0),
            (true, true) => Plan::Done(self.id.0),
            (true, false) => Plan::Commands(self.steps),
        }
    }
}

fn digits_of(number: &str) -> String {
    number.chars().filter(char::is_ascii_digit).collect()
}

/// Finds the customer that a row means, or registers it on the way. What this import has registered before it was interrupted
/// is known; it is no other's, and the row that registered it adds it.
fn meant(
    prefix: &'static str,
    kind: CustomerKind,
    sender: Option<CustomerId>,
    values: &Values,
    setting: &mut Setting<'_>,
) -> Result<Meant, Refusal> {
    let person = Person::of(prefix, kind, values)?;
    let within = sender.map_or(setting.owner.0, |sender| sender.0);
    let keys = person.keys();
    let number = values.get(&prefixed(prefix, "cardNumber")).map(str::to_owned);
    let own = CustomerId(setting.id(&format!("{}:{within}:{}", kind_name(kind), keys.identity())));
    let (mut steps, id, mut is_new) = match setting.known.find(kind, within, &keys) {
        Found::Several => {
            return Err(Refusal::invalid(prefixed(prefix, "name"), "import_customer_ambiguous"));
        }
        Found::One(id) => {
            let is_new = id == own && !setting.known.is_opened(id.0);
            if is_new {
                setting.known.add_again(id.0);
            }
            (Vec::new(), id, is_new)
        }
        Found::None => {
            let owner = setting.named_seller().filter(|_| kind == CustomerKind::Issuer);
            let new = person.request(own, owner, sender)?;
            setting.known.add(kind, within, &keys, own);
            let register = Step {
                part: format!("{}:{}", kind_name(kind), own.0),
                command: Command::Customer(own, CustomerCommand::Register(new.command)),
            };
            (vec![register], own, true)
        }
    };
    let mut card = None;
    if let Some(number) = number {
        let digits = digits_of(&number);
        let own = CardId(setting.id(&format!("card:{}:{digits}", id.0)));
        let found = setting.known.card(id, &digits);
        match found {
            None => {
                steps.push(card_step(prefix, id, own, &number)?);
                setting.known.add_card(id, &digits, own);
                is_new = true;
            }
            Some(found) if found == own && !setting.known.is_opened(own.0) => {
                setting.known.add_again(own.0);
                is_new = true;
            }
            Some(_) => {}
        }
        card = Some(found.unwrap_or(own));
    }
    Ok(Meant {
        id,
        steps,
        card,
        is_new,
    })
}

const fn kind_name(kind: CustomerKind) -> &'static str {
    match kind {
        CustomerKind::Issuer => "issuer",
        CustomerKind::Recipient => "recipient",
    }
}

fn card_step(prefix: &str, id: CustomerId, card: CardId, number: &str) -> Result<Step, Refusal> {
    let brand = brand_of(number)
        .ok_or_else(|| Refusal::invalid(prefixed(prefix, "cardNumber"), "import_card_brand_unknown"))?;
    CardNumber::parse(number, brand).map_err(|refusal| named(prefix, refusal))?;
    let add = caudal_domain::customer::AddCard {
        card,
        brand,
        number: number.to_owned(),
    };
    Ok(Step {
        part: format!("card:{}", card.0),
        command: Command::Customer(id, CustomerCommand::AddCard(add)),
    })
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
