//! A tenant with two branches that trade, and business of others than the first branch.

use crate::support::{Branch, Business, Call, Client, Kind, PASSWORD, Server, text};
use caudal_domain::{
    Command,
    customer::CustomerCommand,
    erasure::Forget,
    ids::{CustomerId, PartyId},
    party::{PartyCommand, Role},
};
use chrono::{Duration, Timelike as _, Utc};
use chrono_tz::America::Havana;
use serde_json::{Value, json};
use std::sync::LazyLock;

const PHOTOGRAPH: &[u8] = include_bytes!("../worked_day/id.png");
const SIGNATURE: &[u8] = include_bytes!("../worked_day/signature.png");

/// Hour of the tenants' day at which the tests run, so that no test spans midnight.
const MORNING: i64 = 9;

/// At once, of somebody without business.
const FORGET: Forget = Forget {
    retention_days: 0,
    last_business: None,
};

/// Offset of the clock: one for the whole run, also if the run spans the turn of an hour.
pub fn ahead() -> Duration {
    static AHEAD: LazyLock<Duration> = LazyLock::new(|| {
        let hour = i64::from(Utc::now().with_timezone(&Havana).hour());
        Duration::hours(24 + MORNING - hour)
    });
    *AHEAD
}

/// Owner of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    Own,
    Others,
}

pub struct World {
    tenant: String,
    pub business: Business,
    pub client: Client,
    /// The day of the test in the tenants' zone, YYYYMMDD.
    pub today: String,
    norte: Branch,
    zafiro: Branch,
    /// Another external agent of Norte's agency.
    sibling: String,
    sibling_token: String,
    /// Another delivery man of Norte's dealer.
    second_man: String,
    second_man_token: String,
    /// Proposals of Norte's dealer and of Zafiro's.
    proposals: [String; 2],
    /// Imports of Norte's agency and of Zafiro's.
    imports: [String; 2],
}

impl World {
    /// Opens a tenant with the same parties and the same business of Norte, with others' business before and after
    /// it.
    pub fn open(server: &Server, tenant: &str, others: impl Fn(&Self, &Server)) -> Self {
        let business = Business::new(server, tenant);
        let (norte, zafiro) = (Branch::found(&business, "Norte"), Branch::found(&business, "Zafiro"));
        let client = business.client.clone();
        let (agency, dealer) = (norte.any(Kind::Agency), norte.any(Kind::Dealer));
        let sibling = json!({"name": "Sibling", "email": "sibling@norte.test", "password": PASSWORD, "agentType": 1,
            "agencyId": agency, "paymentGroups": [{"paymentGroupId": business.cup, "agentCommission": {"rate": "3"}}]});
        let sibling = text(&business.as_manager(201, "POST", "/agent", sibling)["id"]);
        let second = json!({"name": "Second", "email": "second@norte.test", "password": PASSWORD, "dealerId": dealer});
        let second_man = text(&business.as_manager(201, "POST", "/delivery_men", second)["id"]);
        let large = json!({"kind": "expense", "makers": ["dealer"], "fromAmount": "50", "approvers": "manager",
                           "expiresAfterHours": 72});
        business.as_manager(201, "POST", "/approval-rules", large);
        let limit = json!({"side": "sender", "window": "days30", "amount": "900000", "outcome": "hold"});
        business.as_manager(201, "POST", "/limit-rules", limit);
        let proposals = [&norte, &zafiro].map(|branch| text(&propose(&client, branch)["id"]));
        let imports = [(&norte, "Norteña"), (&zafiro, "Zafirina")].map(|(branch, name)| {
            let file = format!("Nombre\n{name}\n");
            let parts = [
                ("kind", "kind", b"issuers".as_slice()),
                ("file", "file", file.as_bytes()),
            ];
            let call = Call::new("POST", "/imports").token(&branch.tokens[&Role::Agency]);
            text(&client.send(call.multipart(parts)).body["id"])
        });
        let now = Utc::now() + ahead();
        let world = Self {
            tenant: tenant.to_owned(),
            today: now.with_timezone(&Havana).format("%Y%m%d").to_string(),
            sibling_token: client.login("sibling@norte.test", PASSWORD),
            second_man_token: client.login("second@norte.test", PASSWORD),
            business,
            client,
            norte,
            zafiro,
            sibling,
            second_man,
            proposals,
            imports,
        };
        others(&world, server);
        world.trade_of_the_branch();
        others(&world, server);
        world
    }

    /// The token of a role of Norte.
    pub fn token(&self, role: Role) -> &str {
        &self.norte.tokens[&role]
    }

