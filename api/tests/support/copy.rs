//! A consumer of the public feed that keeps a copy of every record that the feed tells, and its comparison with the lists.

use super::{Call, Client, feed::assert_remittances_are_read};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Records of one kind by id, with the fields that were told last.
type Records = BTreeMap<String, Map<String, Value>>;

/// What a consumer has after the events.
#[derive(Debug, Default)]
struct Copy {
    customers: Records,
    cards: Records,
    parties: Records,
    movements: Records,
    closures: Records,
    currencies: Records,
    places: Records,
    groups: Records,
    rates: Records,
}

fn set(records: &mut Records, id: &str, fields: &Value) {
    let record = records.entry(id.to_owned()).or_default();
    for (name, value) in fields.as_object().unwrap() {
        record.insert(name.clone(), value.clone());
    }
}

impl Copy {
    fn of(events: &[Value]) -> Self {
        let mut copy = Self::default();
        for event in events {
            copy.apply(event["type"].as_str().unwrap(), &event["data"]);
        }
        copy
    }

    fn apply(&mut self, event_type: &str, data: &Value) {
        let id = data["id"].as_str().unwrap_or_default();
        let known = event_type.strip_prefix("caudal.").unwrap().strip_suffix(".v1").unwrap();
        match known {
            "customer.registered" | "customer.changed" => set(&mut self.customers, id, data),
            "customer.card_added" => set(&mut self.cards, data["cardId"].as_str().unwrap(), data),
            "customer.deleted" | "customer.erased" => {
                self.customers.remove(id);
                self.cards.retain(|_, card| card["id"] != id);
            }
            "party.registered" | "party.changed" => set(&mut self.parties, id, data),
            "party.deactivated" => set(&mut self.parties, id, &json!({"isActive": false})),
            "party.erased" => set(&mut self.parties, id, &json!({"isActive": false, "name": null})),
            // The list of parties has no terms.
            "party.terms_set" => assert!(self.parties.contains_key(id), "{data}"),
            "movement.posted" => set(&mut self.movements, id, data),
            "movement.opening_posted" => {
                let posted = json!({"kind": "opening", "fromId": null, "toId": data["partyId"], "onCredit": false,
                                    "debitId": null, "note": null});
                set(&mut self.movements, id, data);
                set(&mut self.movements, id, &posted);
            }
            "movement.reversed" => {
                set(
                    &mut self.movements,
                    id,
                    &json!({"reversed": true, "reverseReason": data["reason"]}),
                );
            }
            "closure.period_closed" => set(&mut self.closures, id, data),
            "currency.added" | "currency.changed" => set(&mut self.currencies, id, data),
            "currency.removed" => drop(self.currencies.remove(id)),
            "place.province_changed" | "place.municipality_changed" => set(&mut self.places, id, data),
            "payment_group.created" | "payment_group.changed" => set(&mut self.groups, id, data),
            "payment_group.removed" => drop(self.groups.remove(id)),
            "rates.scheduled" => set(&mut self.rates, id, &json!({"status": "scheduled"})),
            "rates.changed" => set(&mut self.rates, id, &json!({"status": "effective"})),
            "rates.canceled" => set(&mut self.rates, id, &json!({"status": "canceled"})),
            "rates.undone" => set(&mut self.rates, id, &json!({"status": "undone"})),
            // These are compared as remittances, or are no records.
            _ => assert!(
                known.starts_with("remittance.") || known == "log.history_accepted",
                "{known}"
            ),
        }
    }
}

/// The rows of a list; `None` where the caller does not read it.
fn listed(client: &Client, token: &str, path: &str) -> Option<Vec<Value>> {
    let answer = client.send(Call::new("GET", path).token(token));
    if answer.status == 403 {
        return None;
    }
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    let rows = ["data", "results"].map(|field| answer.body[field].as_array());
    Some(rows.into_iter().flatten().next().unwrap().clone())
}

