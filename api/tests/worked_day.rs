//! A day of business replayed over HTTP: every status, quote, balance and remittance equals figures computed outside
//! this project.
//!
//! `worked_day/steps.json` has the day's calls; `expected.json` the expected state of the books after some of them.

mod before;
mod figures;
mod journals;

use crate::support::{self, Call, Client, Server};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
struct Day {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    n: u32,
    actor: String,
    method: String,
    path: String,
    body: Option<Value>,
    multipart: Option<BTreeMap<String, String>>,
    status: u16,
    #[serde(default)]
    save: BTreeMap<String, String>,
    #[serde(default)]
    expect_body: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Expected {
    after_step: u32,
    label: String,
    accounts: Vec<ExpectedAccount>,
    remittances: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct ExpectedAccount {
    kind: String,
    owner: Option<String>,
    group: Option<String>,
    currency: String,
    balance: String,
}

/// Kind, owner, group (of a balance) and currency.
type AccountKey = (String, Option<String>, Option<String>, String);

/// State of the replay: saved values and differences.
struct Replay {
    client: Client,
    saved: BTreeMap<String, String>,
    tokens: BTreeMap<String, String>,
    wrong: Vec<String>,
    answers: Vec<before::Step>,
}

#[test]
fn a_worked_day_yields_the_books_computed_by_hand() {
    let server = Server::start(&["worked"]);
    let day: Day = serde_json::from_str(include_str!("worked_day/steps.json")).unwrap();
    let expected: Vec<Expected> = serde_json::from_str(include_str!("worked_day/expected.json")).unwrap();
    let mut replay = Replay {
        client: server.client("worked"),
        saved: BTreeMap::new(),
        tokens: BTreeMap::new(),
        wrong: Vec::new(),
        answers: Vec::new(),
    };
    for step in &day.steps {
        replay.step(step);
        for expected in expected.iter().filter(|expected| expected.after_step == step.n) {
            replay.compare(expected);
            figures::agree(
                &replay.client,
                &replay.tokens["manager"],
                &expected.label,
                &mut replay.wrong,
            );
        }
    }
    assert!(replay.wrong.is_empty(), "{:#?}", replay.wrong);
    let Replay {
        client,
        saved,
        tokens,
        answers,
        ..
    } = &replay;
    let different = before::differences(client, saved, tokens, answers);
    assert!(different.is_empty(), "{different:#?}");
    journals::are_accepted(&replay.client, &replay.tokens["manager"]);
    // A consumer of the feed from the first event has the same records.
    let manager = &replay.tokens["manager"];
    let events = support::whole_feed(&replay.client, manager, 50);
    support::assert_copy_is_read(&replay.client, manager, &events);
    assert_eq!(
        expected.last().map(|last| last.after_step),
        day.steps.last().map(|last| last.n)
    );
}

impl Replay {
    fn step(&mut self, step: &Step) {
        let mut call = Call::new(&step.method, &self.filled(&step.path));
        if let Some(token) = self.tokens.get(&step.actor) {
            call = call.token(token);
        }
        if let Some(body) = &step.body {
            call = call.json(&self.filled_value(body));
        }
        if let Some(files) = &step.multipart {
            call = call.multipart(
                files
                    .iter()
                    .map(|(field, name)| (field.as_str(), name.as_str(), image(name))),
            );
        }
        let answer = self.client.send(call);
        self.answers.push(before::Step {
            actor: step.actor.clone(),
            status: answer.status,
            body: answer.body.clone(),
        });
        if answer.status != step.status {
            let Step {
                n,
                actor,
                method,
                path,
                status,
                ..
            } = step;
            self.wrong.push(format!(
                "step {n} {actor} {method} {path}: expected {status}, got {} {}",
                answer.status, answer.body
            ));
            return;
        }
        for (name, path) in step.save.iter().filter(|_| answer.status < 300) {
            let Some(value) = pick(&answer.body, path) else {
                self.wrong
                    .push(format!("step {}: no {path} in {}", step.n, answer.body));
                continue;
            };
            match name.strip_prefix("token:") {
                Some(actor) => self.tokens.insert(actor.to_owned(), value),
                None => self.saved.insert(name.clone(), value),
            };
        }
        for (field, wanted) in &step.expect_body {
            let found = answer.body[field].as_str();
            if found != Some(wanted) {
                self.wrong
                    .push(format!("step {}: {field} expected {wanted}, got {found:?}", step.n));
            }
        }
    }

    fn compare(&mut self, expected: &Expected) {
        let place = format!("after step {} ({})", expected.after_step, expected.label);
        let manager = self.tokens["manager"].clone();
        let balances = self
            .client
            .send(Call::new("GET", "/accounting/balances?RecordsPerPage=0").token(&manager));
        assert_eq!(balances.status, 200, "{place}: {}", balances.body);
        let mut found: BTreeMap<AccountKey, String> = BTreeMap::new();
        for row in balances.body["data"].as_array().unwrap() {
            let text = |value: &Value| value.as_str().map(str::to_owned);
            let (kind, closing) = (text(&row["kind"]).unwrap(), text(&row["closing"]).unwrap());
            let group = text(&row["paymentGroupId"]).filter(|_| kind == "balance");
            let key = (kind, text(&row["owner"]["id"]), group, text(&row["currency"]).unwrap());
            if closing != "0.00" {
                assert!(
                    found.insert(key, closing).is_none(),
                    "{place}: an account is there twice"
                );
            }
        }
        let wanted: BTreeMap<AccountKey, String> = expected
            .accounts
            .iter()
            .map(|account| {
                let id = |name: &Option<String>| name.as_ref().map(|name| self.saved[name].clone());
                let key = (
                    account.kind.clone(),
                    id(&account.owner),
                    id(&account.group),
                    account.currency.clone(),
                );
                (key, account.balance.clone())
            })
            .collect();
        for key in found.keys().chain(wanted.keys()).collect::<BTreeSet<_>>() {
            let (found, wanted) = (found.get(key), wanted.get(key));
            if found != wanted {
                self.wrong
                    .push(format!("{place}: {key:?} expected {wanted:?}, got {found:?}"));
            }
        }
        for (name, state) in &expected.remittances {
            let number = ["pending", "canceled", "shipping", "completed", "error"]
                .iter()
                .position(|known| known == state);
            let path = self.filled(&format!("/remittances/${name}"));
            let answer = self.client.send(Call::new("GET", &path).token(&manager));
            if answer.body["status"].as_u64() != number.map(|number| number as u64) {
                self.wrong.push(format!(
                    "{place}: {name} expected {state}, got {}",
                    answer.body["status"]
                ));
            }
        }
    }

    /// A text with each `$name` replaced by the value saved under that name.
    fn filled(&self, text: &str) -> String {
        let mut parts = text.split('$');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(part.len());
            let (name, rest) = part.split_at(end);
            filled.push_str(
                self.saved
                    .get(name)
                    .unwrap_or_else(|| panic!("nothing was saved as {name}")),
            );
            filled.push_str(rest);
        }
        filled
    }

    fn filled_value(&self, value: &Value) -> Value {
        match value {
            // A text of a single $ is a currency's symbol.
            Value::String(text) if text.len() > 1 => Value::String(self.filled(text)),
            Value::Array(values) => values.iter().map(|value| self.filled_value(value)).collect(),
            Value::Object(fields) => {
                let filled = fields
                    .iter()
                    .map(|(name, value)| (name.clone(), self.filled_value(value)));
                Value::Object(filled.collect())
            }
            other => other.clone(),
        }
    }
}

fn image(name: &str) -> &'static [u8] {
    match name {
        "id.png" => include_bytes!("worked_day/id.png"),
        "signature.png" => include_bytes!("worked_day/signature.png"),
        other => panic!("no image {other}"),
    }
}

/// The text at a path such as `token.accessToken` or `data[code=USD].id`.
fn pick(body: &Value, path: &str) -> Option<String> {
    let mut value = body;
    for part in path.split('.') {
        let (field, condition) = part
            .split_once('[')
            .map_or((part, None), |(field, rest)| (field, Some(rest)));
        value = value.get(field)?;
        if let Some((key, wanted)) = condition.and_then(|condition| condition.trim_end_matches(']').split_once('=')) {
            value = value.as_array()?.iter().find(|element| element[key] == wanted)?;
        }
    }
    value.as_str().map(str::to_owned)
}
