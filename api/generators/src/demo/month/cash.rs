//! Deposits, expenses, transfers, debits and closures.

use super::{Month, Sold, refused};
use crate::demo::{
    DemoError,
    cast::{CUP, Dealer, EUR, Group, MLC, Seller, USD, rate, units},
    people,
};
use caudal_domain::{
    Account, AccountKind, Command,
    closure::ClosePeriod,
    ids::{ClosureId, MovementId, ObligationId, PartyId},
    money::{Amount, CurrencyCode},
    movement::{
        Deposit, DepositTo, Exchange, ExpectedParty, Expense, Funds, MovementCommand, PayDebits, TransferCash,
        TransferTo,
    },
};
use chrono::{DateTime, Days, Utc};
use chrono_tz::America::Havana;
use std::collections::BTreeSet;

/// What the manager puts in at the beginning, in whole units.
const CAPITAL: [(CurrencyCode, i64); 4] = [(CUP, 9_000_000), (USD, 45_000), (EUR, 14_000), (MLC, 20_000)];
/// The manager's deposits when something is short, in whole units.
const TOP_UP: [(CurrencyCode, i64); 4] = [(CUP, 2_500_000), (USD, 15_000), (EUR, 5_000), (MLC, 6_000)];
/// Cash that a dealer is given at a time, in whole units.
const DEALER_CASH: [(CurrencyCode, i64); 4] = [(CUP, 420_000), (USD, 1_800), (EUR, 700), (MLC, 1_500)];

/// Debits of one creditor that are paid on one day.
const PAID_AT_ONCE: usize = 2;

