//! Commands that move money between the tenant, its dealer and its agency.

use super::{Worker, tenants};
use crate::{
    business::RATE,
    client::{Answer, Call},
    fleet::MANAGER,
    model::{Posting, post, reversed, units},
};
use serde_json::{Value, json};

/// How many movements are remembered to be taken back.
const MAX_MOVEMENTS: usize = 50;

impl Worker {
    /// Sends a movement and books it.
    fn movement(&mut self, path: String, body: &Value, postings: Vec<Posting>) -> Option<Answer> {
        let answer = self.command(MANAGER, Call::new("POST", path).json(body), None)?;
        self.model.add(&postings);
        if self.movements.len() < MAX_MOVEMENTS {
            self.movements.push((answer.text("id"), postings));
        }
        Some(answer)
    }

    fn amount(&mut self) -> i64 {
        i64::try_from(self.dice.between(100, 200_000)).expect("it is small")
    }

    pub(super) fn deposit(&mut self) {
        let minor = self.amount();
        let body = json!({"currency": "CUP", "amount": units(minor)});
        let postings = vec![post(tenants("treasury", "CUP"), tenants("capital", "CUP"), minor)];
        self.movement("/api/sources/deposit/manager".to_owned(), &body, postings);
    }

    pub(super) fn hand_out(&mut self) {
        let minor = self.amount();
        let body = json!({"currency": "CUP", "amount": units(minor)});
        let postings = vec![post(self.dealers("field_cash"), tenants("treasury", "CUP"), minor)];
        let path = format!("/api/sources/deposit/dealer/{}", self.business.dealer);
        self.movement(path, &body, postings);
    }

    pub(super) fn fund(&mut self) {
        // Whole dollars, so that nothing is rounded.
        let dollars = i64::try_from(self.dice.between(20, 400)).expect("it is small");
        let on_credit = self.dice.percent(40);
        let body = json!({"paymentGroupId": self.group, "amount": units(dollars * RATE * 100), "onCredit": on_credit});
        let pays = if on_credit {
            self.agencys("debits", "USD")
        } else {
            tenants("treasury", "USD")
        };
        let postings = vec![
            post(pays, tenants("fx_position", "USD"), dollars * 100),
            post(
                tenants("fx_position", "CUP"),
                self.agencys("balance", "CUP"),
                dollars * RATE * 100,
            ),
        ];
        let path = format!("/api/sources/deposit/agency/{}", self.business.agency);
        if on_credit {
            // Taking it back would void its debit, which may be paid by then.
            let Some(answer) = self.command(MANAGER, Call::new("POST", path).json(&body), None) else {
                return;
            };
            self.model.add(&postings);
            self.debits.push((answer.text("debitId"), dollars * 100));
        } else {
            self.movement(path, &body, postings);
        }
    }

    pub(super) fn spend(&mut self) {
        let minor = self.amount() / 10 + 1;
        let body = json!({"currency": "CUP", "amount": units(minor), "concept": "gasolina"});
        let postings = vec![post(self.dealers("dealer_expenses"), self.dealers("field_cash"), minor)];
        let path = format!("/api/dealer/expenses/{}", self.business.dealer);
        self.movement(path, &body, postings);
    }

    pub(super) fn hand_back(&mut self) {
        let minor = self.amount() / 5 + 1;
        let body = json!({"from": self.business.dealer, "currency": "CUP", "amount": units(minor), "toManager": true});
        let postings = vec![post(tenants("treasury", "CUP"), self.dealers("field_cash"), minor)];
        self.movement("/api/dealer/transfer".to_owned(), &body, postings);
    }

    /// Reverses a movement.
    pub(super) fn take_back(&mut self) {
        if self.movements.is_empty() {
            return;
        }
        let (id, postings) = self.movements.swap_remove(self.dice.index(self.movements.len()));
        let call = Call::new("POST", format!("/api/sources/movements/{id}/reverse"));
        if self
            .command(MANAGER, call.json(&json!({"reason": "duplicado"})), Some(&id))
            .is_some()
        {
            self.model.add(&reversed(&postings));
        }
    }

    pub(super) fn close(&mut self) {
        let body = json!({"partyId": self.business.agency});
        let call = Call::new("POST", "/api/accounting/closures").json(&body);
        let Some(answer) = self.command(MANAGER, call, None) else {
            return;
        };
        if self.unbilled > 0 {
            let bill = post(
                self.agencys("debits", "USD"),
                self.agencys("commission_receivable", "USD"),
                self.unbilled,
            );
            self.model.add(&[bill]);
            self.debits.push((answer.text("debitId"), self.unbilled));
            self.unbilled = 0;
        }
    }

    pub(super) fn pay(&mut self) {
        let Some((id, minor)) = self.debits.pop() else { return };
        let call = Call::new("POST", "/api/sources/pay_debits").json(&json!({"debitIds": [id]}));
        if self.command(MANAGER, call, None).is_some() {
            let paid = post(tenants("treasury", "USD"), self.agencys("debits", "USD"), minor);
            self.model.add(&[paid]);
        }
    }
}
