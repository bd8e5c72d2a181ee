//! Examples of fields and of JSON bodies. A field gets one by its format, its pattern or its name where neither the field nor
//! its type declares one; a body is composed of its fields' examples.

use serde_json::{Map, Value, json};

type Schemas = Map<String, Value>;

const UUID: &str = "0198c1f0-7b1a-7c3e-9d42-5f6a7b8c9d0e";
const OTHER_UUID: &str = "0198c1f0-8c2b-7d4f-8e53-6a7b8c9d0e1f";
/// Id of an uploaded file: the SHA-256 of its content.
const FILE: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/// By format.
const FORMATS: &[(&str, &str)] = &[
    ("date", "2026-11-30"),
    ("date-time", "2026-11-30T14:30:00Z"),
    ("email", "ana@example.com"),
    ("password", "Rio-Claro-27"),
    ("uri", "https://example.com/caudal"),
    ("uuid", UUID),
];

/// By pattern. Of alternatives (`^(a|b)$`) the first is taken.
const PATTERNS: &[(&str, &str)] = &[
    ("^[A-Z]{3}$", "CUP"),
    ("^[0-9]{8}$", "20261130"),
    ("^[0-9a-f]{64}$", FILE),
    (r"^-?\d+\.\d{2}$", "100.00"),
    (r"^-?\d+(\.\d+)?$", "318.5"),
];

/// Texts by the field's name, in every schema.
const TEXTS: &[(&str, &str)] = &[
    ("address", "Calle 23 n.º 456, Vedado"),
    ("addressLine", "Calle 23 n.º 456, Vedado"),
    ("addressLine1", "1200 Flagler Street"),
    ("addressLine2", "Suite 4"),
    ("addressLine3", "Building B"),
    ("alias", "Anita"),
    ("alternativeLastName", "Pérez"),
    ("alternativeName", "Luis"),
    ("alternativePersonalIdentificationNumber", "85010112345"),
    ("alternativePhoneNumber", "+5352345679"),
    ("cardNumber", "9225 0612 3456 7890"),
    ("city", "Miami"),
    ("concept", "Fuel"),
    ("country", "US"),
    ("currencyFrom", "USD"),
    ("email", "ana@example.com"),
    ("files", FILE),
    ("identificationNumber", "85010112345"),
    ("lastName", "García"),
    ("license", "L-12345"),
    ("municipality", "Plaza de la Revolución"),
    ("note", "First delivery of the week"),
    ("notes", "Call before the delivery"),
    ("personalIdentificationCountry", "CU"),
    ("personalIdentificationNumber", "85010112345"),
    ("phone", "+13055550123"),
    ("phone2", "+13055550124"),
    ("phoneNumber", "+5352345678"),
    ("profilePicture", FILE),
    ("province", "La Habana"),
    ("reason", "The sender asked for it"),
    ("reference", "INV-2026-118"),
    ("repart", "Vedado"),
    ("secondSurname", "López"),
    ("symbol", "$"),
    ("zip", "33130"),
    ("zipCode", "33130"),
    ("zipcode", "10400"),
];

