//! The calls of each kind.

use super::desk::{Desk, Who};
use caudal_domain::approval::ApprovalKind;
use serde_json::{Value, json};

/// What a call answers where a rule covers it.
#[derive(Clone, Copy, Debug)]
pub enum Answers {
    /// 202 with the proposal.
    Waits,
    /// Its other part is done; the event of the covered part is not written.
    Without(&'static str),
}

pub enum Body {
    None,
    Json(Value),
    /// An own list for screening.
    List {
        name: String,
        content: String,
    },
}

/// A call whose records are there.
pub struct Prepared {
    pub path: String,
    pub body: Body,
}

/// One way of giving a command of a kind.
#[derive(Debug)]
pub struct Way {
    pub who: Who,
    pub method: &'static str,
    /// As in the policy table.
    pub path: &'static str,
    pub answers: Answers,
    pub prepare: fn(&Desk<'_>) -> Prepared,
}

const fn way(who: Who, method: &'static str, path: &'static str, prepare: fn(&Desk<'_>) -> Prepared) -> Way {
    Way {
        who,
        method,
        path,
        answers: Answers::Waits,
        prepare,
    }
}

impl Way {
    const fn without(self, effect: &'static str) -> Self {
        Self {
            answers: Answers::Without(effect),
            ..self
        }
    }
}

fn json(path: impl Into<String>, body: Value) -> Prepared {
    Prepared {
        path: path.into(),
        body: Body::Json(body),
    }
}

fn bare(path: impl Into<String>) -> Prepared {
    Prepared {
        path: path.into(),
        body: Body::None,
    }
}

/// Calls of a kind, each by who may make it.
#[allow(clippy::too_many_lines, reason = "one arm a kind")]
pub fn ways(kind: ApprovalKind) -> Vec<Way> {
    use Who::{Agency, Dealer, Manager};
    match kind {
        ApprovalKind::AssignmentOnCash => vec![
            way(Manager, "POST", "/api/sources/deposit/agency/{id}", |d| {
                json(
                    format!("/sources/deposit/agency/{}", d.business.agency),
                    funds(d, false),
                )
            }),
            way(Manager, "POST", "/api/sources/deposit/{id}", |d| {
                json(format!("/sources/deposit/{}", d.business.agency), funds(d, false))
            }),
            way(Manager, "POST", "/api/sources/deposit/dealer/{id}", |d| {
                json(format!("/sources/deposit/dealer/{}", d.business.dealer), cash())
            }),
            way(Agency, "POST", "/api/sources/deposit/agent/{id}", |d| {
                json(format!("/sources/deposit/agent/{}", d.agent), funds(d, false))
            }),
            way(Dealer, "POST", "/api/sources/deposit/delivery/{id}", |d| {
                json(format!("/sources/deposit/delivery/{}", d.man), cash())
            }),
            // The same posting as that of the deposit.
            way(Dealer, "POST", "/api/dealer/transfer", hands_over),
            way(Manager, "POST", "/api/dealer/transfer", hands_over),
        ],
        ApprovalKind::AssignmentOnCredit => vec![
            way(Manager, "POST", "/api/sources/deposit/agency/{id}", |d| {
                json(format!("/sources/deposit/agency/{}", d.business.agency), funds(d, true))
            }),
            way(Manager, "POST", "/api/sources/deposit/{id}", |d| {
                json(format!("/sources/deposit/{}", d.business.agency), funds(d, true))
            }),
            way(Agency, "POST", "/api/sources/deposit/agent/{id}", |d| {
                json(format!("/sources/deposit/agent/{}", d.agent), funds(d, true))
            }),
        ],
        ApprovalKind::CreditLimit => vec![
            way(Manager, "PUT", "/api/agency/exchange_rate/{id}", |d| {
                let limit = json!({"paymentGroupId": d.business.cup, "creditLimit": d.next().to_string()});
                json(format!("/agency/exchange_rate/{}", d.business.agency), limit)
            }),
            way(Agency, "PUT", "/api/agent/exchange_rate/{id}", |d| {
                let limit = json!({"paymentGroupId": d.business.cup, "creditLimit": d.next().to_string()});
                json(format!("/agent/exchange_rate/{}", d.agent), limit)
            }),
            way(Manager, "POST", "/api/agency", |d| {
                json("/agency", branch(d, json!({"creditLimit": "500"})))
            }),
        ],
        ApprovalKind::TermsAndRates => vec![
            way(Manager, "PUT", "/api/agency/exchange_rate/{id}", |d| {
                json(format!("/agency/exchange_rate/{}", d.business.agency), rate(d))
            }),
            way(Manager, "PUT", "/api/agency/exchange_rate/{id}", |d| {
                let commission = json!({"rate": format!("1.{:02}", d.next())});
                let terms = json!({"paymentGroupId": d.business.cup, "agencyCommission": commission});
                json(format!("/agency/exchange_rate/{}", d.business.agency), terms)
            }),
            way(Agency, "PUT", "/api/agent/exchange_rate/{id}", |d| {
                json(format!("/agent/exchange_rate/{}", d.agent), rate(d))
            }),
            way(Manager, "POST", "/api/agency", |d| {
                json("/agency", branch(d, json!({})))
            }),
            way(Agency, "POST", "/api/agent", |d| {
                let terms = json!({"paymentGroupId": d.business.cup, "agentCommission": {"rate": "1"}});
                json("/agent", person(d, json!({"agentType": 1, "paymentGroups": [terms]})))
            }),
            way(Manager, "PUT", "/api/nomenclators/currency/{id}", |d| {
                json(
                    currency(d, "CUP"),
                    json!({"exchangeRate": (400 + d.next()).to_string(), "was": {}}),
                )
            }),
            way(Manager, "POST", "/api/nomenclators/currency", |d| {
                let letter = |number: u32| char::from(b'A' + u8::try_from(number % 26).unwrap());
                let number = d.next();
                let code = format!("X{}{}", letter(number / 26), letter(number));
                let currency = json!({"code": code, "symbol": "x", "exchangeRate": "100000", "distributionRate": "1",
                    "accounted": true, "enabled": true});
                json("/nomenclators/currency", currency)
            }),
            // Delivery fees: of a currency, and of a municipality.
            way(Manager, "PUT", "/api/nomenclators/currency/{id}", |d| {
                json(
                    currency(d, "CUP"),
                    json!({"distributionRate": d.next().to_string(), "was": {}}),
                )
            }),
            way(Manager, "PUT", "/api/nomenclators/municipality/{id}", |d| {
                let fee = json!({"distributionFee": d.next().to_string(), "distributionFeeCurrency": "CUP"});
                json(format!("/nomenclators/municipality/{}", d.business.municipality), fee)
            }),
            way(Manager, "POST", "/api/nomenclators/payment_group", |d| {
                json("/nomenclators/payment_group", group(d))
            }),
            way(Manager, "PUT", "/api/nomenclators/payment_group", |d| {
                let commission = json!({"rate": format!("2.{:02}", d.next())});
                let change = json!({"id": d.business.cup, "managerCommission": commission, "was": {}});
                json("/nomenclators/payment_group", change)
            }),
            way(Manager, "PUT", "/api/nomenclators/payment_group/{id}", |d| {
                let change = json!({"exchangeRate": (300 + d.next()).to_string(), "was": {}});
                json(format!("/nomenclators/payment_group/{}", d.business.cup), change)
            }),
            way(Manager, "POST", "/api/rates/changes", |d| {
                json("/rates/changes", rates(d, &Value::Null))
            }),
            way(Manager, "POST", "/api/rates/changes", |d| {
                let tomorrow = (chrono::Utc::now() + chrono::Duration::days(1)).to_rfc3339();
                json("/rates/changes", rates(d, &json!(tomorrow)))
            }),
            way(Manager, "POST", "/api/rates/changes/{id}/undo", |d| {
                let change = d.made("/rates/changes", rates(d, &Value::Null));
                bare(format!("/rates/changes/{change}/undo"))
            }),
        ],
        ApprovalKind::Reversal => vec![
            way(Manager, "POST", "/api/sources/movements/{id}/reverse", |d| {
                let moved = d.made("/sources/deposit/manager", cash());
                json(format!("/sources/movements/{moved}/reverse"), reason())
            }),
            way(Manager, "POST", "/api/sources/movements/{id}/reverse", |d| {
                let path = format!("/sources/deposit/agency/{}", d.business.agency);
                let moved = d.made(&path, funds(d, true));
                json(format!("/sources/movements/{moved}/reverse"), reason())
            }),
        ],
        ApprovalKind::Expense => vec![
            way(Dealer, "POST", "/api/dealer/expenses/{id}", |d| {
                json(format!("/dealer/expenses/{}", d.business.dealer), expense())
            }),
            way(Manager, "POST", "/api/dealer/expenses/{id}", |d| {
                json(format!("/dealer/expenses/{}", d.business.dealer), expense())
            }),
        ],
        ApprovalKind::DealerExchange => vec![
            way(Manager, "POST", "/api/dealer/transfer", |d| {
                json("/dealer/transfer", exchange(d, ("USD", "10"), "CUP", "330"))
            }),
            way(Manager, "POST", "/api/dealer/transfer", |d| {
                json("/dealer/transfer", exchange(d, ("CUP", "3300"), "USD", "0.0000031"))
            }),
        ],
        ApprovalKind::CancelShipping => vec![
            way(Manager, "POST", "/api/remittances/{id}/cancel", |d| {
                json(format!("/remittances/{}/cancel", d.shipped()), reason())
            }),
            way(Manager, "POST", "/api/remittances/{id}/cancel", |d| {
                json(format!("/remittances/{}/cancel", d.failed()), reason())
            }),
            // Pending again after the error: its carrier may have paid.
            way(Agency, "POST", "/api/remittances/{id}/cancel", |d| {
                let id = d.failed();
                let edit = json!({"amount": "11", "paymentGroupId": d.business.cup});
                d.json(200, Agency, "PUT", &format!("/remittances/{id}"), edit);
                json(format!("/remittances/{id}/cancel"), reason())
            }),
            way(Agency, "POST", "/api/remittances/{id}/cancel", |d| {
                let id = d.failed();
                let edit = json!({"notes": "Ring twice"});
                d.json(200, Agency, "PUT", &format!("/remittances/details/{id}"), edit);
                json(format!("/remittances/{id}/cancel"), reason())
            }),
            // Held, which a cancel does not mind.
            way(Manager, "POST", "/api/remittances/{id}/cancel", |d| {
                let id = d.shipped();
                d.json(201, Manager, "POST", &format!("/remittances/{id}/holds"), reason());
                json(format!("/remittances/{id}/cancel"), reason())
            }),
        ],
        ApprovalKind::LateAmountEdit => vec![
            way(Agency, "PUT", "/api/remittances/{id}", |d| late(d, "10", None)),
            way(Manager, "PUT", "/api/remittances/{id}", |d| late(d, "10", None)),
            way(Agency, "PUT", "/api/remittances/{id}", |d| {
                late(d, "10", Some(json!({"outcome": "hold"})))
            }),
            way(Agency, "PUT", "/api/remittances/{id}", |d| {
                late(d, "10", Some(json!({"outcome": "needs", "needs": ["document"]})))
            }),
            way(Agency, "PUT", "/api/remittances/{id}", |d| {
                late(
                    d,
                    "10",
                    Some(json!({"outcome": "needs", "needs": ["document", "purpose", "source_of_funds"]})),
                )
            }),
        ],
        ApprovalKind::User => vec![
            way(Manager, "POST", "/api/users", |d| json("/users", person(d, json!({})))),
            way(Manager, "POST", "/api/users", |d| {
                json("/users", person(d, json!({"permissionSet": "auditor"})))
            }),
            way(Manager, "POST", "/api/agency", |d| {
                json("/agency", branch(d, json!({})))
            }),
            way(Agency, "POST", "/api/agent", |d| {
                json("/agent", person(d, json!({"agentType": 0})))
            }),
            way(Manager, "POST", "/api/dealer", |d| json("/dealer", person(d, zones(d)))),
            way(Dealer, "POST", "/api/delivery_men", |d| {
                json("/delivery_men", person(d, json!({})))
            }),
            way(Manager, "PUT", "/api/users/{id}", |d| {
                let id = d.made("/users", person(d, json!({"isActive": false})));
                json(format!("/users/{id}"), active())
            }),
            way(Manager, "PUT", "/api/users/{id}", |d| {
                let id = d.made("/users", person(d, json!({})));
                let email = format!("moved{}@example.test", d.next());
                json(format!("/users/{id}"), json!({"email": email}))
            }),
            way(Manager, "PUT", "/api/agency", |d| {
                let id = d.made("/agency", inactive(branch(d, json!({}))));
                let mut change = active();
                change["id"] = json!(id);
                json("/agency", change)
            }),
            way(Manager, "PUT", "/api/agent/{id}", |d| {
                let agent = json!({"agentType": 0, "agencyId": d.business.agency});
                let id = d.made("/agent", inactive(person(d, agent)));
                json(format!("/agent/{id}"), active())
            }),
            way(Manager, "PUT", "/api/dealer", |d| {
                let id = d.made("/dealer", inactive(person(d, zones(d))));
                let mut change = active();
                change["id"] = json!(id);
                json("/dealer", change)
            }),
            way(Manager, "PUT", "/api/dealer/{id}", |d| {
                let id = d.made("/dealer", inactive(person(d, zones(d))));
                json(format!("/dealer/{id}"), active())
            }),
            way(Manager, "PUT", "/api/delivery_men/{id}", |d| {
                let man = json!({"dealerId": d.business.dealer});
                let id = d.made("/delivery_men", inactive(person(d, man)));
                json(format!("/delivery_men/{id}"), active())
            }),
            way(Manager, "PUT", "/api/users/{id}/access", |d| {
                let id = d.made("/users", person(d, json!({"permissionSet": "auditor"})));
                json(format!("/users/{id}/access"), json!({"permissionSet": "operations"}))
            }),
            way(Manager, "PUT", "/api/permission_sets/{id}", |d| {
                let name = format!("Set {}", d.next());
                let set = d.made(
                    "/permission_sets",
                    json!({"name": name, "reads": ["sales"], "writes": []}),
                );
                d.made("/users", person(d, json!({"permissionSet": set})));
                json(
                    format!("/permission_sets/{set}"),
                    json!({"name": name, "reads": [], "writes": ["sales"]}),
                )
            }),
        ],
        ApprovalKind::CardNumber => vec![
            way(Agency, "POST", "/api/customer/add_card", |d| {
                let mut card = card(d);
                card["customerId"] = json!(d.business.recipient);
                json("/customer/add_card", card)
            }),
            way(Agency, "POST", "/api/customer", |d| {
                let recipient = json!({"name": "Eva", "customerType": 1, "senderId": d.business.sender,
                    "addressLine": "Calle 23", "provinceId": d.business.province,
                    "municipalityId": d.business.municipality, "card": [card(d)]});
                json("/customer", recipient)
            })
            .without("CardAdded"),
            way(Agency, "PUT", "/api/customer/{id}", |d| {
                let change = json!({"alias": format!("Tía {}", d.next()), "card": [card(d)], "was": {}});
                json(format!("/customer/{}", d.business.recipient), change)
            })
            .without("CardAdded"),
        ],
        ApprovalKind::Closing => vec![
            way(Manager, "POST", "/api/accounting/closures", |d| {
                json("/accounting/closures", json!({"partyId": d.business.agency}))
            }),
            way(Agency, "POST", "/api/accounting/closures", |d| {
                json("/accounting/closures", json!({"partyId": d.agent}))
            }),
        ],
        ApprovalKind::HoldRelease => vec![
            way(Manager, "POST", "/api/remittances/{id}/holds/{number}/review", |d| {
                let id = d.sold("10");
                d.json(201, Manager, "POST", &format!("/remittances/{id}/holds"), reason());
                let review = json!({"outcome": "release", "reason": "She brought the contract"});
                json(format!("/remittances/{id}/holds/1/review"), review)
            }),
            way(Manager, "POST", "/api/remittances/{id}/holds/{number}/review", |d| {
                let rule = d.limit(json!({"side": "sender", "window": "sale", "amount": "1", "outcome": "hold"}));
                let id = d.sold("10");
                d.delete(&format!("/limit-rules/{rule}"));
                let review = json!({"outcome": "release", "reason": "She brought the contract"});
                json(format!("/remittances/{id}/holds/1/review"), review)
            }),
            // The last match of a customer: what is held for it would go on, and what is sold later.
            way(Manager, "POST", "/api/screening/cases/{id}/decisions", |d| {
                d.choose_list();
                let like = json!({"name": "Zoraida", "lastName": "Quesada", "secondSurname": "Valdivia",
                    "customerType": 1, "senderId": d.business.sender, "addressLine": "Calle 23",
                    "provinceId": d.business.province, "municipalityId": d.business.municipality});
                let like = d.json(201, Agency, "POST", "/customer", like)["id"].clone();
                let mut sale = d.business.sale("10");
                sale["recipientId"] = like.clone();
                d.json(201, Agency, "POST", "/remittances", sale);
                let decision = json!({"list": "sample", "entry": "1", "outcome": "different", "reason": "Another"});
                json(
                    format!("/screening/cases/{}/decisions", like.as_str().unwrap()),
                    decision,
                )
            }),
            // A match that a corrected name ended.
            way(Manager, "POST", "/api/screening/cases/{id}/release", |d| {
                json(format!("/screening/cases/{}/release", corrected(d)), reason())
            })
            .without("HoldReleased"),
        ],
        ApprovalKind::LimitRules => vec![
            way(Manager, "POST", "/api/limit-rules", |d| json("/limit-rules", limit(d))),
            way(Manager, "PUT", "/api/limit-rules/{id}", |d| {
                let rule = d.limit(limit(d));
                json(format!("/limit-rules/{rule}"), limit(d))
            }),
            way(Manager, "DELETE", "/api/limit-rules/{id}", |d| {
                let rule = d.limit(limit(d));
                bare(format!("/limit-rules/{rule}"))
            }),
        ],
        ApprovalKind::ScreeningRules => vec![
            way(Manager, "PUT", "/api/screening/lists", |d| {
                d.choose_list();
                json("/screening/lists", json!({"lists": {"sample": 80 + d.next() % 10}}))
            }),
            way(Manager, "POST", "/api/screening/own-lists", own_list),
            way(Manager, "DELETE", "/api/screening/own-lists/{name}", |d| {
                let list = own_list(d);
                let Body::List { name, .. } = &list.body else {
                    panic!("a list")
                };
                let path = format!("/screening/own-lists/{name}");
                let load = way(Manager, "POST", "/api/screening/own-lists", own_list);
                let loaded = d.send(&load, &list, false, None);
                assert!(matches!(loaded.status, 200 | 201), "{}", loaded.body);
                bare(path)
            }),
        ],
        ApprovalKind::ApprovalRules => vec![
            way(Manager, "POST", "/api/approval-rules", |d| {
                json("/approval-rules", rule(d))
            }),
            way(Manager, "PUT", "/api/approval-rules/{id}", |d| {
                let known = d.made("/approval-rules", rule(d));
                json(format!("/approval-rules/{known}"), rule(d))
            }),
            way(Manager, "DELETE", "/api/approval-rules/{id}", |d| {
                let known = d.made("/approval-rules", rule(d));
                bare(format!("/approval-rules/{known}"))
            }),
        ],
    }
}

fn funds(d: &Desk<'_>, on_credit: bool) -> Value {
    json!({"paymentGroupId": d.business.cup, "amount": "3200", "onCredit": on_credit})
}

fn cash() -> Value {
    json!({"currency": "CUP", "amount": "10"})
}

pub fn exchange(d: &Desk<'_>, (currency, amount): (&str, &str), to: &str, rate: &str) -> Value {
    let dealer = &d.business.dealer;
    json!({"from": dealer, "to": dealer, "currency": currency, "amount": amount, "toCurrency": to, "rate": rate})
}

fn hands_over(d: &Desk<'_>) -> Prepared {
    let mut transfer = cash();
    transfer["from"] = json!(d.business.dealer);
    transfer["to"] = json!(d.man);
    json("/dealer/transfer", transfer)
}

fn expense() -> Value {
    json!({"currency": "CUP", "amount": "10", "concept": "Fuel"})
}

fn reason() -> Value {
    json!({"reason": "She asked for it"})
}

fn active() -> Value {
    json!({"isActive": true, "was": {"isActive": false}})
}

fn inactive(mut person: Value) -> Value {
    person["isActive"] = json!(false);
    person
}

fn person(d: &Desk<'_>, more: Value) -> Value {
    let mut person = json!({"name": "Somebody", "email": d.email(), "password": crate::support::PASSWORD});
    if let (Some(person), Value::Object(more)) = (person.as_object_mut(), more) {
        person.extend(more);
    }
    person
}

fn branch(d: &Desk<'_>, more: Value) -> Value {
    let mut terms = json!({"paymentGroupId": d.business.cup, "agencyCommission": {"rate": "1"}});
    if let (Some(terms), Value::Object(more)) = (terms.as_object_mut(), more) {
        terms.extend(more);
    }
    person(d, json!({"paymentGroups": [terms]}))
}

fn zones(d: &Desk<'_>) -> Value {
    json!({"handleMLC": true, "provinceId": d.business.province, "zones": [d.business.municipality]})
}

fn rate(d: &Desk<'_>) -> Value {
    json!({"paymentGroupId": d.business.cup, "exchangeRate": (300 + d.next()).to_string()})
}

fn rates(d: &Desk<'_>, at: &Value) -> Value {
    let wanted = json!({"kind": "catalogue", "paymentGroupId": d.business.cup, "to": (300 + d.next()).to_string()});
    let mut rates = json!({"rates": [wanted]});
    if !at.is_null() {
        rates["at"] = at.clone();
    }
    rates
}

fn group(d: &Desk<'_>) -> Value {
    json!({"name": format!("Group {}", d.next()), "currencyTo": "CUP", "exchangeRate": "320",
           "managerCommission": {"rate": "2"}})
}

pub fn currency(d: &Desk<'_>, code: &str) -> String {
    let listed = d.get("/nomenclators/currency");
    let listed = listed["data"].as_array().unwrap();
    let known = listed.iter().find(|currency| currency["code"] == code).unwrap();
    format!("/nomenclators/currency/{}", known["id"].as_str().unwrap())
}

fn card(d: &Desk<'_>) -> Value {
    json!({"cardNumber": format!("922506{:010}", d.next()), "brand": "bandec_mlc"})
}

/// An edit of an amount more than a day after the sale; beyond a limit where there is one.
fn late(d: &Desk<'_>, sold: &str, beyond: Option<Value>) -> Prepared {
    d.without_limits();
    let id = d.sold(sold);
    d.pass_a_day();
    if let Some(outcome) = beyond {
        let mut rule = json!({"side": "sender", "window": "sale", "amount": "15"});
        if let (Some(rule), Value::Object(outcome)) = (rule.as_object_mut(), outcome) {
            rule.extend(outcome);
        }
        d.limit(rule);
    }
    json(
        format!("/remittances/{id}"),
        json!({"amount": "20", "paymentGroupId": d.business.cup}),
    )
}

/// A customer whose name was like a listed one until it was corrected, and to whom a remittance was sold before.
fn corrected(d: &Desk<'_>) -> String {
    d.choose_list();
    let named = |last: &str| {
        json!({"name": "Zoraida", "lastName": last, "secondSurname": "Valdivia", "customerType": 1,
            "senderId": d.business.sender, "addressLine": "Calle 23", "provinceId": d.business.province,
            "municipalityId": d.business.municipality})
    };
    let like = d.json(201, Who::Agency, "POST", "/customer", named("Quesada"))["id"].clone();
    let mut sale = d.business.sale("10");
    sale["recipientId"] = like.clone();
    d.json(201, Who::Agency, "POST", "/remittances", sale);
    let like = like.as_str().unwrap().to_owned();
    d.json(200, Who::Agency, "PUT", &format!("/customer/{like}"), named("Ortega"));
    like
}

fn limit(d: &Desk<'_>) -> Value {
    json!({"side": "recipient", "window": "days7", "amount": (100_000 + d.next()).to_string(), "outcome": "refuse"})
}

fn rule(d: &Desk<'_>) -> Value {
    json!({"kind": "expense", "makers": ["dealer"], "approvers": "manager", "expiresAfterHours": 1 + d.next() % 700})
}

fn own_list(d: &Desk<'_>) -> Prepared {
    let number = d.next();
    // A tenant has 20 own lists at most: each is loaded in another version.
    Prepared {
        path: "/screening/own-lists".to_owned(),
        body: Body::List {
            name: format!("own-{number}"),
            content: format!("name\nZoraida Quesada {number}\n"),
        },
    }
}

/// Calls that a rule covers where something stands outside: a factor that the party has enrolled, a provider that answers.
/// `domain/src/approval/tests/users.rs` tries their commands.
pub const TRIED_AS_COMMANDS: &[(&str, &str)] = &[
    ("PUT", "/api/settings/sign_on"),
    ("DELETE", "/api/users/{id}/second_factor"),
];

/// Calls that no rule may cover: they give nobody money, rates or rights, or take rights away; or they are no commands of the
/// business. Imports give commands of other calls, and are tried by files.
pub const WITHOUT_APPROVAL: &[(&str, &str)] = &[
    ("DELETE", "/api/settings/sign_on"),
    ("POST", "/api/customer/{id}/document/files"),
    ("PUT", "/api/customer/{id}/document/pictures"),
    ("DELETE", "/api/users/{id}/sign_on"),
    ("POST", "/api/users/change_password/{email}"),
    ("POST", "/api/users/{id}/viewing"),
    ("DELETE", "/api/viewing"),
    ("DELETE", "/api/sessions"),
    ("DELETE", "/api/sessions/{id}"),
    ("POST", "/api/second_factor/enrolments"),
    ("POST", "/api/second_factor/enrolments/{id}/confirm"),
    ("POST", "/api/second_factor/code"),
    ("POST", "/api/second_factor/passkey"),
    ("POST", "/api/second_factor/passkey/finish"),
    ("POST", "/api/second_factor/passkeys"),
    ("POST", "/api/second_factor/passkeys/finish"),
    ("DELETE", "/api/second_factor/passkeys/{id}"),
    ("POST", "/api/second_factor/recovery_codes"),
    ("POST", "/api/second_factor/remove"),
    ("PUT", "/api/settings/second_factor"),
    ("PUT", "/api/settings/passwords"),
    ("PUT", "/api/users/profile"),
    ("DELETE", "/api/users/{id}"),
    ("POST", "/api/permission_sets"),
    ("DELETE", "/api/permission_sets/{id}"),
    ("POST", "/api/keys"),
    ("POST", "/api/keys/{id}/rotate"),
    ("POST", "/api/keys/{id}/revoke"),
    ("POST", "/api/webhooks"),
    ("PUT", "/api/webhooks/{id}"),
    ("DELETE", "/api/webhooks/{id}"),
    ("POST", "/api/webhooks/{id}/rotate"),
    ("POST", "/api/webhooks/{id}/pause"),
    ("POST", "/api/webhooks/{id}/resume"),
    ("POST", "/api/webhooks/{id}/replay"),
    ("POST", "/api/webhooks/{id}/deliveries/{number}/send"),
    ("POST", "/api/remittances/{id}/holds"),
    ("PUT", "/api/remittances/{id}/breach"),
    ("POST", "/api/remittances/{id}/holds/files"),
    ("POST", "/api/screening/cases/{id}/files"),
    ("POST", "/api/proposals/{id}/approve"),
    ("POST", "/api/proposals/{id}/reject"),
    ("POST", "/api/proposals/{id}/withdraw"),
    ("POST", "/api/imports"),
    ("PUT", "/api/imports/{id}/mapping"),
    ("PUT", "/api/imports/{id}/proofs"),
    ("POST", "/api/imports/{id}/preview"),
    ("PUT", "/api/imports/{id}/rows/{number}"),
    ("POST", "/api/imports/{id}/start"),
    ("POST", "/api/imports/{id}/pause"),
    ("POST", "/api/imports/{id}/resume"),
    ("POST", "/api/imports/{id}/cancel"),
    ("POST", "/api/files/uploadfile"),
    // It deactivates.
    ("PUT", "/api/agency/{id}"),
    ("DELETE", "/api/nomenclators/currency/{id}"),
    ("PUT", "/api/nomenclators/province/{id}"),
    ("DELETE", "/api/nomenclators/payment_group"),
    ("DELETE", "/api/nomenclators/payment_group/{id}"),
    ("POST", "/api/customer/{id}/dossiers"),
    ("POST", "/api/remittances"),
    ("POST", "/api/remittances/dealer"),
    ("PUT", "/api/remittances/details/{id}"),
    ("PUT", "/api/remittances/{id}/assign/dealer"),
    ("PUT", "/api/remittances/assign/dealer"),
    ("PUT", "/api/remittances/{id}/error"),
    ("POST", "/api/remittances/{id}/complete"),
    ("POST", "/api/remittances/{id}/attempts"),
    ("PUT", "/api/remittances/{id}/disputes/{number}"),
    ("POST", "/api/sources/deposit/manager"),
    ("POST", "/api/sources/pay_debits"),
    ("POST", "/api/audit/checkpoints"),
];
