//! Judging a sale or an edit by the tenant's limits.

use super::{
    IdentityDocument, LimitOutcome, LimitRule, Need, PersonSum, SaleDeclaration, SaleDeclared, Side,
    identify::{Identification, Identity},
    sums::{CountedSale, DaySum, LimitState},
};
use crate::{
    customer::CustomerEvent,
    decision::{Context, Decision},
    event::Event,
    ids::{CustomerId, PaymentGroupId, PersonId},
    money::Amount,
    personal::Personal,
    refusal::{FieldError, Refusal, fault},
    remittance::{
        CreateRemittance, EditAmount, EditDetails, HoldReason, Remittance, RemittanceCommand, RemittanceEvent,
    },
};
use chrono::{Days, NaiveDate};
use std::collections::{BTreeMap, BTreeSet};

/// Warning for a sale or an edit that waits for a review.
pub const IN_REVIEW: &str = "remittance_in_review";

/// What was read of a sale's customers before the command, in tenants with rules. A command without it is refused where
/// it is needed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SaleChecks {
    /// Documents of customers who are not identified yet; `None` for a customer without one.
    pub documents: BTreeMap<CustomerId, Option<IdentityDocument>>,
    /// Customers whose document has not expired.
    pub valid: BTreeSet<CustomerId>,
}

/// Adds to a sale or an edit what the tenant's limits make of it: identifications, declarations and holds.
///
/// # Errors
/// A rule that refuses, or what the sale needs.
pub(crate) fn apply(
    command: &RemittanceCommand,
    own: Option<&Remittance>,
    decision: Decision<Event>,
    ctx: &Context<'_>,
) -> Result<Decision<Event>, Refusal> {
    if decision.events.is_empty() {
        return Ok(decision);
    }
    let after = || {
        let mut after = own.cloned();
        for event in &decision.events {
            if let Event::Remittance(event) = event {
                after = Remittance::fold(after, event);
            }
        }
        after
    };
    let has_rules = ctx.state.limits().has_rules();
    match command {
        RemittanceCommand::Create(create) => {
            let declaration = create.declaration.checked()?;
            match after().filter(|_| has_rules || !declaration.is_empty()) {
                Some(after) => sale(create, &declaration, after, decision, ctx),
                None => Ok(decision),
            }
        }
        RemittanceCommand::EditDetails(edit) if has_rules => match after() {
            Some(after) => recipient(edit, after, decision, ctx),
            None => Ok(decision),
        },
        RemittanceCommand::EditAmount(edit) if has_rules => match after() {
            Some(after) => amount(edit, after, decision, ctx),
            None => Ok(decision),
        },
        _ => Ok(decision),
    }
}

fn sale(
    create: &CreateRemittance,
    declaration: &SaleDeclaration,
    after: Remittance,
    decision: Decision<Event>,
    ctx: &Context<'_>,
) -> Result<Decision<Event>, Refusal> {
    let declared = declared(&after, declaration);
    if !ctx.state.limits().has_rules() {
        return finish(after, [], declared, [], decision);
    }
    let today = today(ctx);
    let mut identification = Identification::new(ctx);
    let mut identity = |customer| identification.of(customer, create.checks.documents.get(&customer));
    let (sender, recipient) = (identity(create.sender)?, identity(create.recipient)?);
    let added = Added {
        day: today,
        group: after.sale.group,
        amount: after.sale.quote.amount,
        before: None,
    };
    let exceeded = exceeded(ctx.state.limits(), today, &added, |side| match side {
        Side::Sender => Some(&sender),
        Side::Recipient => Some(&recipient),
    });
    refuse(&exceeded)?;
    let is_valid = |identity: &Identity, id| identity.has_document && create.checks.valid.contains(&id);
    let lacks = lacking(&exceeded, |side, need| match (need, side) {
        (Need::Document, Side::Sender) => is_valid(&sender, create.sender),
        (Need::Document, Side::Recipient) => is_valid(&recipient, create.recipient),
        (Need::Purpose, _) => declaration.purpose.is_some(),
        (Need::SourceOfFunds, _) => declaration.source_of_funds.is_some(),
    });
    if !lacks.is_empty() {
        return Err(Refusal::all_invalid(lacks.into_iter().map(error).collect()));
    }
    let identified = [sender.event, recipient.event].into_iter().flatten();
    let holds = exceeded.into_iter().filter(|rule| rule.outcome == LimitOutcome::Hold);
    finish(after, identified, declared, holds, decision)
}