    /// A record of a kind: Norte's, the role's own where there is one, or Zafiro's.
    pub fn id(&self, role: Role, kind: Kind, whose: Whose) -> String {
        let own = match whose {
            Whose::Own => self.norte.own(role, kind).unwrap_or_else(|| self.norte.any(kind)),
            Whose::Others => self.zafiro.any(kind),
        };
        own.to_owned()
    }

    /// A proposal of Norte's dealer, or of Zafiro's.
    pub fn proposal(&self, whose: Whose) -> &str {
        let [own, others] = &self.proposals;
        match whose {
            Whose::Own => own,
            Whose::Others => others,
        }
    }

    /// An import of Norte's agency, or of Zafiro's.
    pub fn import(&self, whose: Whose) -> &str {
        let [own, others] = &self.imports;
        match whose {
            Whose::Own => own,
            Whose::Others => others,
        }
    }

    /// Business of every world: sales in every state, credit and its payment, cash transfers, a delivery.
    fn trade_of_the_branch(&self) {
        let norte = &self.norte;
        let man = norte.any(Kind::DeliveryMan);
        let owed = self.assign_on_credit(norte, "20000");
        self.pay_with_others(&self.business.manager, owed, self.zafiro.any(Kind::Agency));
        let (agency, agent) = (self.token(Role::Agency), norte.any(Kind::Agent));
        let funds = json!({"paymentGroupId": self.business.cup, "amount": "640", "onCredit": true});
        let owed = self.post(201, agency, &format!("/sources/deposit/agent/{agent}"), funds);
        self.pay_with_others(agency, text(&owed["debitId"]), &self.sibling);
        let spent = json!({"currency": "CUP", "amount": "7", "concept": "Fuel"});
        for (role, kind) in [(Role::Dealer, Kind::Dealer), (Role::DeliveryMan, Kind::DeliveryMan)] {
            let path = format!("/dealer/expenses/{}", norte.any(kind));
            self.post(201, &norte.tokens[&role], &path, spent.clone());
        }
        for (role, amount) in [
            (Role::Agency, "3"),
            (Role::ExternalAgent, "1"),
            (Role::InternalAgent, "2"),
        ] {
            let token = &norte.tokens[&role];
            self.sell(norte, token, amount);
            let canceled = self.sell(norte, token, amount);
            self.post(
                200,
                token,
                &format!("/remittances/{canceled}/cancel"),
                json!({"reason": "Doubled"}),
            );
            let delivered = self.sell(norte, token, amount);
            self.assign(&delivered, norte, man);
            self.deliver(&delivered, &norte.tokens[&Role::DeliveryMan]);
            let failed = self.sell(norte, token, amount);
            self.assign(&failed, norte, man);
            self.put(
                &norte.tokens[&Role::DeliveryMan],
                &format!("/remittances/{failed}/error"),
                json!({"reason": "Away"}),
            );
        }
    }

    /// Business of the tenant's manager, another agency and another dealer, some of whose people are forgotten.
    pub fn strangers_trade(&self, server: &Server) {
        let zafiro = &self.zafiro;
        let deactivated = self.agency_trades(
            zafiro,
            &[Role::Agency, Role::ExternalAgent, Role::InternalAgent].map(|role| &*zafiro.tokens[&role]),
        );
        self.dealer_delivers(
            zafiro,
            zafiro.any(Kind::DeliveryMan),
            &zafiro.tokens[&Role::DeliveryMan],
        );
        for person in ["Rita", "Olga"] {
            let sender = json!({"name": person, "lastName": "Norte", "customerType": 0});
            let sender = text(&self.post(201, &zafiro.tokens[&Role::Agency], "/customer", sender)["id"]);
            let recipient = json!({"name": "Norte's uncle", "customerType": 1, "senderId": sender});
            self.post(201, &zafiro.tokens[&Role::Agency], "/customer", recipient);
            let sender = CustomerId(sender.parse().unwrap());
            server.submit(&self.tenant, Command::Customer(sender, CustomerCommand::Forget(FORGET)));
        }
        let deactivated = PartyId(deactivated.parse().unwrap());
        server.submit(&self.tenant, Command::Party(deactivated, PartyCommand::Forget(FORGET)));
        let manager = &self.business.manager;
        let capital = json!({"currency": "CUP", "amount": "700", "note": "More"});
        self.post(201, manager, "/sources/deposit/manager", capital);
        let exchange = json!({"from": zafiro.any(Kind::Dealer), "to": zafiro.any(Kind::Dealer), "currency": "CUP",
                              "amount": "32", "toCurrency": "USD", "rate": "0.003125"});
        self.post(201, manager, "/dealer/transfer", exchange);
        let close = json!({"partyId": zafiro.any(Kind::Agency)});
        self.post(201, manager, "/accounting/closures", close);
        let terms =
            json!({"paymentGroupId": self.business.cup, "rate": "4", "currencyTo": "CUP", "type": 1, "name": "Zafiro"});
        self.put(
            manager,
            &format!("/agency/exchange_rate/{}", zafiro.any(Kind::Agency)),
            terms,
        );
    }

