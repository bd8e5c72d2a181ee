//! Remittances: current state and history.

mod alike;
pub(crate) mod dispute;
mod history;
pub(crate) mod hold;
mod list;
mod seller;
mod summary;
mod views;

pub use alike::sold_alike;
pub use dispute::{
    DISPUTES, DeliveryDispute, carried_since, carried_terms, list as disputes, proves, shows_file as dispute_shows_file,
};
pub use history::{HISTORY, RemittanceField, RemittanceFieldChange, RemittanceHistoryItem, list as history};
pub use hold::{PublicHoldReason, RemittanceHold, list as holds};
pub(crate) use list::COUNTED;
pub use list::{DISPATCH, REMITTANCES, dispatch, list};
pub use seller::{SellerContact, seller_contact};
pub use summary::{PayoutSummary, RemittanceSummary, StatusSummary, summary};
pub use views::{
    Deliverable, Remittance, RemittanceAct, RemittanceAction, RemittanceAddress, RemittancePerson, RemittanceProof,
    RemittanceRepresentative, RemittanceTerms, deliverables, get, payment_group, require_visible,
};
pub(crate) use views::{NAMES, SOLD, about, and_visible, sees_price};

use crate::{
    accounting,
    batch::{Batch, actor, approver, existing},
    error::ProjectError,
    late,
    rows::{HistoryRow, RemittanceRow},
    scalar::RemittanceChange,
    search,
    table::Json,
    tally::{Change, Counted, Tallies},
};
use caudal_domain::{
    Personal,
    limits::{SaleDeclaration, SaleDeclared},
    money::Amount,
    remittance::{Delivery, RemittanceDetails, RemittanceEvent, RemittanceReason, Sale, Status},
};
use caudal_journal::Recorded;
use uuid::Uuid;

impl RemittanceRow {
    fn new(id: Uuid, recorded: &Recorded, sale: &Sale, delivery: &Delivery) -> Self {
        let quote = &sale.quote;
        let mut row = Self {
            id,
            position: recorded.position,
            code: sale.code.clone(),
            status: Status::Pending,
            seller: sale.seller.0,
            agency: sale.agency.map(Uuid::from),
            agent: sale.agent.map(Uuid::from),
            sender: sale.sender.0,
            recipient: sale.recipient.0,
            group_id: sale.group.0,
            reference: sale.reference.clone(),
            terms: Json(sale.terms.clone()),
            amount: quote.amount,
            payout: quote.payout,
            currency: quote.currency_to,
            exchange_rate: quote.exchange_rate,
            manager_fee: quote.manager_fee,
            agency_fee: quote.agency_fee,
            agent_fee: quote.agent_fee,
            total_fee: quote.total_fee,
            total_to_pay: quote.total_to_pay,
            margin: Amount::ZERO,
            method: String::new(),
            province: None,
            municipality: None,
            card: None,
            brand: None,
            dealer: None,
            delivery_man: None,
            delivered_by: None,
            distribution_fee: None,
            identification: None,
            signature: None,
            to_representative: false,
            address: None,
            notes: None,
            reason: None,
            created_at: recorded.recorded_at,
            updated_at: recorded.recorded_at,
            assigned_at: None,
            completed_at: None,
            delivered_at: None,
            canceled_at: None,
            search: String::new(),
            held: false,
            breach_at: None,
            breach_settled_at: None,
            breach_settlement: None,
        };
        row.set_reference(sale.reference.clone());
        row.set_delivery(delivery);
        row
    }

    /// What its seller calls it, by which it is found too.
    fn set_reference(&mut self, reference: Option<String>) {
        self.search = search::folded([Some(self.code.as_str()), reference.as_deref()]);
        self.reference = reference;
    }

    /// Quoted anew: everything that the sale says.
    fn set_sale(&mut self, sale: &Sale) {
        let quote = &sale.quote;
        self.group_id = sale.group.0;
        self.terms = Json(sale.terms.clone());
        self.amount = quote.amount;
        self.payout = quote.payout;
        self.currency = quote.currency_to;
        self.exchange_rate = quote.exchange_rate;
        self.manager_fee = quote.manager_fee;
        self.agency_fee = quote.agency_fee;
        self.agent_fee = quote.agent_fee;
        self.total_fee = quote.total_fee;
        self.total_to_pay = quote.total_to_pay;
    }

    fn set_delivery(&mut self, delivery: &Delivery) {
        (self.province, self.municipality, self.card, self.brand) = (None, None, None, None);
        match delivery {
            Delivery::Home { province, municipality } => {
                self.method = HOME.to_owned();
                self.province = Some(province.0);
                self.municipality = Some(municipality.0);
            }
            Delivery::Card { card, brand } => {
                self.method = CARD.to_owned();
                self.card = Some(card.0);
                self.brand = Some(*brand);
            }
        }
    }

    fn set_personal(&mut self, personal: &Personal<RemittanceDetails>) {
        self.address = personal.get().and_then(|details| details.address.clone());
        self.notes = personal.get().and_then(|details| details.notes.clone());
    }

