//! Judging a sale or an edit by the tenant's limits.

use super::{
    IdentityDocument, KnownDocuments, LimitOutcome, LimitRule, Need, PersonIdentified, PersonSum, SaleDeclaration, Side,
    sums::{LimitState, alone},
};
use crate::{
    claim::ClaimKind,
    command::Command,
    customer::CustomerEvent,
    decision::{Context, Decision},
    event::Event,
    ids::{CustomerId, PaymentGroupId, PersonId},
    money::Amount,
    personal::Personal,
    refusal::{FieldError, Refusal, fault},
    remittance::{CreateRemittance, EditDetails, HoldReason, Remittance, RemittanceCommand, RemittanceEvent},
};
use chrono::{Days, NaiveDate};
use uuid::Uuid;

/// Warning for a sale or an edit that waits for a review.
pub const IN_REVIEW: &str = "remittance_in_review";

/// Unique values whose holders a decision reads: documents of customers.
pub(crate) fn looked_up(command: &Command) -> Vec<(ClaimKind, String)> {
    let documents = match command {
        Command::Remittance(_, RemittanceCommand::Create(create)) => &create.documents,
        Command::Remittance(_, RemittanceCommand::EditDetails(edit)) => &edit.documents,
        _ => return Vec::new(),
    };
    let documents = [&documents.sender, &documents.recipient].into_iter().flatten();
    documents
        .map(|document| (ClaimKind::PersonDocument, document.unique()))
        .collect()
}

/// Adds to a sale or an edit what the tenant's limits make of it: identifications, and holds.
///
/// # Errors
/// A rule that refuses, or what the sale needs.
pub(crate) fn apply(
    command: &RemittanceCommand,
    own: Option<&Remittance>,
    decision: Decision<Event>,
    ctx: &Context<'_>,
) -> Result<Decision<Event>, Refusal> {
    let limits = ctx.books.limits();
    if !limits.has_rules() || decision.events.is_empty() {
        return Ok(decision);
    }
    let mut after = own.cloned();
    for event in &decision.events {
        if let Event::Remittance(event) = event {
            after = Remittance::fold(after, event);
        }
    }
    let Some(after) = after else { return Ok(decision) };
    let today = ctx.now.with_timezone(&ctx.books.zone()).date_naive();
    match command {
        RemittanceCommand::Create(create) => sale(create, after, today, decision, ctx),
        RemittanceCommand::EditDetails(edit) => recipient(edit, own, after, today, decision, ctx),
        RemittanceCommand::EditAmount(_) => amount(after, today, decision, ctx),
        _ => Ok(decision),
    }
}

/// A customer as a person.
struct Identity {
    person: PersonId,
    /// What the customer had before the first identification, which moves to the person.
    brings: Option<PersonId>,
    event: Option<CustomerEvent>,
    has_document: bool,
}

/// Identifies customers by their documents, one after the other: both may have the same.
struct Identification<'a> {
    ctx: &'a Context<'a>,
    found: Vec<(String, PersonId)>,
}

impl<'a> Identification<'a> {
    const fn new(ctx: &'a Context<'a>) -> Self {
        Self { ctx, found: Vec::new() }
    }

    fn of(&mut self, customer: CustomerId, document: Option<&IdentityDocument>) -> Identity {
        let limits = self.ctx.books.limits();
        let known = limits.identified(customer);
        let Some(document) = document else {
            return Identity {
                person: limits.person(customer),
                brings: None,
                event: None,
                has_document: false,
            };
        };
        let unique = document.unique();
        let holder = self.found.iter().find(|(value, _)| *value == unique);
        let holder = holder.map(|(_, person)| *person);
        let holder = holder.or_else(|| self.ctx.holder(ClaimKind::PersonDocument, &unique).map(PersonId));
        let person = holder.unwrap_or_else(|| new_person(customer, known));
        self.found.push((unique, person));
        let identified = known.last() == Some(&person) && holder.is_some();
        let event = (!identified).then(|| {
            CustomerEvent::PersonIdentified(PersonIdentified {
                id: customer,
                person,
                personal: Personal::clear(customer, document.clone()),
            })
        });
        Identity {
            person,
            brings: Some(alone(customer)).filter(|own| known.is_empty() && *own != person),
            event,
            has_document: true,
        }
    }
}

