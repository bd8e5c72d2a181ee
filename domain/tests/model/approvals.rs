//! Approvals in the model: what a rule covers has no effect until a second manager approves it, once.

use super::{
    common::Business,
    ops::Op,
    oracle::{Money, Oracle, Rule, cents, dec},
    run::{CUSTOMERS, GROUPS, Run, SELLERS},
    screening::ENTRIES,
};
use caudal_domain::{
    Actor, Answer, Command, StreamId, StreamKind, TenantCommand,
    approval::{ApprovalKind, ApprovalRule, ProposalCommand, ProposedCommand},
    customer::{CustomerCommand, DecidePair},
    ids::{ApprovalRuleId, PartyId, ProposalId},
    money::Amount,
    party::{Registration, Role},
    remittance::{EditAmount, RemittanceCommand},
};
use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

const KINDS: [ApprovalKind; 13] = [
    ApprovalKind::AssignmentOnCash,
    ApprovalKind::AssignmentOnCredit,
    ApprovalKind::CreditLimit,
    ApprovalKind::TermsAndRates,
    ApprovalKind::Reversal,
    ApprovalKind::Expense,
    ApprovalKind::DealerExchange,
    ApprovalKind::CancelShipping,
    ApprovalKind::LateAmountEdit,
    ApprovalKind::Closing,
    ApprovalKind::HoldRelease,
    ApprovalKind::LimitRules,
    ApprovalKind::ApprovalRules,
];
const WITHOUT_AMOUNT: [ApprovalKind; 4] = [
    ApprovalKind::TermsAndRates,
    ApprovalKind::Closing,
    ApprovalKind::LimitRules,
    ApprovalKind::ApprovalRules,
];
const EXPIRES_AFTER_HOURS: u32 = 40;
/// Number of the latest proposals that decisions are about.
const LATEST: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    Approved,
    Expired,
    Rejected,
    Withdrawn,
}

/// A command that a rule covered, until it is decided and after.
#[derive(Clone)]
struct Proposed {
    id: ProposalId,
    op: Op,
    maker: Actor,
    until: DateTime<Utc>,
    /// Paid out and to be paid when it was proposed.
    figures: Option<(Money, Money)>,
    end: Option<End>,
}

/// What the model keeps for approvals.
pub struct Approvals {
    second: PartyId,
    proposed: Vec<Proposed>,
    /// The proposal that the latest command became.
    latest: Option<ProposalId>,
    /// The proposal that the next command approves, and who does.
    approving: Option<(ProposalId, Actor)>,
    pub sold_at: Vec<DateTime<Utc>>,
    /// Values of the movements in USD.
    values: Vec<Money>,
    /// Approvals that the present state refused.
    pub refused: usize,
}

impl Approvals {
    pub fn new(business: &mut Business) -> Self {
        let manager = business.manager;
        Self {
            second: business.world.party(manager, "segunda", Registration::Manager),
            proposed: Vec::new(),
            latest: None,
            approving: None,
            sold_at: Vec::new(),
            values: Vec::new(),
            refused: 0,
        }
    }

    pub fn waiting(&self, now: DateTime<Utc>) -> usize {
        let waits = |proposed: &&Proposed| proposed.end.is_none() && now < proposed.until;
        self.proposed.iter().filter(waits).count()
    }

    pub fn ended(&self, end: End) -> usize {
        self.proposed
            .iter()
            .filter(|proposed| proposed.end == Some(end))
            .count()
    }
}

/// The stored command with what an approval reads of its customers.
fn read_anew(stored: Command, given: Command) -> Command {
    match (stored, given) {
        (
            Command::Remittance(id, RemittanceCommand::EditAmount(stored)),
            Command::Remittance(_, RemittanceCommand::EditAmount(read)),
        ) => {
            let edit = EditAmount {
                amount: stored.amount,
                group: stored.group,
                ..read
            };
            Command::Remittance(id, RemittanceCommand::EditAmount(edit))
        }
        (
            Command::Customer(id, CustomerCommand::DecidePair(stored)),
            Command::Customer(_, CustomerCommand::DecidePair(read)),
        ) => {
            let pair = DecidePair {
                others_remain: read.others_remain,
                ..stored
            };
            Command::Customer(id, CustomerCommand::DecidePair(pair))
        }
        (stored, _) => stored,
    }
}

/// An amount at the business' reference rates.
fn in_usd(amount: Money, currency: &str) -> Money {
    if currency == "USD" {
        amount
    } else {
        cents(amount / dec("330"))
    }
}

fn money(minor: i64) -> Money {
    Money::new(minor, 2)
}

