//! Infallible reading of request fields, and the collector of field errors.

use crate::extract::{fields_named, struct_fields};
use caudal_domain::{
    FieldError, Refusal,
    text::{self, TextFault},
};
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::value::RawValue;
use std::{borrow::Cow, collections::BTreeMap};

/// Maximum elements of any list in a request; no list of the contract comes near.
const MAX_ELEMENTS: usize = 1_000;

/// Maximum unknown fields of an object that its errors name.
const MAX_UNKNOWN: usize = 20;

/// A value of a request field.
pub trait FromJson: Sized {
    /// Whether an empty text means null, as forms send it for an unset choice.
    const BLANK_IS_NULL: bool = false;

    /// Parses the value from JSON.
    ///
    /// # Errors
    /// All violated rules, with paths relative to this field.
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>>;
}

/// A request field as received. Its `Debug` omits the value, which may be personal.
#[derive(Clone, Default, PartialEq)]
pub enum Field<T> {
    /// Not in the request.
    #[default]
    Absent,
    /// `null`.
    Null,
    /// A valid value.
    Given(T),
    /// An invalid value with its errors.
    Faulty(Vec<FieldError>),
}

impl<T> std::fmt::Debug for Field<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Absent => f.write_str("Absent"),
            Self::Null => f.write_str("Null"),
            Self::Given(_) => f.write_str("Given(..)"),
            Self::Faulty(faults) => f.debug_tuple("Faulty").field(faults).finish(),
        }
    }
}

impl<T> Field<T> {
    /// Whether the request contains it, even as `null`.
    #[must_use]
    pub const fn is_present(&self) -> bool {
        !matches!(self, Self::Absent)
    }
}

impl<T: FromJson> Field<T> {
    fn read(raw: &RawValue) -> Self {
        match raw.get() {
            "null" => Self::Null,
            "\"\"" if T::BLANK_IS_NULL => Self::Null,
            _ => T::from_json(raw).map_or_else(Self::Faulty, Self::Given),
        }
    }
}

impl<'de, T: FromJson> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(|raw| Self::read(&raw))
    }
}

/// One error of the value itself.
pub(super) fn fault(code: &'static str) -> Vec<FieldError> {
    fault_with(code, [])
}

/// One error of the value itself, with placeholders.
pub(super) fn fault_with<const N: usize>(code: &'static str, params: [(&'static str, String); N]) -> Vec<FieldError> {
    vec![FieldError {
        field: Cow::Borrowed(""),
        code,
        params: params.into(),
    }]
}

/// Prefixes errors with a field name.
fn nested(parent: &str, faults: Vec<FieldError>) -> impl Iterator<Item = FieldError> {
    let place = move |child: &str| match child {
        "" => parent.to_owned(),
        _ if child.starts_with('[') => format!("{parent}{child}"),
        _ => format!("{parent}.{child}"),
    };
    faults.into_iter().map(move |fault| FieldError {
        field: place(&fault.field).into(),
        ..fault
    })
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        let elements: Vec<Box<RawValue>> = serde_json::from_str(raw.get()).map_err(|_| fault("list_expected"))?;
        if elements.len() > MAX_ELEMENTS {
            return Err(fault_with("too_many", [("max", MAX_ELEMENTS.to_string())]));
        }
        let mut faults = Vec::new();
        let mut values = Self::with_capacity(elements.len());
        for (index, element) in elements.iter().enumerate() {
            let read = match Field::<T>::read(element) {
                Field::Given(value) => Ok(value),
                Field::Faulty(faults) => Err(faults),
                Field::Absent | Field::Null => Err(fault("required")),
            };
            match read {
                Ok(value) => values.push(value),
                Err(found) => faults.extend(nested(&format!("[{index}]"), found)),
            }
        }
        if faults.is_empty() { Ok(values) } else { Err(faults) }
    }
}

/// A value parsed from an object of fields.
pub trait FromObject: Sized {
    /// Struct of the object's fields.
    type Input: for<'de> Deserialize<'de>;

    /// Converts the object's fields.
    fn from_object(input: Self::Input, faults: &mut Faults) -> Option<Self>;
}

impl<T: FromObject> FromJson for T {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        // A derived `Deserialize` also accepts an array of field values.
        let object = Some(raw.get()).filter(|text| text.starts_with('{'));
        let (input, unknown) = read_object(object.ok_or_else(|| fault("object_expected"))?)?;
        let mut faults = Faults(unknown);
        let value = T::from_object(input, &mut faults);
        match value {
            Some(value) if faults.0.is_empty() => Ok(value),
            _ => Err(faults.0),
        }
    }
}

