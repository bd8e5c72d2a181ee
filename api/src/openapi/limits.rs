//! The longest texts that requests bring, by the domain's own constants: the contract's `maxLength`, from which the
//! interface has its limits.

use caudal_domain::{
    api_key, customer,
    limits::MAX_DECLARATION_LENGTH,
    movement, party,
    reference_data::{currency, payment_group},
    remittance, text, webhook,
};
use serde_json::Value;

/// A schema of a request's body, and its texts with how many characters each may have.
type Limits = (&'static str, &'static [(&'static str, usize)]);

const NOTES: usize = remittance::MAX_NOTE_LENGTH;
const NOTE: usize = movement::MAX_NOTE_LENGTH;
const GROUP: usize = payment_group::MAX_NAME_LENGTH;
const PARTY: usize = party::MAX_NAME_LENGTH;
const LINE: usize = party::MAX_LINE_LENGTH;
const PERSON: usize = customer::MAX_NAME_LENGTH;
const SHORT: usize = customer::MAX_SHORT_LENGTH;

const SELLER: &[(&str, usize)] = &[
    ("name", PARTY),
    ("phone", LINE),
    ("addressLine1", LINE),
    ("addressLine2", LINE),
    ("addressLine3", LINE),
    ("city", LINE),
    ("zip", LINE),
];
const CARRIER: &[(&str, usize)] = &[
    ("name", PARTY),
    ("phone", LINE),
    ("phone2", LINE),
    ("phoneNumber", LINE),
    ("identificationNumber", LINE),
    ("license", LINE),
    ("addressLine1", LINE),
    ("addressLine2", LINE),
    ("addressLine3", LINE),
    ("municipality", LINE),
    ("zipcode", LINE),
];
const WEBHOOK: &[(&str, usize)] = &[("name", webhook::MAX_NAME_LENGTH), ("url", webhook::MAX_URL_LENGTH)];
const USER: &[(&str, usize)] = &[("name", PARTY), ("phone", LINE)];

const LIMITS: &[Limits] = &[
    ("AgencyChangeInput", SELLER),
    ("AgencyInput", SELLER),
    ("AgentChangeInput", SELLER),
    ("AgentInput", SELLER),
    ("ApiKeyInput", &[("name", api_key::MAX_NAME_LENGTH)]),
    ("CurrencyInput", &[("symbol", currency::MAX_SYMBOL_LENGTH)]),
    (
        "CustomerInput",
        &[
            ("name", PERSON),
            ("lastName", PERSON),
            ("secondSurname", PERSON),
            ("alias", PERSON),
            ("alternativeName", PERSON),
            ("alternativeLastName", PERSON),
            ("repart", PERSON),
            ("municipality", PERSON),
            ("province", PERSON),
            ("country", SHORT),
            ("zipCode", SHORT),
            ("phoneNumber", SHORT),
            ("alternativePhoneNumber", SHORT),
            ("personalIdentificationNumber", SHORT),
            ("personalIdentificationCountry", customer::COUNTRY_LENGTH),
            ("alternativePersonalIdentificationNumber", SHORT),
            ("addressLine", customer::MAX_ADDRESS_LENGTH),
        ],
    ),
    ("DealerChangeInput", CARRIER),
    ("DealerInput", CARRIER),
    ("DealerTransferInput", &[("note", NOTE)]),
    ("DeliveryManChangeInput", CARRIER),
    ("DeliveryManInput", CARRIER),
    ("DepositInput", &[("note", NOTE)]),
    ("ExpenseInput", &[("concept", NOTE)]),
    ("HoldReviewInput", &[("reason", text::MAX_REASON_LENGTH)]),
    ("PartyTermsInput", &[("name", GROUP)]),
    ("PayDebitsInput", &[("note", NOTE)]),
    ("PaymentGroupInput", &[("name", GROUP)]),
    ("ProfileInput", &[("name", PARTY)]),
    ("ReasonInput", &[("reason", text::MAX_REASON_LENGTH)]),
    (
        "RemittanceDetailsInput",
        &[
            ("address", customer::MAX_ADDRESS_LENGTH),
            ("notes", NOTES),
            ("reference", remittance::MAX_REFERENCE_LENGTH),
        ],
    ),
    (
        "RemittanceInput",
        &[
            ("notes", NOTES),
            ("reference", remittance::MAX_REFERENCE_LENGTH),
            ("purpose", MAX_DECLARATION_LENGTH),
            ("sourceOfFunds", MAX_DECLARATION_LENGTH),
        ],
    ),
    ("StandingTermsInput", &[("name", GROUP)]),
    ("TermsInput", &[("name", GROUP)]),
    ("UserChangeInput", USER),
    ("UserInput", USER),
    ("WebhookChangeInput", WEBHOOK),
    ("WebhookInput", WEBHOOK),
];

/// Says in the document how long texts may be.
pub(super) fn tell(document: &mut Value) {
    for (schema, fields) in LIMITS {
        for (field, longest) in *fields {
            let property = document.pointer_mut(&format!("/components/schemas/{schema}/properties/{field}"));
            if let Some(Value::Object(property)) = property {
                property.insert("maxLength".to_owned(), (*longest).into());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_of_a_text_that_a_request_brings() {
        let document = crate::openapi::document().unwrap();
        for (schema, fields) in LIMITS {
            for (field, longest) in *fields {
                let property = &document["components"]["schemas"][schema]["properties"][field];
                assert_eq!(property["maxLength"], *longest, "{schema}.{field}");
                let kinds = &property["type"];
                let is_text = |kind: &Value| kind == "string";
                assert!(
                    is_text(kinds) || kinds.as_array().is_some_and(|kinds| kinds.iter().any(is_text)),
                    "{schema}.{field}"
                );
            }
        }
    }
}