/// A person with a document that nobody has: at first the customer alone, afterwards another each time.
fn new_person(customer: CustomerId, known: &[PersonId]) -> PersonId {
    if known.is_empty() {
        return alone(customer);
    }
    let count = u64::try_from(known.len()).unwrap_or(u64::MAX);
    PersonId(Uuid::new_v5(&customer.0, &count.to_be_bytes()))
}

fn sale(
    create: &CreateRemittance,
    after: Remittance,
    today: NaiveDate,
    decision: Decision<Event>,
    ctx: &Context<'_>,
) -> Result<Decision<Event>, Refusal> {
    let KnownDocuments { sender, recipient } = &create.documents;
    let mut identification = Identification::new(ctx);
    let sender = identification.of(create.sender, sender.as_ref());
    let recipient = identification.of(create.recipient, recipient.as_ref());
    let (group, sent) = (after.sale.group, after.sale.quote.amount);
    let exceeded = ctx.books.limits().rules().filter(|rule| rule.covers(group));
    let exceeded = exceeded.filter(|rule| {
        let identity = match rule.side {
            Side::Sender => &sender,
            Side::Recipient => &recipient,
        };
        let before = earlier(ctx.books.limits(), rule, identity, today);
        rule.is_exceeded(before.plus(sent))
    });
    let exceeded: Vec<_> = exceeded.collect();
    refuse(&exceeded)?;
    needed(&exceeded, &create.declaration, |side| match side {
        Side::Sender => sender.has_document,
        Side::Recipient => recipient.has_document,
    })?;
    let identified = [sender.event, recipient.event].into_iter().flatten();
    Ok(finish(
        after,
        identified,
        exceeded.into_iter().filter(|rule| rule.outcome == LimitOutcome::Hold),
        decision,
    ))
}

/// Another recipient: the limits of recipients.
fn recipient(
    edit: &EditDetails,
    own: Option<&Remittance>,
    after: Remittance,
    today: NaiveDate,
    decision: Decision<Event>,
    ctx: &Context<'_>,
) -> Result<Decision<Event>, Refusal> {
    let limits = ctx.books.limits();
    let counted = limits.open_sale(after.id);
    let changed = own.is_none_or(|own| own.sale.recipient != after.sale.recipient);
    let (Some(counted), true) = (counted, changed) else {
        return Ok(decision);
    };
    let identity = Identification::new(ctx).of(edit.recipient, edit.documents.recipient.as_ref());
    let rules = limits.rules().filter(|rule| rule.side == Side::Recipient);
    let exceeded = rules.filter(|rule| {
        let mut sum = earlier(limits, rule, &identity, today);
        // Both records of one person: the sale is in the sum already.
        if identity.person == counted.recipient && is_within(rule, counted.day, today) && rule.covers(counted.group) {
            sum = sum.less(counted.amount);
        }
        is_exceeded_by(rule, sum, after.sale.group, counted.amount, counted.day, today)
    });
    let exceeded: Vec<_> = exceeded.collect();
    refuse(&exceeded)?;
    // What a rule needs can't be declared in an edit: it waits for a review.
    Ok(finish(after, identity.event, exceeded, decision))
}

/// Another amount or payment group. The sale counts on its own day.
fn amount(
    after: Remittance,
    today: NaiveDate,
    decision: Decision<Event>,
    ctx: &Context<'_>,
) -> Result<Decision<Event>, Refusal> {
    let limits = ctx.books.limits();
    let Some(counted) = limits.open_sale(after.id) else {
        return Ok(decision);
    };
    let sent = after.sale.quote.amount;
    let exceeded = limits.rules().filter(|rule| {
        let person = match rule.side {
            Side::Sender => counted.sender,
            Side::Recipient => counted.recipient,
        };
        let mut sum = window_sum(limits, rule, person, today);
        if is_within(rule, counted.day, today) && rule.covers(counted.group) {
            sum = sum.less(counted.amount);
        }
        is_exceeded_by(rule, sum, after.sale.group, sent, counted.day, today)
    });
    let exceeded: Vec<_> = exceeded.collect();
    refuse(&exceeded)?;
    Ok(finish(after, None, exceeded, decision))
}

