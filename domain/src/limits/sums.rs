//! Sums per person and day, and who is which person: the part of the tenant's state that limits are judged on.

use super::{LimitRule, PersonIdentified, Side};
use crate::{
    ids::{CustomerId, LimitRuleId, PaymentGroupId, PersonId, RemittanceId},
    money::Amount,
    remittance::{RemittanceEvent, Sale},
};
use chrono::{Days, NaiveDate};
use rpds::{HashTrieMapSync, RedBlackTreeMapSync};
use serde::{Deserialize, Serialize};

/// Days that sums are kept for: the longest window.
pub(super) const KEPT_DAYS: u64 = 365;

/// Amounts sent, in USD, and number of remittances. Canceled ones do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PersonSum {
    pub amount: Amount,
    pub count: u32,
}

impl PersonSum {
    pub(super) fn plus(self, amount: Amount) -> Self {
        Self {
            amount: self.amount + amount,
            count: self.count + 1,
        }
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            amount: self.amount + other.amount,
            count: self.count + other.count,
        }
    }

    pub(super) fn less(self, amount: Amount) -> Self {
        Self {
            amount: self.amount - amount,
            count: self.count.saturating_sub(1),
        }
    }
}

/// Sum of a day's sales of one payment group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct DaySum {
    day: NaiveDate,
    group: PaymentGroupId,
    amount: Amount,
    count: u32,
}

/// Days of a person, in no order; at most [`KEPT_DAYS`] days.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct PersonDays {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sent: Vec<DaySum>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    received: Vec<DaySum>,
}

impl PersonDays {
    fn of(&self, side: Side) -> &[DaySum] {
        match side {
            Side::Sender => &self.sent,
            Side::Recipient => &self.received,
        }
    }

    fn of_mut(&mut self, side: Side) -> &mut Vec<DaySum> {
        match side {
            Side::Sender => &mut self.sent,
            Side::Recipient => &mut self.received,
        }
    }

    fn is_empty(&self) -> bool {
        self.sent.is_empty() && self.received.is_empty()
    }

    fn has_before(&self, first: NaiveDate) -> bool {
        Side::ALL
            .iter()
            .any(|side| self.of(*side).iter().any(|sum| sum.day < first))
    }
}

/// An open remittance as it was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CountedSale {
    pub(super) sender: PersonId,
    pub(super) recipient: PersonId,
    /// The recipient's record: an edit that keeps it keeps the person.
    pub(super) customer: CustomerId,
    /// Day of the sale in the tenant's time zone.
    pub(super) day: NaiveDate,
    pub(super) group: PaymentGroupId,
    pub(super) amount: Amount,
}

/// State of limits: rules, persons, and their sums.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LimitState {
    rules: RedBlackTreeMapSync<LimitRuleId, LimitRule>,
    /// Persons that an identified customer ever was; the last is the present one.
    persons: HashTrieMapSync<CustomerId, Vec<PersonId>>,
    /// Number of customers who ever were the person and are not forgotten.
    members: HashTrieMapSync<PersonId, u32>,
    days: HashTrieMapSync<PersonId, PersonDays>,
    /// Open remittances.
    open: HashTrieMapSync<RemittanceId, CountedSale>,
    /// Day of the last removal of old days.
    #[serde(default)]
    swept: Option<NaiveDate>,
}

impl LimitState {
    pub fn rules(&self) -> impl Iterator<Item = &LimitRule> {
        self.rules.values()
    }

    #[must_use]
    pub fn rule(&self, id: LimitRuleId) -> Option<&LimitRule> {
        self.rules.get(&id)
    }

    #[must_use]
    pub fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// The person that a customer is; a customer who was not identified is a person alone.
    #[must_use]
    pub fn person(&self, customer: CustomerId) -> PersonId {
        self.identified(customer)
            .last()
            .copied()
            .unwrap_or_else(|| alone(customer))
    }

    /// Persons that a customer ever was; empty before the first identification.
    pub(crate) fn identified(&self, customer: CustomerId) -> &[PersonId] {
        self.persons.get(&customer).map_or(&[], Vec::as_slice)
    }

