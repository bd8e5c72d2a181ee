//! Balances and cash, brought up to what the next waves need; debits paid; months closed.

use super::{Year, cast};
use crate::demo::{
    DemoError,
    cast::{CUP, EUR, MLC, USD, units},
};
use caudal_domain::{
    Account, AccountKind, Command, TenantState,
    closure::ClosePeriod,
    ids::{ClosureId, MovementId, ObligationId, PartyId},
    money::{Amount, CurrencyCode},
    movement::{Deposit, DepositTo, ExpectedParty, Expense, Funds, MovementCommand, PayDebits},
};
use chrono::NaiveDate;
use std::collections::BTreeMap;

/// How many waves money is brought for at a time.
pub const WAVES_BETWEEN: u64 = 6;
/// So many of a hundred deposits are on credit.
const ON_CREDIT: i64 = 12;
/// Debits of one creditor that are paid at a time.
const PAID_AT_ONCE: usize = 40;
/// What the treasury is kept at, in whole units.
const TREASURY: [(CurrencyCode, i64); 4] = [
    (CUP, 20_000_000_000),
    (USD, 2_000_000_000),
    (EUR, 400_000_000),
    (MLC, 400_000_000),
];
/// The refusals that are part of the story.
const SHORT: &[&str] = &["cash_insufficient", "balance_insufficient"];

impl Year {
    /// Brings everybody up to what is needed until the next time.
    pub async fn fund(&mut self) -> Result<(), DemoError> {
        let state = self.crowd.state().await?;
        let treasury = TREASURY.iter().filter_map(|(currency, plenty)| {
            let held = state.balance(Account::of_tenant(AccountKind::Treasury, *currency));
            (held < units(*plenty / 2))
                .then(|| deposit(DepositTo::Treasury, Funds::Currency(*currency), units(*plenty)))
        });
        let manager = self.cast.manager;
        let given = treasury.map(|deposit| (manager, movement(deposit))).collect();
        self.crowd.all_or(given, &[]).await?;
        self.fund_sellers(&state).await?;
        self.fund_dealers(&state).await?;
        self.pay_debits().await
    }

    /// First those who get balance from the manager, then the agents that get it from them.
    async fn fund_sellers(&mut self, state: &TenantState) -> Result<(), DemoError> {
        let sellers = u64::try_from(self.cast.sellers.len()).unwrap_or(1).max(1);
        let sales = i64::try_from(self.per_wave * WAVES_BETWEEN / sellers).unwrap_or(0) + 4;
        for under_manager in [true, false] {
            let mut given = Vec::new();
            for seller in &self.cast.sellers {
                let by_manager = seller.given_by == self.cast.manager;
                if seller.id != seller.funded_by || by_manager != under_manager {
                    continue;
                }
                // An agency passes on to its agents, and its internal ones sell on its own.
                let share = if by_manager { 5 } else { 1 };
                for group in &self.cast.groups {
                    let largest = cast::largest_sale(group.currency).minor();
                    let wanted = Amount::from_minor(largest * sales * share * 2);
                    let held = state.balance(Account::balance(seller.id, group.id, group.currency));
                    let held = Amount::from_minor(-held.minor().min(0));
                    if held.minor() * 2 > wanted.minor() {
                        continue;
                    }
                    let to = DepositTo::Party(seller.id, ExpectedParty::Any);
                    let on_credit = self.chance.percent(ON_CREDIT);
                    let deposit = Deposit {
                        on_credit,
                        note: on_credit.then(|| "A crédito hasta el cierre".to_owned()),
                        ..deposit(to, Funds::Group(group.id), wanted)
                    };
                    given.push((seller.given_by, movement(deposit)));
                }
            }
            self.crowd.all_or(given, SHORT).await?;
        }
        Ok(())
    }

