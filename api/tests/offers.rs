//! Actions offered by list rows equal the actions accepted by the server, for every role: parties, balances,
//! customers, movements, debits, disputes, previews of closures, and rate changes. Each action is sent as a preview,
//! which is decided like the write (`preview.rs`) and changes no row. Remittances: `actions.rs`.

use crate::support::{Answer, Branch, Business, Call, Kind, MANAGER, PASSWORD, Server, Surroundings, picture, text};
use caudal_api::rates::WriteRate;
use caudal_domain::party::Role;
use chrono::{TimeDelta, Utc};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Refusals that depend on figures and are not in the rows: account guards, and the day of a closure.
const FIGURES: [&str; 3] = ["balance_insufficient", "cash_insufficient", "period_already_closed"];

struct Office {
    business: Business,
    ours: Branch,
    others: Branch,
}

impl Office {
    /// Two branches, with one row of every kind in each state that a rule depends on.
    fn open(server: &Server) -> Self {
        let business = Business::new(server, "acme");
        let (ours, others) = (Branch::found(&business, "Norte"), Branch::found(&business, "Sur"));
        let office = Self { business, ours, others };
        let manager = office.business.manager.as_str();
        let cup = office.business.cup.as_str();
        let (agency, agent) = (office.ours.any(Kind::Agency), office.ours.any(Kind::Agent));
        let cash = |amount: &str| json!({"currency": "CUP", "amount": amount});
        let credit = json!({"paymentGroupId": cup, "amount": "6400", "onCredit": true});
        office.make(manager, "/sources/deposit/manager", cash("90000"));
        // Debits to the manager: one open, one settled, one void. One debit to the agency.
        office.make(manager, &format!("/sources/deposit/agency/{agency}"), credit.clone());
        let paid = office.make(manager, &format!("/sources/deposit/agency/{agency}"), credit.clone());
        office.make(manager, "/sources/pay_debits", json!({"debitIds": [paid["debitId"]]}));
        let void = office.make(manager, &format!("/sources/deposit/agent/{agent}"), credit.clone());
        office.act(
            manager,
            "POST",
            &format!("/sources/movements/{}/reverse", id(&void)),
            json!({"reason": "twice"}),
        );
        let by_agency = format!("/sources/deposit/agent/{agent}");
        office.make(&office.ours.tokens[&Role::Agency], &by_agency, credit);
        // Parties: inactive, deleted, and without business.
        let person = |name: &str| json!({"name": name, "email": format!("{name}@acme.test"), "password": PASSWORD});
        let idle = office.make(manager, "/agency", person("idle"));
        let off = json!({"id": idle["id"], "name": "idle", "email": "idle@acme.test", "isActive": false});
        office.act(manager, "PUT", "/agency", off);
        let gone = office.make(manager, "/dealer", person("gone"));
        let remove = Call::new("DELETE", &format!("/users/{}", id(&gone))).token(manager);
        assert_eq!(office.business.client.send(remove).status, 204);
        office.make(manager, "/dealer", person("fresh"));
        office.make(manager, "/users", person("second"));
        // Customers: without remittances, and inactive.
        let norte = &office.ours.tokens[&Role::Agency];
        office.make(norte, "/customer", json!({"name": "Quiet", "customerType": 0}));
        let asleep = office.make(norte, "/customer", json!({"name": "Asleep", "customerType": 0}));
        office.act(
            norte,
            "PUT",
            &format!("/customer/{}", id(&asleep)),
            json!({"name": "Asleep", "customerType": 0, "isActive": false}),
        );
        // Disputes: one open, one settled.
        for settled in [false, true] {
            let disputed = office.disputed(&settled.to_string());
            if settled {
                let path = format!("/remittances/{disputed}/disputes/1");
                office.act(manager, "PUT", &path, json!({"reason": "he paid it back"}));
            }
        }
        // Rate changes: undone, superseded, in force, scheduled.
        let change = |to: &str, at: Value| {
            let rate = json!({"kind": "catalogue", "paymentGroupId": cup, "to": to});
            let mut body = json!({"rates": [rate]});
            if !at.is_null() {
                body["at"] = at;
            }
            office.make(manager, "/rates/changes", body)
        };
        let undone = change("330", Value::Null);
        office.act(
            manager,
            "POST",
            &format!("/rates/changes/{}/undo", id(&undone)),
            json!({}),
        );
        for to in ["331", "332"] {
            change(to, Value::Null);
        }
        change("333", json!((Utc::now() + TimeDelta::days(2)).to_rfc3339()));
        office
    }