    fn back_to_pending(&mut self) {
        self.status = Status::Pending;
        self.dealer = None;
        self.delivery_man = None;
        self.assigned_at = None;
        self.reason = None;
    }
}

/// Name of the home delivery method.
const HOME: &str = "home";
/// Name of the card transfer method.
const CARD: &str = "card";

fn reason(personal: &Personal<RemittanceReason>) -> Option<String> {
    personal.get().map(|reason| reason.reason.clone())
}

/// Purpose and source of funds as one text; `None` after the erasure of the sender.
pub(crate) fn declared(declaration: &SaleDeclared) -> Option<String> {
    let SaleDeclaration {
        purpose,
        source_of_funds,
    } = declaration.personal.get()?;
    let texts: Vec<&str> = [purpose, source_of_funds]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    Some(texts.join(" · "))
}

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &RemittanceEvent) -> Result<(), ProjectError> {
    let at = recorded.recorded_at;
    if let RemittanceEvent::RemittanceCreated(created) = event {
        let mut row = RemittanceRow::new(created.id.0, recorded, &created.sale, &created.delivery);
        row.set_personal(&created.personal);
        accounting::sold(batch, recorded.position, &mut row);
        batch
            .history
            .push(history_of(&row, recorded, None, RemittanceChange::Created));
        batch.remittances.put(row);
        return Ok(());
    }
    let row = existing(&mut batch.remittances, recorded, recorded.stream.id)?;
    let earlier = row.clone();
    row.updated_at = at;
    let change = match event {
        RemittanceEvent::RemittanceCreated(_) => RemittanceChange::Created,
        RemittanceEvent::RemittanceAmountEdited(edited) => {
            row.set_sale(&edited.sale);
            row.back_to_pending();
            RemittanceChange::AmountEdited
        }
        RemittanceEvent::RemittanceDetailsEdited(edited) => {
            row.recipient = edited.recipient.0;
            row.set_delivery(&edited.delivery);
            row.set_personal(&edited.personal);
            if let Some(changed) = &edited.reference {
                row.set_reference(changed.reference.clone());
            }
            if edited.reopened {
                row.back_to_pending();
            }
            RemittanceChange::DetailsEdited
        }
        RemittanceEvent::RemittanceAssigned(assigned) => {
            row.status = Status::Shipping;
            row.dealer = Some(assigned.dealer.0);
            row.delivery_man = assigned.delivery_man.map(Uuid::from);
            row.assigned_at = Some(at);
            row.reason = None;
            RemittanceChange::Assigned
        }
        RemittanceEvent::RemittanceFailed(failed) => {
            row.status = Status::Error;
            row.reason = reason(&failed.personal);
            RemittanceChange::Error
        }
        RemittanceEvent::RemittanceCanceled(canceled) => {
            row.status = Status::Canceled;
            row.reason = reason(&canceled.personal);
            row.canceled_at = Some(at);
            RemittanceChange::Canceled
        }
        RemittanceEvent::RemittanceCompleted(completed) => {
            row.status = Status::Completed;
            row.delivered_by = Some(completed.delivered_by.0);
            row.distribution_fee = Some(completed.distribution_fee);
            row.identification = Some(completed.identification.clone());
            row.signature = completed.signature.clone();
            row.to_representative = completed.to_representative;
            row.completed_at = Some(at);
            row.delivered_at = completed.delivered_at;
            RemittanceChange::Completed
        }
        RemittanceEvent::DeliveryAttempted(_) => RemittanceChange::Attempted,
        RemittanceEvent::DeliveryDisputed(_) => RemittanceChange::Disputed,
        RemittanceEvent::DeliveryDisputeSettled(_) => RemittanceChange::DisputeSettled,
        RemittanceEvent::RemittanceHeld(_) => {
            row.held = true;
            RemittanceChange::Held
        }
        RemittanceEvent::HoldReleased(_) => RemittanceChange::HoldReleased,
        RemittanceEvent::HoldKept(_) => RemittanceChange::HoldKept,
        RemittanceEvent::HeldRemittanceDelivered(_) => {
            row.breach_at = Some(at);
            RemittanceChange::DeliveredWhileHeld
        }
        RemittanceEvent::HoldBreachSettled(settled) => {
            row.breach_settled_at = Some(at);
            row.breach_settlement = reason(&settled.personal);
            RemittanceChange::HoldBreachSettled
        }
        RemittanceEvent::SaleDeclared(_) => RemittanceChange::Declared,
    };
    // What is canceled or delivered is not held.
    row.held &= row.status.is_open();
    let mut row = row.clone();
    match event {
        RemittanceEvent::RemittanceAmountEdited(_) => {
            accounting::edited(batch, recorded.position, &earlier, &mut row);
        }
        RemittanceEvent::RemittanceCanceled(_) => {
            accounting::canceled(batch, recorded.position, &row);
            hold::ended(batch, recorded, earlier.held);
        }
        RemittanceEvent::RemittanceCompleted(_) => hold::ended(batch, recorded, earlier.held),
        RemittanceEvent::DeliveryDisputed(disputed) => dispute::opened(batch, recorded, disputed, row.recipient),
        RemittanceEvent::DeliveryDisputeSettled(settled) => dispute::settled(batch, recorded, settled)?,
        RemittanceEvent::RemittanceHeld(held) => hold::opened(batch, recorded, held, row.recipient),
        RemittanceEvent::HoldReleased(reviewed) | RemittanceEvent::HoldKept(reviewed) => {
            let released = matches!(event, RemittanceEvent::HoldReleased(_));
            row.held = hold::reviewed(batch, recorded, reviewed, released)?;
        }
        _ => {}
    }
    let mut history = history_of(&row, recorded, Some(earlier.status), change);
    match event {
        RemittanceEvent::RemittanceDetailsEdited(edited) if edited.reference.is_some() => {
            history.reference_before.clone_from(&earlier.reference);
            history.reference.clone_from(&row.reference);
        }
        RemittanceEvent::RemittanceCompleted(completed) => history.occurred_at = completed.delivered_at,
        RemittanceEvent::DeliveryAttempted(attempted) => {
            history.occurred_at = attempted.attempted_at;
            history.detail = Some(dispute::attempt_name(attempted.reason));
        }
        RemittanceEvent::DeliveryDisputed(disputed) => {
            history.occurred_at = disputed.delivered_at;
            history.detail = Some(disputed.refused.clone());
        }
        RemittanceEvent::DeliveryDisputeSettled(settled) => {
            history.reason = reason(&settled.personal);
            history.subject = Some(row.recipient);
        }
        RemittanceEvent::RemittanceHeld(held) => {
            history.detail = Some(held.reason.as_str().to_owned());
            history.reason = reason(&held.personal).filter(|note| !note.is_empty());
            history.subject = Some(row.recipient);
        }
        RemittanceEvent::HoldReleased(reviewed) | RemittanceEvent::HoldKept(reviewed) => {
            history.reason = reason(&reviewed.personal);
            history.review_files = hold::files(reviewed);
            history.subject = Some(row.recipient);
        }
        RemittanceEvent::HoldBreachSettled(settled) => {
            history.reason = reason(&settled.personal);
            history.subject = Some(row.recipient);
        }
        RemittanceEvent::SaleDeclared(declaration) => {
            history.reason = declared(declaration);
            history.subject = Some(row.sender);
        }
        _ => {}
    }
    batch.history.push(history);
    late::remittance(batch, recorded, event, &earlier, &row);
    batch.remittances.put(row);
    Ok(())
}