/// Texts and decimals whose meaning depends on the schema, in place of the type's example.
const TEXTS_OF: &[(&str, &str, &str)] = &[
    ("AgencyChangeInput", "name", "Agencia Central"),
    ("AgencyInput", "name", "Agencia Central"),
    ("AgentChangeInput", "name", "Ana García"),
    ("AgentInput", "name", "Ana García"),
    ("ChangePasswordInput", "newPassword", "Monte-Alto-31"),
    ("CommissionInput", "rate", "2.5"),
    ("CompleteInput", "expectedPayout", "6370.00"),
    ("CustomerInput", "name", "Ana"),
    ("DealerChangeInput", "name", "Distribuidora Habana"),
    ("DealerInput", "name", "Distribuidora Habana"),
    ("DealerTransferInput", "to", OTHER_UUID),
    ("DeliveryManChangeInput", "name", "Luis Pérez"),
    ("DeliveryManInput", "name", "Luis Pérez"),
    ("ImportCellInput", "text", "100.00"),
    ("ImportInput", "name", "remittances.xlsx"),
    ("ImportProofsInput", "name", "receipts.pdf"),
    ("LoginRequest", "code", "123456"),
    ("ManagerCommissionInput", "rate", "2.5"),
    ("MunicipalityInput", "name", "Plaza de la Revolución"),
    ("PartyTermsInput", "name", "CUP en efectivo"),
    ("PasskeyAnswerInput", "authenticatorData", "SZYN5YgOjGh0NBcPZHZgW4"),
    ("PasskeyAnswerInput", "ceremony", "q83vEjRWeJA"),
    ("PasskeyAnswerInput", "clientData", "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0"),
    ("PasskeyAnswerInput", "credential", "AQIDBAUGBwg"),
    ("PasskeyAnswerInput", "signature", "MEUCIQDx"),
    ("PasskeyAnswerInput", "userHandle", "CQoLDA0ODxA"),
    ("PasskeyInput", "attestation", "o2NmbXRkbm9uZQ"),
    ("PasskeyInput", "ceremony", "q83vEjRWeJA"),
    ("PasskeyInput", "clientData", "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0"),
    ("PaymentGroupInput", "name", "CUP en efectivo"),
    ("ProfileInput", "name", "Ana García"),
    ("ProvinceInput", "name", "La Habana"),
    ("RemittanceInput", "recipientId", OTHER_UUID),
    ("StandingTermsInput", "groupName", "CUP en efectivo"),
    ("StandingTermsInput", "name", "CUP en efectivo"),
    ("SignOnFinishInput", "code", "SplxlOBeZQQYbYS6WxSbIA"),
    ("SignOnFinishInput", "secondFactor", "123456"),
    ("SignOnFinishInput", "state", "af0ifjsldkj"),
    ("SignOnProviderInput", "clientId", "caudal"),
    ("TermsInput", "name", "CUP en efectivo"),
    ("UserChangeInput", "name", "Ana García"),
    ("UserInput", "name", "Ana García"),
];

/// Whole numbers by the field's name; [`NUMBER`] for others.
const NUMBERS: &[(&str, i64)] = &[
    ("after", 1_042),
    ("column", 0),
    ("expiresAfterHours", 72),
    ("overlapHours", 24),
    ("position", 1_042),
    ("requestsPerMinute", 60),
];
const NUMBER: i64 = 3;

/// Optional fields without which a body would say nothing, or would be refused; required ones are always in its example.
const ALSO: &[(&str, &[&str])] = &[
    ("AgencyReportInput", &["initDate", "finalDate"]),
    ("AgentReportInput", &["initDate", "finalDate"]),
    ("ApiKeyRotationInput", &["overlapHours"]),
    ("ApprovalInput", &["expected"]),
    ("CustomerInput", &["lastName", "phoneNumber"]),
    ("DealerDeskInput", &["agencyIds"]),
    ("DealerTransferInput", &["to"]),
    ("DepositInput", &["paymentGroupId"]),
    ("ExpectedInput", &["payout"]),
    ("ImportMapping", &["columns"]),
    ("ImportRowInput", &["leftOut"]),
    ("MunicipalityInput", &["enabled"]),
    ("OfficeAccessInput", &["accessExpiresAt"]),
    ("OptionalSecondFactorCodeInput", &["code"]),
    ("PaymentGroupRef", &["id"]),
    ("ProfileInput", &["name"]),
    ("ProvinceInput", &["enabled"]),
    ("RemittanceDetailsInput", &["notes"]),
    ("TermsInput", &["isActive"]),
    ("UserChangeInput", &["name"]),
    ("WantedRateInput", &["currencyId"]),
    ("WebhookRotationInput", &["overlapHours"]),
];

/// As [`ALSO`], of single calls: those that assign cash take a currency.
const ALSO_OF_CALLS: &[(&str, &[&str])] = &[
    ("depositToDealer", &["currency"]),
    ("depositToDeliveryMan", &["currency"]),
    ("depositToManager", &["currency"]),
];

/// Maximum nesting of a body's example.
const DEPTH: u32 = 16;

/// Adds the examples that the document lacks.
pub(super) fn tell(document: &mut Value) {
    let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") else {
        return;
    };
    for (name, schema) in schemas.iter_mut() {
        tell_fields(name, schema);
    }
    let schemas = std::mem::take(schemas);
    for operation in operations(document) {
        let call = operation.get("operationId").and_then(Value::as_str);
        let also = ALSO_OF_CALLS.iter().find(|(of, _)| Some(*of) == call);
        let also = also.map(|(_, fields)| *fields);
        let Some(Value::Object(body)) = operation.pointer_mut("/requestBody/content/application~1json") else {
            continue;
        };
        if !body.contains_key("example")
            && let Some(example) = body
                .get("schema")
                .and_then(|schema| sample(&schemas, schema, also, DEPTH))
        {
            body.insert("example".to_owned(), example);
        }
    }
    if let Some(place) = document.pointer_mut("/components/schemas") {
        *place = Value::Object(schemas);
    }
}

fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    let items = paths.into_iter().flat_map(Map::values_mut);
    items.filter_map(Value::as_object_mut).flat_map(Map::values_mut)
}

fn tell_fields(name: &str, schema: &mut Value) {
    if let Some(Value::Array(parts)) = schema.get_mut("allOf") {
        for part in parts {
            tell_fields(name, part);
        }
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (field, property) in properties.iter_mut() {
            tell_field(name, field, property);
        }
    }
}

fn tell_field(name: &str, field: &str, property: &mut Value) {
    if own(property).is_some() {
        return;
    }
    let here = TEXTS_OF.iter().find(|(schema, of, _)| (*schema, *of) == (name, field));
    let kind = kind(property).map(str::to_owned);
    let example = match kind.as_deref() {
        _ if here.is_some() => here.map(|(.., example)| Value::from(*example)),
        Some("array") => {
            if let Some(items) = property.get_mut("items") {
                tell_field(name, field, items);
            }
            return;
        }
        Some("string") => text(field, property).map(Value::from),
        Some("integer") => Some(whole(field, property).into()),
        Some("boolean") => Some(true.into()),
        _ => None,
    };
    if let (Some(example), Some(property)) = (example, property.as_object_mut()) {
        property.insert("examples".to_owned(), json!([example]));
    }
}

/// The type, other than null.
fn kind(property: &Value) -> Option<&str> {
    match property.get("type")? {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
        kind => kind.as_str(),
    }
}

/// The example that a schema declares itself, or one of its values.
fn own(schema: &Value) -> Option<&Value> {
    let first = |key: &str| schema.get(key)?.as_array()?.iter().find(|value| !value.is_null());
    let declared = schema.get("example").or_else(|| first("examples"));
    declared.or_else(|| schema.get("const")).or_else(|| first("enum"))
}

fn text(field: &str, property: &Value) -> Option<String> {
    let of = |key: &str| property.get(key).and_then(Value::as_str);
    // The content of a file has none.
    if of("format") == Some("binary") {
        return None;
    }
    let among = |known: &[(&str, &'static str)], wanted: Option<&str>| {
        let found = known.iter().find(|(key, _)| Some(*key) == wanted);
        found.map(|(_, example)| *example)
    };
    let found = among(FORMATS, of("format"))
        .or_else(|| among(PATTERNS, of("pattern")))
        .or_else(|| first_alternative(of("pattern")?))
        .or_else(|| among(TEXTS, Some(field)));
    found.map(str::to_owned)
}

/// `a` of `^(a|b)$`.
fn first_alternative(pattern: &str) -> Option<&str> {
    let alternatives = pattern.strip_prefix("^(")?.strip_suffix(")$")?;
    let first = alternatives.split('|').next()?;
    let is_literal = first.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_literal && !first.is_empty()).then_some(first)
}

fn whole(field: &str, property: &Value) -> i64 {
    let known = NUMBERS.iter().find(|(name, _)| *name == field);
    let wanted = known.map_or(NUMBER, |(_, example)| *example);
    let bound = |key: &str| property.get(key).and_then(Value::as_i64);
    let wanted = bound("minimum").map_or(wanted, |least| wanted.max(least));
    bound("maximum").map_or(wanted, |most| wanted.min(most))
}

