//! A consumer of the public feed: reads it in pages, and holds every event to its published schema.

use super::{Answer, Call, Client};
use serde_json::Value;
use std::{collections::BTreeMap, fs, path::Path};

/// A page of the feed.
pub struct FeedPage {
    pub events: Vec<Value>,
    /// `X-Feed-Next`.
    pub next: i64,
}

/// Reads a page; `query` begins with `?`.
pub fn feed_answer(client: &Client, token: &str, query: &str) -> Answer {
    client.send(Call::new("GET", &format!("/feed{query}")).token(token))
}

pub fn feed_page(client: &Client, token: &str, query: &str) -> FeedPage {
    let answer = feed_answer(client, token, query);
    assert_eq!(answer.status, 200, "{query}: {}", answer.body);
    assert_eq!(answer.header("Content-Type"), "application/cloudevents-batch+json");
    FeedPage {
        events: answer.body.as_array().unwrap().clone(),
        next: answer.header("X-Feed-Next").parse().unwrap(),
    }
}

/// The whole feed of a caller, in pages of a limit; each event has the form of its published schema.
pub fn whole_feed(client: &Client, token: &str, limit: usize) -> Vec<Value> {
    let (mut events, mut after) = (Vec::new(), 0);
    loop {
        let page = feed_page(client, token, &format!("?after={after}&limit={limit}"));
        assert!(page.events.len() <= limit);
        if page.next == after {
            assert!(page.events.is_empty());
            assert_published(&events);
            return events;
        }
        assert!(page.next > after);
        for event in page.events {
            assert!((after + 1..=page.next).contains(&position(&event)), "{event}");
            events.push(event);
        }
        after = page.next;
    }
}

/// Position of an event in the log.
pub fn position(event: &Value) -> i64 {
    event["sequence"].as_str().unwrap().parse().unwrap()
}

/// Types of events, in order.
pub fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

/// The remittances of a consumer that keeps the last state of each.
pub fn remittances_of(events: &[Value]) -> BTreeMap<String, Value> {
    let mut known = BTreeMap::new();
    for event in events {
        if event["type"] == "caudal.remittance.withdrawn.v1" {
            known.remove(event["data"]["id"].as_str().unwrap());
        } else if let Some(remittance) = event["data"].get("remittance") {
            known.insert(remittance["id"].as_str().unwrap().to_owned(), remittance.clone());
        }
    }
    known
}

/// Requires a consumer's remittances to be those of the read models, for the caller.
pub(super) fn assert_remittances_are_read(client: &Client, token: &str, events: &[Value]) {
    let mine = remittances_of(events);
    let listed = client.send(Call::new("GET", "/remittances?RecordsPerPage=0").token(token));
    let rows = listed.body["data"].as_array().unwrap();
    assert_eq!(mine.len(), rows.len(), "as many as the list has");
    let statuses = ["pending", "canceled", "shipping", "completed", "error"];
    for row in rows {
        let own = &mine[row["id"].as_str().unwrap()];
        assert_eq!(
            own["status"],
            statuses[row["status"].as_u64().unwrap() as usize],
            "{row}"
        );
        for (name, read) in [
            ("code", &row["code"]),
            ("amount", &row["amount"]),
            ("payout", &row["payout"]),
            ("currencyTo", &row["currencyTo"]),
            ("exchangeRate", &row["exchangeRate"]),
            ("managerFee", &row["managerFee"]),
            ("agencyFee", &row["agencyFee"]),
            ("agentFee", &row["agentFee"]),
            ("totalFee", &row["totalFee"]),
            ("totalToPay", &row["totalToPay"]),
            ("deliveryMethod", &row["deliveryMethod"]),
            ("reference", &row["reference"]),
            ("paymentGroupId", &row["paymentGroupId"]),
            ("senderId", &row["sender"]["id"]),
            ("recipientId", &row["recipient"]["id"]),
            ("agencyId", &row["agency"]["id"]),
            ("agentId", &row["agent"]["id"]),
            ("dealerId", &row["dealer"]["id"]),
            ("deliveryManId", &row["deliveryMan"]["id"]),
            ("provinceId", &row["address"]["provinceId"]),
            ("municipalityId", &row["address"]["municipalityId"]),
            ("cardId", &row["card"]["id"]),
        ] {
            assert_eq!(&own[name], read, "{name} of {row}");
        }
    }
}

/// Requires every event to be a CloudEvent whose data its published schema describes completely.
pub fn assert_published(events: &[Value]) {
    const ATTRIBUTES: [&str; 11] = [
        "actor",
        "data",
        "datacontenttype",
        "dataschema",
        "id",
        "sequence",
        "source",
        "specversion",
        "subject",
        "time",
        "type",
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/feed");
    let mut schemas: BTreeMap<String, Value> = BTreeMap::new();
    for event in events {
        let mut names: Vec<_> = event.as_object().unwrap().keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ATTRIBUTES);
        assert_eq!(event["specversion"], "1.0");
        let name = event["type"].as_str().unwrap().to_owned();
        assert_eq!(event["dataschema"], format!("urn:caudal:schema:{name}"));
        let schema = schemas.entry(name.clone()).or_insert_with(|| {
            let text = fs::read_to_string(folder.join(format!("{name}.json")));
            serde_json::from_str(&text.unwrap_or_else(|error| panic!("{name}: {error}"))).unwrap()
        });
        assert_valid("data", schema, schema, &event["data"]);
    }
}

/// The part of JSON Schema that the published schemas use. A field that the schema does not name is a fault.
fn assert_valid(path: &str, root: &Value, schema: &Value, value: &Value) {
    if let Some(target) = schema["$ref"].as_str() {
        let target = root.pointer(target.trim_start_matches('#'));
        return assert_valid(path, root, target.unwrap_or_else(|| panic!("{path}: {schema}")), value);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let is_null = |choice: &&Value| choice["type"] == "null";
        if value.is_null() {
            assert!(choices.iter().any(|choice| is_null(&choice)), "{path} is null");
            return;
        }
        let others: Vec<_> = choices.iter().filter(|choice| !is_null(choice)).collect();
        let [other] = others.as_slice() else {
            // An enumeration whose values are described one by one.
            let known = others.iter().flat_map(|choice| choice["enum"].as_array().unwrap());
            assert!(known.clone().any(|known| known == value), "{path}: {value}");
            return;
        };
        return assert_valid(path, root, other, value);
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let kinds = &schema["type"];
    let is_kind = kinds == kind
        || kinds
            .as_array()
            .is_some_and(|kinds| kinds.iter().any(|known| known == kind));
    assert!(is_kind, "{path} is {kind}, not {kinds}");
    if let Some(known) = schema["enum"].as_array() {
        assert!(known.contains(value), "{path}: {value} is not of {known:?}");
    }
    match (schema["format"].as_str(), value.as_str()) {
        (Some("uuid"), Some(text)) => drop(uuid::Uuid::parse_str(text).unwrap()),
        (Some("date-time"), Some(text)) => drop(chrono::DateTime::parse_from_rfc3339(text).unwrap()),
        (Some("date"), Some(text)) => drop(text.parse::<chrono::NaiveDate>().unwrap()),
        _ => {}
    }
    let Some(fields) = value.as_object() else { return };
    for required in schema["required"].as_array().into_iter().flatten() {
        assert!(
            fields.contains_key(required.as_str().unwrap()),
            "{path} lacks {required}"
        );
    }
    for (name, value) in fields {
        let property = &schema["properties"][name];
        assert!(!property.is_null(), "{path}.{name} is not in the schema");
        assert_valid(&format!("{path}.{name}"), root, property, value);
    }
}
