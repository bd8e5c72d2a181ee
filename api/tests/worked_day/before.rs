//! A tenant that uses no permission set, second factor, approval, limit, list or import gets the answers of the time
//! before them.
//!
//! `before.json.gz` has what the day's calls, and then every query of every party, were answered by commit 6ba1a72d31758.
//! It was recorded once, with the masks below.

use crate::support::{Call, Client};
use chrono::{DateTime, NaiveDate};
use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use uuid::Uuid;

#[derive(Deserialize)]
struct Before {
    steps: Vec<Answered>,
    queries: Vec<Query>,
}

#[derive(Deserialize)]
struct Query {
    actor: String,
    /// With `$name` for an id that the day saved.
    path: String,
    #[serde(flatten)]
    answered: Answered,
}

#[derive(Deserialize)]
struct Answered {
    status: u16,
    body: Value,
}

/// An answer to a step of the day.
pub struct Step {
    pub actor: String,
    pub status: u16,
    pub body: Value,
}

/// Fields of a remittance that a delivery man is not told: docs/decisions/what-a-delivery-man-sees.md.
const NOT_FOR_THE_COURIER: &[&str] = &[
    "agencyFee",
    "agentFee",
    "amount",
    "exchangeRate",
    "managerFee",
    "phoneNumber",
    "totalFee",
    "totalToPay",
];

/// Names of the day's ids.
type Names = BTreeMap<String, String>;

/// Differences to the earlier answers; an answer may have more fields.
pub fn differences(
    client: &Client,
    saved: &BTreeMap<String, String>,
    tokens: &BTreeMap<String, String>,
    steps: &[Step],
) -> Vec<String> {
    let recorded = GzDecoder::new(include_bytes!("before.json.gz").as_slice());
    let before: Before = serde_json::from_reader(recorded).unwrap();
    let names: Names = saved
        .iter()
        .filter(|(_, id)| Uuid::parse_str(id).is_ok())
        .map(|(name, id)| (id.clone(), name.clone()))
        .collect();
    let mut found = Vec::new();
    assert_eq!(before.steps.len(), steps.len());
    for (number, (before, step)) in before.steps.iter().zip(steps).enumerate() {
        let now = Answered {
            status: step.status,
            body: masked(&step.body, &names),
        };
        compare(before, &now, &format!("{} step {}", step.actor, number + 1), &mut found);
    }
    for query in &before.queries {
        let answer = client.send(Call::new("GET", &filled(&query.path, &names)).token(&tokens[&query.actor]));
        let body = match &answer.body {
            Value::Null => json!({"bytes": !answer.bytes.is_empty()}),
            body => masked(body, &names),
        };
        let now = Answered {
            status: answer.status,
            body,
        };
        compare(
            &query.answered,
            &now,
            &format!("{} {}", query.actor, query.path),
            &mut found,
        );
    }
    found
}

fn filled(path: &str, names: &Names) -> String {
    let part = |part: &str| {
        let id = part
            .strip_prefix('$')
            .and_then(|wanted| names.iter().find(|(_, name)| name.as_str() == wanted));
        id.map_or(part, |(id, _)| id).to_owned()
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

fn compare(before: &Answered, now: &Answered, place: &str, found: &mut Vec<String>) {
    // A delivery man asks for no payment groups any more.
    let refused = place.starts_with("Courier1 ") && place.ends_with("/payment_group") && now.status == 403;
    if before.status == now.status {
        differ(&before.body, &now.body, place, found);
    } else if !refused {
        found.push(format!("{place}: {} became {} {}", before.status, now.status, now.body));
    }
}

/// Whether a change was decided since, and has nothing to do with what a tenant may switch on.
fn is_decided(place: &str, before: &Value, now: &Value) -> bool {
    let field = place.rsplit('.').next().unwrap_or_default();
    let (who, _) = place.split_once(' ').unwrap_or_default();
    match field {
        // A seller is told balances of his own accounts.
        "balanceAfter" => who != "manager" && now.is_null(),
        "eventVersion" => before == "1" && now == "2",
        // A remittance also knows all who carried it.
        "changes" => now.to_string().contains("\"field\":\"carriers\""),
        field => who == "Courier1" && now.is_null() && NOT_FOR_THE_COURIER.contains(&field),
    }
}

fn differ(before: &Value, now: &Value, place: &str, found: &mut Vec<String>) {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            for (name, value) in before {
                match now.get(name) {
                    Some(now) => differ(value, now, &format!("{place}.{name}"), found),
                    None => found.push(format!("{place}.{name}: {value} is gone")),
                }
            }
        }
        (Value::Array(before), Value::Array(now)) if before.len() == now.len() => {
            for (number, (before, now)) in before.iter().zip(now).enumerate() {
                differ(before, now, &format!("{place}[{number}]"), found);
            }
        }
        _ if before == now || is_decided(place, before, now) || (is_day(before) && is_day(now)) => {}
        _ => found.push(format!("{place}: {before} became {now}")),
    }
}

/// Whether a value is a day of a chart, which moves with the day of the test.
fn is_day(value: &Value) -> bool {
    let day = |text: &str| text.len() == 8 && NaiveDate::parse_from_str(text, "%Y%m%d").is_ok();
    value.as_str().is_some_and(day)
}

/// The value with names in place of the day's ids, and without secrets, hashes, times and other ids.
fn masked(value: &Value, names: &Names) -> Value {
    match value {
        Value::String(text) => word(text, names).into(),
        Value::Array(values) => values.iter().map(|value| masked(value, names)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| match name.as_str() {
                "accessToken" | "refreshToken" | "requestId" => (name.clone(), json!("<secret>")),
                _ => (word(name, names), masked(value, names)),
            })
            .collect(),
        other => other.clone(),
    }
}

fn word(text: &str, names: &Names) -> String {
    if DateTime::parse_from_rfc3339(text).is_ok() {
        return "<time>".to_owned();
    }
    if NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok() {
        return "<day>".to_owned();
    }
    let ends_word = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '-');
    let part = |part: &str| {
        let word = part.trim_end_matches(ends_word);
        let masked = match names.get(word) {
            Some(name) => format!("${name}"),
            None if word.len() == 36 && Uuid::parse_str(word).is_ok() => "<id>".to_owned(),
            None if word.len() == 64 && word.bytes().all(|digit| digit.is_ascii_hexdigit()) => "<hash>".to_owned(),
            None => word.to_owned(),
        };
        masked + &part[word.len()..]
    };
    text.split_inclusive(ends_word).map(part).collect()
}
