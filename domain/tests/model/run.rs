//! A run: each command is given to the books and to the oracle.

use super::ops::Op;
use crate::{
    approvals::Approvals,
    common::{Business, any, closing, commission, delivered, terms},
    oracle::{Beyond, Commission, Customer, Limit, Money, Oracle, Seller, State, Terms, dec},
};
use caudal_domain::{
    Actor, Command, StreamState, TenantCommand, UtilityType,
    closure::Closure,
    customer::{ChangeCustomer, CustomerCommand, CustomerDetails, IdentificationType},
    ids::{ClosureId, CustomerId, LimitRuleId, MovementId, ObligationId, PartyId, PaymentGroupId, RemittanceId},
    limits::{IdentityDocument, LimitOutcome, LimitRule, LimitWindow, Need, SaleChecks, Side},
    money::{Amount, CurrencyCode},
    movement::{
        DepositTo, Exchange, Expense, Funds, MovementCommand, OpenBalance, Opened, PayDebits, TransferCash, TransferTo,
    },
    party::PartyCommand,
    remittance::{
        AssignDealer, CreateRemittance, EditAmount, EditDetails, HoldOutcome, RemittanceCommand, ReviewHold, Status,
    },
};
use chrono::Datelike as _;
use std::collections::BTreeMap;

pub const SELLERS: [&str; 4] = ["agency", "agent", "free-agent", "other-agency"];
pub const GROUPS: [&str; 2] = ["CUP", "USD"];
const FIELD: [&str; 4] = ["dealer", "other-dealer", "courier", "other-courier"];
pub const CUSTOMERS: [&str; 5] = ["ana", "berta", "carla", "delia", "elisa"];
const CARDS: [&str; 3] = ["80010112345", "75010112345", "85020291531"];
const DEALERS: [&str; 2] = ["dealer", "other-dealer"];

pub struct Run {
    pub business: Business,
    pub oracle: Oracle,
    pub names: BTreeMap<PartyId, &'static str>,
    pub groups: BTreeMap<PaymentGroupId, &'static str>,
    pub remittances: Vec<RemittanceId>,
    pub movements: Vec<MovementId>,
    pub debits: Vec<ObligationId>,
    pub closings: BTreeMap<&'static str, BTreeMap<PaymentGroupId, Amount>>,
    pub approvals: Approvals,
    /// Opening balances with their movements, by the oracle's name of the account.
    pub opened: BTreeMap<String, (usize, Amount)>,
    pub accepted: usize,
}

fn plain(percent: &str) -> Commission {
    Commission {
        rate: dec(percent),
        percentage: false,
        special: None,
    }
}

fn details(card: Option<usize>) -> CustomerDetails {
    CustomerDetails {
        name: "Ana".into(),
        personal_identification_number: card.map(|card| CARDS[card].to_owned()),
        personal_identification_type: card.map(|_| IdentificationType::Ci),
        ..CustomerDetails::default()
    }
}