    /// Business of Norte's agency itself and of its second agent.
    pub fn own_agency_trades(&self, _: &Server) {
        self.assign_on_credit(&self.norte, "3000");
        let path = format!("/sources/deposit/agent/{}", self.sibling);
        self.post(
            201,
            self.token(Role::Agency),
            &path,
            json!({"paymentGroupId": self.business.cup, "amount": "3000", "onCredit": true}),
        );
        self.agency_trades(
            &self.norte,
            &[
                self.token(Role::Agency),
                self.token(Role::InternalAgent),
                &self.sibling_token,
            ],
        );
    }

    /// Deliveries of Zafiro's sales by Norte's dealer and his second delivery man.
    pub fn own_dealer_delivers(&self, _: &Server) {
        self.dealer_delivers(&self.norte, &self.second_man, &self.second_man_token);
    }

    /// An agency gets balance, of which some is reversed, sells in every way, pays, and deactivates an agent, whose id is
    /// the answer.
    fn agency_trades(&self, branch: &Branch, sellers: &[&str]) -> String {
        let manager = &self.business.manager;
        self.assign_on_credit(branch, "6400");
        for token in sellers {
            let sold = self.sell(branch, token, "2.50");
            let edit = json!({"amount": "2", "paymentGroupId": self.business.cup});
            self.put(token, &format!("/remittances/{sold}"), edit);
            let canceled = self.sell(branch, token, "1.25");
            self.post(
                200,
                token,
                &format!("/remittances/{canceled}/cancel"),
                json!({"reason": "Doubled"}),
            );
            let failed = self.sell(branch, token, "1.50");
            self.put(
                manager,
                &format!("/remittances/{failed}/error"),
                json!({"reason": "No address"}),
            );
        }
        let funds = json!({"paymentGroupId": self.business.cup, "amount": "70", "onCredit": true});
        let path = format!("/sources/deposit/agency/{}", branch.any(Kind::Agency));
        let mistaken = text(&self.post(201, manager, &path, funds)["id"]);
        let path = format!("/sources/movements/{mistaken}/reverse");
        self.post(200, manager, &path, json!({"reason": "A mistake"}));
        let gone = json!({"name": "Gone", "email": format!("gone-{mistaken}@norte.test"), "password": PASSWORD,
                          "agentType": 0, "agencyId": branch.any(Kind::Agency)});
        let gone = text(&self.post(201, &branch.tokens[&Role::Agency], "/agent", gone)["id"]);
        self.client.expect(
            204,
            &branch.tokens[&Role::Agency],
            "DELETE",
            &format!("/users/{gone}"),
            None,
        );
        let path = format!("/sources/debits?partyId={}&status=open", branch.any(Kind::Agency));
        let debits = self.client.expect(200, manager, "GET", &path, None);
        let debit = text(&debits["data"][0]["id"]);
        self.post(
            201,
            manager,
            "/sources/pay_debits",
            json!({"debitIds": [debit], "amount": "1"}),
        );
        gone
    }

    /// A dealer gets cash, hands some over, spends some, and one of his men delivers sales of Zafiro's: in time, in vain, and
    /// in dispute.
    fn dealer_delivers(&self, branch: &Branch, man: &str, man_token: &str) {
        let (manager, dealer, by) = (
            &self.business.manager,
            branch.any(Kind::Dealer),
            &branch.tokens[&Role::Dealer],
        );
        let cash = |amount: &str| json!({"currency": "CUP", "amount": amount});
        self.post(201, manager, "/sources/deposit/manager", cash("3000"));
        self.post(201, manager, &format!("/sources/deposit/dealer/{dealer}"), cash("1100"));
        self.post(201, by, &format!("/sources/deposit/delivery/{man}"), cash("300"));
        let back = json!({"from": man, "to": dealer, "currency": "CUP", "amount": "20"});
        self.post(201, man_token, "/dealer/transfer", back);
        let returned = json!({"from": dealer, "toManager": true, "currency": "CUP", "amount": "30"});
        self.post(201, by, "/dealer/transfer", returned);
        let spent = json!({"currency": "CUP", "amount": "9", "concept": "Tyres"});
        self.post(201, man_token, &format!("/dealer/expenses/{man}"), spent.clone());
        self.post(201, by, &format!("/dealer/expenses/{dealer}"), spent);
        if branch.any(Kind::Dealer) == self.zafiro.any(Kind::Dealer) {
            propose(&self.client, branch);
        }
        self.assign_on_credit(&self.zafiro, "1600");
        for amount in ["0.50", "0.75", "1"] {
            let sold = self.sell(&self.zafiro, &self.zafiro.tokens[&Role::Agency], amount);
            self.assign(&sold, branch, man);
            match amount {
                "0.50" => self.deliver(&sold, man_token),
                "0.75" => self.put(
                    man_token,
                    &format!("/remittances/{sold}/error"),
                    json!({"reason": "Away"}),
                ),
                _ => {}
            }
        }
        let carried = || {
            let sold = self.sell(&self.zafiro, &self.zafiro.tokens[&Role::Agency], "0.25");
            self.assign(&sold, branch, man);
            sold
        };
        let path = format!("/remittances/{}/attempts", carried());
        self.post(200, man_token, &path, json!({"reason": "nobodyHome"}));
        for is_settled in [false, true] {
            let sold = carried();
            let path = format!("/remittances/{sold}");
            self.post(200, manager, &format!("{path}/cancel"), json!({"reason": "Doubled"}));
            self.dispute(&sold, man_token);
            if is_settled {
                self.put(by, &format!("{path}/disputes/1"), json!({"reason": "Paid back"}));
            }
        }
    }