impl Run {
    /// Gives a command to both, or proposes it to both; `Some` says what each made of it.
    pub fn step(&mut self, op: &Op) -> Option<(bool, bool)> {
        if let Op::Decide { pick, what } = op {
            return self.decide(*pick, *what);
        }
        let op = self.resolved(op);
        let before = self.oracle.clone();
        let (real, passes) = self.act_on(&op)?;
        let proposed = self.approvals.latest.take();
        let covered = passes && self.is_covered(&op, &before);
        assert_eq!(proposed.is_some(), covered, "whether {op:?} waits");
        let Some(id) = proposed else {
            self.note_value(&op);
            if passes {
                self.release_after(&op);
            }
            return Some((real, passes));
        };
        let figures = self.figures(&op);
        self.oracle = before;
        let now = self.business.world.now;
        let expired = |other: &&mut Proposed| other.end.is_none() && other.until <= now;
        // Expired ones leave with the next proposal.
        for other in self.approvals.proposed.iter_mut().filter(expired) {
            other.end = Some(End::Expired);
        }
        self.approvals.proposed.push(Proposed {
            id,
            maker: self.maker(&op),
            until: now + Duration::hours(EXPIRES_AFTER_HOURS.into()),
            figures,
            end: None,
            op,
        });
        Some((true, true))
    }

    /// Gives a command, or the stored one where a proposal is being approved. `None` where it has no effect.
    pub fn give(&mut self, actor: Actor, command: Command) -> Option<Answer> {
        let given = match self.approvals.approving.take() {
            Some((id, by)) => {
                let stored = read_anew(self.stored(id), command);
                let command = ProposalCommand::Approve(Box::new(stored));
                self.business.world.run(by, Command::Proposal(id, command))
            }
            None => self.business.world.run(actor, command),
        };
        let answer = given.ok()?;
        self.approvals.latest = answer.proposal.as_ref().map(|proposal| proposal.id);
        answer.proposal.is_none().then_some(answer)
    }

    /// The API refuses before it gives a command.
    pub fn give_up(&mut self) {
        self.approvals.approving = None;
    }

    /// The proposed command as the log has it.
    fn stored(&self, id: ProposalId) -> Command {
        let history = &self.business.world.history[&StreamId::new(StreamKind::Proposal, id)];
        let stored: serde_json::Value = serde_json::from_str(&history[0].encode_in_clear().unwrap()).unwrap();
        let command: ProposedCommand = serde_json::from_value(stored["personal"]["clear"].clone()).unwrap();
        command.into()
    }

    /// Approvals, rejections and withdrawals, by whom may and whom may not.
    fn decide(&mut self, pick: usize, what: usize) -> Option<(bool, bool)> {
        let count = self.approvals.proposed.len();
        let index = count.checked_sub(1 + pick % count.clamp(1, LATEST))?;
        let Proposed { id, maker, end, .. } = self.approvals.proposed[index];
        let second = Actor::Party(self.approvals.second);
        let reject = ProposalCommand::Reject { reason: "no".into() };
        let waits = end.is_none();
        let (by, command, passes, ended) = match what {
            0 => (second, reject, waits, End::Rejected),
            1 => (maker, ProposalCommand::Withdraw, waits, End::Withdrawn),
            2 => (second, ProposalCommand::Withdraw, false, End::Withdrawn),
            3 => (maker, reject, false, End::Rejected),
            4 => {
                let before = self.oracle.clone();
                let (real, _) = self.approve(index, maker);
                self.oracle = before;
                return Some((real, false));
            }
            _ => return Some(self.approve_in_both(index, second)),
        };
        let real = self.business.world.run(by, Command::Proposal(id, command)).is_ok();
        if passes {
            self.approvals.proposed[index].end = Some(ended);
        }
        Some((real, passes))
    }

    fn approve_in_both(&mut self, index: usize, by: Actor) -> (bool, bool) {
        let proposed = self.approvals.proposed[index].clone();
        let decided_at = self.business.world.now + Duration::seconds(1);
        let waits = proposed.end.is_none() && decided_at < proposed.until;
        let before = self.oracle.clone();
        let (real, effect) = self.approve(index, by);
        let passes = waits && effect && self.figures(&proposed.op) == proposed.figures;
        if passes {
            self.note_value(&proposed.op);
            self.approvals.proposed[index].end = Some(End::Approved);
            self.release_after(&proposed.op);
        } else {
            self.oracle = before;
            self.approvals.refused += usize::from(waits);
        }
        (real, passes)
    }

