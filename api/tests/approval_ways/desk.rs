//! A business with somebody of each role that makes what rules cover, a second manager, and an API key of each.

use super::ways::{Body, Prepared, Way};
use crate::support::{Answer, Business, Call, MANAGER, PASSWORD, Server, picture, text};
use caudal_domain::{Command, TenantCommand, approval::ApprovalKind, ids::ApprovalRuleId};
use chrono::{Duration, Utc};
use serde_json::{Value, json};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

const TENANT: &str = "acme";

/// Who makes a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    Manager,
    /// The manager who approves.
    Second,
    Agency,
    Dealer,
    Man,
}

impl Who {
    const ALL: [Self; 5] = [Self::Manager, Self::Second, Self::Agency, Self::Dealer, Self::Man];

    const fn email(self) -> &'static str {
        match self {
            Self::Manager => MANAGER,
            Self::Second => "second@example.test",
            Self::Agency => "agency@example.test",
            Self::Dealer => "dealer@example.test",
            Self::Man => "man@example.test",
        }
    }
}

pub struct Desk<'a> {
    server: &'a Server,
    pub business: Business,
    /// An agent of the agency.
    pub agent: String,
    pub man: String,
    tokens: RefCell<BTreeMap<Who, String>>,
    keys: BTreeMap<Who, String>,
    counter: Cell<u32>,
}

impl<'a> Desk<'a> {
    pub fn open(server: &'a Server) -> Self {
        let business = Business::new(server, TENANT);
        let second = json!({"name": "Second", "email": "second@example.test", "password": PASSWORD});
        business.as_manager(201, "POST", "/users", second);
        let terms = json!({"paymentGroupId": business.cup, "agentCommission": {"rate": "1"}});
        let agent = json!({"name": "Agent", "email": "agent@example.test", "password": PASSWORD, "agentType": 1,
                           "paymentGroups": [terms]});
        let agent = text(&business.as_agency(201, "POST", "/agent", agent)["id"]);
        let man =
            json!({"name": "Man", "email": "man@example.test", "password": PASSWORD, "dealerId": business.dealer});
        let man = text(&business.as_manager(201, "POST", "/delivery_men", man)["id"]);
        business.fund("9000000");
        for currency in ["CUP", "USD"] {
            let cash = json!({"currency": currency, "amount": "900000"});
            business.as_manager(201, "POST", "/sources/deposit/manager", cash);
            let cash = json!({"currency": currency, "amount": "90000"});
            let path = format!("/sources/deposit/dealer/{}", business.dealer);
            business.as_manager(201, "POST", &path, cash);
        }
        let mut desk = Self {
            server,
            business,
            agent,
            man,
            tokens: RefCell::default(),
            keys: BTreeMap::new(),
            counter: Cell::new(0),
        };
        desk.log_in();
        for who in [Who::Manager, Who::Agency, Who::Dealer] {
            let scopes = desk.read(who, "/keys/scopes")["results"].clone();
            let scopes: Vec<_> = scopes
                .as_array()
                .unwrap()
                .iter()
                .map(|scope| scope["scope"].clone())
                .collect();
            let expires = (Utc::now() + Duration::days(300)).to_rfc3339();
            let wanted = json!({"name": "Everything", "scopes": scopes, "expiresAt": expires});
            let issued = desk.json(201, who, "POST", "/keys", wanted);
            desk.keys.insert(who, text(&issued["secret"]));
        }
        desk
    }

    fn log_in(&self) {
        for who in Who::ALL {
            let token = self.business.client.login(who.email(), PASSWORD);
            self.tokens.borrow_mut().insert(who, token);
        }
    }

    fn token(&self, who: Who) -> String {
        self.tokens.borrow()[&who].clone()
    }

    /// Moves the clock by more than a day; sessions are renewed.
    pub fn pass_a_day(&self) {
        self.server.pass(Duration::hours(25));
        self.log_in();
    }

    /// A number that was not given before.
    pub fn next(&self) -> u32 {
        self.counter.set(self.counter.get() + 1);
        self.counter.get()
    }

    pub fn email(&self) -> String {
        format!("person{}@example.test", self.next())
    }

    pub fn json(&self, status: u16, who: Who, method: &str, path: &str, body: Value) -> Value {
        self.business
            .client
            .expect(status, &self.token(who), method, path, Some(body))
    }

    pub fn read(&self, who: Who, path: &str) -> Value {
        self.business.client.expect(200, &self.token(who), "GET", path, None)
    }

    pub fn get(&self, path: &str) -> Value {
        self.read(Who::Second, path)
    }

    /// Makes something as the manager, without a rule that covers it; returns its id.
    pub fn made(&self, path: &str, body: Value) -> String {
        text(&self.json(201, Who::Manager, "POST", path, body)["id"])
    }

