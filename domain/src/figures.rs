//! The figures that a person confirms before money moves, and the figures that the decision arrives at.
//!
//! A rate, a commission or a debt can change between the confirmation and the command. A command that states the
//! expected figures is refused with `quote_changed` where the decision arrives at others.

use crate::{
    decision::Decision,
    event::Event,
    money::{Amount, CurrencyCode, Rate},
    movement::{Movement, MovementEvent, MovementKind},
    quote::Quote,
    refusal::Refusal,
};
use serde::{Deserialize, Serialize};

/// Prices of a sale, an assignment, an exchange or a payment: what is paid out and what is to be paid for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Figures {
    /// Paid out to the receiver, in `payout_currency`.
    pub payout: Amount,
    pub payout_currency: CurrencyCode,
    /// Paid or owed by the other side, in `total_currency`.
    pub total_to_pay: Amount,
    /// The currency of `total_to_pay`: USD, except for an exchange.
    pub total_currency: CurrencyCode,
    /// Rate between the two currencies; `None` when they are the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange_rate: Option<Rate>,
    /// Commissions within `total_to_pay`, in USD; sales only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_fee: Option<Amount>,
}

/// Figures that the caller confirmed. Absent ones are not compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// [`Figures::payout`].
    pub payout: Option<Amount>,
    /// [`Figures::total_to_pay`].
    pub total_to_pay: Option<Amount>,
}

impl Expected {
    /// Compares the confirmed figures with those of a decision.
    ///
    /// # Errors
    /// 409 `quote_changed` with the decision's figures when they differ.
    pub fn confirm(&self, decision: &Decision<Event>) -> Result<(), Refusal> {
        let Some(figures) = decision.figures() else {
            return Ok(());
        };
        let differs = |expected: Option<Amount>, actual| expected.is_some_and(|expected| expected != actual);
        if differs(self.payout, figures.payout) || differs(self.total_to_pay, figures.total_to_pay) {
            return Err(Refusal::quote_changed(figures));
        }
        Ok(())
    }
}

impl From<Quote> for Figures {
    fn from(quote: Quote) -> Self {
        Self {
            payout: quote.payout,
            payout_currency: quote.currency_to,
            total_to_pay: quote.total_to_pay,
            total_currency: CurrencyCode::USD,
            exchange_rate: Some(quote.exchange_rate),
            total_fee: Some(quote.total_fee),
        }
    }
}

impl From<&Movement> for Figures {
    fn from(movement: &Movement) -> Self {
        let given = (movement.amount, movement.currency);
        let counter = movement.counter.map(|counter| (counter.amount, counter.currency));
        let other = counter.unwrap_or(given);
        // An exchange receives `amount` and pays out the counter value; an assignment pays out `amount`.
        let ((payout, payout_currency), (total_to_pay, total_currency)) = match movement.kind {
            MovementKind::Exchange => (other, given),
            MovementKind::Deposit
            | MovementKind::Assignment
            | MovementKind::CashAssignment
            | MovementKind::Transfer
            | MovementKind::Return
            | MovementKind::Expense
            | MovementKind::Payment
            | MovementKind::Opening => (given, other),
        };
        Self {
            payout,
            payout_currency,
            total_to_pay,
            total_currency,
            exchange_rate: movement
                .counter
                .filter(|counter| counter.currency != movement.currency)
                .map(|counter| counter.rate),
            total_fee: None,
        }
    }
}