    /// What the books make of an approval, and the oracle of the command as it stands now.
    fn approve(&mut self, index: usize, by: Actor) -> (bool, bool) {
        let Proposed { id, op, .. } = self.approvals.proposed[index].clone();
        self.approvals.approving = Some((id, by));
        let outcome = self.act_on(&op).unwrap();
        assert!(self.approvals.approving.is_none(), "{op:?} gives no command");
        outcome
    }

    pub fn set_rule(&mut self, kind: usize, makers: Option<usize>, minor: Option<i64>) -> (bool, bool) {
        let place = kind % KINDS.len();
        let id = ApprovalRuleId(Uuid::from_u128(place as u128 + 1));
        let manager = self.business.manager;
        let Some(makers) = makers else {
            let command = Command::Tenant(TenantCommand::RemoveApprovalRule(id));
            let real = self.give(manager, command).is_some();
            return (real, self.oracle.rules.remove(&place).is_some());
        };
        let is_covered = |role: &Role| covers(makers, *role == Role::Manager);
        let rule = ApprovalRule {
            id,
            kind: KINDS[place],
            makers: Role::ALL.iter().copied().filter(is_covered).collect(),
            from_amount: minor.map(Amount::from_minor),
            approvers: Role::Manager,
            expires_after_hours: EXPIRES_AFTER_HOURS,
        };
        let command = Command::Tenant(TenantCommand::SetApprovalRule(rule));
        let real = self.give(manager, command).is_some();
        let passes = minor.is_none() || !WITHOUT_AMOUNT.contains(&KINDS[place]);
        if passes {
            let from = minor.map(money);
            self.oracle.rules.insert(place, Rule { makers, from });
        }
        (real, passes)
    }

    /// Places in the lists as they are now: a proposal is about the same record later.
    fn resolved(&self, op: &Op) -> Op {
        let place = |pick: usize, length: usize| pick % length.max(1);
        let remittance = |pick: usize| place(pick, self.remittances.len());
        let mut op = op.clone();
        match &mut op {
            Op::Reverse { pick } => *pick = place(*pick, self.movements.len()),
            Op::EditAmount { pick, .. } | Op::Cancel { pick } => *pick = remittance(*pick),
            Op::Release { pick, hold } => {
                *pick = remittance(*pick);
                let held = self
                    .oracle
                    .remittances
                    .get(*pick)
                    .map_or(0, |remittance| remittance.held);
                *hold = place(*hold, held);
            }
            Op::Pair { customer, pick, .. } => {
                let pairs = self.oracle.customers[CUSTOMERS[*customer]].pairs();
                let picked = pairs.iter().nth(place(*pick, pairs.len()));
                *pick = picked.copied().unwrap_or(ENTRIES);
            }
            _ => {}
        }
        op
    }

    fn maker(&self, op: &Op) -> Actor {
        match op {
            Op::AssignBalance { by_agency: true, .. } | Op::Close { by_agency: true, .. } => {
                Actor::Party(self.business.agency)
            }
            Op::Cash { by_dealer: true, .. } => Actor::Party(self.business.dealer),
            Op::Expense { party, .. } => Actor::Party(self.field(*party)),
            _ => self.business.manager,
        }
    }

    /// Whether a rule covers a command that the oracle has just accepted.
    fn is_covered(&self, op: &Op, before: &Oracle) -> bool {
        let by_manager = self.maker(op) == self.business.manager;
        self.kinds(op, before).into_iter().any(|(kind, amount)| {
            let place = KINDS.iter().position(|known| *known == kind).unwrap();
            before.rules.get(&place).is_some_and(|rule| {
                covers(rule.makers, by_manager)
                    // What has no amount is covered from every amount.
                    && rule.from.is_none_or(|from| amount.is_none_or(|amount| amount >= from))
            })
        })
    }