    pub fn delete(&self, path: &str) {
        let call = Call::new("DELETE", path).token(&self.token(Who::Manager));
        let answer = self.business.client.send(call);
        assert_eq!(answer.status, 204, "{path}: {}", answer.body);
    }

    /// The call of a way, by a session or by the same party's API key.
    pub fn send(&self, way: &Way, call: &Prepared, by_key: bool, key: Option<&str>) -> Answer {
        let token = if by_key {
            self.keys[&way.who].clone()
        } else {
            self.token(way.who)
        };
        let mut sent = Call::new(way.method, &call.path).token(&token);
        if let Some(key) = key {
            sent = sent.key(key);
        }
        let sent = match &call.body {
            Body::None => sent,
            Body::Json(body) => sent.json(body),
            Body::List { name, content } => sent.multipart([
                ("name", "name", name.as_bytes()),
                ("file", "own.csv", content.as_bytes()),
            ]),
        };
        self.business.client.send(sent)
    }

    /// A rule of a kind for everybody and every amount; returns its id.
    pub fn rule(&self, kind: ApprovalKind) -> String {
        let makers = [
            "manager",
            "agency",
            "external_agent",
            "internal_agent",
            "dealer",
            "delivery_man",
        ];
        let rule = json!({"kind": kind.as_str(), "makers": makers, "approvers": "manager", "expiresAfterHours": 24});
        self.made("/approval-rules", rule)
    }

    /// Removes a rule as the system, which a rule about rules does not cover.
    pub fn remove(&self, rule: &str) {
        let id = ApprovalRuleId(rule.parse().unwrap());
        self.server
            .submit(TENANT, Command::Tenant(TenantCommand::RemoveApprovalRule(id)));
    }

    pub fn limit(&self, rule: Value) -> String {
        self.made("/limit-rules", rule)
    }

    pub fn without_limits(&self) {
        for rule in self.get("/limit-rules")["results"].as_array().unwrap() {
            self.delete(&format!("/limit-rules/{}", text(&rule["id"])));
        }
    }

    /// Chooses a list that Zoraida Quesada is on.
    pub fn choose_list(&self) {
        self.server.load_list("sample", "id;name\n1;Zoraida Quesada Valdivia\n");
        let lists = json!({"lists": {"sample": 90}});
        self.json(200, Who::Manager, "PUT", "/screening/lists", lists);
    }

    pub fn head(&self) -> i64 {
        self.server.head(TENANT)
    }

    /// Types of the events after a position.
    pub fn events_after(&self, head: i64) -> Vec<String> {
        let events = self.get("/audit/events?RecordsPerPage=100");
        let rows = events["data"].as_array().unwrap().iter().rev();
        rows.filter(|row| row["position"].as_i64().unwrap() > head)
            .map(|row| text(&row["eventType"]))
            .collect()
    }

    /// All accounts with their balances.
    pub fn accounts(&self) -> Value {
        self.get("/accounting/balances?RecordsPerPage=0")["data"].clone()
    }

    /// Ids of the waiting proposals.
    pub fn waiting(&self) -> Vec<String> {
        let listed = self.get("/proposals?waiting=true&RecordsPerPage=100");
        listed["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| text(&row["id"]))
            .collect()
    }

    pub fn approve(&self, id: &str) {
        let path = format!("/proposals/{id}/approve");
        self.json(200, Who::Second, "POST", &path, json!({}));
    }

    pub fn sold(&self, amount: &str) -> String {
        text(&self.json(201, Who::Agency, "POST", "/remittances", self.business.sale(amount))["id"])
    }

    /// A remittance that the delivery man has.
    pub fn shipped(&self) -> String {
        let id = self.sold("10");
        let to = json!({"dealerId": self.business.dealer, "deliveryManId": self.man});
        self.json(
            200,
            Who::Manager,
            "PUT",
            &format!("/remittances/{id}/assign/dealer"),
            to,
        );
        id
    }

    /// A remittance that came back in error.
    pub fn failed(&self) -> String {
        let id = self.shipped();
        let reason = json!({"reason": "nobody at home"});
        self.json(200, Who::Manager, "PUT", &format!("/remittances/{id}/error"), reason);
        id
    }

    /// The delivery man's delivery as his telephone sends it when it has a network again.
    pub fn delivers_offline(&self, id: &str) -> Answer {
        let proof = picture("proof");
        let delivered = Utc::now().to_rfc3339();
        let call = Call::new("POST", &format!("/remittances/{id}/complete"))
            .token(&self.token(Who::Man))
            .multipart([
                ("identificationDocument", "id.png", proof.as_slice()),
                ("firmPicture", "firm.png", proof.as_slice()),
                ("deliveredAt", "", delivered.as_bytes()),
                ("orDispute", "", b"true".as_slice()),
            ]);
        self.business.client.send(call)
    }
}
