//! The person that a row means: columns that several kinds have, and whether the customer is found or registered on the way.

use super::{FieldSpec, Plan, Setting, Shape, Step};
use crate::{
    imports::{
        known::{FoundCustomer, Home, PersonKeys},
        mapping::Values,
        values,
    },
    input::customer::{CustomerInput, NewCustomer},
    world,
};
use caudal_domain::{
    Command, Refusal,
    customer::{
        CustomerCommand, CustomerKind,
        card::{Brand, CardNumber},
    },
    ids::{CardId, CustomerId, PartyId},
    reference_data::place::{self, Municipality, Province},
};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// The last name of the row's own person.
pub(super) const LAST_NAME: FieldSpec = FieldSpec::new(
    "lastName",
    Shape::Text,
    &["apellido", "apellidos", "primer apellido", "last name", "surname"],
);
pub(super) const SECOND_SURNAME: FieldSpec =
    FieldSpec::new("secondSurname", Shape::Text, &["segundo apellido", "second surname"]);
pub(super) const PHONE: FieldSpec = FieldSpec::new(
    "phoneNumber",
    Shape::Digits,
    &[
        "telefono",
        "movil",
        "celular",
        "phone",
        "telephone",
        "mobile",
        "phone number",
    ],
)
.looking(is_phone);
/// The country that issued the document of the row's own person: its ISO 3166-1 alpha-2 code, or its name in either language.
pub(super) const DOCUMENT_COUNTRY: FieldSpec = FieldSpec::new(
    "personalIdentificationCountry",
    Shape::Text,
    &[
        "pais del documento",
        "pais emisor",
        "pais del pasaporte",
        "document country",
        "country of the document",
        "issuing country",
        "passport country",
    ],
);
pub(super) const ADDRESS: FieldSpec =
    FieldSpec::new("addressLine", Shape::Text, &["direccion", "calle", "address", "street"]);

/// The issuer of a row that is about another record.
pub(super) const SENDER_NAME: FieldSpec = FieldSpec::new(
    "senderName",
    Shape::Text,
    &[
        "remitente",
        "emisor",
        "sender",
        "nombre del remitente",
        "nombre del emisor",
        "sender name",
    ],
)
.required();
pub(super) const SENDER_LAST_NAME: FieldSpec = FieldSpec::new(
    "senderLastName",
    Shape::Text,
    &[
        "apellidos del remitente",
        "apellidos del emisor",
        "apellido del remitente",
        "sender last name",
        "sender surname",
    ],
);
pub(super) const SENDER_DOCUMENT: FieldSpec = FieldSpec::new(
    "senderPersonalIdentificationNumber",
    Shape::Digits,
    &["documento del remitente", "documento del emisor", "sender document"],
);
pub(super) const SENDER_PHONE: FieldSpec = FieldSpec::new(
    "senderPhoneNumber",
    Shape::Digits,
    &["telefono del remitente", "telefono del emisor", "sender phone"],
);

pub(super) fn is_email(text: &str) -> bool {
    text.contains('@') && text.contains('.') && !text.contains(' ')
}

pub(super) fn is_phone(text: &str) -> bool {
    text.trim().starts_with('+') && text.bytes().filter(u8::is_ascii_digit).count() >= 8
}

pub(super) fn is_card(text: &str) -> bool {
    text.bytes().filter(u8::is_ascii_digit).count() == 16
        && text.chars().all(|c| c.is_ascii_digit() || c == ' ' || c == '-')
        && text.trim_start().starts_with('9')
}

/// Fields of a customer's request, of the columns with a prefix: `recipientName` becomes `name`.
struct Person {
    fields: Map<String, Value>,
    prefix: &'static str,
}

