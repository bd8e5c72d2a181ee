//! Random business compared with the oracle: thousands of commands, with every account equal after each, all
//! invariants and the closing identity satisfied, and the replay of the log equal to the books.

#![allow(clippy::inconsistent_digit_grouping, reason = "amounts in hundredths read as 318_50")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops where it must"
)]

#[path = "../common/mod.rs"]
mod common;
mod oracle;

use caudal_domain::{
    Account, AccountKind, Actor, Books, Command, StreamState, UtilityType,
    closure::Closure,
    ids::{DebitId, MovementId, PartyId, PaymentGroupId, RemittanceId},
    money::{Amount, CurrencyCode},
    movement::{DepositTo, Exchange, Expense, Funds, MovementCommand, PayDebits, TransferCash, TransferTo},
    party::PartyCommand,
    remittance::{AssignDealer, CreateRemittance, EditAmount, EditDetails, RemittanceCommand},
};
use common::{Business, any, closing, commission, delivered, terms};
use oracle::{Commission, Money, Oracle, Seller, State, Terms, dec};
use proptest::prelude::*;
use std::collections::BTreeMap;

const SELLERS: [&str; 4] = ["agency", "agent", "free-agent", "other-agency"];
const GROUPS: [&str; 2] = ["CUP", "USD"];
const FIELD: [&str; 4] = ["dealer", "other-dealer", "courier", "other-courier"];
const DEALERS: [&str; 2] = ["dealer", "other-dealer"];

#[derive(Clone, Debug)]
enum Op {
    Deposit {
        currency: usize,
        minor: i64,
    },
    AssignBalance {
        by_agency: bool,
        seller: usize,
        group: usize,
        minor: i64,
        credit: bool,
    },
    Cash {
        by_dealer: bool,
        to: usize,
        currency: usize,
        minor: i64,
    },
    Transfer {
        from: usize,
        to: Option<usize>,
        currency: usize,
        minor: i64,
    },
    Exchange {
        party: usize,
        into_usd: bool,
        minor: i64,
        thousandths: i64,
    },
    Expense {
        party: usize,
        currency: usize,
        minor: i64,
    },
    Pay {
        by_agency: bool,
        picks: Vec<usize>,
        minor: Option<i64>,
    },
    Reverse {
        pick: usize,
    },
    Create {
        seller: usize,
        group: usize,
        minor: i64,
    },
    EditAmount {
        pick: usize,
        group: usize,
        minor: i64,
    },
    EditDetails {
        pick: usize,
    },
    Assign {
        pick: usize,
        dealer: usize,
        courier: Option<usize>,
    },
    Fail {
        pick: usize,
    },
    Cancel {
        pick: usize,
    },
    Complete {
        pick: usize,
    },
    Close {
        by_agency: bool,
        seller: usize,
    },
    Terms {
        seller: usize,
        group: usize,
        rate: i64,
        percent: i64,
        special: bool,
        limit: i64,
    },
    NextDay,
}

fn ops() -> impl Strategy<Value = Op> {
    let minor = || prop_oneof![1_i64..50, 50_i64..30_000, 30_000_i64..5_000_000];
    let index = || proptest::arbitrary::any::<usize>();
    let two = || 0_usize..2;
    let four = || 0_usize..4;
    prop_oneof![
        2 => (two(), 1_i64..90_000_000).prop_map(|(currency, minor)| Op::Deposit { currency, minor }),
        4 => (proptest::bool::ANY, four(), two(), 1_i64..40_000_000, proptest::bool::ANY)
            .prop_map(|(by_agency, seller, group, minor, credit)| Op::AssignBalance { by_agency, seller, group, minor, credit }),
        3 => (proptest::bool::ANY, four(), two(), minor()).prop_map(|(by_dealer, to, currency, minor)| Op::Cash { by_dealer, to, currency, minor }),
        2 => (four(), proptest::option::of(four()), two(), minor())
            .prop_map(|(from, to, currency, minor)| Op::Transfer { from, to, currency, minor }),
        1 => (four(), proptest::bool::ANY, minor(), 1_i64..400_000)
            .prop_map(|(party, into_usd, minor, thousandths)| Op::Exchange { party, into_usd, minor, thousandths }),
        1 => (four(), two(), minor()).prop_map(|(party, currency, minor)| Op::Expense { party, currency, minor }),
        2 => (proptest::bool::ANY, prop::collection::vec(index(), 1..3), proptest::option::of(minor()))
            .prop_map(|(by_agency, picks, minor)| Op::Pay { by_agency, picks, minor }),
        1 => index().prop_map(|pick| Op::Reverse { pick }),
        9 => (four(), two(), 1_i64..60_000).prop_map(|(seller, group, minor)| Op::Create { seller, group, minor }),
        3 => (index(), two(), 1_i64..60_000).prop_map(|(pick, group, minor)| Op::EditAmount { pick, group, minor }),
        2 => index().prop_map(|pick| Op::EditDetails { pick }),
        7 => (index(), two(), proptest::option::of(2_usize..4)).prop_map(|(pick, dealer, courier)| Op::Assign { pick, dealer, courier }),
        3 => index().prop_map(|pick| Op::Fail { pick }),
        3 => index().prop_map(|pick| Op::Cancel { pick }),
        6 => index().prop_map(|pick| Op::Complete { pick }),
        2 => (proptest::bool::ANY, four()).prop_map(|(by_agency, seller)| Op::Close { by_agency, seller }),
        1 => (four(), two(), 1_i64..400_000, -10_000_i64..10_000, proptest::bool::ANY, 0_i64..1_000_000)
            .prop_map(|(seller, group, rate, percent, special, limit)| Op::Terms { seller, group, rate, percent, special, limit }),
        1 => Just(Op::NextDay),
    ]
}

