//! The oracle: a second, minimal implementation of the domain design's ledger, with decimals and names instead of the
//! product's types. It predicts whether a command is accepted, and every balance after it.

use rust_decimal::{Decimal, RoundingStrategy};
use std::collections::{BTreeMap, BTreeSet};

pub type Money = Decimal;

/// Rounds half away from zero, to the cent.
pub fn cents(value: Decimal) -> Money {
    value.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

pub fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

#[derive(Clone, Debug, PartialEq)]
pub struct Commission {
    pub rate: Decimal,
    pub percentage: bool,
    pub special: Option<(Decimal, Decimal)>,
}

impl Commission {
    fn on(&self, amount: Money) -> Money {
        match self.special {
            Some((minimum, utility)) if amount < minimum => {
                if self.percentage {
                    cents(amount * utility / dec("100"))
                } else {
                    utility
                }
            }
            _ => cents(amount * self.rate / dec("100")),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    pub rate: Decimal,
    pub commission: Commission,
    pub limit: Money,
}

#[derive(Clone, Debug, Default)]
pub struct Seller {
    pub agency: Option<&'static str>,
    pub terms: BTreeMap<&'static str, Terms>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Pending,
    Shipping,
    Error,
    Completed,
    Canceled,
}

/// A hold that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    pub number: usize,
    /// In whose review it is, if screening found it.
    pub found_of: Option<&'static str>,
}

/// Rate and commissions, the seller's and the agency's, as agreed when it was sold.
type Agreed = (Decimal, Commission, Option<Commission>);

#[derive(Clone, Debug, PartialEq)]
pub struct Remittance {
    pub seller: &'static str,
    pub group: &'static str,
    pub agreed: Agreed,
    pub payout: Money,
    pub manager_fee: Money,
    pub agency_fee: Money,
    pub state: State,
    pub dealer: Option<&'static str>,
    pub courier: Option<&'static str>,
    /// Dealers and delivery men who have it or had it.
    pub carriers: Vec<&'static str>,
    pub fee_place: &'static str,
    pub amount: Money,
    pub sender: &'static str,
    pub recipient: &'static str,
    /// Persons whom the sale counts for.
    pub persons: [String; 2],
    pub day: i64,
    /// Charged to the sender.
    pub total: Money,
    pub holds: Vec<Hold>,
    /// How many holds it ever had.
    pub held: usize,
    /// Whether its delivery while it was held is settled, if there was one.
    pub breach: Option<bool>,
}

impl Remittance {
    fn hold(&mut self, found_of: Option<&'static str>) {
        self.held += 1;
        let number = self.held;
        self.holds.push(Hold { number, found_of });
    }

    const fn is_open(&self) -> bool {
        !matches!(self.state, State::Completed | State::Canceled)
    }

    pub const fn is_held(&self) -> bool {
        self.is_open() && !self.holds.is_empty()
    }
}

/// What happens to a sale beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    NeedsDocument,
    Hold,
    Refuse,
}

/// A rule of limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// 0 for senders, 1 for recipients.
    pub side: usize,
    /// `None` for a single sale.
    pub days: Option<i64>,
    pub group: Option<&'static str>,
    pub amount: Option<Money>,
    pub count: Option<usize>,
    pub beyond: Beyond,
}

/// A rule of approvals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Whose commands need an approval: everybody's, managers', or all others'.
    pub makers: usize,
    /// The smallest amount, in USD.
    pub from: Option<Money>,
}

/// What is known of a customer.
#[derive(Clone, Debug, Default)]
pub struct Customer {
    pub document: Option<usize>,
    /// The person, once identified by a document.
    pub person: Option<String>,
    pub identified: bool,
    pub has_document: bool,
    /// Listed people whom the customer is like, undecided.
    pub candidates: BTreeSet<usize>,
    /// Listed people of whom it was decided that they are the customer.
    pub same: BTreeSet<usize>,
    /// Listed people of whom it was decided that they are others.
    pub others: BTreeSet<usize>,
}

impl Customer {
    pub fn is_in_review(&self) -> bool {
        !self.candidates.is_empty() || !self.same.is_empty()
    }

    /// Pairs that a reviewer may decide, also once more.
    pub fn pairs(&self) -> BTreeSet<usize> {
        self.candidates.union(&self.same).copied().collect()
    }
}