    fn make(&self, token: &str, path: &str, body: Value) -> Value {
        self.business.client.expect(201, token, "POST", path, Some(body))
    }

    fn act(&self, token: &str, method: &str, path: &str, body: Value) -> Value {
        self.business.client.expect(200, token, method, path, Some(body))
    }

    /// A dispute about a remittance that was canceled before its delivery was uploaded.
    fn disputed(&self, what: &str) -> String {
        let sale = json!({"senderId": self.ours.any(Kind::Sender), "recipientId": self.ours.any(Kind::Recipient),
                          "paymentGroupId": self.business.cup, "amount": "1", "deliveryMethod": "home"});
        let sold = id(&self.make(&self.ours.tokens[&Role::ExternalAgent], "/remittances", sale));
        let to = json!({"dealerId": self.ours.any(Kind::Dealer), "deliveryManId": self.ours.any(Kind::DeliveryMan)});
        let manager = &self.business.manager;
        self.act(manager, "PUT", &format!("/remittances/{sold}/assign/dealer"), to);
        self.act(
            manager,
            "POST",
            &format!("/remittances/{sold}/cancel"),
            json!({"reason": "changed her mind"}),
        );
        let (shown, yes) = (picture(what), b"true".as_slice());
        let files = [
            ("identificationDocument", "id.png", shown.as_slice()),
            ("firmPicture", "signature.png", shown.as_slice()),
            ("orDispute", "", yes),
        ];
        let call = Call::new("POST", &format!("/remittances/{sold}/complete"))
            .token(&self.ours.tokens[&Role::DeliveryMan])
            .multipart(files);
        assert_eq!(self.business.client.send(call).status, 202);
        sold
    }

    /// A list's rows as a caller sees them; empty where the list is not permitted.
    fn rows(&self, token: &str, list: &List) -> Vec<Value> {
        let (method, path) = list.call;
        let mut call = Call::new(method, path).token(token);
        if method == "POST" {
            call = call.json(&json!({}));
        }
        let answer = self.business.client.send(call);
        match answer.status {
            200 => answer.body["data"].as_array().unwrap().clone(),
            403 => Vec::new(),
            status => panic!("{path}: {status} {}", answer.body),
        }
    }

    /// Sends an action on a row as a preview. Undoing a rate change has no preview and is executed.
    fn ask(&self, token: &str, list: &List, row: &Value, act: &str) -> Answer {
        let (method, path, body) = self.command(token, list, row, act);
        let preview = if act == "undo" { "" } else { "?preview=true" };
        let call = Call::new(method, &format!("{path}{preview}")).token(token);
        let call = if method == "DELETE" { call } else { call.json(&body) };
        self.business.client.send(call)
    }