/// Requires each field of the copy to be that of the list's row; `of_row` tells a row's field by the name in the feed.
fn same(copied: &Records, rows: &[Value], names: &[&str], of_row: impl Fn(&Value, &str) -> Value) {
    for row in rows {
        let Some(own) = copied.get(row["id"].as_str().unwrap()) else {
            continue;
        };
        for name in names {
            let told = own.get(*name).unwrap_or(&Value::Null);
            assert_eq!(*told, of_row(row, name), "{name} of {row}");
        }
    }
}

/// Requires the copy to have the records of a list and no others.
fn same_ids(what: &str, copied: &Records, rows: &[Value]) {
    let mut listed: Vec<_> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
    listed.sort_unstable();
    assert_eq!(copied.keys().map(String::as_str).collect::<Vec<_>>(), listed, "{what}");
}

/// Requires a consumer from the first event to have what the lists show to the caller, of every kind of record.
pub fn assert_copy_is_read(client: &Client, token: &str, events: &[Value]) {
    assert_remittances_are_read(client, token, events);
    let copy = Copy::of(events);
    let list = |path: &str| listed(client, token, path);
    customers(&copy, &list);
    parties(&copy, &list);
    movements(&copy, &list);
    reference(&copy, &list);
    let closures = list("/accounting/closures?RecordsPerPage=0").unwrap_or_default();
    same_ids("closures", &copy.closures, &closures);
    let names = ["number", "partyId", "from", "to", "debitId", "agencyDebitId"];
    same(&copy.closures, &closures, &names, |row, name| match name {
        "partyId" => row["party"]["id"].clone(),
        name => row[name].clone(),
    });
    let changes = list("/rates/changes?RecordsPerPage=0").unwrap_or_default();
    same_ids("changes of rates", &copy.rates, &changes);
    same(&copy.rates, &changes, &["status"], |row, name| row[name].clone());
}

type Lists<'l> = dyn Fn(&str) -> Option<Vec<Value>> + 'l;

fn customers(copy: &Copy, list: &Lists<'_>) {
    let kinds = [
        "/customer/sender?RecordsPerPage=0",
        "/customer/reciever?RecordsPerPage=0",
    ];
    let rows: Vec<Value> = kinds.iter().flat_map(|path| list(path).unwrap_or_default()).collect();
    same_ids("customers", &copy.customers, &rows);
    let names = [
        "kind",
        "ownerId",
        "senderId",
        "isActive",
        "provinceId",
        "municipalityId",
        "person",
    ];
    same(&copy.customers, &rows, &names, |row, name| match name {
        "kind" => json!(["issuer", "recipient"][row["customerType"].as_u64().unwrap() as usize]),
        "ownerId" => row["agencyId"].clone(),
        "person" => json!({
            "name": row["name"], "lastName": row["lastName"], "secondSurname": row["secondSurname"],
            "phoneNumber": row["phoneNumber"], "identificationNumber": row["personalIdentificationNumber"],
            "email": row["email"], "addressLine": row["addressLine"],
        }),
        name => row[name].clone(),
    });
    let cards = rows.iter().flat_map(|row| row["card"].as_array().unwrap().clone());
    let cards: Vec<Value> = cards.collect();
    same_ids("cards", &copy.cards, &cards);
    same(
        &copy.cards,
        &cards,
        &["id", "brand", "cardNumber"],
        |row, name| match name {
            "id" => row["customerId"].clone(),
            name => row[name].clone(),
        },
    );
}

/// Deleted parties are listed on request; erased ones have no name.
fn parties(copy: &Copy, list: &Lists<'_>) {
    let roles = [
        Value::Null,
        Value::Null,
        json!("dealer"),
        json!("agent"),
        json!("agency"),
        json!("manager"),
        json!("delivery_man"),
    ];
    let paths = if list("/users").is_some() {
        &["/users"][..]
    } else {
        &["/agency", "/agent", "/dealer"]
    };
    for path in paths {
        let both = ["", "&deleted=true"].map(|which| list(&format!("{path}?RecordsPerPage=0{which}")));
        let rows: Vec<Value> = both.into_iter().flatten().flatten().collect();
        if *path == "/users" {
            same_ids("parties", &copy.parties, &rows);
        }
        for row in &rows {
            assert!(copy.parties.contains_key(row["id"].as_str().unwrap()), "{path}: {row}");
        }
        same(&copy.parties, &rows, &["isActive", "name"], |row, name| {
            match &row[name] {
                Value::String(empty) if empty.is_empty() => Value::Null,
                value => value.clone(),
            }
        });
        for row in rows.iter().filter(|row| row["userType"].is_u64()) {
            let told = &copy.parties[row["id"].as_str().unwrap()]["role"];
            let role = &roles[row["userType"].as_u64().unwrap() as usize];
            let role = match row["agentType"].as_u64() {
                Some(0) => &json!("internal_agent"),
                Some(_) => &json!("external_agent"),
                None => role,
            };
            assert_eq!(told, role, "{row}");
        }
    }
}

