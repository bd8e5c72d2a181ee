//! Two unrelated branches of one business: each an agency with its agents, a dealer with a delivery man, and their
//! business. Every name of Zafiro's contains that word.

use super::{Business, Call, Client, PASSWORD, text};
use caudal_domain::party::Role;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Kind of the record that a call's `{id}` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Agency,
    Agent,
    Dealer,
    DeliveryMan,
    Sender,
    Recipient,
    Remittance,
    Movement,
    Closure,
    File,
}

/// A branch: its logins, and each role's own record of each kind.
pub struct Branch {
    pub tokens: BTreeMap<Role, String>,
    own: BTreeMap<(Role, Kind), String>,
    ids: BTreeMap<Kind, String>,
}

impl Branch {
    /// A role's own record of a kind; `None` where the role can't see that kind.
    pub fn own(&self, role: Role, kind: Kind) -> Option<&str> {
        self.own.get(&(role, kind)).map(String::as_str)
    }

    pub fn any(&self, kind: Kind) -> &str {
        &self.ids[&kind]
    }

    /// Ids that belong to this branch only.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.ids.values().chain(self.own.values()).map(String::as_str)
    }

    /// Adds a branch of this name to a business.
    pub fn found(business: &Business, name: &str) -> Self {
        let client = &business.client;
        let post = |token: &str, path: &str, body: Value| client.expect(201, token, "POST", path, Some(body));
        let manager = &business.manager;
        let mail = |who: &str| format!("{who}@{}.test", name.to_lowercase());
        let person = |who: &str, more: Value| {
            let mut body = json!({"name": format!("{name} {who}"), "email": mail(who), "password": PASSWORD});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            body
        };
        let agency = text(
            &post(
                manager,
                "/agency",
                person("agency", terms(business, "agencyCommission")),
            )["id"],
        );
        let agent = |who: &str, kind: u8, mut more: Value| {
            more["agentType"] = kind.into();
            more["agencyId"] = agency.clone().into();
            text(&post(manager, "/agent", person(who, more))["id"])
        };
        let external = agent("external", 1, terms(business, "agentCommission"));
        agent("internal", 0, json!({}));
        let zones = json!({"provinceId": business.province, "zones": [business.municipality]});
        let dealer = text(&post(manager, "/dealer", person("dealer", zones))["id"]);
        let man = person("man", json!({"dealerId": dealer}));
        let man = text(&post(manager, "/delivery_men", man)["id"]);
        let login = |who: &str| client.login(&mail(who), PASSWORD);
        let tokens = BTreeMap::from([
            (Role::Agency, login("agency")),
            (Role::ExternalAgent, login("external")),
            (Role::InternalAgent, login("internal")),
            (Role::Dealer, login("dealer")),
            (Role::DeliveryMan, login("man")),
        ]);
        let by = |role: Role| tokens[&role].as_str();

        let funds =
            |who: &str| json!({"paymentGroupId": business.cup, "amount": "9000", "note": format!("{name} {who}")});
        let cash = |amount: &str| json!({"currency": "CUP", "amount": amount, "note": format!("{name} cash")});
        post(manager, "/sources/deposit/manager", cash("500"));
        let moved = |token: &str, path: String, body: Value| text(&post(token, &path, body)["id"]);
        let to_agency = moved(manager, format!("/sources/deposit/agency/{agency}"), funds("9000"));
        let to_agent = moved(
            by(Role::Agency),
            format!("/sources/deposit/agent/{external}"),
            funds("5000"),
        );
        let to_dealer = moved(manager, format!("/sources/deposit/dealer/{dealer}"), cash("500"));
        let to_man = moved(
            by(Role::Dealer),
            format!("/sources/deposit/delivery/{man}"),
            cash("200"),
        );

        let sender = json!({"name": format!("{name} sender"), "customerType": 0});
        let sender = text(&post(by(Role::Agency), "/customer", sender)["id"]);
        let recipient = json!({"name": format!("{name} recipient"), "customerType": 1, "senderId": sender,
                               "addressLine": "Calle 23", "provinceId": business.province,
                               "municipalityId": business.municipality});
        let recipient = text(&post(by(Role::Agency), "/customer", recipient)["id"]);
        let sale = json!({"senderId": sender, "recipientId": recipient, "paymentGroupId": business.cup,
                          "amount": "10", "deliveryMethod": "home", "notes": format!("{name} notes")});
        let remittance = text(&post(by(Role::ExternalAgent), "/remittances", sale)["id"]);
        let assign = json!({"dealerId": dealer, "deliveryManId": man});
        let path = format!("/remittances/{remittance}/assign/dealer");
        client.expect(200, manager, "PUT", &path, Some(assign));
        let closure = json!({"partyId": external});
        let closure = text(&post(manager, "/accounting/closures", closure)["id"]);
        let picture = |role: Role| upload(client, by(role), &format!("{name} {}", role.as_str()));

        let mut own = BTreeMap::new();
        let mut grant = |roles: &[Role], kind: Kind, id: &str| {
            own.extend(roles.iter().map(|role| ((*role, kind), id.to_owned())));
        };
        use Role::{Agency as A, Dealer as D, DeliveryMan as V, ExternalAgent as X, InternalAgent as I};
        grant(&[A], Kind::Agency, &agency);
        grant(&[A, X], Kind::Agent, &external);
        grant(&[D], Kind::Dealer, &dealer);
        grant(&[D], Kind::DeliveryMan, &man);
        grant(&[A, X, I], Kind::Sender, &sender);
        grant(&[A, X, I], Kind::Recipient, &recipient);
        grant(&[A, X, I, D, V], Kind::Remittance, &remittance);
        grant(&[A, I], Kind::Movement, &to_agency);
        grant(&[X], Kind::Movement, &to_agent);
        grant(&[D], Kind::Movement, &to_dealer);
        grant(&[V], Kind::Movement, &to_man);
        grant(&[A, X], Kind::Closure, &closure);
        for role in [A, X, I, D, V] {
            grant(&[role], Kind::File, &picture(role));
        }
        let ids = BTreeMap::from([
            (Kind::Agency, agency),
            (Kind::Agent, external),
            (Kind::Dealer, dealer),
            (Kind::DeliveryMan, man),
            (Kind::Sender, sender),
            (Kind::Recipient, recipient),
            (Kind::Remittance, remittance),
            (Kind::Movement, to_dealer),
            (Kind::Closure, closure),
            (Kind::File, own[&(A, Kind::File)].clone()),
        ]);
        Self { tokens, own, ids }
    }
}

fn terms(business: &Business, commission: &str) -> Value {
    json!({"paymentGroups": [{"paymentGroupId": business.cup, commission: {"rate": "1"}}]})
}

/// Stores a picture unique to the owner.
fn upload(client: &Client, token: &str, what: &str) -> String {
    let content = super::picture(what);
    let call = Call::new("POST", "/files/uploadfile").token(token);
    let answer = client.send(call.multipart([("file", "picture.png", content.as_slice())]));
    assert_eq!(answer.status, 201, "{}", answer.body);
    text(&answer.body["id"])
}