    /// Dealers get cash from the manager, their delivery men from them, and both spend some.
    async fn fund_dealers(&mut self, state: &TenantState) -> Result<(), DemoError> {
        let dealers = u64::try_from(self.cast.dealers.len()).unwrap_or(1).max(1);
        let deliveries = i64::try_from(self.per_wave * WAVES_BETWEEN / dealers).unwrap_or(0) + 4;
        let (mut from_manager, mut from_dealers) = (Vec::new(), Vec::new());
        for dealer in &self.cast.dealers {
            for group in &self.cast.groups {
                let currency = group.currency;
                let wanted =
                    |share: i64| Amount::from_minor(cast::largest_sale(currency).minor() * deliveries / 4 * share);
                let short = |party: PartyId, wanted: Amount| {
                    let held = state.balance(Account::of(AccountKind::FieldCash, party, currency));
                    held.minor() * 2 < wanted.minor()
                };
                if short(dealer.id, wanted(3)) {
                    let to = DepositTo::Party(dealer.id, ExpectedParty::Dealer);
                    from_manager.push((
                        self.cast.manager,
                        movement(deposit(to, Funds::Currency(currency), wanted(3))),
                    ));
                }
                for man in dealer.delivery_men.iter().filter(|man| short(**man, wanted(1))) {
                    let to = DepositTo::Party(*man, ExpectedParty::DeliveryMan);
                    from_dealers.push((dealer.id, movement(deposit(to, Funds::Currency(currency), wanted(1)))));
                }
            }
            let expense = Expense {
                party: dealer.id,
                amount: units(self.chance.between(6, 40) * 100),
                currency: CUP,
                concept: self.chance.word(crate::demo::people::EXPENSES).to_owned(),
            };
            let spend = MovementCommand::Expense(expense);
            from_dealers.push((dealer.id, Command::Movement(MovementId::generate(), spend)));
        }
        self.crowd.all_or(from_manager, &[]).await?;
        self.crowd.all_or(from_dealers, SHORT).await.map(drop)
    }

    /// The oldest debits of every creditor are paid.
    async fn pay_debits(&self) -> Result<(), DemoError> {
        let state = self.crowd.state().await?;
        let mut open: Vec<_> = state
            .obligations()
            .filter(|debit| debit.outstanding().is_positive())
            .collect();
        open.sort_by_key(|debit| (debit.opened_at, debit.id));
        let mut due: BTreeMap<PartyId, Vec<ObligationId>> = BTreeMap::new();
        for debit in open {
            let of_creditor = due.entry(debit.creditor.unwrap_or(self.cast.manager)).or_default();
            if of_creditor.len() < PAID_AT_ONCE {
                of_creditor.push(debit.id);
            }
        }
        // One payment a debit: each is a movement.
        let given = due.into_iter().flat_map(|(by, debits)| {
            debits.into_iter().map(move |debit| {
                let pay = PayDebits {
                    debits: vec![debit],
                    amount: None,
                    note: None,
                };
                (
                    by,
                    Command::Movement(MovementId::generate(), MovementCommand::PayDebits(pay)),
                )
            })
        });
        self.crowd.all_or(given.collect(), &[]).await.map(drop)
    }

    /// Everybody's period is closed through a day.
    pub async fn close(&self, through: Option<NaiveDate>) -> Result<(), DemoError> {
        let sellers = self.cast.sellers.iter().filter(|seller| seller.id == seller.funded_by);
        let given = sellers.map(|seller| {
            let closure = ClosePeriod {
                id: ClosureId::generate(),
                party: seller.id,
                to: through,
                debit: ObligationId::generate(),
                agency_debit: ObligationId::generate(),
            };
            (self.cast.manager, Command::Closure(closure))
        });
        self.crowd.all_or(given.collect(), &[]).await.map(drop)
    }
}

const fn deposit(to: DepositTo, funds: Funds, amount: Amount) -> Deposit {
    Deposit {
        to,
        funds,
        amount,
        on_credit: false,
        note: None,
        debit: ObligationId(uuid::Uuid::nil()),
    }
}

/// A movement, its debit's id made now.
fn movement(deposit: Deposit) -> Command {
    let deposit = Deposit {
        debit: ObligationId::generate(),
        ..deposit
    };
    Command::Movement(MovementId::generate(), MovementCommand::Deposit(deposit))
}