/// An example of a schema: of an object its required fields, and those of `also`, else those in [`ALSO`].
fn sample(schemas: &Schemas, schema: &Value, also: Option<&[&str]>, depth: u32) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    if let Some(own) = own(schema) {
        return Some(own.clone());
    }
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let name = name.rsplit('/').next()?;
        let known = ALSO.iter().find(|(of, _)| *of == name);
        let also = also.or(known.map(|(_, fields)| *fields));
        return sample(schemas, schemas.get(name)?, also, depth);
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        if let Some(Value::Array(choices)) = schema.get(choice) {
            return choices.iter().find_map(|one| sample(schemas, one, also, depth));
        }
    }
    match kind(schema)? {
        "array" => Some(json!([sample(schemas, schema.get("items")?, None, depth)?])),
        "object" => {
            let properties = schema.get("properties")?.as_object()?;
            let required = schema.get("required").and_then(Value::as_array);
            let required = required.into_iter().flatten().filter_map(Value::as_str);
            let also = also.unwrap_or_default().iter().copied();
            let fields = required.chain(also).filter_map(|field| {
                let example = sample(schemas, properties.get(field)?, None, depth)?;
                Some((field.to_owned(), example))
            });
            let fields: Map<_, _> = fields.collect();
            (!fields.is_empty()).then_some(Value::Object(fields))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Schemas that a request's body has, by name.
    fn of_requests(document: &mut Value) -> BTreeSet<String> {
        fn collect(schemas: &Schemas, value: &Value, found: &mut BTreeSet<String>) {
            match value {
                Value::Object(fields) => {
                    let reference = fields.get("$ref").and_then(Value::as_str);
                    if let Some(name) = reference.and_then(|path| path.rsplit('/').next())
                        && found.insert(name.to_owned())
                    {
                        collect(schemas, &schemas[name], found);
                    }
                    fields.values().for_each(|field| collect(schemas, field, found));
                }
                Value::Array(values) => values.iter().for_each(|value| collect(schemas, value, found)),
                _ => {}
            }
        }
        let schemas = document["components"]["schemas"].as_object().unwrap().clone();
        let mut found = BTreeSet::new();
        for operation in operations(document) {
            if let Some(body) = operation.get("requestBody") {
                collect(&schemas, body, &mut found);
            }
        }
        found
    }

    fn has_example(schemas: &Schemas, schema: &Value) -> bool {
        if own(schema).is_some() {
            return true;
        }
        if let Some(path) = schema.get("$ref").and_then(Value::as_str) {
            return has_example(schemas, &schemas[path.rsplit('/').next().unwrap()]);
        }
        for choice in ["oneOf", "anyOf", "allOf"] {
            if let Some(Value::Array(choices)) = schema.get(choice) {
                return choices.iter().any(|one| has_example(schemas, one));
            }
        }
        match kind(schema) {
            Some("array") => has_example(schemas, &schema["items"]),
            // Its fields have theirs.
            Some("object") => true,
            Some("string") => schema.get("format").is_some_and(|format| format == "binary"),
            _ => false,
        }
    }

    #[test]
    fn every_field_of_a_request_but_files_has_an_example() {
        let mut document = crate::openapi::document().unwrap();
        let names = of_requests(&mut document);
        let schemas = document["components"]["schemas"].as_object().unwrap();
        let mut without = Vec::new();
        for name in &names {
            for (field, property) in schemas[name]["properties"].as_object().into_iter().flatten() {
                if !has_example(schemas, property) {
                    without.push(format!("{name}.{field}"));
                }
            }
        }
        assert_eq!(without, Vec::<String>::new());
    }

    #[test]
    fn every_json_body_has_an_example_with_its_required_fields() {
        let mut document = crate::openapi::document().unwrap();
        let schemas = document["components"]["schemas"].as_object().unwrap().clone();
        let mut without = Vec::new();
        for operation in operations(&mut document) {
            let Some(body) = operation.pointer("/requestBody/content/application~1json") else {
                continue;
            };
            let name = body["schema"]["$ref"].as_str().unwrap_or_default();
            let required = name.rsplit('/').next().and_then(|name| schemas.get(name));
            let required = required.and_then(|schema| schema.get("required")?.as_array());
            let has = |field: &Value| body["example"].get(field.as_str().unwrap()).is_some();
            if body.get("example").is_none() || !required.into_iter().flatten().all(has) {
                without.push(operation["operationId"].clone());
            }
        }
        assert_eq!(without, Vec::<Value>::new());
    }

    #[test]
    fn named_texts_and_fields_are_of_the_document() {
        let document = crate::openapi::document().unwrap();
        let schemas = document["components"]["schemas"].as_object().unwrap();
        let has = |schema: &str, field: &str| schemas[schema]["properties"].get(field).is_some();
        for (schema, field, _) in TEXTS_OF {
            assert!(has(schema, field), "{schema}.{field}");
        }
        for (schema, fields) in ALSO {
            for field in *fields {
                assert!(has(schema, field), "{schema}.{field}");
            }
        }
        for (field, _) in TEXTS {
            assert!(schemas.keys().any(|schema| has(schema, field)), "{field}");
        }
    }
}