    /// A delivery without a network of a remittance that was canceled meanwhile.
    fn dispute(&self, remittance: &str, token: &str) {
        let delivered = (Utc::now() + ahead()).to_rfc3339();
        let call = Call::new("POST", &format!("/remittances/{remittance}/complete"))
            .token(token)
            .key(&format!("dispute-{remittance}"));
        let answer = self.client.send(call.multipart([
            ("identificationDocument", "id.png", PHOTOGRAPH),
            ("firmPicture", "signature.png", SIGNATURE),
            ("deliveredAt", "", delivered.as_bytes()),
            ("orDispute", "", b"true".as_slice()),
        ]));
        assert_eq!(answer.status, 202, "{}", answer.body);
    }

    /// The answer is the debit's id.
    fn assign_on_credit(&self, branch: &Branch, amount: &str) -> String {
        let path = format!("/sources/deposit/agency/{}", branch.any(Kind::Agency));
        let funds = json!({"paymentGroupId": self.business.cup, "amount": amount, "onCredit": true});
        text(&self.post(201, &self.business.manager, &path, funds)["debitId"])
    }

    /// A payment in full of a debit and, in worlds where another party owes the same creditor too, of its debits.
    fn pay_with_others(&self, creditor: &str, debit: String, other: &str) {
        let path = format!("/sources/debits?partyId={other}&status=open&RecordsPerPage=0");
        let others = self.client.expect(200, creditor, "GET", &path, None);
        let others = others["data"].as_array().unwrap().iter().map(|row| text(&row["id"]));
        let debits: Vec<String> = std::iter::once(debit).chain(others).collect();
        self.post(201, creditor, "/sources/pay_debits", json!({"debitIds": debits}));
    }

    fn sell(&self, branch: &Branch, token: &str, amount: &str) -> String {
        let sale = json!({"senderId": branch.any(Kind::Sender), "recipientId": branch.any(Kind::Recipient),
                          "paymentGroupId": self.business.cup, "amount": amount, "deliveryMethod": "home"});
        text(&self.post(201, token, "/remittances", sale)["id"])
    }

    fn assign(&self, remittance: &str, branch: &Branch, man: &str) {
        let assign = json!({"dealerId": branch.any(Kind::Dealer), "deliveryManId": man});
        self.put(
            &self.business.manager,
            &format!("/remittances/{remittance}/assign/dealer"),
            assign,
        );
    }

    fn deliver(&self, remittance: &str, token: &str) {
        let call = Call::new("POST", &format!("/remittances/{remittance}/complete")).token(token);
        let answer = self.client.send(call.multipart([
            ("identificationDocument", "id.png", PHOTOGRAPH),
            ("firmPicture", "signature.png", SIGNATURE),
        ]));
        assert_eq!(answer.status, 200, "{}", answer.body);
    }

    fn post(&self, status: u16, token: &str, path: &str, body: Value) -> Value {
        self.client.expect(status, token, "POST", path, Some(body))
    }

    fn put(&self, token: &str, path: &str, body: Value) {
        self.client.expect(200, token, "PUT", path, Some(body));
    }
}

/// An expense that waits for an approval.
fn propose(client: &Client, branch: &Branch) -> Value {
    let path = format!("/dealer/expenses/{}", branch.any(Kind::Dealer));
    let spent = json!({"currency": "CUP", "amount": "60", "concept": "Tyres"});
    client.expect(202, &branch.tokens[&Role::Dealer], "POST", &path, Some(spent))
}