/// Name of a prefixed column: `name` of `recipient` is `recipientName`.
pub(in crate::imports) fn prefixed(prefix: &str, field: &str) -> String {
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
    "personalIdentificationCountry",
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
        // What is no country is refused by the field's own rule.
        if let Some(country) = value(DOCUMENT_COUNTRY.name).and_then(world::country_as_written) {
            fields.insert(DOCUMENT_COUNTRY.name.to_owned(), json!(country.code));
        }
        if let Some(number) = value("personalIdentificationNumber") {
            fields.insert("personalIdentificationNumber".to_owned(), json!(number));
            let kind_of = match value("personalIdentificationType") {
                Some(text) => document_type(text)
                    .ok_or_else(|| Refusal::invalid(prefixed(prefix, "personalIdentificationType"), "value_unknown"))?,
                // Cuba's identity card has eleven digits.
                None if number.len() == 11 && number.bytes().all(|c| c.is_ascii_digit()) => 0,
                // A recipient's number of digits alone is a card whose zeros at the beginning a spreadsheet program left out,
                // unless the row names another country.
                None if kind == CustomerKind::Recipient && is_of_digits(number) && !is_foreign(&fields) => 0,
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

    /// Where the row says that a recipient lives.
    fn home(&self) -> Home {
        let id = |name| self.text(name).and_then(|id| id.parse().ok());
        Home {
            province: id("provinceId"),
            municipality: id("municipalityId"),
            address: self.text("addressLine").map(str::to_owned),
        }
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
        .of_country(self.text("personalIdentificationCountry"))
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

/// Whether a document's number has digits and separators alone.
fn is_of_digits(number: &str) -> bool {
    let mut rest = number
        .chars()
        .filter(|c| !matches!(c, ' ' | '\u{A0}' | '-' | '.'))
        .peekable();
    rest.peek().is_some() && rest.all(|c| c.is_ascii_digit())
}

/// Whether the document of a request is of another country than Cuba.
fn is_foreign(fields: &Map<String, Value>) -> bool {
    let country = fields.get(DOCUMENT_COUNTRY.name).and_then(Value::as_str);
    country.is_some_and(|code| !code.trim().eq_ignore_ascii_case("CU"))
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

/// A province with its municipalities, and their names as they are compared.
struct NamedProvince {
    province: &'static Province,
    name: String,
    municipalities: Vec<(String, &'static Municipality)>,
}

/// Names folded once: a row is compared with all of them.
static PLACES: LazyLock<Vec<NamedProvince>> = LazyLock::new(|| {
    let named = |province: &'static Province| NamedProvince {
        province,
        name: values::folded(&province.name),
        municipalities: province
            .municipalities
            .iter()
            .map(|place| (values::folded(&place.name), place))
            .collect(),
    };
    place::provinces().iter().map(named).collect()
});

/// Place of a recipient by names, which the request has by ids.
pub(super) fn place_of(
    prefix: &str,
    province: Option<&str>,
    municipality: Option<&str>,
    fields: &mut Map<String, Value>,
) -> Result<(), Refusal> {
    let unknown = |field, code| Refusal::invalid(prefixed(prefix, field), code);
    let found = province
        .map(|name| {
            let name = values::folded(name);
            let mut places = PLACES.iter();
            places
                .find(|of| of.name == name)
                .map(|of| of.province)
                .ok_or_else(|| unknown("province", "province_unknown"))
        })
        .transpose()?;
    if let Some(province) = found {
        fields.insert("provinceId".to_owned(), json!(province.id.0));
    }
    if let Some(name) = municipality {
        let name = values::folded(name);
        let mut named: Vec<_> = PLACES
            .iter()
            .filter(|of| found.is_none_or(|found| found.id == of.province.id))
            .flat_map(|of| &of.municipalities)
            .filter(|(of, _)| *of == name)
            .map(|(_, place)| *place)
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
pub(super) struct Meant {
    pub(super) id: CustomerId,
    pub(super) steps: Vec<Step>,
    /// The card that the row names.
    pub(super) card: Option<CardId>,
    /// The field by which the row says another home than the known recipient's.
    pub(super) elsewhere: Option<&'static str>,
    /// Whether the row adds the customer or the card, or has added it before the import was interrupted.
    pub(super) is_new: bool,
}

impl Meant {
    /// The row that adds this and nothing else.
    pub(super) fn plan(self) -> Plan {
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
pub(super) fn meant(
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
    let (home, mut elsewhere) = (person.home(), None);
    let (mut steps, id, mut is_new) = match setting.known.find(kind, within, &keys) {
        FoundCustomer::Several => {
            return Err(Refusal::invalid(prefixed(prefix, "name"), "import_customer_ambiguous"));
        }
        FoundCustomer::One(id) => {
            let is_new = id == own && !setting.known.is_opened(id.0);
            if is_new {
                setting.known.add_again(id.0);
            }
            if kind == CustomerKind::Recipient {
                elsewhere = setting.known.elsewhere(id, &home);
            }
            (Vec::new(), id, is_new)
        }
        FoundCustomer::None => {
            let owner = setting.named_seller().filter(|_| kind == CustomerKind::Issuer);
            let new = person.request(own, owner, sender)?;
            setting.known.add(kind, within, &keys, own);
            if kind == CustomerKind::Recipient {
                setting
                    .known
                    .keep_home(own, &home, values.get(&prefixed(prefix, "repart")));
            }
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
        elsewhere,
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
