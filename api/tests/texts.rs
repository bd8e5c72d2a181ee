//! Characters in text fields: every text field of the contract's bodies refuses invisible characters and those that
//! change the direction of text. The refusal names the field and the rule.

use crate::support::{Branch, Business, Call, Kind, Server, Surroundings};
use caudal_api::{
    policy::{Access, TABLE},
    rates::WriteRate,
};
use caudal_domain::party::Role;
use serde_json::{Value, json};

/// A server whose write rate allows all requests of this test.
fn unhurried() -> Server {
    let around = Surroundings {
        write_rate: WriteRate::per_second(0),
        ..Surroundings::default()
    };
    Server::among(&["acme"], around)
}

/// Multi-line fields.
const NOTES: &[&str] = &["note", "notes", "reason", "concept"];

/// A character, and the refusal's code in a single-line field and in a multi-line one.
const REFUSED: &[(char, &str, Option<&str>)] = &[
    ('\n', "text_has_line_breaks", None),
    ('\t', "text_has_control_characters", Some("text_has_control_characters")),
    ('\u{85}', "text_has_line_breaks", Some("text_has_control_characters")),
    (
        '\u{202E}',
        "text_has_invisible_characters",
        Some("text_has_invisible_characters"),
    ),
    (
        '\u{2066}',
        "text_has_invisible_characters",
        Some("text_has_invisible_characters"),
    ),
    (
        '\u{200F}',
        "text_has_invisible_characters",
        Some("text_has_invisible_characters"),
    ),
    (
        '\u{200B}',
        "text_has_invisible_characters",
        Some("text_has_invisible_characters"),
    ),
    (
        '\u{FEFF}',
        "text_has_invisible_characters",
        Some("text_has_invisible_characters"),
    ),
];

/// Whether a field has a stricter format, whose own rule refuses these characters.
fn has_own_rule(name: &str, schema: &Value) -> bool {
    let format = schema["format"].as_str();
    let chosen = schema["enum"].is_array() || schema["pattern"].is_string();
    chosen || matches!(format, Some("uuid" | "date" | "date-time")) || matches!(name, "cardNumber" | "profilePicture")
}

struct Contract(Value);

impl Contract {
    fn resolve<'s>(&'s self, schema: &'s Value) -> &'s Value {
        match schema["$ref"].as_str() {
            Some(target) => self.0.pointer(target.trim_start_matches('#')).unwrap(),
            None => schema,
        }
    }

    /// The text fields of a schema, each as an object with only that field.
    fn texts(&self, schema: &Value, found: &mut Vec<(String, bool)>) {
        let properties = self.resolve(schema)["properties"].as_object().into_iter().flatten();
        for (name, property) in properties {
            let property = self.resolve(property);
            let is = |kind: &str| match &property["type"] {
                Value::Array(kinds) => kinds.iter().any(|known| known == kind),
                one => one == kind,
            };
            // Passwords are stored as hashes only, and a quoted number is read as a number.
            let is_text = is("string") && !is("number") && property["format"] != "password";
            // Exceptions: a body's id names its object, and the currency of sales is always USD.
            if is_text && !matches!(name.as_str(), "id" | "currencyFrom") {
                found.push((name.clone(), has_own_rule(name, property)));
            }
        }
    }
}

