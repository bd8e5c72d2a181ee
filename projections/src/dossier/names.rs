//! Names of parties, customers and payment groups as of the export, and the masked cards that remittances were paid to.

use super::{DossierAct, DossierApproval, person::DossierPerson, reader::Reader};
use crate::{
    batch::approver,
    customer::masked,
    error::ReadError,
    read_transaction::ReadTransaction,
    refs::{HistoryActor, Ref},
};
use caudal_domain::{
    Event, StreamKind, customer::CustomerEvent, limits::LimitRule, party::PartyEvent,
    reference_data::payment_group::PaymentGroupEvent, remittance::RemittanceEvent,
};
use caudal_journal::Recorded;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// What is looked up, and what was found.
#[derive(Default)]
pub(super) struct Names {
    wanted: BTreeSet<(StreamKind, Uuid)>,
    found: BTreeMap<Uuid, String>,
    cards: BTreeMap<Uuid, String>,
}

impl Names {
    pub(super) fn note(&mut self, kind: StreamKind, ids: impl IntoIterator<Item = Uuid>) {
        self.wanted.extend(ids.into_iter().map(|id| (kind, id)));
    }

    /// Notes everybody whom an event names.
    pub(super) fn note_in(&mut self, recorded: &Recorded) {
        self.note(StreamKind::Party, recorded.metadata.actor.parse::<Uuid>().ok());
        self.note(StreamKind::Party, approver(recorded));
        let Event::Remittance(event) = &recorded.event else {
            return;
        };
        match event {
            RemittanceEvent::RemittanceCreated(created) => {
                let sale = &created.sale;
                let parties = [Some(sale.seller), sale.agency, sale.agent];
                self.note(StreamKind::Party, parties.into_iter().flatten().map(Uuid::from));
                self.note(StreamKind::Customer, [sale.sender.0, sale.recipient.0]);
                self.note(StreamKind::PaymentGroup, [sale.group.0]);
            }
            RemittanceEvent::RemittanceAmountEdited(edited) => {
                self.note(StreamKind::PaymentGroup, [edited.sale.group.0]);
            }
            RemittanceEvent::RemittanceDetailsEdited(edited) => self.note(StreamKind::Customer, [edited.recipient.0]),
            RemittanceEvent::RemittanceAssigned(assigned) => {
                let parties = [Some(assigned.dealer), assigned.delivery_man];
                self.note(StreamKind::Party, parties.into_iter().flatten().map(Uuid::from));
            }
            RemittanceEvent::RemittanceCompleted(completed) => self.note(StreamKind::Party, [completed.delivered_by.0]),
            RemittanceEvent::DeliveryDisputed(disputed) => self.note(StreamKind::Party, [disputed.reported_by.0]),
            RemittanceEvent::HeldRemittanceDelivered(delivered) => {
                self.note(StreamKind::Party, [delivered.reported_by.0]);
            }
            RemittanceEvent::RemittanceFailed(_)
            | RemittanceEvent::RemittanceCanceled(_)
            | RemittanceEvent::DeliveryAttempted(_)
            | RemittanceEvent::DeliveryDisputeSettled(_)
            | RemittanceEvent::RemittanceHeld(_)
            | RemittanceEvent::HoldReleased(_)
            | RemittanceEvent::HoldKept(_)
            | RemittanceEvent::HoldBreachSettled(_)
            | RemittanceEvent::SaleDeclared(_) => {}
        }
    }

    /// Notes the payment groups of a limit rule, and who set it.
    pub(super) fn note_rule(&mut self, recorded: &Recorded, rule: &LimitRule) {
        self.note_in(recorded);
        self.note(StreamKind::PaymentGroup, rule.groups.iter().map(|group| group.0));
    }

    pub(super) async fn read(
        &mut self,
        reader: &Reader<'_>,
        transaction: &mut ReadTransaction,
    ) -> Result<(), ReadError> {
        for (kind, id) in std::mem::take(&mut self.wanted) {
            let events = reader.stream(transaction, kind, id).await?;
            let name = events.iter().rev().find_map(|recorded| named(&recorded.event));
            self.found.extend(name.map(|name| (id, name)));
            self.cards
                .extend(events.iter().filter_map(|recorded| masked_card(&recorded.event)));
        }
        Ok(())
    }

    pub(super) fn of(&self, id: Uuid) -> Ref {
        Ref {
            id,
            name: self.found.get(&id).cloned(),
        }
    }

    pub(super) fn maybe(&self, id: Option<impl Into<Uuid>>) -> Option<Ref> {
        id.map(|id| self.of(id.into()))
    }

    /// A card's number, masked except for the last four digits; none after erasure.
    pub(super) fn card(&self, id: Uuid) -> Option<String> {
        self.cards.get(&id).cloned()
    }

    pub(super) fn actor(&self, recorded: &Recorded) -> HistoryActor {
        let id = recorded.metadata.actor.parse().ok();
        let name = id.and_then(|id| self.found.get(&id).cloned());
        HistoryActor::new(id, &recorded.metadata.role, name)
    }

    /// Who approved what an event is the effect of; none where it took effect at once.
    pub(super) fn approval(&self, recorded: &Recorded) -> Option<DossierApproval> {
        Some(DossierApproval {
            proposal: recorded.metadata.proposal.as_ref()?.parse().ok()?,
            by: self.of(approver(recorded)?),
        })
    }

    pub(super) fn act(&self, recorded: &Recorded) -> DossierAct {
        DossierAct {
            position: recorded.position,
            at: recorded.recorded_at,
            by: self.actor(recorded),
            approval: self.approval(recorded),
        }
    }
}

/// Name that an event gives its record; the later one holds.
fn named(event: &Event) -> Option<String> {
    match event {
        Event::Party(PartyEvent::PartyRegistered(registered)) => {
            registered.personal.get().map(|details| details.name.clone())
        }
        Event::Party(PartyEvent::PartyChanged(changed)) => changed.personal.get().map(|details| details.name.clone()),
        Event::Customer(CustomerEvent::CustomerRegistered(registered)) => {
            registered.personal.get().map(|of| DossierPerson::from(of).full_name())
        }
        Event::Customer(CustomerEvent::CustomerChanged(changed)) => {
            changed.personal.get().map(|of| DossierPerson::from(of).full_name())
        }
        Event::PaymentGroup(
            PaymentGroupEvent::PaymentGroupCreated(group) | PaymentGroupEvent::PaymentGroupChanged(group),
        ) => Some(group.name.clone()),
        _ => None,
    }
}

fn masked_card(event: &Event) -> Option<(Uuid, String)> {
    match event {
        Event::Customer(CustomerEvent::CardAdded(added)) => {
            added.personal.get().map(|of| (added.card.0, masked(&of.card_number)))
        }
        _ => None,
    }
}