    /// Persons whose document nobody has once a customer is forgotten.
    pub(crate) fn ends_with(&self, customer: CustomerId) -> impl Iterator<Item = PersonId> + '_ {
        let mut persons = self.identified(customer).to_vec();
        persons.sort_unstable();
        persons.dedup();
        let last = |person: &PersonId| self.members.get(person).copied().unwrap_or(0) <= 1;
        persons.into_iter().filter(last)
    }

    /// Sum of a person's sales on days from `first` to `last`, in the groups that `counts` accepts.
    #[must_use]
    pub fn sum(
        &self,
        person: PersonId,
        side: Side,
        first: NaiveDate,
        last: NaiveDate,
        counts: impl Fn(PaymentGroupId) -> bool,
    ) -> PersonSum {
        let days = self.days.get(&person).map_or(&[][..], |days| days.of(side));
        let within = days.iter().filter(|sum| first <= sum.day && sum.day <= last);
        within
            .filter(|sum| counts(sum.group))
            .fold(PersonSum::default(), |total, sum| {
                total.and(PersonSum {
                    amount: sum.amount,
                    count: sum.count,
                })
            })
    }

    /// All persons with sums, in no order.
    pub fn persons(&self) -> impl Iterator<Item = PersonId> + '_ {
        self.days.keys().copied()
    }

    pub(super) fn open_sale(&self, id: RemittanceId) -> Option<CountedSale> {
        self.open.get(&id).copied()
    }

    pub(crate) fn set_rule(&mut self, rule: LimitRule) {
        self.rules.insert_mut(rule.id, rule);
    }

    pub(crate) fn remove_rule(&mut self, id: LimitRuleId) {
        self.rules.remove_mut(&id);
    }

    /// The first identification of a customer takes what the customer had alone to the person. A later one moves only what
    /// comes after.
    pub(crate) fn identify(&mut self, identified: &PersonIdentified) {
        let (customer, person) = (identified.id, identified.person);
        let mut persons = self.identified(customer).to_vec();
        if persons.is_empty() && person != alone(customer) {
            self.merge(alone(customer), person);
        }
        if !persons.contains(&person) {
            let members = self.members.get(&person).copied().unwrap_or(0);
            self.members.insert_mut(person, members + 1);
        }
        persons.push(person);
        self.persons.insert_mut(customer, persons);
    }

    fn merge(&mut self, from: PersonId, to: PersonId) {
        if let Some(days) = self.days.get(&from).cloned() {
            self.days.remove_mut(&from);
            for side in Side::ALL {
                for sum in days.of(*side) {
                    self.change(to, *side, sum.day, sum.group, |into| {
                        into.amount += sum.amount;
                        into.count += sum.count;
                    });
                }
            }
        }
        let open = self.open.iter();
        let of_person: Vec<_> = open
            .filter(|(_, sale)| sale.sender == from || sale.recipient == from)
            .map(|(id, sale)| (*id, *sale))
            .collect();
        let moved = |person| if person == from { to } else { person };
        for (id, sale) in of_person {
            let sale = CountedSale {
                sender: moved(sale.sender),
                recipient: moved(sale.recipient),
                ..sale
            };
            self.open.insert_mut(id, sale);
        }
    }

    /// A customer was forgotten.
    pub(crate) fn forget(&mut self, customer: CustomerId) {
        let mut persons = self.identified(customer).to_vec();
        persons.sort_unstable();
        persons.dedup();
        for person in persons {
            match self.members.get(&person).copied().unwrap_or(0) {
                0 | 1 => {
                    self.members.remove_mut(&person);
                }
                members => self.members.insert_mut(person, members - 1),
            }
        }
        self.persons.remove_mut(&customer);
    }

    pub(crate) fn apply(&mut self, event: &RemittanceEvent, day: NaiveDate) {
        match event {
            RemittanceEvent::RemittanceCreated(created) => {
                self.sweep(day);
                let sale = self.counted(&created.sale, day);
                self.count(&sale);
                self.open.insert_mut(created.id, sale);
            }
            RemittanceEvent::RemittanceAmountEdited(edited) => self.recount(edited.id, |sale| CountedSale {
                group: edited.sale.group,
                amount: edited.sale.quote.amount,
                ..sale
            }),
            RemittanceEvent::RemittanceDetailsEdited(edited) => {
                let (customer, recipient) = (edited.recipient, self.person(edited.recipient));
                self.recount(edited.id, |sale| match sale.customer == customer {
                    true => sale,
                    false => CountedSale {
                        recipient,
                        customer,
                        ..sale
                    },
                });
            }
            RemittanceEvent::RemittanceCanceled(canceled) => {
                if let Some(sale) = self.open_sale(canceled.id) {
                    self.discount(&sale);
                    self.open.remove_mut(&canceled.id);
                }
            }
            RemittanceEvent::RemittanceCompleted(completed) => {
                self.open.remove_mut(&completed.id);
            }
            _ => {}
        }
    }

    fn counted(&self, sale: &Sale, day: NaiveDate) -> CountedSale {
        CountedSale {
            sender: self.person(sale.sender),
            recipient: self.person(sale.recipient),
            customer: sale.recipient,
            day,
            group: sale.group,
            amount: sale.quote.amount,
        }
    }

    fn recount(&mut self, id: RemittanceId, change: impl FnOnce(CountedSale) -> CountedSale) {
        if let Some(sale) = self.open_sale(id) {
            let changed = change(sale);
            self.discount(&sale);
            self.count(&changed);
            self.open.insert_mut(id, changed);
        }
    }

    fn count(&mut self, sale: &CountedSale) {
        for (person, side) in [(sale.sender, Side::Sender), (sale.recipient, Side::Recipient)] {
            self.change(person, side, sale.day, sale.group, |sum| {
                sum.amount += sale.amount;
                sum.count += 1;
            });
        }
    }

    fn discount(&mut self, sale: &CountedSale) {
        for (person, side) in [(sale.sender, Side::Sender), (sale.recipient, Side::Recipient)] {
            self.change(person, side, sale.day, sale.group, |sum| {
                sum.amount -= sale.amount;
                sum.count = sum.count.saturating_sub(1);
            });
        }
    }

    /// Changes the sum of a day that is not swept.
    fn change(
        &mut self,
        person: PersonId,
        side: Side,
        day: NaiveDate,
        group: PaymentGroupId,
        change: impl FnOnce(&mut DaySum),
    ) {
        if self.swept.is_some_and(|swept| day < first_kept(swept)) {
            return;
        }
        let mut days = self.days.get(&person).cloned().unwrap_or_default();
        let sums = days.of_mut(side);
        let known = sums.iter().position(|sum| (sum.day, sum.group) == (day, group));
        let at = known.unwrap_or(sums.len());
        if known.is_none() {
            sums.push(DaySum {
                day,
                group,
                amount: Amount::ZERO,
                count: 0,
            });
        }
        if let Some(sum) = sums.get_mut(at) {
            change(sum);
            if sum.count == 0 {
                sums.swap_remove(at);
            }
        }
        if days.is_empty() {
            self.days.remove_mut(&person);
        } else {
            self.days.insert_mut(person, days);
        }
    }

    /// Removes days that no window contains any more, once a day.
    fn sweep(&mut self, today: NaiveDate) {
        if self.swept.is_some_and(|swept| today <= swept) {
            return;
        }
        self.swept = Some(today);
        let first = first_kept(today);
        let old: Vec<_> = self
            .days
            .iter()
            .filter(|(_, days)| days.has_before(first))
            .map(|(person, days)| (*person, days.clone()))
            .collect();
        for (person, mut days) in old {
            for side in Side::ALL {
                days.of_mut(*side).retain(|sum| sum.day >= first);
            }
            if days.is_empty() {
                self.days.remove_mut(&person);
            } else {
                self.days.insert_mut(person, days);
            }
        }
    }
}

/// The person that a customer is before anything is known.
pub(super) fn alone(customer: CustomerId) -> PersonId {
    PersonId(customer.0)
}

fn first_kept(today: NaiveDate) -> NaiveDate {
    today.checked_sub_days(Days::new(KEPT_DAYS - 1)).unwrap_or(today)
}