impl Run {
    pub fn new() -> Self {
        let mut business = Business::new();
        let approvals = Approvals::new(&mut business);
        let offer = |rate: &str, commission: Commission, limit: &str| Terms {
            rate: dec(rate),
            commission,
            limit: dec(limit),
        };
        let fixed = |rate: &str, minimum: &str, utility: &str| Commission {
            special: Some((dec(minimum), dec(utility))),
            ..plain(rate)
        };
        let percentage = |rate: &str, minimum: &str, utility: &str| Commission {
            percentage: true,
            ..fixed(rate, minimum, utility)
        };
        let seller = |agency, terms: Vec<(&'static str, Terms)>| Seller {
            agency,
            terms: terms.into_iter().collect(),
        };
        let sellers = BTreeMap::from([
            (
                "agency",
                seller(
                    None,
                    vec![
                        ("CUP", offer("318.5", fixed("5", "50", "4.00"), "0")),
                        ("USD", offer("1", percentage("6", "100", "8"), "500")),
                    ],
                ),
            ),
            (
                "agent",
                seller(
                    Some("agency"),
                    vec![
                        ("CUP", offer("315", plain("3"), "0")),
                        ("USD", offer("0.99", plain("1"), "50")),
                    ],
                ),
            ),
            (
                "free-agent",
                seller(None, vec![("CUP", offer("317", fixed("4", "30", "2.5"), "0"))]),
            ),
            (
                "other-agency",
                seller(None, vec![("CUP", offer("319", plain("4"), "1000"))]),
            ),
        ]);
        let oracle = Oracle {
            sellers,
            dealer_of: BTreeMap::from([("courier", "dealer"), ("other-courier", "other-dealer")]),
            dealers: DEALERS.to_vec(),
            currencies: BTreeMap::from([("CUP", "CUP"), ("USD", "USD")]),
            customers: CUSTOMERS.map(|name| (name, Customer::default())).into(),
            managers_rate: BTreeMap::from([("CUP", dec("2")), ("USD", dec("-0.1"))]),
            ..Oracle::default()
        };
        let names = BTreeMap::from([
            (business.agency, "agency"),
            (business.agent, "agent"),
            (business.free_agent, "free-agent"),
            (business.other_agency, "other-agency"),
            (business.dealer, "dealer"),
            (business.other_dealer, "other-dealer"),
            (business.courier, "courier"),
            (business.other_courier, "other-courier"),
        ]);
        let groups = BTreeMap::from([(business.cup, "CUP"), (business.usd, "USD")]);
        Self {
            business,
            oracle,
            names,
            groups,
            remittances: vec![],
            movements: vec![],
            debits: vec![],
            closings: BTreeMap::new(),
            approvals,
            opened: BTreeMap::new(),
            accepted: 0,
        }
    }

    pub fn party(&self, name: &str) -> PartyId {
        *self.names.iter().find(|(_, known)| **known == name).unwrap().0
    }

    /// A dealer or delivery man.
    pub fn field(&self, index: usize) -> PartyId {
        self.party(FIELD[index])
    }

    fn group(&self, index: usize) -> PaymentGroupId {
        [self.business.cup, self.business.usd][index]
    }

    fn movement(&mut self, actor: Actor, command: MovementCommand) -> bool {
        let given = self.give(actor, Command::Movement(MovementId::generate(), command));
        if let Some(answer) = &given {
            self.movements.push(MovementId(answer.id));
            self.debits.extend(answer.debit_id.map(ObligationId));
        }
        given.is_some()
    }

    fn deposit(&mut self, actor: Actor, to: DepositTo, funds: Funds, minor: i64, credit: bool) -> bool {
        let debit = ObligationId::generate();
        let deposit = caudal_domain::movement::Deposit {
            to,
            funds,
            amount: Amount::from_minor(minor),
            on_credit: credit,
            note: None,
            debit,
        };
        self.movement(actor, MovementCommand::Deposit(deposit))
    }

    pub fn act(&mut self, actor: Actor, id: RemittanceId, command: RemittanceCommand) -> bool {
        self.give(actor, Command::Remittance(id, command)).is_some()
    }