/// Reads an object, and the errors of its unknown fields, which hide no error of the others.
fn read_object<I: DeserializeOwned>(text: &str) -> Result<(I, Vec<FieldError>), Vec<FieldError>> {
    let error = match serde_json::from_str(text) {
        Ok(input) => return Ok((input, Vec::new())),
        Err(error) => error.to_string(),
    };
    let named = |name: &str, code| FieldError {
        field: name.to_owned().into(),
        code,
        params: Default::default(),
    };
    let twice = error.strip_prefix("duplicate field `");
    if let Some(name) = twice.and_then(|rest| rest.split('`').next()) {
        return Err(vec![named(name, "duplicate")]);
    }
    let names = struct_fields::<I>();
    let fields: BTreeMap<String, &RawValue> = serde_json::from_str(text).map_err(|_| fault("value_invalid"))?;
    let (known, unknown): (BTreeMap<_, _>, BTreeMap<_, _>) =
        fields.into_iter().partition(|(name, _)| names.contains(&name.as_str()));
    let unknown: Vec<FieldError> = unknown
        .keys()
        .take(MAX_UNKNOWN)
        .map(|name| FieldError {
            params: fields_named(names),
            ..named(name, "field_unknown")
        })
        .collect();
    let known = serde_json::to_string(&known).and_then(|known| serde_json::from_str(&known));
    match known {
        Ok(input) => Ok((input, unknown)),
        Err(_) if unknown.is_empty() => Err(fault("value_invalid")),
        Err(_) => Err(unknown),
    }
}

/// Permitted characters of a text.
type TextRule = fn(&str) -> Result<(), TextFault>;

/// Collector of field errors.
#[derive(Debug, Default)]
pub struct Faults(Vec<FieldError>);

impl Faults {
    /// Adds an error.
    pub fn add(&mut self, field: impl Into<Cow<'static, str>>, code: &'static str) {
        self.0.push(FieldError {
            field: field.into(),
            code,
            params: Default::default(),
        });
    }

    /// Adds a value's errors under a field.
    pub fn add_all(&mut self, field: &str, faults: Vec<FieldError>) {
        self.0.extend(nested(field, faults));
    }

    /// Adds a refusal's errors.
    pub fn absorb(&mut self, refusal: Refusal) {
        self.0.extend(refusal.errors);
    }

    /// Whether a field has no error.
    #[must_use]
    pub fn is_clear_of(&self, field: &str) -> bool {
        self.0.iter().all(|fault| fault.field != field)
    }

    /// A required value.
    pub fn required<T>(&mut self, name: &'static str, field: Field<T>) -> Option<T> {
        let known = self.0.len();
        let value = self.optional(name, field);
        if value.is_none() && self.0.len() == known {
            self.add(name, "required");
        }
        value
    }

    /// An optional value; null counts as absent.
    pub fn optional<T>(&mut self, name: &'static str, field: Field<T>) -> Option<T> {
        match field {
            Field::Absent | Field::Null => None,
            Field::Given(value) => Some(value),
            Field::Faulty(faults) => {
                self.add_all(name, faults);
                None
            }
        }
    }

    /// A partial change: `None` keeps the value, `Some(None)` removes it.
    pub fn change<T>(&mut self, name: &'static str, field: Field<T>) -> Option<Option<T>> {
        field.is_present().then(|| self.optional(name, field))
    }

    /// A required line, trimmed.
    pub fn required_text(&mut self, name: &'static str, field: Field<String>) -> Option<String> {
        let text = self.required(name, field)?;
        self.present(name, &text, text::check_line)
    }

    /// An optional line, trimmed; blank counts as absent.
    pub fn text(&mut self, name: &'static str, field: Field<String>) -> Option<String> {
        let text = self.optional(name, field)?;
        self.checked(name, &text, text::check_line)
    }

    /// A partial change of a line; blank removes it.
    pub fn text_change(&mut self, name: &'static str, field: Field<String>) -> Option<Option<String>> {
        field.is_present().then(|| self.text(name, field))
    }

    /// A required note of several lines.
    pub fn required_note(&mut self, name: &'static str, field: Field<String>) -> Option<String> {
        let text = self.required(name, field)?;
        self.present(name, &text.replace("\r\n", "\n"), text::check_note)
    }

    /// An optional note of several lines; blank counts as absent.
    pub fn note(&mut self, name: &'static str, field: Field<String>) -> Option<String> {
        let text = self.optional(name, field)?;
        self.checked(name, &text.replace("\r\n", "\n"), text::check_note)
    }

