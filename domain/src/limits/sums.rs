//! Sums per person and day, and who is which person: the part of the tenant's state that limits are judged on.
//!
//! Sales count from the tenant's first day, with and without rules, so that a new rule knows the sales before it. Each
//! sale counts once for its sender and once for its recipient, on the day of its sale.

use super::{LimitRule, Need, PersonIdentified, SaleDeclared, Side};
use crate::{
    ids::{CustomerId, LimitRuleId, PaymentGroupId, PersonId, RemittanceId},
    map::Map,
    money::Amount,
    remittance::{RemittanceEvent, Sale},
};
use chrono::{Datelike as _, Days, NaiveDate};
use rpds::RedBlackTreeMapSync;
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
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            amount: self.amount + other.amount,
            count: self.count.saturating_add(other.count),
        }
    }
}

/// Sum of a day's sales of one payment group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredSum", into = "StoredSum")]
pub(super) struct DaySum {
    pub(super) day: NaiveDate,
    pub(super) group: PaymentGroupId,
    pub(super) amount: Amount,
    pub(super) count: u32,
}

impl DaySum {
    pub(super) const fn sum(&self) -> PersonSum {
        PersonSum {
            amount: self.amount,
            count: self.count,
        }
    }
}

/// A day's sum in a snapshot: an array, because there are very many. Days are counted from the first of the common era,
/// amounts in minor units.
#[derive(Serialize, Deserialize)]
struct StoredSum(i32, PaymentGroupId, i64, u32);

impl From<DaySum> for StoredSum {
    fn from(sum: DaySum) -> Self {
        Self(sum.day.num_days_from_ce(), sum.group, sum.amount.minor(), sum.count)
    }
}

impl From<StoredSum> for DaySum {
    fn from(StoredSum(day, group, amount, count): StoredSum) -> Self {
        Self {
            day: NaiveDate::from_num_days_from_ce_opt(day).unwrap_or_default(),
            group,
            amount: Amount::from_minor(amount),
            count,
        }
    }
}

/// Days of a person, in no order; at most [`KEPT_DAYS`] days of each side.
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

    const fn of_mut(&mut self, side: Side) -> &mut Vec<DaySum> {
        match side {
            Side::Sender => &mut self.sent,
            Side::Recipient => &mut self.received,
        }
    }

    const fn is_empty(&self) -> bool {
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
    sender: PersonId,
    recipient: PersonId,
    /// The recipient's record: an edit that keeps it keeps the person.
    pub(super) customer: CustomerId,
    /// Day of the sale in the tenant's time zone.
    pub(super) day: NaiveDate,
    pub(super) group: PaymentGroupId,
    pub(super) amount: Amount,
    #[serde(default)]
    purpose: bool,
    #[serde(default)]
    source_of_funds: bool,
}

impl CountedSale {
    pub(super) const fn person(&self, side: Side) -> PersonId {
        match side {
            Side::Sender => self.sender,
            Side::Recipient => self.recipient,
        }
    }

    pub(super) const fn has_declared(&self, need: Need) -> bool {
        match need {
            Need::Document => false,
            Need::Purpose => self.purpose,
            Need::SourceOfFunds => self.source_of_funds,
        }
    }
}

/// Who a customer is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct CustomerIdentity {
    /// Persons that the customer ever was by a document, each once; the last is the present one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    persons: Vec<PersonId>,
    /// Whether the customer has a document now.
    has_document: bool,
}