    /// Gives a command to both; `Some` says whether it took effect in each.
    #[allow(clippy::too_many_lines, reason = "one arm a command")]
    pub fn act_on(&mut self, op: &Op) -> Option<(bool, bool)> {
        let manager = self.business.manager;
        self.oracle.today = i64::from(self.day().num_days_from_ce());
        let money = |minor: i64| Money::new(minor, 2);
        let code = |index: usize| [CurrencyCode::CUP, CurrencyCode::USD][index];
        let pick = |picks: usize, length: usize| (length > 0).then(|| picks % length.max(1));
        Some(match op {
            Op::Deposit { currency, minor } => (
                self.deposit(
                    manager,
                    DepositTo::Treasury,
                    Funds::Currency(code(*currency)),
                    *minor,
                    false,
                ),
                self.oracle.deposit(GROUPS[*currency], money(*minor)),
            ),
            Op::Open {
                account,
                party,
                group,
                minor,
            } => {
                let (field, seller) = (FIELD[*party], SELLERS[*party]);
                let (currency, of_group) = (GROUPS[*group], self.group(*group));
                let (of, name) = match *account {
                    0 => (Opened::Treasury(code(*group)), format!("treasury {currency}")),
                    1 => (
                        Opened::Cash(self.party(field), code(*group)),
                        format!("field_cash {field} {currency}"),
                    ),
                    _ => (
                        Opened::Balance(self.party(seller), of_group),
                        format!("balance {seller} {currency} {currency}"),
                    ),
                };
                let closed = *account == 2 && self.closings.contains_key(seller);
                let amount = Amount::from_minor(*minor);
                let real = self.movement(manager, MovementCommand::Open(OpenBalance { of, amount }));
                if real {
                    self.opened.insert(name.clone(), (self.movements.len() - 1, amount));
                }
                (real, self.oracle.open(name, currency, money(*minor), closed))
            }
            Op::AssignBalance {
                by_agency,
                seller,
                group,
                minor,
                credit,
            } => {
                let name = SELLERS[*seller];
                let (actor, giver) = if *by_agency {
                    (Actor::Party(self.business.agency), "agency")
                } else {
                    (manager, "manager")
                };
                let (party, funds) = (any(self.party(name)), Funds::Group(self.group(*group)));
                let real = self.deposit(actor, party, funds, *minor, *credit);
                (
                    real,
                    self.oracle
                        .assign_balance(giver, name, GROUPS[*group], money(*minor), *credit),
                )
            }
            Op::Cash {
                by_dealer,
                to,
                currency,
                minor,
            } => {
                let (actor, giver) = if *by_dealer {
                    (Actor::Party(self.business.dealer), "dealer")
                } else {
                    (manager, "manager")
                };
                let to = FIELD[*to];
                let real = self.deposit(
                    actor,
                    any(self.party(to)),
                    Funds::Currency(code(*currency)),
                    *minor,
                    false,
                );
                (real, self.oracle.cash(giver, to, GROUPS[*currency], money(*minor)))
            }
            Op::Transfer {
                from,
                to,
                currency,
                minor,
            } => {
                let (from, to) = (FIELD[*from], to.map(|to| FIELD[to]));
                let transfer = TransferCash {
                    from: self.party(from),
                    to: to.map_or(TransferTo::Manager, |to| TransferTo::Party(self.party(to))),
                    amount: Amount::from_minor(*minor),
                    currency: code(*currency),
                    exchange: None,
                    note: None,
                };
                let real = self.movement(manager, MovementCommand::Transfer(transfer));
                (real, self.oracle.transfer(from, to, GROUPS[*currency], money(*minor)))
            }
            Op::Exchange {
                party,
                into_usd,
                minor,
                thousandths,
            } => {
                let (from, to) = if *into_usd { (0, 1) } else { (1, 0) };
                let rate = Money::new(*thousandths, 3).normalize();
                let transfer = TransferCash {
                    from: self.party(FIELD[*party]),
                    to: TransferTo::Party(self.party(FIELD[*party])),
                    amount: Amount::from_minor(*minor),
                    currency: code(from),
                    exchange: Some(Exchange {
                        currency: code(to),
                        rate: rate.to_string().parse().unwrap(),
                    }),
                    note: None,
                };
                let real = self.movement(manager, MovementCommand::Transfer(transfer));
                (
                    real,
                    self.oracle
                        .exchange(FIELD[*party], GROUPS[from], GROUPS[to], money(*minor), rate),
                )
            }
            Op::Expense { party, currency, minor } => {
                let expense = Expense {
                    party: self.party(FIELD[*party]),
                    amount: Amount::from_minor(*minor),
                    currency: code(*currency),
                    concept: "combustible".into(),
                };
                let real = self.movement(
                    Actor::Party(self.party(FIELD[*party])),
                    MovementCommand::Expense(expense),
                );
                (
                    real,
                    self.oracle.expense(FIELD[*party], GROUPS[*currency], money(*minor)),
                )
            }
            Op::Pay {
                by_agency,
                picks,
                minor,
            } => {
                let mut listed: Vec<usize> = picks
                    .iter()
                    .filter_map(|picked| pick(*picked, self.debits.len()))
                    .collect();
                listed.sort_unstable();
                listed.dedup();
                listed.reverse();
                let (actor, creditor) = if *by_agency {
                    (Actor::Party(self.business.agency), Some("agency"))
                } else {
                    (manager, None)
                };
                let payment = PayDebits {
                    debits: listed.iter().map(|index| self.debits[*index]).collect(),
                    amount: minor.map(Amount::from_minor),
                    note: None,
                };
                let real = self.movement(actor, MovementCommand::PayDebits(payment));
                (real, self.oracle.pay(creditor, &listed, minor.map(money)))
            }
            Op::Reverse { pick: picked } => {
                let index = pick(*picked, self.movements.len())?;
                let reason = "equivocado".to_owned();
                let command = Command::Movement(self.movements[index], MovementCommand::Reverse { reason });
                (self.give(manager, command).is_some(), self.oracle.reverse(index))
            }
            Op::Create { seller, group, minor } => {
                let name = SELLERS[*seller];
                let (actor, sender, recipient, place) = match name {
                    // The agency's clerk sells on the agency's balance.
                    "agency" => (
                        Actor::Party(self.business.clerk),
                        self.business.ana,
                        self.business.berta,
                        "playa",
                    ),
                    "agent" => (
                        Actor::Party(self.business.agent),
                        self.business.ana,
                        self.business.carla,
                        "cardenas",
                    ),
                    "free-agent" => (
                        Actor::Party(self.business.free_agent),
                        self.business.delia,
                        self.business.elisa,
                        "cardenas",
                    ),
                    _ => return None,
                };
                let customers = [sender, recipient].map(|id| self.customer_name(id));
                let sale = CreateRemittance {
                    sender,
                    recipient,
                    checks: self.checks(&customers),
                    ..self.business.sale(self.group(*group), *minor)
                };
                let id = sale.id;
                let real = self.act(actor, id, RemittanceCommand::Create(sale));
                if real {
                    self.remittances.push(id);
                    self.approvals.sold_at.push(self.business.world.now);
                }
                (
                    real,
                    self.oracle
                        .create(name, GROUPS[*group], money(*minor), place, customers),
                )
            }
            Op::EditAmount {
                pick: picked,
                group,
                minor,
            } => {
                let index = pick(*picked, self.remittances.len())?;
                let sold = &self.oracle.remittances[index];
                let customers = [sold.sender, sold.recipient];
                let edit = EditAmount {
                    customers: customers.map(|name| self.customer(name)).into(),
                    checks: self.checks(&customers),
                    ..EditAmount::new(Amount::from_minor(*minor), self.group(*group))
                };
                let real = self.act(manager, self.remittances[index], RemittanceCommand::EditAmount(edit));
                (real, self.oracle.edit_amount(index, GROUPS[*group], money(*minor)))
            }
            Op::EditDetails { pick: picked } => {
                let index = pick(*picked, self.remittances.len())?;
                let recipient = self.business.world.remittance(self.remittances[index]).sale.recipient;
                let edit = EditDetails {
                    address: Some("Calle 5".into()),
                    ..EditDetails::new(recipient)
                };
                let real = self.act(manager, self.remittances[index], RemittanceCommand::EditDetails(edit));
                (real, self.oracle.edit_details(index))
            }
            Op::Assign {
                pick: picked,
                dealer,
                courier,
            } => {
                let index = pick(*picked, self.remittances.len())?;
                let courier = courier.map(|courier| FIELD[courier]);
                let assign = AssignDealer {
                    dealer: self.party(DEALERS[*dealer]),
                    delivery_man: courier.map(|courier| self.party(courier)),
                };
                let real = self.act(manager, self.remittances[index], RemittanceCommand::Assign(assign));
                (real, self.oracle.assign(index, DEALERS[*dealer], courier))
            }
            Op::Fail { pick: picked } => {
                let index = pick(*picked, self.remittances.len())?;
                let command = RemittanceCommand::MarkError {
                    reason: "no está".into(),
                };
                (
                    self.act(manager, self.remittances[index], command),
                    self.oracle.fail(index),
                )
            }
            Op::Cancel { pick: picked } => {
                let index = pick(*picked, self.remittances.len())?;
                let command = RemittanceCommand::Cancel {
                    reason: "a petición".into(),
                };
                (
                    self.act(manager, self.remittances[index], command),
                    self.oracle.cancel(index),
                )
            }
            Op::Complete { pick: picked } => {
                let index = pick(*picked, self.remittances.len())?;
                let fee = self.fee(index);
                let real = self.act(
                    manager,
                    self.remittances[index],
                    RemittanceCommand::Complete(delivered()),
                );
                (real, self.oracle.complete(index, fee))
            }
            Op::Close { by_agency, seller } => {
                let name = SELLERS[*seller];
                let (actor, caller) = if *by_agency {
                    (Actor::Party(self.business.agency), "agency")
                } else {
                    (manager, "manager")
                };
                let mut close = closing(self.party(name));
                let given = self.give(actor, Command::Closure(close.clone()));
                if let Some(answer) = &given {
                    close.id = ClosureId(answer.id);
                    self.debits.extend(
                        [answer.debit_id, answer.agency_debit_id]
                            .into_iter()
                            .flatten()
                            .map(ObligationId),
                    );
                    self.check_closure(name, &close);
                }
                (given.is_some(), self.oracle.close(caller, name))
            }
            Op::Terms {
                seller,
                group,
                rate,
                percent,
                special,
                limit,
            } => {
                let name = SELLERS[*seller];
                let (rate, percent) = (Money::new(*rate, 3).normalize(), Money::new(*percent, 2).normalize());
                let special = special.then_some(("20", "1.50"));
                let utility = if special.is_some() {
                    UtilityType::Percentage
                } else {
                    UtilityType::Fixed
                };
                let change = terms(
                    self.group(*group),
                    &rate.to_string(),
                    commission(&percent.to_string(), utility, special),
                    &Amount::from_minor(*limit).to_string(),
                );
                let known = self.oracle.sellers[name].terms.get(GROUPS[*group]).cloned();
                let used = self
                    .oracle
                    .accounts
                    .get(&format!("balance {name} {0} {0}", GROUPS[*group]))
                    .copied()
                    .unwrap_or_default();
                let party = self.party(name);
                let change = Command::Party(party, PartyCommand::SetTerms(change));
                let real = self.give(manager, change).is_some();
                let agency_holds = self.oracle.sellers[name]
                    .agency
                    .is_none_or(|agency| self.oracle.sellers[agency].terms.contains_key(GROUPS[*group]));
                let limit = money(*limit);
                let before = known.map_or(Money::ZERO, |terms| terms.limit);
                let passes = agency_holds && (limit >= used || limit >= before);
                if passes {
                    let commission = Commission {
                        rate: percent,
                        percentage: special.is_some(),
                        special: special.map(|(a, b)| (dec(a), dec(b))),
                    };
                    self.oracle.sellers.get_mut(name).unwrap().terms.insert(
                        GROUPS[*group],
                        Terms {
                            rate,
                            commission,
                            limit,
                        },
                    );
                }
                (real, passes)
            }
            Op::Limit {
                slot,
                of_recipients,
                window,
                group,
                minor,
                count,
                outcome,
            } => {
                let id = LimitRuleId(uuid::Uuid::from_u128(*slot as u128 + 1));
                let Some(outcome) = outcome else {
                    let command = Command::Tenant(TenantCommand::RemoveLimitRule(id));
                    let real = self.give(manager, command).is_some();
                    return Some((real, self.oracle.limits.remove(slot).is_some()));
                };
                let (window, days) = [
                    (LimitWindow::Sale, None),
                    (LimitWindow::Day, Some(1)),
                    (LimitWindow::Days7, Some(7)),
                    (LimitWindow::Days30, Some(30)),
                    (LimitWindow::Days365, Some(365)),
                ][*window];
                let (outcome, beyond) = [
                    (LimitOutcome::Needs, Beyond::NeedsDocument),
                    (LimitOutcome::Hold, Beyond::Hold),
                    (LimitOutcome::Refuse, Beyond::Refuse),
                ][*outcome];
                let rule = LimitRule {
                    id,
                    side: Side::ALL[usize::from(*of_recipients)],
                    window,
                    groups: group.iter().map(|group| self.group(*group)).collect(),
                    amount: minor.map(Amount::from_minor),
                    count: *count,
                    outcome,
                    needs: (outcome == LimitOutcome::Needs)
                        .then_some(Need::Document)
                        .into_iter()
                        .collect(),
                };
                let command = Command::Tenant(TenantCommand::SetLimitRule(rule));
                let real = self.give(manager, command).is_some();
                let passes = (minor.is_some() || count.is_some()) && (days.is_some() || count.is_none());
                if passes {
                    let limit = Limit {
                        side: usize::from(*of_recipients),
                        days,
                        group: group.map(|group| GROUPS[group]),
                        amount: minor.map(money),
                        count: count.map(|count| count as usize),
                        beyond,
                    };
                    self.oracle.limits.insert(*slot, limit);
                }
                (real, passes)
            }
            Op::Document { customer, card } => {
                let name = CUSTOMERS[*customer];
                let change = ChangeCustomer {
                    details: details(*card),
                    known: None,
                    is_active: None,
                    place: None,
                };
                let command = Command::Customer(self.customer(name), CustomerCommand::Change(change));
                let real = self.give(manager, command).is_some();
                self.oracle.document(name, *card);
                (real, true)
            }
            Op::Release { pick: picked, hold } => {
                let index = pick(*picked, self.remittances.len())?;
                let number = pick(*hold, self.oracle.remittances[index].held)? + 1;
                let review = ReviewHold {
                    number: u32::try_from(number).unwrap(),
                    outcome: HoldOutcome::Release,
                    reason: "revisada".into(),
                    files: Vec::new(),
                };
                let command = RemittanceCommand::ReviewHold(review);
                (
                    self.act(manager, self.remittances[index], command),
                    self.oracle.release(index, number),
                )
            }
            Op::Rule { kind, makers, minor } => self.set_rule(*kind, *makers, *minor),
            Op::Screen { customer, found } => self.screen(*customer, *found),
            Op::HoldFound => self.hold_found(),
            Op::Offline {
                pick,
                held,
                carrier,
                at_once,
            } => return self.deliver_offline(*pick, *held, *carrier, *at_once),
            Op::Settle { pick, breached } => return self.settle(*pick, *breached),
            Op::Pair { customer, pick, same } => return self.decide_pair(*customer, *pick, *same),
            Op::Decide { .. } => return None,
            Op::NextDay => {
                self.business.world.now += chrono::Duration::hours(17);
                return None;
            }
        })
    }