    fn command(&self, token: &str, list: &List, row: &Value, act: &str) -> (&'static str, String, Value) {
        let business = &self.business;
        let cash = json!({"currency": "CUP", "amount": "1"});
        let id = row["id"].as_str().or(row["party"]["id"].as_str()).unwrap_or_default();
        let role = (list.role)(row);
        let own = |path: &str| format!("{path}/{id}");
        let mut named = json!({"name": "Another", "email": format!("{id}@acme.test")});
        if row["email"] == MANAGER {
            // The own address is changed in the profile.
            named = json!({"name": "Another"});
        }
        if role == "agency" && !list.call.1.starts_with("/users") {
            named["id"] = json!(id);
        }
        match (act, list.of) {
            ("delete", Of::Parties) if role == "agency" => ("PUT", own("/agency"), json!({})),
            ("delete", _) => ("DELETE", own("/users"), Value::Null),
            ("edit", Of::Customers) => {
                let body = json!({"name": "Another", "customerType": row["customerType"]});
                ("PUT", own("/customer"), body)
            }
            ("edit", _) if list.call.1.starts_with("/users") || role == "manager" => ("PUT", own("/users"), named),
            ("edit", _) => match role {
                "agency" => ("PUT", "/agency".into(), named),
                "agent" => ("PUT", own("/agent"), named),
                "dealer" => ("PUT", own("/dealer"), named),
                _ => ("PUT", own("/delivery_men"), named),
            },
            ("setTerms", _) => {
                let body = json!({"paymentGroupId": business.cup, "exchangeRate": "319"});
                ("PUT", own(&format!("/{role}/exchange_rate")), body)
            }
            ("setOwnTerms", _) => {
                let body = json!({"paymentGroupId": business.cup, "name": "Mine"});
                ("PUT", own(&format!("/{role}/exchange_rate")), body)
            }
            ("deposit", _) => {
                let body = match role {
                    "agency" | "agent" => json!({"paymentGroupId": business.cup, "amount": "32"}),
                    _ => cash,
                };
                ("POST", own(&format!("/sources/deposit/{role}")), body)
            }
            ("pay", Of::Debits) => ("POST", "/sources/pay_debits".into(), json!({"debitIds": [id]})),
            ("pay", _) => {
                // Debits owed to the caller, or other debits if there are none.
                let open = format!("/sources/debits?RecordsPerPage=0&status=open&partyId={id}");
                let open = business.client.send(Call::new("GET", &open).token(token)).body;
                let mut debits: Vec<&Value> = open["data"].as_array().into_iter().flatten().collect();
                if debits.iter().any(|debit| refusal(debit, "pay") == Some(None)) {
                    debits.retain(|debit| refusal(debit, "pay") == Some(None));
                }
                let mut ids: Vec<Value> = debits.iter().map(|debit| debit["id"].clone()).collect();
                if ids.is_empty() {
                    ids.push(json!(uuid::Uuid::now_v7()));
                }
                ("POST", "/sources/pay_debits".into(), json!({"debitIds": ids}))
            }
            ("transfer", _) => {
                let body = json!({"from": id, "toManager": true, "currency": "CUP", "amount": "1"});
                ("POST", "/dealer/transfer".into(), body)
            }
            ("exchange", _) => {
                let body = json!({"from": id, "to": self.others.any(Kind::Dealer), "currency": "CUP",
                                  "amount": "100", "toCurrency": "USD", "rate": "0.003125"});
                ("POST", "/dealer/transfer".into(), body)
            }
            ("recordExpense", _) => {
                let body = json!({"currency": "CUP", "amount": "1", "concept": "fuel"});
                ("POST", own("/dealer/expenses"), body)
            }
            ("closePeriod", _) => ("POST", "/accounting/closures".into(), json!({"partyId": id})),
            ("addRecipient", _) => {
                let body = json!({"name": "New", "customerType": 1, "senderId": id,
                                  "addressLine": "Calle 23", "provinceId": business.province,
                                  "municipalityId": business.municipality});
                ("POST", "/customer".into(), body)
            }
            ("addCard", _) => {
                let body = json!({"customerId": id, "cardNumber": "9204-0612-3456-7890", "brand": "bandec_cup"});
                ("POST", "/customer/add_card".into(), body)
            }
            ("reverse", _) => (
                "POST",
                format!("/sources/movements/{id}/reverse"),
                json!({"reason": "a mistake"}),
            ),
            ("settle", _) => {
                let path = format!("/remittances/{}/disputes/{}", text(&row["remittanceId"]), row["number"]);
                ("PUT", path, json!({"reason": "settled"}))
            }
            ("undo", _) => ("POST", format!("/rates/changes/{id}/undo"), json!({})),
            (act, _) => panic!("no act {act}"),
        }
    }
}

fn id(made: &Value) -> String {
    text(&made["id"])
}

/// A row's refusal of an action; `None` where the row has no such action.
fn refusal<'a>(row: &'a Value, act: &str) -> Option<Option<&'a str>> {
    let told = row["actions"].as_array()?.iter().find(|told| told["action"] == act)?;
    Some(told["refusal"].as_str())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Parties,
    Customers,
    Debits,
    Others,
}

struct List {
    call: (&'static str, &'static str),
    of: Of,
    /// The part of the path that names a row's role.
    role: fn(&Value) -> &'static str,
    acts: &'static [&'static str],
}

fn by_user_type(row: &Value) -> &'static str {
    match row["userType"].as_u64() {
        Some(2) => "dealer",
        Some(3) => "agent",
        Some(4) => "agency",
        Some(5) => "manager",
        _ => "delivery",
    }
}

const SELLERS: &[&str] = &["edit", "delete", "setTerms", "setOwnTerms", "deposit"];
const FIELD: &[&str] = &["edit", "delete", "deposit", "transfer", "exchange", "recordExpense"];

