//! Closures: a seller's period, frozen and billed. Periods are contiguous: each starts at the cut of the previous one.

use crate::{
    decision::{Context, Decision},
    ids::{ClosureId, ObligationId, PartyId},
    money::{Amount, CurrencyCode},
    party::{Party, Role},
    refusal::{Refusal, require},
    tenant_state::{
        account::{Account, AccountKind},
        activity::{GroupFigures, PeriodTotals},
        entry::{Entry, TransferCode},
        obligation::{ObligationOrigin, OpenedObligation},
    },
};
use chrono::{DateTime, Days, NaiveDate, TimeZone, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

/// Closes a seller's period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClosePeriod {
    pub id: ClosureId,
    pub party: PartyId,
    /// Last day of the period in the tenant's time zone; `None` or today cuts at this instant.
    pub to: Option<NaiveDate>,
    /// Id for the obligation to the manager, if one opens.
    pub debit: ObligationId,
    /// Id for the obligation to the agency, if one opens.
    pub agency_debit: ObligationId,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Closure {
    pub id: ClosureId,
    /// Its human number, `C-000001`.
    pub number: String,
    pub party: PartyId,
    /// Cut of the previous closure; `None` for a party's first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<DateTime<Utc>>,
    /// End of the period, exclusive.
    pub cut: DateTime<Utc>,
    /// Last local day of the period.
    pub through: NaiveDate,
    pub groups: Vec<GroupFigures>,
    pub totals: PeriodTotals,
    /// Obligation to the manager; `None` when nothing was billed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debit: Option<OpenedObligation>,
    /// Obligation to the agency; `None` when nothing was billed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agency_debit: Option<OpenedObligation>,
    /// Postings that bill the period.
    #[serde(default)]
    pub entry: Entry,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum ClosureEvent {
    PeriodClosed(Closure),
}

impl Closure {
    pub(crate) fn fold(_state: Option<Self>, event: &ClosureEvent) -> Option<Self> {
        let ClosureEvent::PeriodClosed(closure) = event;
        Some(closure.clone())
    }
}

pub(crate) fn decide(
    own: Option<&Closure>,
    close: &ClosePeriod,
    ctx: &Context<'_>,
) -> Result<Decision<ClosureEvent>, Refusal> {
    Decision::of_new(closed(close, ctx), own.is_some())
}

fn closed(close: &ClosePeriod, ctx: &Context<'_>) -> Result<Decision<ClosureEvent>, Refusal> {
    let party = closable(close.party, ctx)?;
    let (cut, through) = cut(close.to, ctx)?;
    let last = ctx.state.last_closure(party.id);
    require(last.is_none_or(|last| last.cut < cut), || {
        Refusal::conflict("period_already_closed")
    })?;

    let (groups, totals) = ctx.state.figures(party, through);
    let bill = |amount: Amount, id, creditor| {
        amount.is_positive().then_some(OpenedObligation {
            id,
            debtor: party.id,
            creditor,
            amount,
            origin: ObligationOrigin::Closure,
        })
    };
    let debit = bill(totals.commission_accrued, close.debit, None);
    let agency_debit = party
        .agency
        .and_then(|agency| bill(totals.agency_fee_accrued, close.agency_debit, Some(agency)));
    let opened = [debit, agency_debit].into_iter().flatten();
    let reused = opened.clone().any(|debit| ctx.state.obligation(debit.id).is_some());
    require(!reused && close.debit != close.agency_debit, || {
        Refusal::conflict("already_exists")
    })?;
    let entry = debit.map_or_else(Entry::default, |debit| {
        Entry::default().post(
            Account::usd(AccountKind::Debits, party.id),
            Account::of(AccountKind::CommissionReceivable, party.id, CurrencyCode::USD),
            debit.amount,
            TransferCode::Billing,
        )
    });
    ctx.state.check(&entry)?;
    let closure = Closure {
        id: close.id,
        number: ctx.state.next_closure_number(),
        party: party.id,
        from: last.map(|last| last.cut),
        cut,
        through,
        groups,
        totals,
        debit,
        agency_debit,
        entry,
    };
    let number = closure.number.clone();
    Ok(
        Decision::of(ClosureEvent::PeriodClosed(closure), close.id).answering(|answer| {
            answer.number = Some(number);
            answer.debit_id = debit.map(|debit| debit.id.0);
            answer.agency_debit_id = agency_debit.map(|debit| debit.id.0);
        }),
    )
}

/// Sellers that the caller may close: any for a manager, its own external agents for an agency.
fn closable<'a>(id: PartyId, ctx: &Context<'a>) -> Result<&'a Party, Refusal> {
    let caller = ctx.caller()?;
    require(matches!(caller.role, Role::Manager | Role::Agency), || {
        Refusal::forbidden("role_not_allowed")
    })?;
    let party = ctx.state.party(id).filter(|party| caller.oversees(party));
    let party = party.ok_or_else(|| Refusal::not_found("party_not_found"))?;
    require(caller.id != party.id, || Refusal::forbidden("closed_from_above"))?;
    require(party.role.holds_terms(), || Refusal::conflict("party_has_no_closures"))?;
    Ok(party)
}

/// The cut and the last local day of the period.
fn cut(to: Option<NaiveDate>, ctx: &Context<'_>) -> Result<(DateTime<Utc>, NaiveDate), Refusal> {
    let zone = ctx.state.zone();
    let today = ctx.now.with_timezone(&zone).date_naive();
    match to {
        Some(day) if day > today => Err(Refusal::invalid("to", "date_in_future")),
        Some(day) if day < today => {
            let end = end_of_day(day, zone).ok_or_else(|| Refusal::invalid("to", "date_invalid"))?;
            Ok((end, day))
        }
        _ => Ok((ctx.now, today)),
    }
}

/// End of a local day: first instant of the next one. When a clock change skips midnight, the first instant after it.
#[must_use]
pub fn end_of_day(day: NaiveDate, zone: Tz) -> Option<DateTime<Utc>> {
    let next = day.checked_add_days(Days::new(1))?;
    start_of_day(next, zone)
}

/// First instant of a local day. When a clock change skips midnight, the first instant after it; when midnight occurs
/// twice, the earlier one.
#[must_use]
pub fn start_of_day(day: NaiveDate, zone: Tz) -> Option<DateTime<Utc>> {
    (0..=3)
        .find_map(|hour| zone.from_local_datetime(&day.and_hms_opt(hour, 0, 0)?).earliest())
        .map(|start| start.with_timezone(&Utc))
}

#[cfg(test)]
mod tests;