/// Sum of a rule's window without the sale in question.
fn earlier(limits: &LimitState, rule: &LimitRule, identity: &Identity, today: NaiveDate) -> PersonSum {
    let sum = window_sum(limits, rule, identity.person, today);
    match identity.brings {
        Some(own) => sum.and(window_sum(limits, rule, own, today)),
        None => sum,
    }
}

fn window_sum(limits: &LimitState, rule: &LimitRule, person: PersonId, today: NaiveDate) -> PersonSum {
    match first_day(rule, today) {
        Some(first) => limits.sum(person, rule.side, first, today, |group| rule.covers(group)),
        None => PersonSum::default(),
    }
}

/// `None` for a rule per sale.
fn first_day(rule: &LimitRule, today: NaiveDate) -> Option<NaiveDate> {
    let days = rule.window.days()?;
    Some(today.checked_sub_days(Days::new(days - 1)).unwrap_or(today))
}

fn is_within(rule: &LimitRule, day: NaiveDate, today: NaiveDate) -> bool {
    first_day(rule, today).is_some_and(|first| first <= day)
}

/// Whether an edited sale of a day exceeds a rule, with the others of the window.
fn is_exceeded_by(
    rule: &LimitRule,
    others: PersonSum,
    group: PaymentGroupId,
    sent: Amount,
    day: NaiveDate,
    today: NaiveDate,
) -> bool {
    let counts = rule.window.days().is_none() || is_within(rule, day, today);
    counts && rule.covers(group) && rule.is_exceeded(others.plus(sent))
}

/// The refusal names neither the rule nor what is left.
fn refuse(exceeded: &[&LimitRule]) -> Result<(), Refusal> {
    match exceeded.iter().any(|rule| rule.outcome == LimitOutcome::Refuse) {
        true => Err(Refusal::conflict("sale_beyond_limits")),
        false => Ok(()),
    }
}

fn needed(
    exceeded: &[&LimitRule],
    declared: &SaleDeclaration,
    has_document: impl Fn(Side) -> bool,
) -> Result<(), Refusal> {
    let mut errors: Vec<FieldError> = Vec::new();
    let mut lacks = |field: &'static str, code: &'static str| {
        let error = FieldError {
            field: field.into(),
            ..fault(code)
        };
        if !errors.contains(&error) {
            errors.push(error);
        }
    };
    for rule in exceeded {
        for need in &rule.needs {
            match (need, rule.side) {
                (Need::Document, Side::Sender) if !has_document(Side::Sender) => {
                    lacks("senderId", "needs_document");
                }
                (Need::Document, Side::Recipient) if !has_document(Side::Recipient) => {
                    lacks("recipientId", "needs_document");
                }
                (Need::Purpose, _) if is_blank(declared.purpose.as_deref()) => lacks("purpose", "needs_purpose"),
                (Need::SourceOfFunds, _) if is_blank(declared.source_of_funds.as_deref()) => {
                    lacks("sourceOfFunds", "needs_source_of_funds");
                }
                _ => {}
            }
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Refusal::all_invalid(errors))
    }
}

fn is_blank(text: Option<&str>) -> bool {
    text.is_none_or(|text| text.trim().is_empty())
}

/// Identifications stand before the sale, which counts for the persons; holds stand after it.
fn finish<'a>(
    mut after: Remittance,
    identified: impl IntoIterator<Item = CustomerEvent>,
    holds: impl IntoIterator<Item = &'a LimitRule>,
    mut decision: Decision<Event>,
) -> Decision<Event> {
    let mut held = Vec::new();
    for rule in holds {
        if let Some(hold) = after.automatic_hold(HoldReason::LimitRule, rule.id.0) {
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
    events.append(&mut held);
    Decision { events, ..decision }
}
