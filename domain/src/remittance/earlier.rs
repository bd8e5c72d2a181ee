//! Earlier shapes of remittance events, with their upcasters. They are read, never written.

use super::{RemittanceAssigned, RemittanceCompleted, RemittanceEvent};
use crate::{
    books::{account::AccountKind, entry::Entry},
    ids::{PartyId, RemittanceId},
    money::Amount,
};
use serde::Deserialize;

/// An event in an earlier shape.
#[derive(Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub(crate) enum EarlierRemittanceEvent {
    RemittanceAssigned(RemittanceAssignedV1),
    RemittanceCompleted(RemittanceCompletedV1),
}

/// Version 1 of an assignment: the previous dealer is only visible in the postings.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RemittanceAssignedV1 {
    id: RemittanceId,
    dealer: PartyId,
    #[serde(default)]
    delivery_man: Option<PartyId>,
    entry: Entry,
}

/// Version 1 of a delivery: delivery time equals recording time.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RemittanceCompletedV1 {
    id: RemittanceId,
    delivered_by: PartyId,
    distribution_fee: Amount,
    identification: String,
    #[serde(default)]
    signature: Option<String>,
    #[serde(default)]
    to_representative: bool,
    entry: Entry,
}

impl From<EarlierRemittanceEvent> for RemittanceEvent {
    fn from(event: EarlierRemittanceEvent) -> Self {
        match event {
            EarlierRemittanceEvent::RemittanceAssigned(event) => Self::RemittanceAssigned(event.into()),
            EarlierRemittanceEvent::RemittanceCompleted(event) => Self::RemittanceCompleted(event.into()),
        }
    }
}

impl From<RemittanceAssignedV1> for RemittanceAssigned {
    fn from(event: RemittanceAssignedV1) -> Self {
        // The payout moves from the previous holder's account; without postings the dealer is unchanged.
        let previous_dealer = match event.entry.transfers.first() {
            Some(transfer) if transfer.debit.kind == AccountKind::RemittancesShipping => transfer.debit.owner,
            Some(_) => None,
            None => Some(event.dealer),
        };
        Self {
            id: event.id,
            dealer: event.dealer,
            delivery_man: event.delivery_man,
            previous_dealer,
            entry: event.entry,
        }
    }
}

impl From<RemittanceCompletedV1> for RemittanceCompleted {
    fn from(event: RemittanceCompletedV1) -> Self {
        Self {
            id: event.id,
            delivered_by: event.delivered_by,
            distribution_fee: event.distribution_fee,
            identification: event.identification,
            signature: event.signature,
            to_representative: event.to_representative,
            delivered_at: None,
            entry: event.entry,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Event,
        remittance::{AssignDealer, RemittanceCommand},
        stream::StreamKind,
        testing::Business,
    };

    /// Version 1 of an assignment as JSON.
    fn as_version_1(assigned: &RemittanceAssigned) -> String {
        let RemittanceAssigned {
            previous_dealer: _,
            id,
            dealer,
            delivery_man,
            entry,
        } = assigned;
        let mut payload = serde_json::json!({"type": "RemittanceAssigned", "id": id, "dealer": dealer, "entry": entry});
        if let Some(delivery_man) = delivery_man {
            payload["deliveryMan"] = serde_json::json!(delivery_man);
        }
        payload.to_string()
    }

    #[test]
    fn version_1_says_in_its_postings_who_had_it_before() {
        let mut business = Business::funded();
        let id = business.sell(business.agency, business.sale(business.cup, 100_00));
        let to = |dealer, delivery_man| RemittanceCommand::Assign(AssignDealer { dealer, delivery_man });
        let (manager, dealer, other) = (business.manager, business.dealer, business.other_dealer);
        let failed = RemittanceCommand::MarkError {
            reason: "nadie en casa".to_owned(),
        };
        for command in [
            to(dealer, None),
            to(dealer, Some(business.courier)),
            to(other, None),
            failed,
            to(dealer, None),
        ] {
            business.act(manager, id, command).unwrap();
        }
        let assigned = business.world.log.iter().filter_map(|(event, _)| match event {
            Event::Remittance(RemittanceEvent::RemittanceAssigned(assigned)) => Some(assigned),
            _ => None,
        });
        let before: Vec<_> = assigned.clone().map(|assigned| assigned.previous_dealer).collect();
        assert_eq!(before, [None, Some(dealer), Some(dealer), None]);
        for assigned in assigned {
            let read = Event::decode(
                StreamKind::Remittance,
                "RemittanceAssigned",
                "1",
                &as_version_1(assigned),
            );
            let today = Event::Remittance(RemittanceEvent::RemittanceAssigned(assigned.clone()));
            assert_eq!(read.unwrap(), today);
        }
    }

    #[test]
    fn version_1_is_read_as_strictly_as_it_was() {
        let mut business = Business::funded();
        let id = business.sell(business.agency, business.sale(business.cup, 100_00));
        let command = RemittanceCommand::Assign(AssignDealer {
            dealer: business.dealer,
            delivery_man: None,
        });
        business.act(business.manager, id, command).unwrap();
        let (event, _) = business.world.log.iter().last().unwrap();
        let mut payload: serde_json::Value = serde_json::from_str(&event.encode_in_clear().unwrap()).unwrap();
        let read = |payload: &serde_json::Value| {
            Event::decode(StreamKind::Remittance, "RemittanceAssigned", "1", &payload.to_string())
        };
        read(&payload).unwrap();
        payload["previousDealer"] = serde_json::json!(business.dealer);
        read(&payload).unwrap_err();
    }
}
