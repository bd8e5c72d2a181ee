//! A seller's figures from its last closure through the end of a day.

use super::{
    TenantState,
    account::Account,
    activity::{DayFigures, DayKey, GroupFigures, LastClosure, PeriodTotals},
};
use crate::{
    ids::{PartyId, PaymentGroupId},
    money::Amount,
    party::Party,
};
use chrono::NaiveDate;
use std::collections::BTreeMap;

impl TenantState {
    #[must_use]
    pub fn last_closure(&self, party: PartyId) -> Option<&LastClosure> {
        self.closed.get(&party)
    }

    /// Day keys of a party from its last closure through `through`.
    pub(super) fn day_keys(&self, party: PartyId, through: NaiveDate) -> Vec<DayKey> {
        let first = DayKey {
            party,
            day: NaiveDate::MIN,
            group: None,
        };
        let last = DayKey {
            party,
            day: through,
            group: Some(PaymentGroupId(uuid::Uuid::max())),
        };
        self.days.range(first..=last).map(|(key, _)| *key).collect()
    }

    /// A seller's figures per group and in total, from its last closure through the given day.
    #[must_use]
    pub fn figures(&self, party: &Party, through: NaiveDate) -> (Vec<GroupFigures>, PeriodTotals) {
        let mut by_group: BTreeMap<PaymentGroupId, DayFigures> = BTreeMap::new();
        let mut rest = DayFigures::default();
        let last = self.last_closure(party.id);
        for group in party.terms.keys() {
            by_group.entry(*group).or_default();
        }
        for key in self.day_keys(party.id, through) {
            let Some(day) = self.days.get(&key) else { continue };
            let sum = key.group.map_or(&mut rest, |group| by_group.entry(group).or_default());
            sum.add(day);
        }
        let opening = |group: &PaymentGroupId| {
            last.and_then(|last| last.balances.get(group).copied())
                .unwrap_or(Amount::ZERO)
        };
        let groups = by_group
            .iter()
            .filter_map(|(id, figures)| Some(figures.of_group(*id, self.group(*id)?.currency_to, opening(id))))
            .collect();
        let carried = |pick: fn(&LastClosure) -> Amount| last.map_or(Amount::ZERO, pick);
        let totals = PeriodTotals {
            commission_accrued: carried(|last| last.commission) + rest.commission_accrued,
            agency_fee_accrued: carried(|last| last.agency_fee) + rest.agency_fee_accrued,
            debits_opened: rest.debits_opened,
            debits_paid: rest.debits_paid,
            debits_outstanding: carried(|last| last.debits) + rest.debits_opened - rest.debits_paid,
        };
        (groups, totals)
    }

    /// Accrued, unbilled agency fees of a party, in USD.
    #[must_use]
    pub fn unbilled_agency_fee(&self, party: &Party) -> Amount {
        self.figures(party, NaiveDate::MAX).1.agency_fee_accrued
    }

    /// A seller's prepaid balance with the sign shown to people: positive is left to sell, negative is owed.
    #[must_use]
    pub fn prepaid(&self, party: PartyId, group: PaymentGroupId) -> Amount {
        let Some(group) = self.group(group) else {
            return Amount::ZERO;
        };
        -self.balance(Account::balance(party, group.id, group.currency_to))
    }
}

impl DayFigures {
    fn add(&mut self, other: &Self) {
        self.opened += other.opened;
        self.assigned += other.assigned;
        self.given += other.given;
        self.sold += other.sold;
        self.returned += other.returned;
        self.count += other.count;
        self.canceled_count += other.canceled_count;
        self.usd += other.usd;
        self.returned_usd += other.returned_usd;
        self.manager_fee += other.manager_fee;
        self.agency_fee += other.agency_fee;
        self.agent_fee += other.agent_fee;
        self.commission_accrued += other.commission_accrued;
        self.agency_fee_accrued += other.agency_fee_accrued;
        self.debits_opened += other.debits_opened;
        self.debits_paid += other.debits_paid;
    }

    fn of_group(&self, group: PaymentGroupId, currency: crate::money::CurrencyCode, previous: Amount) -> GroupFigures {
        // An opening balance that an earlier period began with is taken back in this one.
        let (opened, taken_back) = if self.opened < Amount::ZERO {
            (Amount::ZERO, self.opened)
        } else {
            (self.opened, Amount::ZERO)
        };
        let opening = previous + opened;
        let assigned = self.assigned + taken_back;
        GroupFigures {
            group,
            currency,
            opening,
            assigned,
            given: self.given,
            sold: self.sold,
            returned: self.returned,
            closing: opening + assigned - self.given - self.sold + self.returned,
            count: self.count,
            canceled_count: self.canceled_count,
            usd: self.usd,
            returned_usd: self.returned_usd,
            manager_fee: self.manager_fee,
            agency_fee: self.agency_fee,
            agent_fee: self.agent_fee,
        }
    }
}