    pub fn customer(&self, name: &str) -> CustomerId {
        let business = &self.business;
        match name {
            "ana" => business.ana,
            "berta" => business.berta,
            "carla" => business.carla,
            "delia" => business.delia,
            _ => business.elisa,
        }
    }

    fn customer_name(&self, id: CustomerId) -> &'static str {
        CUSTOMERS.into_iter().find(|name| self.customer(name) == id).unwrap()
    }

    /// What the API reads of a sale's customers.
    fn checks(&self, customers: &[&'static str]) -> SaleChecks {
        let document = |name: &&'static str| {
            let card = self.oracle.customers[name].document;
            (self.customer(name), IdentityDocument::of(&details(card)))
        };
        SaleChecks {
            documents: customers.iter().map(document).collect(),
            valid: customers.iter().map(|name| self.customer(name)).collect(),
        }
    }

    /// The sums of all persons equal those of the remittances, and each person's equal the oracle's.
    pub fn check_sums(&self) {
        let limits = self.business.world.tenant_state.limits();
        let (first, last) = (self.day() - chrono::Days::new(364), self.day());
        for (at, side) in Side::ALL.iter().enumerate() {
            let mut expected: BTreeMap<&str, (Money, u32)> = BTreeMap::new();
            let counted = self.oracle.remittances.iter();
            for remittance in counted.filter(|remittance| remittance.state != State::Canceled) {
                let sum = expected.entry(&remittance.persons[at]).or_default();
                *sum = (sum.0 + remittance.amount, sum.1 + 1);
            }
            let mut expected: Vec<_> = expected.into_values().collect();
            let persons: std::collections::BTreeSet<_> = limits.persons().collect();
            let sums = persons.into_iter().map(|person| limits.sum(person, *side, first, last));
            let mut real: Vec<_> = sums
                .filter(|sum| sum.count > 0)
                .map(|sum| (Money::new(sum.amount.minor(), 2), sum.count))
                .collect();
            expected.sort_unstable();
            real.sort_unstable();
            assert_eq!(real, expected, "{side:?}");
            let remittances = self.business.world.remittances();
            let sold = remittances.filter(|remittance| remittance.status != Status::Canceled);
            let sold: i64 = sold.map(|remittance| remittance.sale.quote.amount.minor()).sum();
            let sum: Money = real.iter().map(|(amount, _)| *amount).sum();
            assert_eq!(sum, Money::new(sold, 2), "over persons as over remittances");
        }
    }

    /// Day of the next command in the tenant's time zone.
    fn day(&self) -> chrono::NaiveDate {
        let next = self.business.world.now + chrono::Duration::seconds(1);
        next.with_timezone(&self.business.world.tenant_state.zone())
            .date_naive()
    }

    /// The closing identity, and that each closure opens where the one before closed.
    fn check_closure(&mut self, name: &'static str, close: &caudal_domain::closure::ClosePeriod) {
        let StreamState::Closure(stream) = self.business.world.state(Command::Closure(close.clone()).stream()) else {
            unreachable!()
        };
        let closure: Closure = stream.0.expect("it was closed");
        let before = self.closings.entry(name).or_default();
        for figures in &closure.groups {
            let opening = before.insert(figures.group, figures.closing).unwrap_or_else(|| {
                let currency = self.groups.get(&figures.group);
                let opened =
                    currency.and_then(|currency| self.opened.get(&format!("balance {name} {currency} {currency}")));
                let standing = opened.filter(|(movement, _)| !self.oracle.movements[*movement].reversed);
                standing.map_or(Amount::ZERO, |(_, amount)| *amount)
            });
            assert_eq!(
                figures.opening, opening,
                "closures are contiguous, from 0 or the opening balance"
            );
            let sum = figures.opening + figures.assigned - figures.given - figures.sold + figures.returned;
            assert_eq!(figures.closing, sum, "the closing identity");
            assert_eq!(
                figures.closing,
                self.business.world.tenant_state.prepaid(closure.party, figures.group),
                "it closes at the ledger's balance"
            );
        }
    }
}