impl Month<'_> {
    pub(super) async fn put_capital_in(&mut self) -> Result<(), DemoError> {
        for (currency, amount) in CAPITAL {
            self.deposit_to_treasury(currency, units(amount)).await?;
        }
        for dealer in 0..self.cast.dealers.len() {
            self.fund_dealer(dealer).await?;
        }
        Ok(())
    }

    /// Supplies cash to dealers and delivery men; a few deliveries go without and are advanced.
    pub(super) async fn provide(&mut self, of: &Sold) -> Result<(), DemoError> {
        let Some(dealer) = self.cast.dealers.get(of.dealer).cloned() else {
            return Ok(());
        };
        if self.cast.chance.percent(5) {
            return Ok(());
        }
        let (currency, wanted) = (of.group.currency, Amount::from_minor(of.payout.minor() * 3));
        if self.cash(dealer.id, currency).await? < wanted {
            let plenty = Amount::from_minor(wanted.minor() * 2);
            self.bring_up_to(dealer.id, ExpectedParty::Dealer, currency, plenty)
                .await?;
        }
        match of.man {
            Some(man) if self.cash(man, currency).await? < of.payout => {
                self.hand_down(&dealer, man, currency, wanted).await
            }
            _ => Ok(()),
        }
    }

    pub(super) async fn fund_dealer(&mut self, index: usize) -> Result<(), DemoError> {
        let Some(dealer) = self.cast.dealers.get(index).cloned() else {
            return Ok(());
        };
        for (currency, amount) in DEALER_CASH {
            if currency == MLC && !dealer.handles_mlc {
                continue;
            }
            self.bring_up_to(dealer.id, ExpectedParty::Dealer, currency, units(amount))
                .await?;
            for man in &dealer.delivery_men {
                if currency != MLC {
                    self.hand_down(&dealer, *man, currency, Amount::from_minor(units(amount).minor() / 3))
                        .await?;
                }
            }
        }
        Ok(())
    }

    /// The manager brings a dealer's cash up to an amount, in round figures.
    pub(super) async fn bring_up_to(
        &mut self,
        to: PartyId,
        expected: ExpectedParty,
        currency: CurrencyCode,
        wanted: Amount,
    ) -> Result<(), DemoError> {
        let cash = self.cash(to, currency).await?;
        if cash.minor() * 2 > wanted.minor() {
            return Ok(());
        }
        let missing = round_up(wanted - cash, units(100));
        let deposit = deposit(DepositTo::Party(to, expected), Funds::Currency(currency), missing);
        self.deposit_pay_from_treasury(currency, deposit).await
    }

    pub(super) async fn hand_down(
        &mut self,
        dealer: &Dealer,
        man: PartyId,
        currency: CurrencyCode,
        wanted: Amount,
    ) -> Result<(), DemoError> {
        let cash = self.cash(man, currency).await?;
        if cash.minor() * 2 > wanted.minor() {
            return Ok(());
        }
        let to = DepositTo::Party(man, ExpectedParty::DeliveryMan);
        let deposit = deposit(to, Funds::Currency(currency), round_up(wanted - cash, units(10)));
        self.if_enough(dealer.id, movement(MovementCommand::Deposit(deposit)))
            .await
    }

    /// Funds a seller's balance of a group, and before it its agency's where the balance comes from there.
    pub(super) async fn fund_seller(&mut self, seller: &Seller, group: Group) -> Result<(), DemoError> {
        let amount = units(match group.currency {
            CUP => 350_000,
            _ => 1_500,
        });
        let to = DepositTo::Party(seller.funded_by, ExpectedParty::Any);
        let own = Deposit {
            note: Some("Recarga de saldo".to_owned()),
            ..deposit(to, Funds::Group(group.id), amount)
        };
        if seller.under_manager {
            return self.deposit_pay_from_treasury(USD, own).await;
        }
        let state = self.teller.state().await?;
        let agency = state.party(seller.funded_by).and_then(|party| party.agency);
        let Some(agency) = agency else { return Ok(()) };
        let own = Deposit {
            amount: Amount::from_minor(amount.minor() / 2),
            on_credit: true,
            ..own
        };
        let command = movement(MovementCommand::Deposit(own));
        if let Err(refusal) = self.teller.try_tell(agency, command.clone()).await? {
            if refusal.code != "balance_insufficient" {
                return Err(refused("fund an agent", refusal));
            }
            let to = DepositTo::Party(agency, ExpectedParty::Agency);
            self.deposit_pay_from_treasury(USD, deposit(to, Funds::Group(group.id), amount))
                .await?;
            self.teller.tell(agency, command).await?;
        }
        Ok(())
    }

    /// A deposit of the manager's, topping the treasury up first where it is short.
    pub(super) async fn deposit_pay_from_treasury(
        &mut self,
        currency: CurrencyCode,
        deposit: Deposit,
    ) -> Result<(), DemoError> {
        let command = movement(MovementCommand::Deposit(deposit));
        let manager = self.teller.manager;
        match self.teller.try_tell(manager, command.clone()).await? {
            Ok(_) => Ok(()),
            Err(refusal) if refusal.code == "treasury_insufficient" => {
                let amount = TOP_UP
                    .iter()
                    .find(|(code, _)| *code == currency)
                    .map_or(10_000, |(_, amount)| *amount);
                self.deposit_to_treasury(currency, units(amount)).await?;
                self.teller.tell(manager, command).await.map(drop)
            }
            Err(refusal) => Err(refused("deposit", refusal)),
        }
    }

    pub(super) async fn deposit_to_treasury(
        &mut self,
        currency: CurrencyCode,
        amount: Amount,
    ) -> Result<(), DemoError> {
        let deposit = Deposit {
            note: Some("Aporte de capital".to_owned()),
            ..deposit(DepositTo::Treasury, Funds::Currency(currency), amount)
        };
        let command = movement(MovementCommand::Deposit(deposit));
        self.teller.tell(self.teller.manager, command).await.map(drop)
    }

    pub(super) async fn spend(&mut self, index: usize) -> Result<(), DemoError> {
        let Some(dealer) = self.cast.dealers.get(index).cloned() else {
            return Ok(());
        };
        let man = self.cast.chance.pick(&dealer.delivery_men).copied();
        let party = man.filter(|_| self.cast.chance.percent(40)).unwrap_or(dealer.id);
        let expense = Expense {
            party,
            amount: units(self.cast.chance.between(6, 40) * 100),
            currency: CUP,
            concept: self.cast.chance.word(people::EXPENSES).to_owned(),
        };
        self.if_enough(party, movement(MovementCommand::Expense(expense))).await
    }

    /// One dealer helps another out.
    pub(super) async fn hand_over(&mut self) -> Result<(), DemoError> {
        let dealers = self.cast.dealers.clone();
        let from = self.cast.chance.pick(&dealers).map(|dealer| dealer.id);
        let to = self.cast.chance.pick(&dealers).map(|dealer| dealer.id);
        let Some((from, to)) = from.zip(to).filter(|(from, to)| from != to) else {
            return Ok(());
        };
        let transfer = TransferCash {
            from,
            to: TransferTo::Party(to),
            amount: units(self.cast.chance.between(10, 60) * 1_000),
            currency: CUP,
            exchange: None,
            note: Some("Préstamo entre provincias".to_owned()),
        };
        self.if_enough(from, movement(MovementCommand::Transfer(transfer)))
            .await
    }

    pub(super) async fn bring_back(&mut self, index: usize) -> Result<(), DemoError> {
        let Some(dealer) = self.cast.dealers.get(index).map(|dealer| dealer.id) else {
            return Ok(());
        };
        let transfer = TransferCash {
            from: dealer,
            to: TransferTo::Manager,
            amount: units(self.cast.chance.between(1, 6) * 50),
            currency: if self.cast.chance.percent(50) { USD } else { EUR },
            exchange: None,
            note: None,
        };
        self.if_enough(dealer, movement(MovementCommand::Transfer(transfer)))
            .await
    }

    /// The manager changes a dealer's dollars into pesos.
    pub(super) async fn exchange(&mut self) -> Result<(), DemoError> {
        let dealers = self.cast.dealers.clone();
        let Some(dealer) = self.cast.chance.pick(&dealers).map(|dealer| dealer.id) else {
            return Ok(());
        };
        let transfer = TransferCash {
            from: dealer,
            to: TransferTo::Party(dealer),
            amount: units(self.cast.chance.between(2, 8) * 50),
            currency: USD,
            exchange: Some(Exchange {
                currency: CUP,
                rate: rate("321.5")?,
            }),
            note: None,
        };
        self.if_enough(self.teller.manager, movement(MovementCommand::Transfer(transfer)))
            .await
    }

    /// An agency gets balance on credit.
    pub(super) async fn credit(&mut self, index: usize) -> Result<(), DemoError> {
        let agencies: Vec<_> = self
            .cast
            .sellers
            .iter()
            .filter(|seller| seller.groups.len() > 2)
            .cloned()
            .collect();
        let Some((agency, group)) = agencies
            .get(index)
            .and_then(|one| Some((one, one.groups.get(index % 2)?)))
        else {
            return Ok(());
        };
        let amount = units(if group.currency == CUP { 160_000 } else { 800 });
        let deposit = Deposit {
            on_credit: true,
            note: Some("A crédito hasta el cierre".to_owned()),
            ..deposit(
                DepositTo::Party(agency.funded_by, ExpectedParty::Agency),
                Funds::Group(group.id),
                amount,
            )
        };
        self.deposit_pay_from_treasury(USD, deposit).await
    }

    /// The oldest debits owed to the manager, and those owed to an agency, are paid; sometimes in part.
    pub(super) async fn pay_debits(&mut self, part: bool) -> Result<(), DemoError> {
        let state = self.teller.state().await?;
        let mut open: Vec<_> = state
            .obligations()
            .filter(|debit| debit.outstanding().is_positive())
            .collect();
        open.sort_by_key(|debit| (debit.opened_at, debit.id));
        let creditors: BTreeSet<_> = open.iter().map(|debit| debit.creditor).collect();
        for creditor in creditors {
            let due: Vec<_> = open
                .iter()
                .filter(|debit| debit.creditor == creditor)
                .take(PAID_AT_ONCE)
                .collect();
            let outstanding: Amount = due.iter().map(|debit| debit.outstanding()).sum();
            let pay = PayDebits {
                debits: due.iter().map(|debit| debit.id).collect(),
                amount: part
                    .then(|| Amount::from_minor(outstanding.minor() * 2 / 3))
                    .filter(|part| part.is_positive()),
                note: None,
            };
            let by = creditor.unwrap_or(self.teller.manager);
            self.teller.tell(by, movement(MovementCommand::PayDebits(pay))).await?;
        }
        Ok(())
    }

    /// The first half of the month is closed, for every agency and for the agents of one of them.
    pub(super) async fn close(&mut self, at: DateTime<Utc>) -> Result<(), DemoError> {
        let yesterday = at.with_timezone(&Havana).date_naive().checked_sub_days(Days::new(1));
        let parties: Vec<_> = self
            .cast
            .sellers
            .iter()
            .filter(|seller| seller.id == seller.funded_by)
            .cloned()
            .collect();
        for seller in parties {
            let closure = ClosePeriod {
                id: ClosureId::generate(),
                party: seller.id,
                to: yesterday,
                debit: ObligationId::generate(),
                agency_debit: ObligationId::generate(),
            };
            self.teller.tell(self.teller.manager, Command::Closure(closure)).await?;
        }
        Ok(())
    }

    /// A command that is left out where the cash does not suffice.
    pub(super) async fn if_enough(&mut self, by: PartyId, command: Command) -> Result<(), DemoError> {
        match self.teller.try_tell(by, command).await? {
            Ok(_) => Ok(()),
            Err(refusal) if refusal.code == "cash_insufficient" => Ok(()),
            Err(refusal) => Err(refused("cash", refusal)),
        }
    }

    pub(super) async fn cash(&self, of: PartyId, currency: CurrencyCode) -> Result<Amount, DemoError> {
        let state = self.teller.state().await?;
        Ok(state.balance(Account::of(AccountKind::FieldCash, of, currency)))
    }
}

fn deposit(to: DepositTo, funds: Funds, amount: Amount) -> Deposit {
    Deposit {
        to,
        funds,
        amount,
        on_credit: false,
        note: None,
        debit: ObligationId::generate(),
    }
}

fn movement(command: MovementCommand) -> Command {
    Command::Movement(MovementId::generate(), command)
}

/// Up to the next whole multiple of a step.
const fn round_up(amount: Amount, step: Amount) -> Amount {
    let (amount, step) = (amount.minor(), step.minor());
    Amount::from_minor((amount + step - 1) / step * step)
}