struct Run {
    business: Business,
    oracle: Oracle,
    names: BTreeMap<PartyId, &'static str>,
    groups: BTreeMap<PaymentGroupId, &'static str>,
    remittances: Vec<RemittanceId>,
    movements: Vec<MovementId>,
    debits: Vec<DebitId>,
    closings: BTreeMap<&'static str, BTreeMap<PaymentGroupId, Amount>>,
    accepted: usize,
}

fn plain(percent: &str) -> Commission {
    Commission {
        rate: dec(percent),
        percentage: false,
        special: None,
    }
}

impl Run {
    fn new() -> Self {
        let business = Business::new();
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
            accepted: 0,
        }
    }

    fn party(&self, name: &str) -> PartyId {
        *self.names.iter().find(|(_, known)| **known == name).unwrap().0
    }

    fn group(&self, index: usize) -> PaymentGroupId {
        [self.business.cup, self.business.usd][index]
    }

    fn movement(&mut self, actor: Actor, command: MovementCommand) -> bool {
        let id = MovementId::generate();
        let outcome = self.business.world.run(actor, Command::Movement(id, command));
        if let Ok(answer) = &outcome {
            self.movements.push(id);
            self.debits.extend(answer.debit_id.map(DebitId));
        }
        outcome.is_ok()
    }

    fn deposit(&mut self, actor: Actor, to: DepositTo, funds: Funds, minor: i64, credit: bool) -> bool {
        let debit = DebitId::generate();
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

    fn act(&mut self, actor: Actor, id: RemittanceId, command: RemittanceCommand) -> bool {
        self.business.act(actor, id, command).is_ok()
    }

    /// Gives a command to both. `Some` has the result of each.
    #[allow(clippy::too_many_lines, reason = "one arm a command")]
    fn step(&mut self, op: &Op) -> Option<(bool, bool)> {
        let manager = self.business.manager;
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
                (
                    self.business.world.run(manager, command).is_ok(),
                    self.oracle.reverse(index),
                )
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
                let sale = CreateRemittance {
                    sender,
                    recipient,
                    ..self.business.sale(self.group(*group), *minor)
                };
                let id = sale.id;
                let real = self.act(actor, id, RemittanceCommand::Create(sale));
                if real {
                    self.remittances.push(id);
                }
                (real, self.oracle.create(name, GROUPS[*group], money(*minor), place))
            }
            Op::EditAmount {
                pick: picked,
                group,
                minor,
            } => {
                let index = pick(*picked, self.remittances.len())?;
                let edit = EditAmount {
                    amount: Amount::from_minor(*minor),
                    group: self.group(*group),
                };
                let real = self.act(manager, self.remittances[index], RemittanceCommand::EditAmount(edit));
                (real, self.oracle.edit_amount(index, GROUPS[*group], money(*minor)))
            }
            Op::EditDetails { pick: picked } => {
                let index = pick(*picked, self.remittances.len())?;
                let recipient = self.business.world.remittance(self.remittances[index]).sale.recipient;
                let edit = EditDetails {
                    recipient,
                    place: None,
                    delivery: None,
                    address: Some("Calle 5".into()),
                    notes: None,
                    reference: None,
                    known: None,
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
                let remittance = &self.oracle.remittances[index];
                let fee = match (remittance.group, remittance.fee_place) {
                    ("CUP", "cardenas") => "200.00",
                    ("CUP", _) => "150.00",
                    _ => "2.00",
                };
                let real = self.act(
                    manager,
                    self.remittances[index],
                    RemittanceCommand::Complete(delivered()),
                );
                (real, self.oracle.complete(index, dec(fee)))
            }
            Op::Close { by_agency, seller } => {
                let name = SELLERS[*seller];
                let (actor, caller) = if *by_agency {
                    (Actor::Party(self.business.agency), "agency")
                } else {
                    (manager, "manager")
                };
                let close = closing(self.party(name));
                let outcome = self.business.world.run(actor, Command::Closure(close.clone()));
                if let Ok(answer) = &outcome {
                    self.debits.extend(
                        [answer.debit_id, answer.agency_debit_id]
                            .into_iter()
                            .flatten()
                            .map(DebitId),
                    );
                    self.check_closure(name, &close);
                }
                (outcome.is_ok(), self.oracle.close(caller, name))
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
                let real = self
                    .business
                    .world
                    .run(manager, Command::Party(party, PartyCommand::SetTerms(change)))
                    .is_ok();
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
            Op::NextDay => {
                self.business.world.now += chrono::Duration::hours(17);
                return None;
            }
        })
    }

    /// Checks the closing identity, and that each closure opens with the previous one's closing figures.
    fn check_closure(&mut self, name: &'static str, close: &caudal_domain::closure::ClosePeriod) {
        let StreamState::Closure(stream) = self.business.world.state(Command::Closure(close.clone()).stream()) else {
            unreachable!()
        };
        let closure: Closure = stream.0.expect("it was closed");
        let before = self.closings.entry(name).or_default();
        for figures in &closure.groups {
            let opened = before.insert(figures.group, figures.closing).unwrap_or(Amount::ZERO);
            assert_eq!(figures.opening, opened, "closures are contiguous");
            let sum = figures.opening + figures.assigned - figures.given - figures.sold + figures.returned;
            assert_eq!(figures.closing, sum, "the closing identity");
            assert_eq!(
                figures.closing,
                self.business.world.books.prepaid(closure.party, figures.group),
                "it closes at the ledger's balance"
            );
        }
    }

    /// All accounts with a balance, by the oracle's names.
    fn accounts(&self) -> BTreeMap<String, Money> {
        let name = |account: Account| {
            let owner = account
                .owner
                .map(|owner| format!(" {}", self.names[&owner]))
                .unwrap_or_default();
            let group = account
                .group
                .map(|group| format!(" {}", self.groups[&group]))
                .unwrap_or_default();
            format!("{}{owner}{group} {}", account.kind.as_str(), account.currency)
        };
        let books = &self.business.world.books;
        books
            .accounts()
            .filter(|(_, balance)| !balance.is_zero())
            .map(|(account, balance)| (name(account), Money::new(balance.minor(), 2)))
            .collect()
    }

    fn check(&self, op: &Op) {
        let expected: BTreeMap<_, _> = self
            .oracle
            .accounts
            .iter()
            .filter(|(_, balance)| !balance.is_zero())
            .map(|(name, balance)| (name.clone(), *balance))
            .collect();
        assert_eq!(self.accounts(), expected, "after {op:?}");
        let violations = self.business.world.books.violations(self.business.world.remittances());
        assert!(violations.is_empty(), "after {op:?}: {violations:?}");
        let by_state = |state: State| {
            self.oracle
                .remittances
                .iter()
                .filter(|remittance| remittance.state == state)
                .count()
        };
        let open = self
            .business
            .world
            .remittances()
            .filter(|remittance| remittance.status.is_open())
            .count();
        assert_eq!(
            open,
            by_state(State::Pending) + by_state(State::Shipping) + by_state(State::Error)
        );
    }
}

