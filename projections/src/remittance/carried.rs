//! How a carrier carried a remittance, by its checked stream: what an attempt or a delivery without a network is judged by.

use crate::{error::ReadError, from_log, read_transaction::ReadTransaction, scope::Scope};
use caudal_domain::{
    Event, StreamKind, StreamState,
    ids::{PartyId, RemittanceId},
    remittance::{CarriedTerms, Delivery, Remittance, RemittanceEvent, Status},
};
use caudal_journal::{Journal, Recorded};
use chrono::{DateTime, Utc};

/// The remittance after one of its events.
#[derive(Clone, Debug)]
struct Step {
    at: DateTime<Utc>,
    /// Dealer and delivery man of an assignment; `None` for other events.
    assigned: Option<[Option<PartyId>; 2]>,
    status: Status,
    terms: CarriedTerms,
}

/// How a carrier carried a remittance.
#[derive(Clone, Debug)]
pub struct Carrying {
    carrier: PartyId,
    steps: Vec<Step>,
    /// The remittance after the last step.
    present: Option<Remittance>,
}

/// How the caller carried a remittance, as of a snapshot.
///
/// # Errors
/// When the log can't be read, or was changed.
pub async fn carrying(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    scope: &Scope,
    id: RemittanceId,
) -> Result<Carrying, ReadError> {
    let streams = from_log::streams(journal, transaction, StreamKind::Remittance, &[id.0]).await?;
    let events = streams.into_values().next().unwrap_or_default();
    Ok(Carrying::of(&events, scope.party))
}

impl Carrying {
    pub(super) fn of(events: &[Recorded], carrier: PartyId) -> Self {
        let mut state = StreamState::new(StreamKind::Remittance);
        let steps = events.iter().filter_map(|recorded| {
            state.apply(&recorded.event);
            let assigned = match &recorded.event {
                Event::Remittance(RemittanceEvent::RemittanceAssigned(assigned)) => {
                    Some([Some(assigned.dealer), assigned.delivery_man])
                }
                _ => None,
            };
            let after = state.remittance()?;
            Some(Step {
                at: recorded.recorded_at,
                assigned,
                status: after.status,
                terms: terms(after),
            })
        });
        let steps = steps.collect();
        let present = state.remittance().cloned();
        Self {
            carrier,
            steps,
            present,
        }
    }

    /// The remittance as it is now; `None` where there is none.
    #[must_use]
    pub const fn present(&self) -> Option<&Remittance> {
        self.present.as_ref()
    }

    fn is_own(&self, step: &Step) -> bool {
        step.assigned.is_some_and(|to| to.contains(&Some(self.carrier)))
    }

    /// Time at which the carrier first carried it; `None` if never.
    #[must_use]
    pub fn since(&self) -> Option<DateTime<Utc>> {
        self.steps.iter().find(|step| self.is_own(step)).map(|step| step.at)
    }

    /// Terms at which the carrier carried it at a time; `None` if never. Payout as of the carrier's last assignment before the time,
    /// or of the first one where a wrong clock puts the time before it. Recipient and card as of then, or of an edit on the way
    /// before the time. The SQL of `handed_over` and `carried_to` is the same rule for the list of disputes.
    #[must_use]
    pub fn terms(&self, at: DateTime<Utc>) -> Option<CarriedTerms> {
        let before = |step: &Step| self.is_own(step) && step.at <= at;
        let given = self.steps.iter().rposition(before);
        let given = given.or_else(|| self.steps.iter().position(|step| self.is_own(step)))?;
        let mut from = self.steps.iter().skip(given);
        let given = from.next()?;
        let on_the_way =
            from.take_while(|step| step.status == Status::Shipping && step.assigned.is_none() && step.at <= at);
        let last = on_the_way.last().unwrap_or(given);
        Some(CarriedTerms {
            recipient: last.terms.recipient,
            card: last.terms.card,
            ..given.terms
        })
    }

    /// Terms at which the carrier carried it at a time that nobody knows; `None` if never. They are other than the present ones where
    /// the carrier ever had others: nobody can say that the present ones were delivered.
    #[must_use]
    pub fn terms_at_unknown_time(&self) -> Option<CarriedTerms> {
        let now = self.steps.last()?.terms;
        let mut is_carried = false;
        let carried = self.steps.iter().filter(|step| {
            is_carried = match step.assigned {
                Some(_) => self.is_own(step),
                None => is_carried && step.status == Status::Shipping,
            };
            is_carried
        });
        let carried: Vec<CarriedTerms> = carried.map(|step| step.terms).collect();
        let is_other = |had: &&CarriedTerms| {
            // Cash that was carried to the door is not compared with a card: see [`CarriedTerms`].
            let without_card = |terms: CarriedTerms| CarriedTerms { card: None, ..terms };
            (had.card.is_some() && had.card != now.card) || without_card(**had) != without_card(now)
        };
        carried.iter().find(is_other).or_else(|| carried.last()).copied()
    }
}

fn terms(of: &Remittance) -> CarriedTerms {
    let quote = &of.sale.quote;
    CarriedTerms {
        payout: Some(quote.payout),
        currency: Some(quote.currency_to),
        recipient: Some(of.sale.recipient),
        card: match of.delivery {
            Delivery::Card { card, .. } => Some(card),
            Delivery::Home { .. } => None,
        },
    }
}