    /// A partial change of a note; blank removes it.
    pub fn note_change(&mut self, name: &'static str, field: Field<String>) -> Option<Option<String>> {
        field.is_present().then(|| self.note(name, field))
    }

    fn present(&mut self, name: &'static str, text: &str, check: TextRule) -> Option<String> {
        if text.trim().is_empty() {
            self.add(name, "required");
            return None;
        }
        self.checked(name, text, check)
    }

    /// A trimmed text with permitted characters, unless empty.
    fn checked(&mut self, name: &'static str, text: &str, check: TextRule) -> Option<String> {
        let trimmed = text.trim();
        match check(trimmed) {
            Ok(()) => (!trimmed.is_empty()).then(|| trimmed.to_owned()),
            Err(TextFault { code, params }) => {
                self.0.push(FieldError {
                    field: name.into(),
                    code,
                    params,
                });
                None
            }
        }
    }

    /// The result, if there are no errors.
    ///
    /// # Errors
    /// All errors together.
    pub fn finish<T>(self, value: impl FnOnce() -> Option<T>) -> Result<T, Refusal> {
        if !self.0.is_empty() {
            return Err(Refusal::all_invalid(self.0));
        }
        // Unreachable: a missing required value has left an error.
        value().ok_or_else(|| Refusal::all_invalid(Vec::new()))
    }
}

#[cfg(test)]
mod tests {
    use crate::input::{movement::*, party::*, rates::RateChangeInput, remittance::*};
    use caudal_domain::{
        PasswordPolicy, Refusal,
        ids::PartyId,
        movement::{DepositTo, Funds},
        party::Registration,
    };
    use caudal_projections::from_log::OwnDetails;

    fn read<T: serde::de::DeserializeOwned>(json: &str) -> T {
        serde_json::from_str(json).unwrap()
    }

    fn faults<T: std::fmt::Debug>(result: Result<T, Refusal>) -> Vec<String> {
        let told = |error: &caudal_domain::FieldError| format!("{} {}", error.field, error.code);
        result.unwrap_err().errors.iter().map(told).collect()
    }