/// Counts a row of the list.
pub(crate) fn tally(tallies: &mut Tallies, change: Change, row: &RemittanceRow) {
    let id = |id: Uuid| id.to_string();
    let mut values = vec![
        ("seller", id(row.seller)),
        ("group", id(row.group_id)),
        ("method", row.method.clone()),
    ];
    let ids = [
        ("agency", row.agency),
        ("agent", row.agent),
        ("dealer", row.dealer),
        ("delivery_man", row.delivery_man),
        ("province", row.province),
        ("municipality", row.municipality),
    ];
    values.extend(ids.into_iter().filter_map(|(name, value)| Some((name, id(value?)))));
    let counted = Counted {
        list: "remittances",
        position: row.position,
        part: row.status.number().into(),
        currency: row.currency.as_str(),
        amount: row.payout.minor(),
        values,
    };
    tallies.count(change, counted);
}

/// History row of an event, from the remittance after it.
fn history_of(
    row: &RemittanceRow,
    recorded: &Recorded,
    from_status: Option<Status>,
    change: RemittanceChange,
) -> HistoryRow {
    let explained = matches!(change, RemittanceChange::Error | RemittanceChange::Canceled);
    let edited = matches!(
        change,
        RemittanceChange::Created | RemittanceChange::DetailsEdited | RemittanceChange::AmountEdited
    );
    let delivered = matches!(change, RemittanceChange::Assigned | RemittanceChange::Completed);
    HistoryRow {
        remittance: row.id,
        position: recorded.position,
        at: recorded.recorded_at,
        change: crate::table::name_in_log(&change),
        actor: actor(recorded),
        role: recorded.metadata.role.clone(),
        from_status,
        to_status: row.status,
        reason: row.reason.clone().filter(|_| explained),
        subject: Some(row.recipient).filter(|_| explained || edited),
        group_id: Some(row.group_id).filter(|_| edited),
        method: Some(row.method.clone()).filter(|_| edited),
        province: row.province.filter(|_| edited),
        municipality: row.municipality.filter(|_| edited),
        card: row.card.filter(|_| edited),
        address: row.address.clone().filter(|_| edited),
        notes: row.notes.clone().filter(|_| edited),
        dealer: row.dealer.filter(|_| delivered),
        delivery_man: row.delivery_man.filter(|_| delivered),
        occurred_at: None,
        detail: None,
        reference_before: None,
        reference: None,
        amount: row.amount,
        payout: row.payout,
        currency: row.currency,
        review_files: None,
        approver: approver(recorded),
    }
}