impl Decision<Event> {
    /// Figures of the decision's quote or movement; `None` when it has neither.
    #[must_use]
    pub fn figures(&self) -> Option<Figures> {
        // An edit without changes has a quote but no event.
        if let Some(quote) = self.answer.quote {
            return Some(quote.into());
        }
        self.events.iter().find_map(|event| match event {
            Event::Movement(MovementEvent::MovementPosted(posted) | MovementEvent::OpeningBalancePosted(posted)) => {
                Some(Figures::from(&posted.movement))
            }
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Command, Refusal,
        ids::{MovementId, PartyId},
        movement::{
            Deposit, DepositTo, Exchange, ExpectedParty, Funds, MovementCommand, PayDebits, TransferCash, TransferTo,
        },
        party::PartyCommand,
        remittance::{EditAmount, RemittanceCommand},
        testing::{Business, amount, rate, terms},
    };

    fn expecting(payout: &str, total: &str) -> Option<Expected> {
        Some(Expected {
            payout: Some(amount(payout)),
            total_to_pay: Some(amount(total)),
        })
    }

    fn changed(outcome: Result<crate::Answer, Refusal>) -> Figures {
        let refusal = outcome.unwrap_err();
        assert_eq!(refusal.code, "quote_changed");
        *refusal.figures.unwrap()
    }

    /// The agency's rate for the CUP group becomes 300.
    fn new_rate(business: &mut Business) {
        let set = PartyCommand::SetTerms(terms(business.cup, "300", Default::default(), "0"));
        let (manager, agency) = (business.manager, business.agency);
        business.world.run(manager, Command::Party(agency, set)).unwrap();
    }

    fn assignment(business: &Business, to: PartyId) -> Command {
        let deposit = Deposit {
            to: DepositTo::Party(to, ExpectedParty::Any),
            funds: Funds::Group(business.cup),
            amount: amount("31850"),
            on_credit: true,
            note: None,
            debit: crate::ids::ObligationId::generate(),
        };
        Command::Movement(MovementId::generate(), MovementCommand::Deposit(deposit))
    }

    #[test]
    fn a_sale_and_an_edit_at_other_figures_than_confirmed_are_refused_with_the_new_ones_and_change_nothing() {
        let mut business = Business::funded();
        let (agency, cup) = (crate::Actor::Party(business.agency), business.cup);
        // 5 % for the agency, 2 % for the manager.
        business.world.expected = expecting("31850", "107");
        let sale = business.sale(cup, 100_00);
        let id = business.sell(business.agency, sale);

        business.world.expected = None;
        new_rate(&mut business);
        let before = business.world.log.len();
        business.world.expected = expecting("31850", "107");
        let sale = business.sale(cup, 100_00);
        let command = RemittanceCommand::Create(sale.clone());
        let figures = changed(business.act(agency, sale.id, command.clone()));
        assert_eq!(
            (figures.payout, figures.total_to_pay, figures.total_fee),
            (amount("30000"), amount("102"), Some(amount("2")))
        );
        let edit = EditAmount::new(amount("100"), cup);
        let figures = changed(business.act(agency, id, RemittanceCommand::EditAmount(edit)));
        assert_eq!(figures.payout, amount("30000"));
        assert_eq!(business.world.log.len(), before, "nothing was written");

        business.world.expected = expecting("30000", "102");
        business.act(agency, sale.id, command).unwrap();
    }

    #[test]
    fn an_assignment_whose_usd_value_changed_is_refused_with_the_new_one() {
        let mut business = Business::funded();
        let manager = business.manager;
        business.world.expected = expecting("31850", "100");
        let command = assignment(&business, business.agency);
        business.world.run(manager, command).unwrap();
        business.world.expected = None;
        new_rate(&mut business);
        business.world.expected = expecting("31850", "100");
        let command = assignment(&business, business.agency);
        let figures = changed(business.world.run(manager, command));
        assert_eq!(
            (figures.total_to_pay, figures.total_currency),
            (amount("106.17"), CurrencyCode::USD)
        );
    }

    #[test]
    fn a_payment_of_all_that_is_due_is_refused_where_a_part_was_paid_meanwhile() {
        let mut business = Business::funded();
        let manager = business.manager;
        let command = assignment(&business, business.agency);
        let debit = business.world.run(manager, command).unwrap().debit_id.unwrap();
        let paying = |paid: Option<&str>| {
            let payment = PayDebits {
                debits: vec![crate::ids::ObligationId(debit)],
                amount: paid.map(amount),
                note: None,
            };
            Command::Movement(MovementId::generate(), MovementCommand::PayDebits(payment))
        };
        business.world.run(manager, paying(Some("40"))).unwrap();
        business.world.expected = expecting("100", "100");
        assert_eq!(
            changed(business.world.run(manager, paying(None))).total_to_pay,
            amount("60")
        );
        business.world.expected = expecting("60", "60");
        business.world.run(manager, paying(None)).unwrap();
    }

    #[test]
    fn an_exchange_pays_out_its_counter_value() {
        let mut business = Business::funded();
        let (manager, dealer) = (business.manager, business.dealer);
        let exchange = |by: &str| {
            let transfer = TransferCash {
                from: dealer,
                to: TransferTo::Party(dealer),
                amount: amount("3300"),
                currency: CurrencyCode::CUP,
                exchange: Some(Exchange {
                    currency: CurrencyCode::USD,
                    rate: rate(by),
                }),
                note: None,
            };
            Command::Movement(MovementId::generate(), MovementCommand::Transfer(transfer))
        };
        business.world.expected = expecting("9.90", "3300");
        let figures = changed(business.world.run(manager, exchange("0.0031")));
        assert_eq!(
            (figures.payout, figures.payout_currency, figures.total_to_pay),
            (amount("10.23"), CurrencyCode::USD, amount("3300"))
        );
        business.world.run(manager, exchange("0.003")).unwrap();
    }
}