    #[test]
    fn all_field_errors_are_reported_together_by_path() {
        let input: AgencyInput = read(
            r#"{"name": " ", "email": 5, "password": "Caudal#2026", "isActive": "yes",
                "paymentGroups": [{"paymentGroupId": "x", "exchangeRate": "1e3"},
                                  {"agencyCommission": {"rate": true, "utilityType": 2, "minimalAmount": "1.005"}}, 7, []]}"#,
        );
        assert_eq!(
            faults(input.new_party(PartyId::generate(), PasswordPolicy::default())),
            [
                "name required",
                "email text_expected",
                "isActive boolean_expected",
                "paymentGroups[0].paymentGroupId id_invalid",
                "paymentGroups[0].exchangeRate number_invalid",
                "paymentGroups[1].agencyCommission.rate number_invalid",
                "paymentGroups[1].agencyCommission.utilityType value_unknown",
                "paymentGroups[1].agencyCommission.minimalAmount amount_too_many_decimals",
                "paymentGroups[1].paymentGroupId required",
                "paymentGroups[2] object_expected",
                "paymentGroups[3] object_expected",
            ]
        );
    }

    #[test]
    fn an_unknown_field_within_an_object_is_named_beside_the_errors_of_the_others() {
        let input: RateChangeInput = read(
            r#"{"rates": [{"kind": "reference", "currencyId": "0199c0de-0000-7000-8000-000000000000", "rate": "321"},
                          {"kind": "reference", "currencyId": "x", "to": "1", "to": "2"}, []]}"#,
        );
        let refusal = input.command().unwrap_err();
        assert_eq!(
            refusal.errors[0].params["allowed"],
            "kind, currencyId, paymentGroupId, partyId, from, to"
        );
        assert_eq!(
            faults::<()>(Err(refusal)),
            [
                "rates[0].rate field_unknown",
                "rates[0].to required",
                "rates[1].to duplicate",
                "rates[2] object_expected",
            ]
        );
        let input: DepositInput = read(r#"{"currency": "CUP", "amount": "1", "expected": {"payot": "1"}}"#);
        assert_eq!(
            faults(input.command(DepositTo::Treasury, Takes::Cash)),
            ["expected.payot field_unknown"]
        );
    }

    #[test]
    fn an_object_of_nothing_but_unknown_fields_names_some_of_them() {
        let fields: Vec<String> = (0..100).map(|number| format!("\"f{number}\": 1")).collect();
        let body = format!(
            r#"{{"currency": "CUP", "amount": "1", "expected": {{{}}}}}"#,
            fields.join(", ")
        );
        let input: DepositInput = read(&body);
        let found = faults(input.command(DepositTo::Treasury, Takes::Cash));
        assert_eq!(found.len(), super::MAX_UNKNOWN);
    }

    #[test]
    fn money_is_read_from_its_digits_as_text_or_number() {
        let deposit = |amount: &str| {
            let input: DepositInput = read(&format!(r#"{{"currency": "CUP", "amount": {amount}}}"#));
            input.command(DepositTo::Treasury, Takes::Cash)
        };
        for amount in ["\"100.10\"", "100.10", "100.1", "100.100"] {
            let deposit = deposit(amount).unwrap();
            assert_eq!(deposit.amount.to_string(), "100.10");
            assert!(matches!(deposit.funds, Funds::Currency(_)));
        }
        for (amount, code) in [
            ("100.005", "amount_too_many_decimals"),
            ("1e3", "number_invalid"),
            ("\"1,5\"", "number_invalid"),
            ("\"\"", "number_invalid"),
            ("true", "number_invalid"),
            ("[1]", "number_invalid"),
            ("null", "required"),
            ("1000000000000.01", "amount_too_large"),
            ("99999999999999999999999", "amount_too_large"),
        ] {
            assert_eq!(faults(deposit(amount)), [format!("amount {code}")], "{amount}");
        }
    }

    #[test]
    fn cash_names_a_currency_and_a_balance_a_group() {
        let input: DepositInput = read(r#"{"amount": "1", "paymentGroupId": "0199c0de-0000-7000-8000-000000000000"}"#);
        assert_eq!(
            faults(input.command(DepositTo::Treasury, Takes::Cash)),
            ["paymentGroupId not_for_cash", "currency required"]
        );
    }

    #[test]
    fn blank_texts_and_choices_not_made_are_none() {
        let input: AgentInput = read(
            r#"{"name": " Rosa ", "email": "rosa@b.cu", "password": "Caudal#2026", "phone": " ", "agentType": 1, "agencyId": ""}"#,
        );
        let party = input
            .new_party(PartyId::generate(), PasswordPolicy::default())
            .unwrap()
            .command;
        assert_eq!((party.details.name.as_str(), party.details.phone), ("Rosa", None));
        let Registration::ExternalAgent { agency, terms } = party.registration else {
            panic!("an external agent");
        };
        assert_eq!((agency, terms.len()), (None, 0));
    }

    #[test]
    fn a_partial_change_of_details_leaves_what_it_does_not_name() {
        let id = "0199c0de-0000-7000-8000-000000000000";
        let current = || OwnDetails {
            recipient: id.parse().unwrap(),
            address: Some("Calle 1".into()),
            notes: Some("urgent".into()),
        };
        let change = |json| read::<RemittanceDetailsInput>(json).command(current()).unwrap();
        let nothing = change("{}");
        assert_eq!(
            (nothing.address.as_deref(), nothing.notes.as_deref()),
            (Some("Calle 1"), Some("urgent"))
        );
        let removed = change(r#"{"address": null, "notes": ""}"#);
        assert_eq!((removed.address, removed.notes), (None, None));
        let other = change(r#"{"recipientId": "0199c0de-0000-7000-8000-000000000001"}"#);
        assert_eq!(other.address, None);
    }

    #[test]
    fn a_bulk_names_each_remittance_once() {
        let id = "0199c0de-0000-7000-8000-000000000000";
        let input: BulkAssignInput = read(&format!(
            r#"{{"remittanceIds": ["{id}", "{id}", null], "dealerId": "{id}"}}"#
        ));
        assert_eq!(faults(input.commands()), ["remittanceIds[2] required"]);
        let input: BulkAssignInput = read(&format!(r#"{{"remittanceIds": ["{id}", "{id}"], "dealerId": "{id}"}}"#));
        assert_eq!(faults(input.commands()), ["remittanceIds[1] duplicate"]);
    }

    #[test]
    fn a_quote_asks_for_an_amount_or_a_payout() {
        let query = |json| faults(read::<QuoteQuery>(json).request());
        assert_eq!(
            query(r#"{"PaymentGroupId": "7"}"#),
            ["PaymentGroupId id_invalid", "Amount required"]
        );
        assert_eq!(
            query(r#"{"Amount": "1.001", "PaymentGroupId": ""}"#),
            ["PaymentGroupId required", "Amount amount_too_many_decimals"]
        );
    }
}