#[test]
fn every_text_of_every_body_refuses_control_and_invisible_characters() {
    let server = unhurried();
    let business = Business::new(&server, "acme");
    let contract = Contract(business.client.send(Call::new("GET", "/openapi.json")).body);
    let branch = Branch::found(&business, "Norte");
    let hook = json!({"name": "Shop", "url": "https://shop.example.org/caudal"});
    let hook = business.as_manager(201, "POST", "/webhooks", hook);
    let hook = hook["webhook"]["id"].as_str().unwrap().to_owned();
    let head = server.head("acme");
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for row in TABLE.iter() {
        let Access::Roles(roles) = row.access else { continue };
        let operation = &contract.0["paths"][row.path][row.method.to_lowercase()];
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        if schema.is_null() || row.path.starts_with("/api/users/change_password") {
            continue;
        }
        assert!(roles.contains(&Role::Manager), "{} is not the manager's", row.path);
        let mut texts = Vec::new();
        contract.texts(schema, &mut texts);
        for (name, own_rule) in texts {
            for (character, in_line, in_note) in REFUSED {
                let code = if NOTES.contains(&name.as_str()) {
                    *in_note
                } else {
                    Some(*in_line)
                };
                let Some(code) = code else { continue };
                let id = id(&business, &branch, &hook, row.path);
                let mut body = json!({});
                if contract.resolve(schema)["properties"]["id"].is_object() {
                    body["id"] = id.clone().into();
                }
                body[&name] = format!("Ana{character}Ruiz").into();
                let path = row
                    .path
                    .trim_start_matches("/api")
                    .replace("{id}", &id)
                    .replace("{number}", "1");
                let call = Call::new(row.method, &path).token(&business.manager).json(&body);
                let answer = business.client.send(call);
                let errors = answer.body["errors"].as_array().cloned().unwrap_or_default();
                let told = errors.iter().find(|error| error["field"] == name.as_str());
                let good =
                    told.is_some_and(|error| own_rule || error["code"] == code || error["code"] == "email_invalid");
                tried += 1;
                if answer.status != 422 || !good {
                    wrong.push(format!(
                        "{} {} {name} {:?}: {} {}",
                        row.method, row.path, character, answer.status, answer.body
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {tried}: {wrong:#?}", wrong.len());
    assert!(tried > 400, "only {tried} were tried");
    assert_eq!(server.head("acme"), head, "nothing was written");
}

/// The id of an existing record, of the kind that a path names.
fn id(business: &Business, branch: &Branch, hook: &str, path: &str) -> String {
    let known = match path {
        _ if path.starts_with("/api/customer") => branch.any(Kind::Sender),
        _ if path.starts_with("/api/agent/") => branch.any(Kind::Agent),
        _ if path.starts_with("/api/dealer") => branch.any(Kind::Dealer),
        _ if path.starts_with("/api/delivery_men/") => branch.any(Kind::DeliveryMan),
        _ if path.starts_with("/api/remittances/") => branch.any(Kind::Remittance),
        _ if path.starts_with("/api/sources/movements/") => branch.any(Kind::Movement),
        _ if path.starts_with("/api/nomenclators/province/") => &business.province,
        _ if path.starts_with("/api/nomenclators/municipality/") => &business.municipality,
        _ if path.starts_with("/api/nomenclators/payment_group") => &business.cup,
        _ if path.starts_with("/api/webhooks/") => hook,
        _ => branch.any(Kind::Agency),
    };
    known.to_owned()
}

#[test]
fn a_note_keeps_its_lines_and_a_refused_text_names_the_allowed_characters() {
    let server = unhurried();
    let business = Business::new(&server, "acme");
    let path = "/sources/deposit/manager";
    let deposit = json!({"currency": "USD", "amount": "1", "note": "one\r\ntwo"});
    let made = business.as_manager(201, "POST", path, deposit);
    assert_eq!(made["note"], "one\ntwo");
    let named = json!({"name": "Ana\u{202E}ziuR", "customerType": 0});
    let call = Call::new("POST", "/customer")
        .token(&business.agency_token)
        .json(&named);
    let spanish = business.client.send(call.header("Accept-Language", "es"));
    assert_eq!(
        spanish.body["errors"][0],
        json!({"field": "name", "code": "text_has_invisible_characters",
               "detail": "El texto tiene un carácter invisible (U+202E), que esconde letras o cambia su orden: \
                          escríbalo de nuevo sin él.",
               "template": "El texto tiene un carácter invisible ({character}), que esconde letras o cambia su orden: \
                            escríbalo de nuevo sin él.",
               "values": [{"name": "character", "kind": "text", "value": "U+202E"}]})
    );
}