const LISTS: &[List] = &[
    List {
        call: ("GET", "/agency?RecordsPerPage=0"),
        of: Of::Parties,
        role: |_| "agency",
        acts: SELLERS,
    },
    List {
        call: ("GET", "/agent?RecordsPerPage=0"),
        of: Of::Parties,
        role: |_| "agent",
        acts: SELLERS,
    },
    List {
        call: ("GET", "/dealer?RecordsPerPage=0&type=0"),
        of: Of::Parties,
        role: |_| "dealer",
        acts: FIELD,
    },
    List {
        call: ("GET", "/dealer?RecordsPerPage=0&type=1"),
        of: Of::Parties,
        role: |_| "delivery",
        acts: FIELD,
    },
    List {
        call: ("GET", "/dealer?RecordsPerPage=0&deleted=true"),
        of: Of::Parties,
        role: |_| "dealer",
        acts: FIELD,
    },
    List {
        call: ("GET", "/users?RecordsPerPage=0"),
        of: Of::Parties,
        role: by_user_type,
        acts: &["edit", "delete"],
    },
    List {
        call: ("GET", "/accounting/party_balances?RecordsPerPage=0"),
        of: Of::Parties,
        role: by_user_type,
        acts: &["deposit"],
    },
    List {
        call: ("POST", "/dashboard/agent/report?RecordsPerPage=0"),
        of: Of::Parties,
        role: |_| "agent",
        acts: &["closePeriod"],
    },
    List {
        call: ("GET", "/customer/sender?RecordsPerPage=0"),
        of: Of::Customers,
        role: |_| "",
        acts: &["edit", "delete", "addRecipient"],
    },
    List {
        call: ("GET", "/customer/reciever?RecordsPerPage=0"),
        of: Of::Customers,
        role: |_| "",
        acts: &["edit", "delete", "addCard"],
    },
    List {
        call: ("GET", "/sources/movements?RecordsPerPage=0"),
        of: Of::Others,
        role: |_| "",
        acts: &["reverse"],
    },
    List {
        call: ("GET", "/sources/debits?RecordsPerPage=0"),
        of: Of::Debits,
        role: |_| "",
        acts: &["pay"],
    },
    List {
        call: ("GET", "/remittances/disputes?RecordsPerPage=0"),
        of: Of::Others,
        role: |_| "",
        acts: &["settle"],
    },
    List {
        call: ("GET", "/rates/changes?RecordsPerPage=0"),
        of: Of::Others,
        role: |_| "",
        acts: &["undo"],
    },
];

#[test]
fn offered_actions_are_accepted_and_others_refused_for_every_list_and_role() {
    let around = Surroundings {
        write_rate: WriteRate::per_second(0),
        ..Surroundings::default()
    };
    let server = Server::among(&["acme"], around);
    let office = Office::open(&server);
    let mut callers = vec![("manager".to_owned(), office.business.manager.clone())];
    for (role, token) in &office.ours.tokens {
        callers.push((role.as_str().to_owned(), token.clone()));
    }
    let mut wrong = Vec::new();
    // How often each action was offered, and how often refused.
    let mut seen: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for list in LISTS {
        for (who, token) in &callers {
            let mut rows = office.rows(token, list);
            // Refused rows first: undoing the change in force may make the previous one undoable.
            rows.sort_by_key(|row| refusal(row, "undo") == Some(None));
            for row in rows {
                let told = row["actions"].as_array().unwrap();
                for act in list.acts {
                    if refusal(&row, act).is_none() {
                        wrong.push(format!("{who} {}: no {act} in {row}", list.call.1));
                    }
                }
                for one in told {
                    let act = one["action"].as_str().unwrap();
                    let refused = one["refusal"].as_str();
                    let answer = office.ask(token, list, &row, act);
                    let agrees = match refused {
                        None => answer.status < 300 || FIGURES.contains(&answer.code()),
                        // Calls that take parties and customers answer one code for an id that is neither.
                        Some(code) if code.ends_with("_not_found") => answer.status == 404,
                        Some(code) => answer.status >= 400 && [code, "invalid"].contains(&answer.code()),
                    };
                    if !agrees {
                        wrong.push(format!(
                            "{who} {} {act}: {refused:?}, {} {}; {}",
                            list.call.1, answer.status, answer.body, row["id"]
                        ));
                    }
                    let counted = seen.entry(act.to_owned()).or_default();
                    if refused.is_none() {
                        counted.0 += 1
                    } else {
                        counted.1 += 1
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(20)]
    );
    for (act, (offered, refused)) in &seen {
        assert!(*offered > 0, "{act} is never offered");
        let always = ["addCard", "recordExpense", "setOwnTerms", "transfer"].contains(&act.as_str());
        assert!(*refused > 0 || always, "{act} is never refused");
    }
    assert_eq!(seen.len(), 15, "{seen:?}");
}