fn run(ops: &[Op]) -> Run {
    let mut run = Run::new();
    for op in ops {
        if let Some((real, oracle)) = run.step(op) {
            assert_eq!(real, oracle, "the books and the oracle disagree on {op:?}");
            run.accepted += usize::from(real);
        }
        run.check(op);
    }
    run
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn every_account_equals_the_oracles_after_every_command(ops in prop::collection::vec(ops(), 150..250)) {
        let run = run(&ops);
        let mut replayed = Books::default();
        for (event, at) in &run.business.world.log {
            let stored = event.encode_in_clear().unwrap();
            let read = caudal_domain::Event::decode(event.stream_kind(), event.event_type(), event.event_version(), &stored).unwrap();
            prop_assert_eq!(&read, event, "an event survives the log");
            replayed.apply(&read, *at);
        }
        prop_assert_eq!(&replayed, &run.business.world.books, "a replay gives the same books");
        let snapshot = serde_json::to_string(&run.business.world.books).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Books>(&snapshot).unwrap(), &run.business.world.books, "a snapshot gives the same books");
    }
}

#[test]
fn a_long_day_accepts_enough_commands_to_be_meaningful() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    let mut runner = TestRunner::deterministic();
    let ops = prop::collection::vec(ops(), 3_000)
        .new_tree(&mut runner)
        .unwrap()
        .current();
    let run = run(&ops);
    assert!(run.accepted > 1_000, "only {} of 3,000 commands passed", run.accepted);
    let kinds: std::collections::BTreeSet<AccountKind> = run
        .business
        .world
        .books
        .accounts()
        .filter(|(_, balance)| !balance.is_zero())
        .map(|(account, _)| account.kind)
        .collect();
    assert!(kinds.len() >= 14, "only {kinds:?} were used");
}