/// The list shows a counter value in another currency alone.
fn movements(copy: &Copy, list: &Lists<'_>) {
    let rows = list("/sources/movements?RecordsPerPage=0").unwrap_or_default();
    same_ids("movements", &copy.movements, &rows);
    let mut copied = copy.movements.clone();
    for movement in copied.values_mut() {
        let mut amounts = vec![json!({"amount": movement["amount"], "currency": movement["currency"]})];
        let counter = movement.get("counterCurrency").filter(|currency| !currency.is_null());
        if let Some(currency) = counter.filter(|currency| **currency != movement["currency"]) {
            amounts.push(json!({"amount": movement["counterAmount"], "currency": currency}));
        }
        movement.insert("amounts".to_owned(), amounts.into());
    }
    let names = [
        "number",
        "kind",
        "fromId",
        "toId",
        "paymentGroupId",
        "amounts",
        "onCredit",
        "debitId",
        "note",
        "reversed",
        "reverseReason",
    ];
    same(&copied, &rows, &names, |row, name| match name {
        "kind" => json!(match row["kind"].as_str().unwrap() {
            "managerDeposit" => "deposit",
            "balanceAssignment" => "assignment",
            "dealerDeposit" | "deliveryDeposit" => "cash_assignment",
            "dealerTransfer" => "transfer",
            "dealerExchange" => "exchange",
            "dealerReturn" => "return",
            "debitPayment" => "payment",
            "openingBalance" => "opening",
            other => other,
        }),
        "fromId" => row["from"]["id"].clone(),
        "toId" => row["to"]["id"].clone(),
        "reversed" if row["reversed"] == false => Value::Null,
        name => row[name].clone(),
    });
}

/// Currencies and places of the opening are told once they change.
fn reference(copy: &Copy, list: &Lists<'_>) {
    let currencies = list("/nomenclators/currency?RecordsPerPage=0").unwrap();
    let names = ["code", "symbol", "exchangeRate", "enabled"];
    same(&copy.currencies, &currencies, &names, |row, name| row[name].clone());
    let known = |id: &String, rows: &[Value]| rows.iter().any(|row| row["id"] == id.as_str());
    assert!(
        copy.currencies.keys().all(|id| known(id, &currencies)),
        "{currencies:?}"
    );
    let provinces = list("/nomenclators/cuban_states").unwrap();
    let within = provinces.iter().flat_map(|province| {
        let of = province["id"].as_str().unwrap();
        list(&format!("/nomenclators/cuban_cities?provinceId={of}")).unwrap()
    });
    let places: Vec<Value> = within.chain(provinces.iter().cloned()).collect();
    assert!(copy.places.keys().all(|id| known(id, &places)), "{:?}", copy.places);
    let names = ["enabled", "distributionFee", "distributionFeeCurrency"];
    same(&copy.places, &places, &names, |row, name| row[name].clone());
    let groups = list("/nomenclators/payment_group?RecordsPerPage=0").unwrap_or_default();
    // Others read the groups that they sell, at the rates of their terms.
    if list("/rates/changes").is_some() {
        same_ids("payment groups", &copy.groups, &groups);
        let names = ["name", "currencyTo", "exchangeRate", "isActive"];
        same(&copy.groups, &groups, &names, |row, name| row[name].clone());
    } else {
        same(&copy.groups, &groups, &["name", "currencyTo"], |row, name| {
            row[name].clone()
        });
    }
}