    /// Kinds of a command with its amounts in USD.
    fn kinds(&self, op: &Op, before: &Oracle) -> Vec<(ApprovalKind, Option<Money>)> {
        let after = &self.oracle;
        let changes = |changed: bool, kind| if changed { vec![(kind, None)] } else { Vec::new() };
        match op {
            Op::AssignBalance { credit: true, .. } => vec![(ApprovalKind::AssignmentOnCredit, self.worth(op))],
            Op::AssignBalance { .. } | Op::Cash { .. } => vec![(ApprovalKind::AssignmentOnCash, self.worth(op))],
            // What a delivery man gives back to its dealer is no assignment: `FIELD` has the men after their dealers, in their order.
            Op::Transfer { from, to: Some(to), .. } if *from != *to + 2 => {
                vec![(ApprovalKind::AssignmentOnCash, self.worth(op))]
            }
            Op::Open { account: 1, .. } => vec![(ApprovalKind::AssignmentOnCash, self.worth(op))],
            Op::Open { account: 2.., .. } => vec![
                (ApprovalKind::AssignmentOnCash, self.worth(op)),
                (ApprovalKind::AssignmentOnCredit, self.worth(op)),
            ],
            Op::Exchange { .. } => vec![(ApprovalKind::DealerExchange, self.worth(op))],
            Op::Expense { .. } => vec![(ApprovalKind::Expense, self.worth(op))],
            Op::Reverse { pick } => vec![(ApprovalKind::Reversal, self.approvals.values.get(*pick).copied())],
            Op::EditAmount { pick, minor, .. } => {
                let age = self.business.world.now - self.approvals.sold_at[*pick];
                let amount = before.remittances[*pick].amount.max(money(*minor));
                if age > Duration::hours(24) && before.remittances[*pick] != after.remittances[*pick] {
                    vec![(ApprovalKind::LateAmountEdit, Some(amount))]
                } else {
                    Vec::new()
                }
            }
            Op::Cancel { pick } if !before.remittances[*pick].carriers.is_empty() => {
                vec![(ApprovalKind::CancelShipping, Some(before.remittances[*pick].amount))]
            }
            Op::Release { pick, .. } => vec![(ApprovalKind::HoldRelease, Some(before.remittances[*pick].amount))],
            Op::Pair { same, .. } => changes(!*same, ApprovalKind::HoldRelease),
            Op::Close { .. } => vec![(ApprovalKind::Closing, None)],
            Op::Limit { slot, .. } => changes(
                before.limits.get(slot) != after.limits.get(slot),
                ApprovalKind::LimitRules,
            ),
            Op::Rule { .. } => changes(before.rules != after.rules, ApprovalKind::ApprovalRules),
            Op::Terms { seller, group, .. } => {
                let of = |oracle: &Oracle| oracle.sellers[SELLERS[*seller]].terms.get(GROUPS[*group]).cloned();
                let (known, new) = (of(before), of(after).unwrap());
                let priced = known
                    .as_ref()
                    .is_none_or(|known| known.rate != new.rate || known.commission != new.commission);
                let mut kinds = changes(priced, ApprovalKind::TermsAndRates);
                if new.limit != known.map_or(Money::ZERO, |known| known.limit) {
                    kinds.push((ApprovalKind::CreditLimit, Some(in_usd(new.limit, GROUPS[*group]))));
                }
                kinds
            }
            _ => Vec::new(),
        }
    }

    /// Value of a movement in USD, by the terms that the oracle has now.
    fn worth(&self, op: &Op) -> Option<Money> {
        Some(match op {
            Op::Deposit { currency, minor }
            | Op::Open {
                group: currency, minor, ..
            }
            | Op::Cash { currency, minor, .. }
            | Op::Transfer { currency, minor, .. }
            | Op::Expense { currency, minor, .. } => in_usd(money(*minor), GROUPS[*currency]),
            Op::AssignBalance {
                seller, group, minor, ..
            } => {
                let rate = self.oracle.sellers[SELLERS[*seller]].terms[GROUPS[*group]].rate;
                match GROUPS[*group] {
                    "USD" => money(*minor),
                    _ => cents(money(*minor) / rate),
                }
            }
            // The larger of both sides, each at the reference rate: the typed rate says what is received, not what it is worth.
            Op::Exchange {
                into_usd,
                minor,
                thousandths,
                ..
            } => {
                let (given, received) = (money(*minor), cents(money(*minor) * Money::new(*thousandths, 3)));
                if *into_usd {
                    in_usd(given, "CUP").max(received)
                } else {
                    given.max(in_usd(received, "CUP"))
                }
            }
            Op::Pay { .. } => {
                let payments = &self.oracle.movements.last()?.payments;
                payments.iter().map(|(_, paid)| paid).sum()
            }
            _ => return None,
        })
    }

    fn note_value(&mut self, op: &Op) {
        if self.oracle.movements.len() > self.approvals.values.len() {
            let value = self.worth(op).unwrap();
            self.approvals.values.push(value);
        }
    }

    /// What is paid out and what is to be paid for it, of commands whose figures can change while they wait.
    fn figures(&self, op: &Op) -> Option<(Money, Money)> {
        match op {
            Op::AssignBalance { minor, .. } => Some((money(*minor), self.worth(op)?)),
            Op::EditAmount { pick, .. } => {
                let remittance = &self.oracle.remittances[*pick];
                Some((remittance.payout, remittance.total))
            }
            _ => None,
        }
    }
}

/// Whether a rule covers a maker: everybody, managers, or all others.
const fn covers(makers: usize, is_manager: bool) -> bool {
    match makers {
        0 => true,
        1 => is_manager,
        _ => !is_manager,
    }
}