#[derive(Clone, Debug)]
pub struct Debit {
    pub debtor: &'static str,
    pub creditor: Option<&'static str>,
    pub amount: Money,
    pub paid: Money,
    pub void: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Movement {
    pub moves: Vec<(String, String, Money)>,
    pub debit: Option<usize>,
    pub payments: Vec<(usize, Money)>,
    pub reversed: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Oracle {
    pub accounts: BTreeMap<String, Money>,
    pub sellers: BTreeMap<&'static str, Seller>,
    pub dealer_of: BTreeMap<&'static str, &'static str>,
    pub dealers: Vec<&'static str>,
    pub currencies: BTreeMap<&'static str, &'static str>,
    pub managers_rate: BTreeMap<&'static str, Decimal>,
    pub remittances: Vec<Remittance>,
    pub debits: Vec<Debit>,
    pub movements: Vec<Movement>,
    pub unbilled: BTreeMap<&'static str, Money>,
    pub limits: BTreeMap<usize, Limit>,
    /// Rules of approvals by the place of their kind.
    pub rules: BTreeMap<usize, Rule>,
    pub customers: BTreeMap<&'static str, Customer>,
    /// Who has each document.
    pub holders: BTreeMap<usize, String>,
    /// Number of days since some day.
    pub today: i64,
    pub named: usize,
}

fn account(parts: &[&str]) -> String {
    parts.join(" ")
}

impl Oracle {
    fn of(&self, name: &str) -> Money {
        self.accounts.get(name).copied().unwrap_or_default()
    }

    fn currency(&self, group: &str) -> &'static str {
        self.currencies[group]
    }

    fn balance(&self, seller: &str, group: &str) -> String {
        account(&["balance", seller, group, self.currency(group)])
    }

    /// Posts transfers, unless a guarded account would decrease below its limit.
    fn post(&mut self, moves: &[(String, String, Money)], delivery: bool) -> bool {
        let mut change: BTreeMap<&str, Money> = BTreeMap::new();
        for (debit, credit, amount) in moves {
            *change.entry(debit).or_default() += amount;
            *change.entry(credit).or_default() -= amount;
        }
        for (name, change) in &change {
            let after = self.of(name) + change;
            let parts: Vec<&str> = name.split(' ').collect();
            let refused = match parts[0] {
                "treasury" => *change < Money::ZERO && after < Money::ZERO,
                "field_cash" => !delivery && *change < Money::ZERO && after < Money::ZERO,
                "balance" => *change > Money::ZERO && after > self.sellers[parts[1]].terms[parts[2]].limit,
                _ => false,
            };
            if refused {
                return false;
            }
        }
        for (name, change) in change {
            *self.accounts.entry(name.to_owned()).or_default() += change;
        }
        true
    }

    fn movement(&mut self, movement: Movement) -> bool {
        let passes = self.post(&movement.moves.clone(), false);
        if passes {
            self.movements.push(movement);
        }
        passes
    }

    pub fn deposit(&mut self, currency: &str, amount: Money) -> bool {
        let moves = vec![(
            account(&["treasury", currency]),
            account(&["capital", currency]),
            amount,
        )];
        self.movement(Movement {
            moves,
            ..Movement::default()
        })
    }

    /// Opens an account that has no entry; a seller's before its first closure.
    pub fn open(&mut self, name: String, currency: &str, amount: Money, closed: bool) -> bool {
        let parts: Vec<&str> = name.split(' ').collect();
        let is_held = parts[0] != "balance" || self.sellers[parts[1]].terms.contains_key(parts[2]);
        if closed || !is_held || self.accounts.contains_key(&name) {
            return false;
        }
        let capital = account(&["capital", currency]);
        let moves = if parts[0] == "balance" {
            vec![(capital, name, amount)]
        } else {
            vec![(name, capital, amount)]
        };
        self.movement(Movement {
            moves,
            ..Movement::default()
        })
    }

    pub fn assign_balance(
        &mut self,
        giver: &'static str,
        seller: &'static str,
        group: &'static str,
        amount: Money,
        credit: bool,
    ) -> bool {
        let agency = self.sellers[seller].agency;
        let Some(terms) = self.sellers[seller].terms.get(group).cloned() else {
            return false;
        };
        if giver != "manager" && agency != Some(giver) {
            return false;
        }
        let currency = self.currency(group);
        let value = if currency == "USD" {
            amount
        } else {
            cents(amount / terms.rate)
        };
        if value <= Money::ZERO {
            return false;
        }
        let balance = self.balance(seller, group);
        let (moves, creditor) = if giver == "manager" {
            let pays = if credit {
                account(&["debits", seller, "USD"])
            } else {
                account(&["treasury", "USD"])
            };
            let moves = if currency == "USD" {
                vec![(pays, balance, amount)]
            } else {
                vec![
                    (pays, account(&["fx_position", "USD"]), value),
                    (account(&["fx_position", currency]), balance, amount),
                ]
            };
            (moves, None)
        } else {
            let mut moves = vec![(self.balance(giver, group), balance, amount)];
            if credit {
                moves.push((
                    account(&["agency_receivable", seller, "USD"]),
                    account(&["agency_memo", giver, "USD"]),
                    value,
                ));
            }
            (moves, Some(giver))
        };
        let debit = credit.then_some(self.debits.len());
        if !self.movement(Movement {
            moves,
            debit,
            ..Movement::default()
        }) {
            return false;
        }
        if credit {
            self.debits.push(Debit {
                debtor: seller,
                creditor,
                amount: value,
                paid: Money::ZERO,
                void: false,
            });
        }
        true
    }

    pub fn cash(&mut self, giver: &str, to: &'static str, currency: &str, amount: Money) -> bool {
        let from = if giver == "manager" {
            account(&["treasury", currency])
        } else if self.dealer_of.get(to) == Some(&giver) {
            account(&["field_cash", giver, currency])
        } else {
            return false;
        };
        let moves = vec![(account(&["field_cash", to, currency]), from, amount)];
        self.movement(Movement {
            moves,
            ..Movement::default()
        })
    }

    pub fn transfer(&mut self, from: &'static str, to: Option<&'static str>, currency: &str, amount: Money) -> bool {
        let to = match to {
            None => account(&["treasury", currency]),
            Some(to) => {
                let own = |a: &str, b: &str| self.dealer_of.get(b).is_some_and(|dealer| *dealer == a);
                let reachable = self.dealers.contains(&to) || own(from, to);
                if from == to || !reachable {
                    return false;
                }
                account(&["field_cash", to, currency])
            }
        };
        let moves = vec![(to, account(&["field_cash", from, currency]), amount)];
        self.movement(Movement {
            moves,
            ..Movement::default()
        })
    }

    pub fn exchange(&mut self, party: &str, from: &str, to: &str, amount: Money, rate: Decimal) -> bool {
        let received = cents(amount * rate);
        if received <= Money::ZERO {
            return false;
        }
        let moves = vec![
            (
                account(&["fx_position", from]),
                account(&["field_cash", party, from]),
                amount,
            ),
            (
                account(&["field_cash", party, to]),
                account(&["fx_position", to]),
                received,
            ),
        ];
        self.movement(Movement {
            moves,
            ..Movement::default()
        })
    }

    pub fn expense(&mut self, party: &str, currency: &str, amount: Money) -> bool {
        let moves = vec![(
            account(&["dealer_expenses", party, currency]),
            account(&["field_cash", party, currency]),
            amount,
        )];
        self.movement(Movement {
            moves,
            ..Movement::default()
        })
    }

    pub fn pay(&mut self, creditor: Option<&'static str>, listed: &[usize], amount: Option<Money>) -> bool {
        let fits = |debit: &Debit| debit.creditor == creditor && !debit.void;
        if listed.is_empty() || !listed.iter().all(|index| fits(&self.debits[*index])) {
            return false;
        }
        let open = |debit: &Debit| debit.amount - debit.paid;
        let outstanding: Money = listed.iter().map(|index| open(&self.debits[*index])).sum();
        let mut left = amount.unwrap_or(outstanding);
        if outstanding <= Money::ZERO || left > outstanding || left <= Money::ZERO {
            return false;
        }
        let mut oldest_first = listed.to_vec();
        oldest_first.sort_unstable();
        let mut payments = Vec::new();
        let mut moves = Vec::new();
        for index in oldest_first {
            let paid = open(&self.debits[index]).min(left);
            if paid <= Money::ZERO {
                continue;
            }
            left -= paid;
            let debtor = self.debits[index].debtor;
            moves.push(match creditor {
                None => (account(&["treasury", "USD"]), account(&["debits", debtor, "USD"]), paid),
                Some(agency) => (
                    account(&["agency_memo", agency, "USD"]),
                    account(&["agency_receivable", debtor, "USD"]),
                    paid,
                ),
            });
            payments.push((index, paid));
        }
        if !self.movement(Movement {
            moves,
            payments: payments.clone(),
            ..Movement::default()
        }) {
            return false;
        }
        for (index, paid) in payments {
            self.debits[index].paid += paid;
        }
        true
    }

    pub fn reverse(&mut self, index: usize) -> bool {
        let movement = self.movements[index].clone();
        let paid = movement
            .debit
            .is_some_and(|debit| self.debits[debit].paid > Money::ZERO);
        if movement.reversed || paid {
            return false;
        }
        let back: Vec<_> = movement
            .moves
            .iter()
            .map(|(debit, credit, amount)| (credit.clone(), debit.clone(), *amount))
            .collect();
        if !self.post(&back, false) {
            return false;
        }
        self.movements[index].reversed = true;
        if let Some(debit) = movement.debit {
            self.debits[debit].void = true;
        }
        for (debit, amount) in movement.payments {
            self.debits[debit].paid -= amount;
        }
        true
    }

    fn quote(&self, seller: &str, group: &str, amount: Money) -> Option<(Money, Money, Money, Money)> {
        let own = self.sellers[seller].terms.get(group)?;
        let agency = match self.sellers[seller].agency {
            Some(agency) => Some(self.sellers[agency].terms.get(group)?),
            None => None,
        };
        let payout = cents(amount * own.rate);
        let manager_fee = cents(amount * self.managers_rate[group] / dec("100"));
        let own_fee = own.commission.on(amount);
        let above = agency.map_or(Money::ZERO, |terms| terms.commission.on(amount));
        let total = amount + manager_fee + own_fee + above;
        (payout > Money::ZERO && total > Money::ZERO).then_some((payout, manager_fee, above, total))
    }

    fn agreed(&self, seller: &str, group: &str) -> Agreed {
        let own = &self.sellers[seller].terms[group];
        let agency = self.sellers[seller].agency;
        let agency = agency.map(|agency| self.sellers[agency].terms[group].commission.clone());
        (own.rate, own.commission.clone(), agency)
    }

    fn creation(&self, remittance: &Remittance) -> Vec<(String, String, Money)> {
        let currency = self.currency(remittance.group);
        let mut moves = vec![
            (
                self.balance(remittance.seller, remittance.group),
                account(&["remittances_pending", currency]),
                remittance.payout,
            ),
            (
                account(&["commission_receivable", remittance.seller, "USD"]),
                account(&["deferred_commission", "USD"]),
                remittance.manager_fee,
            ),
        ];
        if let Some(agency) = self.sellers[remittance.seller].agency {
            let receivable = account(&["agency_receivable", remittance.seller, "USD"]);
            moves.push((
                receivable,
                account(&["agency_memo", agency, "USD"]),
                remittance.agency_fee,
            ));
        }
        moves
    }

    fn payable(&self, remittance: &Remittance) -> String {
        let currency = self.currency(remittance.group);
        match remittance.state {
            State::Shipping => account(&["remittances_shipping", remittance.dealer.unwrap_or_default(), currency]),
            State::Error => account(&["remittances_error", currency]),
            _ => account(&["remittances_pending", currency]),
        }
    }

    fn undoing(&self, remittance: &Remittance) -> Vec<(String, String, Money)> {
        let payable = self.payable(remittance);
        let mut moves: Vec<_> = self
            .creation(remittance)
            .into_iter()
            .map(|(debit, credit, amount)| (credit, debit, amount))
            .collect();
        moves[0].0 = payable;
        moves
    }

    fn accrue(&mut self, remittance: &Remittance, sign: Decimal) {
        if self.sellers[remittance.seller].agency.is_some() {
            *self.unbilled.entry(remittance.seller).or_default() += sign * remittance.agency_fee;
        }
    }

    pub fn create(
        &mut self,
        seller: &'static str,
        group: &'static str,
        amount: Money,
        fee_place: &'static str,
        [sender, recipient]: [&'static str; 2],
    ) -> bool {
        let Some((payout, manager_fee, agency_fee, total)) = self.quote(seller, group, amount) else {
            return false;
        };
        let state = State::Pending;
        let remittance = Remittance {
            seller,
            group,
            agreed: self.agreed(seller, group),
            payout,
            manager_fee,
            agency_fee,
            state,
            dealer: None,
            courier: None,
            carriers: Vec::new(),
            fee_place,
            amount,
            sender,
            recipient,
            persons: [String::new(), String::new()],
            day: self.today,
            total,
            holds: Vec::new(),
            held: 0,
            breach: None,
        };
        let mut after = self.clone();
        if !after.post(&after.creation(&remittance), false) {
            return false;
        }
        if !after.limits.is_empty() {
            for customer in [sender, recipient] {
                if !after.customers[customer].identified {
                    after.identify(customer);
                }
            }
        }
        let persons = [sender, recipient].map(|customer| after.person(customer));
        let mut remittance = Remittance { persons, ..remittance };
        after.hold_in_review(&mut remittance);
        for limit in after.limits.values() {
            if after.exceeds(limit, &remittance, None) {
                let customer = [sender, recipient][limit.side];
                match limit.beyond {
                    Beyond::Refuse => return false,
                    Beyond::NeedsDocument if !after.customers[customer].has_document => return false,
                    Beyond::NeedsDocument => {}
                    Beyond::Hold => remittance.hold(None),
                }
            }
        }
        after.accrue(&remittance, Decimal::ONE);
        after.remittances.push(remittance);
        *self = after;
        true
    }

    fn person(&self, customer: &'static str) -> String {
        let known = self.customers[customer].person.clone();
        known.unwrap_or_else(|| customer.to_owned())
    }

    fn identify(&mut self, customer: &'static str) {
        let known = self.customers[customer].clone();
        let mut person = known.person.clone();
        if let Some(document) = known.document {
            let holder = self.holders.get(&document).cloned();
            let own = holder.unwrap_or_else(|| match &known.person {
                None => customer.to_owned(),
                Some(_) => {
                    self.named += 1;
                    format!("{customer}'s {}", self.named)
                }
            });
            self.holders.insert(document, own.clone());
            if known.person.is_none() {
                // The first document takes along what the customer sent and received before.
                for remittance in &mut self.remittances {
                    for name in &mut remittance.persons {
                        if name == customer {
                            name.clone_from(&own);
                        }
                    }
                }
            }
            person = Some(own);
        }
        self.customers.insert(
            customer,
            Customer {
                person,
                identified: true,
                has_document: known.document.is_some(),
                ..known
            },
        );
    }

    pub fn document(&mut self, customer: &'static str, document: Option<usize>) {
        let known = self.customers.entry(customer).or_default();
        known.document = document;
        if known.identified || !self.limits.is_empty() {
            self.identify(customer);
        }
    }

    /// Whether a sale, new or edited, makes any window of a limit that contains its day exceed the limit.
    fn exceeds(&self, limit: &Limit, sale: &Remittance, edited: Option<usize>) -> bool {
        let covers = |group: &str| limit.group.is_none_or(|only| only == group);
        let before = edited
            .map(|index| &self.remittances[index])
            .filter(|old| covers(old.group));
        if !covers(sale.group) {
            return false;
        }
        let amount = limit
            .amount
            .filter(|_| before.is_none_or(|old| sale.amount > old.amount));
        let count = limit.count.filter(|_| before.is_none());
        let beyond = |sum: Money, number: usize| {
            amount.is_some_and(|amount| sum > amount) || count.is_some_and(|count| number > count)
        };
        let Some(days) = limit.days else {
            return beyond(sale.amount, 1);
        };
        (sale.day..=self.today.min(sale.day + days - 1)).any(|last| {
            let others = self.remittances.iter().enumerate().filter(|(index, other)| {
                Some(*index) != edited
                    && other.state != State::Canceled
                    && covers(other.group)
                    && other.persons[limit.side] == sale.persons[limit.side]
                    && (last - days + 1..=last).contains(&other.day)
            });
            let others: Vec<Money> = others.map(|(_, other)| other.amount).collect();
            beyond(others.iter().sum::<Money>() + sale.amount, others.len() + 1)
        })
    }

    /// Holds a sale, new or edited, whose customers are in review.
    fn hold_in_review(&self, remittance: &mut Remittance) {
        for customer in [remittance.sender, remittance.recipient] {
            if self.customers[customer].is_in_review() {
                remittance.hold(Some(customer));
            }
        }
    }

    /// What a screening found; returns what is not decided. Who was found to be a listed person stays it.
    pub fn screen(&mut self, customer: &'static str, found: &BTreeSet<usize>) -> BTreeSet<usize> {
        let known = self.customers.get_mut(customer).unwrap();
        let decided: BTreeSet<usize> = known.others.union(&known.same).copied().collect();
        known.candidates = found.difference(&decided).copied().collect();
        known.candidates.clone()
    }

    pub fn same_person(&mut self, customer: &'static str, candidate: usize) {
        let known = self.customers.get_mut(customer).unwrap();
        known.candidates.remove(&candidate);
        known.same.insert(candidate);
    }

    pub fn somebody_else(&mut self, customer: &'static str, candidate: usize) {
        let known = self.customers.get_mut(customer).unwrap();
        known.candidates.remove(&candidate);
        known.same.remove(&candidate);
        known.others.insert(candidate);
    }

    /// Open holds for a customer in review, by remittance and number.
    pub fn held_for(&self, customer: &str) -> Vec<(usize, usize)> {
        let open = self.remittances.iter().enumerate().filter(|(_, own)| own.is_open());
        let holds = open.flat_map(|(index, own)| own.holds.iter().map(move |hold| (index, hold)));
        holds
            .filter(|(_, hold)| hold.found_of == Some(customer))
            .map(|(index, hold)| (index, hold.number))
            .collect()
    }

    /// Holds what was sold before something was found.
    pub fn hold_found(&mut self, index: usize, customer: &'static str) -> bool {
        let remittance = &mut self.remittances[index];
        if !remittance.holds.iter().any(|hold| hold.found_of == Some(customer)) && remittance.is_open() {
            remittance.hold(Some(customer));
        }
        remittance.is_open()
    }

    /// A delivery that the present carrier made is booked, with a breach where it is held, unless the carrier could know of
    /// the hold. Another carrier's, and one in another state, is a dispute, which posts nothing.
    pub fn deliver_offline(&mut self, index: usize, carrier: &str, at_once: bool, fee: Money) -> bool {
        let old = &self.remittances[index];
        let carries = old.state == State::Shipping && [old.dealer, old.courier].contains(&Some(carrier));
        if !carries {
            return true;
        }
        let is_held = old.is_held();
        if is_held && at_once {
            return false;
        }
        self.pay_out(index, fee);
        if is_held {
            self.remittances[index].breach = Some(false);
        }
        true
    }

    pub fn settle(&mut self, index: usize) -> bool {
        let breach = &mut self.remittances[index].breach;
        let passes = *breach == Some(false);
        if passes {
            *breach = Some(true);
        }
        passes
    }

    pub fn release(&mut self, index: usize, number: usize) -> bool {
        let remittance = &mut self.remittances[index];
        let is_open = remittance.is_open();
        let place = remittance.holds.iter().position(|hold| hold.number == number);
        if let Some(place) = place.filter(|_| is_open) {
            remittance.holds.remove(place);
            return true;
        }
        false
    }

    pub fn edit_amount(&mut self, index: usize, group: &'static str, amount: Money) -> bool {
        let old = self.remittances[index].clone();
        if !matches!(old.state, State::Pending | State::Error) {
            return false;
        }
        if !old.holds.is_empty() {
            return false;
        }
        let Some((payout, manager_fee, agency_fee, total)) = self.quote(old.seller, group, amount) else {
            return false;
        };
        let mut new = Remittance {
            group,
            agreed: self.agreed(old.seller, group),
            amount,
            payout,
            manager_fee,
            agency_fee,
            total,
            state: State::Pending,
            dealer: None,
            courier: None,
            ..old.clone()
        };
        if new == old {
            return true;
        }
        self.hold_in_review(&mut new);
        for limit in self.limits.values() {
            if self.exceeds(limit, &new, Some(index)) {
                let customer = [new.sender, new.recipient][limit.side];
                match limit.beyond {
                    Beyond::Refuse => return false,
                    Beyond::NeedsDocument if self.customers[customer].has_document => {}
                    Beyond::NeedsDocument | Beyond::Hold => new.hold(None),
                }
            }
        }
        let mut moves = self.undoing(&old);
        moves.extend(self.creation(&new));
        if !self.post(&moves, false) {
            return false;
        }
        self.accrue(&old, -Decimal::ONE);
        self.accrue(&new, Decimal::ONE);
        self.remittances[index] = new;
        true
    }

    pub fn edit_details(&mut self, index: usize) -> bool {
        let old = self.remittances[index].clone();
        if !old.holds.is_empty() {
            return false;
        }
        match old.state {
            State::Pending | State::Shipping => true,
            State::Error => {
                let pending = account(&["remittances_pending", self.currency(old.group)]);
                self.post(&[(self.payable(&old), pending, old.payout)], false);
                self.remittances[index] = Remittance {
                    state: State::Pending,
                    dealer: None,
                    courier: None,
                    ..old
                };
                true
            }
            State::Completed | State::Canceled => false,
        }
    }

    pub fn assign(&mut self, index: usize, dealer: &'static str, courier: Option<&'static str>) -> bool {
        let old = self.remittances[index].clone();
        if matches!(old.state, State::Completed | State::Canceled) || !old.holds.is_empty() {
            return false;
        }
        if courier.is_some_and(|courier| self.dealer_of[courier] != dealer) {
            return false;
        }
        let to = account(&["remittances_shipping", dealer, self.currency(old.group)]);
        let from = self.payable(&old);
        if from != to {
            self.post(&[(from, to, old.payout)], false);
        }
        let mut carriers = old.carriers.clone();
        let more = [Some(dealer), courier].into_iter().flatten();
        carriers.extend(more.filter(|carrier| !old.carriers.contains(carrier)));
        self.remittances[index] = Remittance {
            state: State::Shipping,
            dealer: Some(dealer),
            courier,
            carriers,
            ..old
        };
        true
    }

    pub fn fail(&mut self, index: usize) -> bool {
        let old = self.remittances[index].clone();
        if !matches!(old.state, State::Pending | State::Shipping) {
            return false;
        }
        let to = account(&["remittances_error", self.currency(old.group)]);
        self.post(&[(self.payable(&old), to, old.payout)], false);
        self.remittances[index].state = State::Error;
        true
    }

    pub fn cancel(&mut self, index: usize) -> bool {
        let old = self.remittances[index].clone();
        if matches!(old.state, State::Completed | State::Canceled) {
            return false;
        }
        self.post(&self.undoing(&old), false);
        self.accrue(&old, -Decimal::ONE);
        self.remittances[index].state = State::Canceled;
        true
    }

    pub fn complete(&mut self, index: usize, fee: Money) -> bool {
        let old = &self.remittances[index];
        if old.state != State::Shipping || old.is_held() {
            return false;
        }
        self.pay_out(index, fee);
        true
    }

    fn pay_out(&mut self, index: usize, fee: Money) {
        let old = self.remittances[index].clone();
        let currency = self.currency(old.group);
        let cash = account(&["field_cash", old.courier.or(old.dealer).unwrap_or_default(), currency]);
        let moves = [
            (self.payable(&old), cash.clone(), old.payout),
            (account(&["distribution_fees", currency]), cash, fee),
            (
                account(&["deferred_commission", "USD"]),
                account(&["commission_income", "USD"]),
                old.manager_fee,
            ),
        ];
        self.post(&moves, true);
        self.remittances[index].state = State::Completed;
    }

    pub fn close(&mut self, caller: &str, seller: &'static str) -> bool {
        let agency = self.sellers[seller].agency;
        if caller != "manager" && agency != Some(caller) {
            return false;
        }
        let receivable = account(&["commission_receivable", seller, "USD"]);
        let accrued = self.of(&receivable);
        if accrued > Money::ZERO {
            self.post(&[(account(&["debits", seller, "USD"]), receivable, accrued)], false);
            self.debits.push(Debit {
                debtor: seller,
                creditor: None,
                amount: accrued,
                paid: Money::ZERO,
                void: false,
            });
        }
        let unbilled = self.unbilled.get(seller).copied().unwrap_or_default();
        if agency.is_some() && unbilled > Money::ZERO {
            self.debits.push(Debit {
                debtor: seller,
                creditor: agency,
                amount: unbilled,
                paid: Money::ZERO,
                void: false,
            });
            self.unbilled.insert(seller, Money::ZERO);
        }
        true
    }
}
