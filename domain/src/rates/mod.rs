//! Rate changes: reference, catalogue and parties' rates changed together, at once or scheduled.
//!
//! A rate change has its own stream for schedule, undo and history. It takes effect through the same events that
//! editing each currency, group or party would write, in their streams and in the same batch; their folds know nothing
//! of rate changes (docs/decisions/rates-in-one-place.md).

#[cfg(test)]
mod tests;

use crate::{
    decision::{Actor, Context, Decision},
    event::Event,
    ids::{CurrencyId, PartyId, PaymentGroupId, RateChangeId},
    money::{CurrencyCode, Rate},
    party::PartyEvent,
    quote::Terms,
    reference_data::{
        currency::{Currency, CurrencyEvent},
        payment_group::{PaymentGroup, PaymentGroupEvent},
    },
    refusal::{FieldError, Refusal, RefusalKind, require},
    stream::{StreamId, StreamKind},
    tenant_state::TenantState,
};
use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Maximum rates per change: a thousand fit one batch.
pub const MAX_CHANGES: usize = 1_000;
/// Maximum lead time of a scheduled change.
pub const MAX_AHEAD: Duration = Duration::days(366);

/// The record whose exchange rate changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
pub enum RateTarget {
    /// A currency's reference rate.
    Reference { currency: CurrencyId },
    /// A payment group's rate in the catalogue.
    Catalogue { group: PaymentGroupId },
    /// A party's own rate for a payment group.
    Terms { party: PartyId, group: PaymentGroupId },
}

/// A requested rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedRate {
    pub target: RateTarget,
    /// The rate when the change was confirmed; `None` skips the comparison.
    pub from: Option<Rate>,
    pub to: Rate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangedRate {
    pub target: RateTarget,
    pub from: Rate,
    pub to: Rate,
}

