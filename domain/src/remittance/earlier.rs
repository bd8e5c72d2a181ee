//! Earlier shapes of remittance events, with their upcasters. They are read, never written.

use super::RemittanceEvent;
use crate::{Event, tenant_state::account::AccountKind};

/// Version 1 of an assignment said in its postings alone who had it before.
pub(crate) fn tell_previous_dealer(event: &mut Event) {
    let Event::Remittance(RemittanceEvent::RemittanceAssigned(assigned)) = event else {
        return;
    };
    // The payout leaves the account where it stood; where nothing moves, it stands with this dealer already.
    assigned.previous_dealer = match assigned.entry.transfers.first() {
        Some(transfer) if transfer.debit.kind == AccountKind::RemittancesShipping => transfer.debit.owner,
        Some(_) => None,
        None => Some(assigned.dealer),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        remittance::{AssignDealer, RemittanceAssigned, RemittanceCommand},
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
    fn version_1_derives_the_previous_dealer_from_its_postings() {
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
    fn version_1_rejects_unknown_fields() {
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