/// State of limits: rules, persons, and their sums.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LimitState {
    rules: RedBlackTreeMapSync<LimitRuleId, LimitRule>,
    /// Identified customers.
    customers: Map<CustomerId, CustomerIdentity>,
    /// Number of customers who ever were the person and are not forgotten.
    members: Map<PersonId, u32>,
    days: Map<PersonId, PersonDays>,
    /// Open remittances.
    open: Map<RemittanceId, CountedSale>,
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
        self.persons_of(customer)
            .last()
            .copied()
            .unwrap_or_else(|| alone(customer))
    }

    /// Whether it is known who the customer is, with or without a document.
    #[must_use]
    pub fn is_identified(&self, customer: CustomerId) -> bool {
        self.customers.contains_key(&customer)
    }

    /// Whether the customer was identified by a document, and still has it.
    #[must_use]
    pub fn has_document(&self, customer: CustomerId) -> bool {
        self.customers
            .get(&customer)
            .is_some_and(|identity| identity.has_document)
    }

    /// Whether a change of the customer identifies it: once identified, always, also after the last rule.
    pub(super) fn identifies(&self, customer: CustomerId) -> bool {
        self.has_rules() || self.is_identified(customer)
    }

    /// Persons that a customer ever was by a document.
    pub(super) fn persons_of(&self, customer: CustomerId) -> &[PersonId] {
        self.customers
            .get(&customer)
            .map_or(&[], |identity| identity.persons.as_slice())
    }

    /// Persons whose document nobody has once a customer is forgotten.
    pub(super) fn ends_with(&self, customer: CustomerId) -> impl Iterator<Item = PersonId> + '_ {
        let persons = self.persons_of(customer).iter().copied();
        persons.filter(|person| self.members.get(person).copied().unwrap_or(0) <= 1)
    }

    /// Sum of a person's sales on days from `first` to `last`, in all payment groups.
    #[must_use]
    pub fn sum(&self, person: PersonId, side: Side, first: NaiveDate, last: NaiveDate) -> PersonSum {
        let days = self.days(person, side, |_| true);
        let within = days.filter(|sum| first <= sum.day && sum.day <= last);
        within.fold(PersonSum::default(), |total, sum| total.and(sum.sum()))
    }

    /// A person's days in the payment groups that `counts` accepts.
    pub(super) fn days(
        &self,
        person: PersonId,
        side: Side,
        counts: impl Fn(PaymentGroupId) -> bool,
    ) -> impl Iterator<Item = DaySum> {
        let days = self.days.get(&person).map_or(&[][..], |days| days.of(side));
        days.iter().copied().filter(move |sum| counts(sum.group))
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

    /// The first document of a customer takes what the customer had alone to the person. A later one moves only what comes
    /// after. Without a document a customer stays the person of before.
    pub(crate) fn identify(&mut self, identified: &PersonIdentified) {
        let (customer, person) = (identified.id, identified.person);
        let mut identity = self.customers.get(&customer).cloned().unwrap_or_default();
        identity.has_document = identified.has_document;
        if identified.has_document {
            if identity.persons.is_empty() && person != alone(customer) {
                self.merge(alone(customer), person);
            }
            if !identity.persons.contains(&person) {
                let members = self.members.get(&person).copied().unwrap_or(0);
                self.members.insert_mut(person, members.saturating_add(1));
            }
            identity.persons.retain(|known| *known != person);
            identity.persons.push(person);
        }
        self.customers.insert_mut(customer, identity);
    }

    fn merge(&mut self, from: PersonId, to: PersonId) {
        if let Some(days) = self.days.get(&from).cloned() {
            self.days.remove_mut(&from);
            for side in Side::ALL {
                for sum in days.of(*side) {
                    self.change(to, *side, sum.day, sum.group, |into| {
                        into.amount += sum.amount;
                        into.count = into.count.saturating_add(sum.count);
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

    /// A customer was forgotten. The sums stay: they name nobody.
    pub(crate) fn erase(&mut self, customer: CustomerId) {
        for person in self.persons_of(customer).to_vec() {
            match self.members.get(&person).copied().unwrap_or(0) {
                0 | 1 => {
                    self.members.remove_mut(&person);
                }
                members => self.members.insert_mut(person, members - 1),
            }
        }
        self.customers.remove_mut(&customer);
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
            RemittanceEvent::SaleDeclared(declared) => self.declare(declared),
            RemittanceEvent::RemittanceCanceled(canceled) => {
                if let Some(sale) = self.open_sale(canceled.id) {
                    self.discount(&sale);
                    self.open.remove_mut(&canceled.id);
                }
            }
            RemittanceEvent::RemittanceCompleted(completed) => {
                self.open.remove_mut(&completed.id);
            }
            RemittanceEvent::RemittanceAssigned(_)
            | RemittanceEvent::RemittanceFailed(_)
            | RemittanceEvent::DeliveryAttempted(_)
            | RemittanceEvent::DeliveryDisputed(_)
            | RemittanceEvent::DeliveryDisputeSettled(_)
            | RemittanceEvent::RemittanceHeld(_)
            | RemittanceEvent::HoldReleased(_)
            | RemittanceEvent::HoldKept(_)
            | RemittanceEvent::HeldRemittanceDelivered(_)
            | RemittanceEvent::HoldBreachSettled(_) => {}
        }
    }

    fn declare(&mut self, declared: &SaleDeclared) {
        if let Some(mut sale) = self.open_sale(declared.id) {
            sale.purpose |= declared.declared.contains(&Need::Purpose);
            sale.source_of_funds |= declared.declared.contains(&Need::SourceOfFunds);
            self.open.insert_mut(declared.id, sale);
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
            purpose: false,
            source_of_funds: false,
        }
    }

    fn recount(&mut self, id: RemittanceId, change: impl FnOnce(CountedSale) -> CountedSale) {
        if let Some(sale) = self.open_sale(id) {
            let changed = change(sale);
            if changed != sale {
                self.discount(&sale);
                self.count(&changed);
                self.open.insert_mut(id, changed);
            }
        }
    }

    fn count(&mut self, sale: &CountedSale) {
        for side in Side::ALL {
            self.change(sale.person(*side), *side, sale.day, sale.group, |sum| {
                sum.amount += sale.amount;
                sum.count = sum.count.saturating_add(1);
            });
        }
    }

    fn discount(&mut self, sale: &CountedSale) {
        for side in Side::ALL {
            self.change(sale.person(*side), *side, sale.day, sale.group, |sum| {
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
        // In place where the person is known: a copy to insert would walk the map twice.
        let Some(days) = self.days.get_mut(&person) else {
            let mut days = PersonDays::default();
            change_day(days.of_mut(side), day, group, change);
            if !days.is_empty() {
                self.days.insert_mut(person, days);
            }
            return;
        };
        change_day(days.of_mut(side), day, group, change);
        if days.is_empty() {
            self.days.remove_mut(&person);
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

/// Changes a day's sum in a payment group, and removes one without remittances.
fn change_day(sums: &mut Vec<DaySum>, day: NaiveDate, group: PaymentGroupId, change: impl FnOnce(&mut DaySum)) {
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
}

/// The person that a customer is before anything is known.
pub(super) const fn alone(customer: CustomerId) -> PersonId {
    PersonId(customer.0)
}

fn first_kept(today: NaiveDate) -> NaiveDate {
    today.checked_sub_days(Days::new(KEPT_DAYS - 1)).unwrap_or(today)
}