/// Commands of a rate change.
#[derive(Clone, Debug, PartialEq)]
pub enum RatesCommand {
    /// Changes rates, at once or at a scheduled time.
    Change {
        rates: Vec<WantedRate>,
        /// Effective time; `None` for at once.
        at: Option<DateTime<Utc>>,
    },
    /// Applies a due scheduled change. System only.
    Apply {
        /// All targets of the change: their streams are written.
        targets: Vec<RateTarget>,
    },
    /// Cancels a scheduled change, or restores the rates before an effective one.
    Undo {
        /// All targets of the change: their streams are written.
        targets: Vec<RateTarget>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RatesScheduled {
    pub id: RateChangeId,
    /// Effective time.
    pub at: DateTime<Utc>,
    /// The rates to set; `from` holds the rates at the time of scheduling.
    pub rates: Vec<ChangedRate>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RatesChanged {
    pub id: RateChangeId,
    /// The rates set; `from` holds the rates right before.
    pub rates: Vec<ChangedRate>,
    /// Scheduled targets that no longer exist: a withdrawn group, terms without holder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<RateTarget>,
}

/// Rates were restored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RatesUndone {
    pub id: RateChangeId,
    /// The rates restored; `to` holds the rates before the change.
    pub rates: Vec<ChangedRate>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum RatesEvent {
    RatesScheduled(RatesScheduled),
    /// Rates took effect.
    RatesChanged(RatesChanged),
    /// Canceled before it took effect.
    RatesCanceled {
        id: RateChangeId,
    },
    RatesUndone(RatesUndone),
}

/// Status of a rate change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RatesStatus {
    /// Not yet due.
    Scheduled,
    /// Applied; later changes may have replaced its rates.
    Effective,
    /// Canceled before it took effect.
    Canceled,
    /// Its rates were restored.
    Undone,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RateChange {
    pub id: RateChangeId,
    /// Effective time; `None` when it took effect at once.
    pub at: Option<DateTime<Utc>>,
    pub rates: Vec<ChangedRate>,
    pub status: RatesStatus,
}

impl RateChange {
    pub(crate) fn fold(state: Option<Self>, event: &RatesEvent) -> Option<Self> {
        match event {
            RatesEvent::RatesScheduled(scheduled) => Some(Self {
                id: scheduled.id,
                at: Some(scheduled.at),
                rates: scheduled.rates.clone(),
                status: RatesStatus::Scheduled,
            }),
            RatesEvent::RatesChanged(changed) => Some(Self {
                id: changed.id,
                at: state.and_then(|state| state.at),
                rates: changed.rates.clone(),
                status: RatesStatus::Effective,
            }),
            RatesEvent::RatesCanceled { .. } => state.map(|state| Self {
                status: RatesStatus::Canceled,
                ..state
            }),
            RatesEvent::RatesUndone(_) => state.map(|state| Self {
                status: RatesStatus::Undone,
                ..state
            }),
        }
    }
}

impl RatesCommand {
    /// Streams that the change writes besides its own.
    pub(crate) fn streams(&self) -> BTreeSet<StreamId> {
        match self {
            Self::Change { rates, .. } => rates.iter().map(|rate| rate.target.stream()).collect(),
            Self::Apply { targets } | Self::Undo { targets } => targets.iter().map(|target| target.stream()).collect(),
        }
    }
}

impl RateTarget {
    /// Stream of the record that bears the rate.
    #[must_use]
    pub fn stream(self) -> StreamId {
        match self {
            Self::Reference { currency } => StreamId::new(StreamKind::Currency, currency),
            Self::Catalogue { group } => StreamId::new(StreamKind::PaymentGroup, group),
            Self::Terms { party, .. } => StreamId::new(StreamKind::Party, party),
        }
    }

    /// The record that bears the rate; `None` when it no longer exists.
    fn bearer(self, tenant_state: &TenantState) -> Option<Bearer<'_>> {
        match self {
            Self::Reference { currency } => tenant_state.currency_by_id(currency).map(Bearer::Currency),
            Self::Catalogue { group } => tenant_state.group(group).map(Bearer::Group),
            Self::Terms { party, group } => {
                // A withdrawn group stays in the terms of its holders.
                tenant_state.group(group)?;
                let terms = tenant_state.party(party)?.terms.get(&group)?;
                Some(Bearer::Terms(party, terms))
            }
        }
    }
}

/// A record with an exchange rate.
enum Bearer<'a> {
    Currency(&'a Currency),
    Group(&'a PaymentGroup),
    Terms(PartyId, &'a Terms),
}

impl Bearer<'_> {
    const fn rate(&self) -> Rate {
        match self {
            Self::Currency(currency) => currency.exchange_rate,
            Self::Group(group) => group.exchange_rate,
            Self::Terms(_, terms) => terms.exchange_rate,
        }
    }

    fn set(&self, rate: Rate) -> Event {
        match self {
            Self::Currency(currency) => Event::Currency(CurrencyEvent::CurrencyChanged(Currency {
                exchange_rate: rate,
                ..(*currency).clone()
            })),
            Self::Group(group) => Event::PaymentGroup(PaymentGroupEvent::PaymentGroupChanged(PaymentGroup {
                exchange_rate: rate,
                ..(*group).clone()
            })),
            Self::Terms(party, terms) => Event::Party(PartyEvent::TermsSet {
                id: *party,
                terms: Terms {
                    exchange_rate: rate,
                    ..(*terms).clone()
                },
            }),
        }
    }
}

/// Events that a rate change writes in the streams of the affected records.
pub(crate) fn effects(event: &RatesEvent, tenant_state: &TenantState) -> Vec<Event> {
    let rates = match event {
        RatesEvent::RatesChanged(changed) => &changed.rates,
        RatesEvent::RatesUndone(undone) => &undone.rates,
        RatesEvent::RatesScheduled(_) | RatesEvent::RatesCanceled { .. } => return Vec::new(),
    };
    rates
        .iter()
        .filter_map(|rate| rate.target.bearer(tenant_state).map(|bearer| bearer.set(rate.to)))
        .collect()
}

pub(crate) fn decide(
    id: RateChangeId,
    own: Option<&RateChange>,
    command: &RatesCommand,
    ctx: &Context<'_>,
) -> Result<Decision<RatesEvent>, Refusal> {
    match (command, own) {
        (RatesCommand::Change { rates, at }, own) => {
            ctx.require_manager()?;
            require(own.is_none(), || Refusal::conflict("already_exists"))?;
            change(id, rates, *at, ctx)
        }
        (RatesCommand::Apply { targets }, own) => {
            require(ctx.actor == Actor::System, || Refusal::forbidden("role_not_allowed"))?;
            apply(known(own, targets)?, ctx)
        }
        (RatesCommand::Undo { targets }, own) => {
            ctx.require_manager()?;
            undo(known(own, targets)?, ctx)
        }
    }
}

/// The change, provided that the command names all its targets: only their streams are loaded.
fn known<'a>(own: Option<&'a RateChange>, targets: &[RateTarget]) -> Result<&'a RateChange, Refusal> {
    let own = own.ok_or_else(|| Refusal::not_found("rate_change_not_found"))?;
    let named = own.rates.iter().all(|rate| targets.contains(&rate.target));
    require(named, || Refusal::conflict("rates_changed_since"))?;
    Ok(own)
}

fn change(
    id: RateChangeId,
    wanted: &[WantedRate],
    at: Option<DateTime<Utc>>,
    ctx: &Context<'_>,
) -> Result<Decision<RatesEvent>, Refusal> {
    require(!wanted.is_empty(), || Refusal::invalid("rates", "required"))?;
    require(wanted.len() <= MAX_CHANGES, || {
        Refusal::invalid_with("rates", "too_many", [("max", MAX_CHANGES.to_string())])
    })?;
    if let Some(at) = at {
        require(at > ctx.now, || Refusal::invalid("at", "moment_is_past"))?;
        require(at <= ctx.now + MAX_AHEAD, || {
            Refusal::invalid_with("at", "moment_too_far", [("days", MAX_AHEAD.num_days().to_string())])
        })?;
    }
    let rates = resolve(wanted, ctx.state)?;
    let event = match at {
        Some(at) => RatesEvent::RatesScheduled(RatesScheduled { id, at, rates }),
        None => {
            let rates: Vec<_> = rates.into_iter().filter(|rate| rate.from != rate.to).collect();
            require(!rates.is_empty(), || Refusal::conflict("rates_unchanged"))?;
            RatesEvent::RatesChanged(RatesChanged {
                id,
                rates,
                skipped: Vec::new(),
            })
        }
    };
    Ok(Decision::of(event, id))
}

/// The requested rates with the current ones; refused when a current one differs from the confirmed one.
fn resolve(wanted: &[WantedRate], tenant_state: &TenantState) -> Result<Vec<ChangedRate>, Refusal> {
    let mut seen = BTreeSet::new();
    let (mut rates, mut invalid, mut moved) = (Vec::new(), Vec::new(), Vec::new());
    for (index, rate) in wanted.iter().enumerate() {
        let at_fault = |field: &str, code, params: &[(&'static str, String)]| FieldError {
            field: format!("rates[{index}].{field}").into(),
            code,
            params: params.iter().cloned().collect(),
        };
        let Some(bearer) = rate.target.bearer(tenant_state) else {
            invalid.push(at_fault("target", "rate_target_unknown", &[]));
            continue;
        };
        if !seen.insert(rate.target) {
            invalid.push(at_fault("target", "value_repeated", &[]));
        }
        if !rate.to.is_positive() {
            invalid.push(at_fault("to", "rate_not_positive", &[]));
        }
        if matches!(bearer, Bearer::Currency(currency) if currency.code == CurrencyCode::USD) && rate.to != Rate::ONE {
            invalid.push(at_fault("to", "usd_rate_is_one", &[]));
        }
        let from = bearer.rate();
        if rate.from.is_some_and(|confirmed| confirmed != from) {
            moved.push(at_fault(
                "from",
                "rate_is_another",
                &[("rate", from.decimal().to_string())],
            ));
        }
        rates.push(ChangedRate {
            target: rate.target,
            from,
            to: rate.to,
        });
    }
    if !invalid.is_empty() {
        return Err(Refusal::all_invalid(invalid));
    }
    require(moved.is_empty(), || Refusal {
        kind: RefusalKind::Conflict,
        errors: moved,
        ..Refusal::conflict("rates_changed")
    })?;
    Ok(rates)
}

/// Does nothing when repeated or canceled: nodes compete to apply a due change.
fn apply(own: &RateChange, ctx: &Context<'_>) -> Result<Decision<RatesEvent>, Refusal> {
    if own.status != RatesStatus::Scheduled {
        return Ok(Decision::nothing(own.id));
    }
    require(own.at.is_some_and(|at| at <= ctx.now), || {
        Refusal::conflict("rates_not_due")
    })?;
    let (mut rates, mut skipped) = (Vec::new(), Vec::new());
    for rate in &own.rates {
        match rate.target.bearer(ctx.state) {
            Some(bearer) => rates.push(ChangedRate {
                from: bearer.rate(),
                ..*rate
            }),
            None => skipped.push(rate.target),
        }
    }
    let changed = RatesChanged {
        id: own.id,
        rates,
        skipped,
    };
    Ok(Decision::of(RatesEvent::RatesChanged(changed), own.id))
}

/// Whether a change may be canceled or undone. `holds` tells whether all its rates are still current; an undo must not
/// overwrite later changes.
///
/// # Errors
/// 409 when already canceled or undone, or when a rate has changed since.
pub fn judge_undo(status: RatesStatus, holds: impl FnOnce() -> bool) -> Result<(), Refusal> {
    match status {
        RatesStatus::Scheduled => Ok(()),
        RatesStatus::Canceled | RatesStatus::Undone => Err(Refusal::conflict("rates_already_undone")),
        RatesStatus::Effective => require(holds(), || Refusal::conflict("rates_changed_since")),
    }
}

fn undo(own: &RateChange, ctx: &Context<'_>) -> Result<Decision<RatesEvent>, Refusal> {
    let holds = |rate: &ChangedRate| {
        let bearer = rate.target.bearer(ctx.state);
        bearer.is_some_and(|bearer| bearer.rate() == rate.to)
    };
    judge_undo(own.status, || own.rates.iter().all(holds))?;
    match own.status {
        RatesStatus::Scheduled => Ok(Decision::of(RatesEvent::RatesCanceled { id: own.id }, own.id)),
        RatesStatus::Effective | RatesStatus::Canceled | RatesStatus::Undone => {
            let rates = own.rates.iter().map(|rate| ChangedRate {
                target: rate.target,
                from: rate.to,
                to: rate.from,
            });
            let undone = RatesUndone {
                id: own.id,
                rates: rates.collect(),
            };
            Ok(Decision::of(RatesEvent::RatesUndone(undone), own.id))
        }
    }
}