/// Another recipient: the limits of recipients. What a rule needs can't be declared in an edit: it waits for a review.
fn recipient(
    edit: &EditDetails,
    after: Remittance,
    decision: Decision<Event>,
    ctx: &Context<'_>,
) -> Result<Decision<Event>, Refusal> {
    let limits = ctx.state.limits();
    let Some(counted) = limits.open_sale(after.id) else {
        return Ok(decision);
    };
    if counted.customer == after.sale.recipient {
        return Ok(decision);
    }
    let read = edit.checks.documents.get(&edit.recipient);
    let identity = Identification::new(ctx).of(edit.recipient, read)?;
    let added = Added {
        day: counted.day,
        group: counted.group,
        amount: counted.amount,
        before: Some(counted),
    };
    let exceeded = exceeded(limits, today(ctx), &added, |side| {
        (side == Side::Recipient).then_some(&identity)
    });
    refuse(&exceeded)?;
    let has_document = identity.has_document && edit.checks.valid.contains(&edit.recipient);
    let holds = edited_holds(&exceeded, |_, need| match need {
        Need::Document => has_document,
        Need::Purpose | Need::SourceOfFunds => counted.has_declared(need),
    });
    finish(after, identity.event, None, holds, decision)
}

/// Another amount or payment group. The sale counts on its own day, and for the persons that it was sold for; their documents
/// are those of today. What a rule needs can't be declared in an edit: it waits for a review.
fn amount(
    edit: &EditAmount,
    after: Remittance,
    decision: Decision<Event>,
    ctx: &Context<'_>,
) -> Result<Decision<Event>, Refusal> {
    let limits = ctx.state.limits();
    let Some(counted) = limits.open_sale(after.id) else {
        return Ok(decision);
    };
    let identity = |side, customer| Identity {
        person: counted.person(side),
        brings: None,
        has_document: limits.has_document(customer),
        event: None,
    };
    let sender = identity(Side::Sender, after.sale.sender);
    let recipient = identity(Side::Recipient, after.sale.recipient);
    let added = Added {
        day: counted.day,
        group: after.sale.group,
        amount: after.sale.quote.amount,
        before: Some(counted),
    };
    let exceeded = exceeded(limits, today(ctx), &added, |side| match side {
        Side::Sender => Some(&sender),
        Side::Recipient => Some(&recipient),
    });
    refuse(&exceeded)?;
    let is_valid = |identity: &Identity, id| identity.has_document && edit.checks.valid.contains(&id);
    let (by, to) = (after.sale.sender, after.sale.recipient);
    let holds = edited_holds(&exceeded, |side, need| match (need, side) {
        (Need::Document, Side::Sender) => is_valid(&sender, by),
        (Need::Document, Side::Recipient) => is_valid(&recipient, to),
        (Need::Purpose | Need::SourceOfFunds, _) => counted.has_declared(need),
    });
    finish(after, None, None, holds, decision)
}

fn today(ctx: &Context<'_>) -> NaiveDate {
    ctx.now.with_timezone(&ctx.state.zone()).date_naive()
}

/// A sale as it is to count.
struct Added {
    /// Day of the sale in the tenant's time zone.
    day: NaiveDate,
    group: PaymentGroupId,
    amount: Amount,
    /// As it counts before an edit; `None` for a new sale.
    before: Option<CountedSale>,
}

impl Added {
    /// What it adds to a person's sums of a rule, and what of it the sums have already.
    fn of(&self, rule: &LimitRule, person: PersonId) -> (PersonSum, PersonSum) {
        let sum = |covered: bool, amount| match covered {
            true => PersonSum { amount, count: 1 },
            false => PersonSum::default(),
        };
        let now = sum(rule.covers(self.group), self.amount);
        let before = self.before.map_or(PersonSum::default(), |before| {
            let counts = before.person(rule.side) == person && rule.covers(before.group);
            sum(counts, before.amount)
        });
        (now, before)
    }
}

/// Rules that a sale exceeds, and that it did not exceed as much before an edit.
fn exceeded<'r, 'i>(
    limits: &'r LimitState,
    today: NaiveDate,
    added: &Added,
    identity: impl Fn(Side) -> Option<&'i Identity>,
) -> Vec<&'r LimitRule> {
    let exceeds = |rule: &&LimitRule| {
        let Some(identity) = identity(rule.side) else {
            return false;
        };
        let (now, before) = added.of(rule, identity.person);
        // An edit that adds nothing to what a rule counts passes, whatever stands.
        let grows = LimitRule {
            amount: rule.amount.filter(|_| now.amount > before.amount),
            count: rule.count.filter(|_| now.count > before.count),
            ..(*rule).clone()
        };
        let Some(days) = rule.window.days() else {
            return grows.is_exceeded(now);
        };
        let sums = others(limits, rule, identity, added, before);
        ends(added.day, today, days).any(|last| {
            let first = last.checked_sub_days(Days::new(days - 1)).unwrap_or(last);
            let within = sums.iter().filter(|sum| first <= sum.day && sum.day <= last);
            let others = within.fold(PersonSum::default(), |total, sum| total.and(sum.sum()));
            grows.is_exceeded(others.and(now))
        })
    };
    limits.rules().filter(exceeds).collect()
}

