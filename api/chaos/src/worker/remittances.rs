//! Commands about issuers, and about remittances from the sale to the delivery or the cancel.

use super::{Held, Status, Worker, tenants};
use crate::{
    business::{COMMISSION_PERCENT, RATE},
    client::Call,
    fleet::MANAGER,
    model::{Account, Posting, post, units},
};
use serde_json::json;

/// A picture, as proof of deliveries.
const PICTURE: &[u8] = include_bytes!("../../../tests/worked_day/id.png");

impl Worker {
    /// A new issuer: personal data under a new key, and nothing in the books.
    pub(super) fn register(&mut self) {
        let email = self.business.agency_email.clone();
        let body =
            json!({"name": format!("Issuer {}", self.commands), "customerType": 0, "phoneNumber": "+5350000000"});
        self.command(&email, Call::new("POST", "/api/customer").json(&body), None);
    }

    pub(super) fn sell(&mut self) {
        let dollars = i64::try_from(self.dice.between(1, 40)).expect("it is small");
        let body = json!({"senderId": self.business.sender, "recipientId": self.business.recipient,
                          "paymentGroupId": self.group, "amount": units(dollars * 100), "deliveryMethod": "home"});
        let email = self.business.agency_email.clone();
        let call = Call::new("POST", "/api/remittances").json(&body);
        let Some(answer) = self.command(&email, call, None) else {
            return;
        };
        let sold = self.sold(dollars);
        self.model.add(&sold);
        self.unbilled += fee(dollars);
        self.open.push(Held {
            id: answer.text("id"),
            status: Status::Pending,
            dollars,
        });
    }

    /// Does the next thing with one of the open remittances.
    pub(super) fn advance(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let index = self.dice.index(self.open.len());
        let held = self.open.swap_remove(index);
        let chance = self.dice.below(10);
        let held = match held.status {
            Status::Shipping if chance == 0 => self.cancel(held),
            Status::Shipping if chance <= 2 => self.fail(held),
            Status::Shipping => self.complete(held),
            _ if chance <= 1 => self.cancel(held),
            _ if chance <= 3 => self.edit(held),
            _ => self.assign(held),
        };
        match held.status {
            Status::Canceled | Status::Completed => self.closed.push(held),
            _ => self.open.push(held),
        }
    }

    fn cancel(&mut self, held: Held) -> Held {
        // What is on its way the manager alone cancels.
        let email = match held.status {
            Status::Shipping => MANAGER.to_owned(),
            _ => self.business.agency_email.clone(),
        };
        let call = Call::new("POST", format!("/api/remittances/{}/cancel", held.id));
        let call = call.json(&json!({"reason": "a petición del emisor"}));
        if self.command(&email, call, Some(&held.id)).is_none() {
            return held;
        }
        let unsold = self.unsold(&held);
        self.model.add(&unsold);
        self.unbilled -= fee(held.dollars);
        Held {
            status: Status::Canceled,
            ..held
        }
    }

    fn edit(&mut self, held: Held) -> Held {
        // Another amount: a change that changes nothing writes no event, and the audit counts one for each command.
        let dollars = match i64::try_from(self.dice.between(1, 40)).expect("it is small") {
            dollars if dollars == held.dollars => dollars + 1,
            dollars => dollars,
        };
        let body = json!({"amount": units(dollars * 100), "paymentGroupId": self.group});
        let email = self.business.agency_email.clone();
        let call = Call::new("PUT", format!("/api/remittances/{}", held.id)).json(&body);
        if self.command(&email, call, Some(&held.id)).is_none() {
            return held;
        }
        let (unsold, sold) = (self.unsold(&held), self.sold(dollars));
        self.model.add(&unsold);
        self.model.add(&sold);
        self.unbilled += fee(dollars) - fee(held.dollars);
        Held {
            status: Status::Pending,
            dollars,
            ..held
        }
    }

    fn assign(&mut self, held: Held) -> Held {
        let body = json!({"dealerId": self.business.dealer});
        let call = Call::new("PUT", format!("/api/remittances/{}/assign/dealer", held.id)).json(&body);
        self.moved(held, call, Status::Shipping)
    }

    fn fail(&mut self, held: Held) -> Held {
        let body = json!({"reason": "no había nadie"});
        let call = Call::new("PUT", format!("/api/remittances/{}/error", held.id)).json(&body);
        self.moved(held, call, Status::Error)
    }

    fn moved(&mut self, held: Held, call: Call, status: Status) -> Held {
        if self.command(MANAGER, call, Some(&held.id)).is_none() {
            return held;
        }
        let (from, payout) = (self.stands_at(held.status), payout(held.dollars));
        let to = self.stands_at(status);
        self.model.add(&[post(from, to, payout)]);
        Held { status, ..held }
    }

    fn complete(&mut self, held: Held) -> Held {
        let files = [("identificationDocument", PICTURE), ("firmPicture", PICTURE)];
        let call = Call::new("POST", format!("/api/remittances/{}/complete", held.id)).files(&files);
        if self.command(MANAGER, call, Some(&held.id)).is_none() {
            return held;
        }
        let delivered = [
            post(
                self.stands_at(held.status),
                self.dealers("field_cash"),
                payout(held.dollars),
            ),
            post(
                tenants("deferred_commission", "USD"),
                tenants("commission_income", "USD"),
                fee(held.dollars),
            ),
        ];
        self.model.add(&delivered);
        Held {
            status: Status::Completed,
            ..held
        }
    }

    fn sold(&self, dollars: i64) -> Vec<Posting> {
        vec![
            post(
                self.agencys("balance", "CUP"),
                tenants("remittances_pending", "CUP"),
                payout(dollars),
            ),
            post(
                self.agencys("commission_receivable", "USD"),
                tenants("deferred_commission", "USD"),
                fee(dollars),
            ),
        ]
    }

    fn unsold(&self, held: &Held) -> Vec<Posting> {
        vec![
            post(
                self.stands_at(held.status),
                self.agencys("balance", "CUP"),
                payout(held.dollars),
            ),
            post(
                tenants("deferred_commission", "USD"),
                self.agencys("commission_receivable", "USD"),
                fee(held.dollars),
            ),
        ]
    }

    /// The account where an open remittance's payout stands.
    fn stands_at(&self, status: Status) -> Account {
        match status {
            Status::Shipping => self.dealers("remittances_shipping"),
            Status::Error => tenants("remittances_error", "CUP"),
            _ => tenants("remittances_pending", "CUP"),
        }
    }
}

const fn payout(dollars: i64) -> i64 {
    dollars * RATE * 100
}

const fn fee(dollars: i64) -> i64 {
    dollars * COMMISSION_PERCENT
}