/// A person's days in what a rule counts, without the sale in question.
fn others(limits: &LimitState, rule: &LimitRule, identity: &Identity, added: &Added, before: PersonSum) -> Vec<DaySum> {
    let persons = [Some(identity.person), identity.brings];
    let days = persons.into_iter().flatten();
    let days = days.flat_map(|person| limits.days(person, rule.side, |group| rule.covers(group)));
    let mut days: Vec<DaySum> = days.collect();
    let own = added.before.filter(|_| before.count > 0);
    let known = own.and_then(|own| {
        let mut days = days.iter_mut();
        days.find(|sum| sum.day == own.day && sum.group == own.group)
    });
    if let Some(sum) = known {
        sum.amount -= before.amount;
        sum.count = sum.count.saturating_sub(before.count);
    }
    days
}

/// Last days of the windows that contain a sale's day: one for a sale of today.
fn ends(day: NaiveDate, today: NaiveDate, days: u64) -> impl Iterator<Item = NaiveDate> {
    let latest = day.checked_add_days(Days::new(days - 1)).unwrap_or(today).min(today);
    day.iter_days().take_while(move |last| *last <= latest.max(day))
}

/// The refusal names neither the rule nor what is left.
fn refuse(exceeded: &[&LimitRule]) -> Result<(), Refusal> {
    match exceeded.iter().any(|rule| rule.outcome == LimitOutcome::Refuse) {
        true => Err(Refusal::conflict("sale_beyond_limits")),
        false => Ok(()),
    }
}

/// What exceeded rules need and the sale does not have.
fn lacking(exceeded: &[&LimitRule], has: impl Fn(Side, Need) -> bool) -> BTreeSet<(Need, Side)> {
    let needs = exceeded
        .iter()
        .flat_map(|rule| rule.needs.iter().map(|need| (*need, rule.side)));
    let lacking = needs.filter(|(need, side)| !has(*side, *need));
    // A declaration is the sale's, whichever side asks for it.
    let once = lacking.map(|(need, side)| match need {
        Need::Document => (need, side),
        Need::Purpose | Need::SourceOfFunds => (need, Side::Sender),
    });
    once.collect()
}

fn error((need, side): (Need, Side)) -> FieldError {
    let (field, code) = match (need, side) {
        (Need::Document, Side::Sender) => ("senderId", "needs_document"),
        (Need::Document, Side::Recipient) => ("recipientId", "needs_document"),
        (Need::Purpose, _) => ("purpose", "needs_purpose"),
        (Need::SourceOfFunds, _) => ("sourceOfFunds", "needs_source_of_funds"),
    };
    FieldError {
        field: field.into(),
        ..fault(code)
    }
}

/// Rules that hold an edited sale: those that hold, and those whose needs it does not have.
fn edited_holds<'r>(exceeded: &[&'r LimitRule], has: impl Fn(Side, Need) -> bool) -> Vec<&'r LimitRule> {
    let holds = |rule: &&&'r LimitRule| match rule.outcome {
        LimitOutcome::Needs => !lacking(&[rule], &has).is_empty(),
        LimitOutcome::Hold | LimitOutcome::Refuse => true,
    };
    exceeded.iter().filter(holds).copied().collect()
}

fn declared(after: &Remittance, declaration: &SaleDeclaration) -> Option<RemittanceEvent> {
    let mut declared = BTreeSet::new();
    declared.extend(declaration.purpose.is_some().then_some(Need::Purpose));
    declared.extend(declaration.source_of_funds.is_some().then_some(Need::SourceOfFunds));
    (!declared.is_empty()).then(|| {
        RemittanceEvent::SaleDeclared(SaleDeclared {
            id: after.id,
            declared,
            personal: Personal::clear(after.sale.sender, declaration.clone()),
        })
    })
}

/// Identifications stand before the sale, which counts for the persons; declaration and holds stand after it.
///
/// # Errors
/// Too many holds.
fn finish<'r>(
    mut after: Remittance,
    identified: impl IntoIterator<Item = CustomerEvent>,
    declared: Option<RemittanceEvent>,
    holds: impl IntoIterator<Item = &'r LimitRule>,
    mut decision: Decision<Event>,
) -> Result<Decision<Event>, Refusal> {
    let mut held = Vec::new();
    for rule in holds {
        if let Some(hold) = after.automatic_hold(HoldReason::LimitRule, rule.id.0)? {
            let event = RemittanceEvent::RemittanceHeld(hold);
            if let Some(folded) = Remittance::fold(Some(after.clone()), &event) {
                after = folded;
            }
            held.push(Event::Remittance(event));
        }
    }
    if !held.is_empty() {
        decision.answer.warnings.push(IN_REVIEW.to_owned());
    }
    let mut events: Vec<_> = identified.into_iter().map(Event::Customer).collect();
    events.append(&mut decision.events);
    events.extend(declared.map(Event::Remittance));
    events.append(&mut held);
    Ok(Decision { events, ..decision })
}
