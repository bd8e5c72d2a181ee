//! What the dossier prints of each event type. A new type fails the test below until somebody decided it.

use Coverage::{LeftOut, Printed};
use caudal_domain::StreamKind::{self, Customer, Proposal, Remittance};

/// Whether a dossier tells an event that names its customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// In this part of the dossier, with the event's position.
    Printed(&'static str),
    /// For this reason.
    LeftOut(&'static str),
}

/// Event types that name a customer: those of customers, of remittances, and of commands about either that wait for an approval.
pub const COVERED: &[(StreamKind, &str, Coverage)] = &[
    (Customer, "CustomerRegistered", Printed("versions")),
    (Customer, "CustomerChanged", Printed("versions")),
    (Customer, "CardAdded", Printed("cards")),
    (Customer, "CustomerDeleted", Printed("deletion")),
    (Customer, "DossierExported", Printed("exports")),
    (Customer, "CustomerScreened", Printed("screenings")),
    (Customer, "ScreeningPairDecided", Printed("pairDecisions")),
    (Customer, "PersonIdentified", Printed("identifications")),
    (Customer, "DocumentPicturesRecorded", Printed("pictureChanges")),
    (
        Customer,
        "PersonForgotten",
        LeftOut("An erased customer has no dossier, and the erasure comes after every earlier export."),
    ),
    (
        Customer,
        "PersonDocumentReleased",
        LeftOut("It precedes the erasure in the same commit."),
    ),
    (Remittance, "RemittanceCreated", Printed("remittances")),
    (Remittance, "RemittanceAmountEdited", Printed("remittances")),
    (Remittance, "RemittanceDetailsEdited", Printed("remittances")),
    (Remittance, "RemittanceAssigned", Printed("remittances")),
    (Remittance, "RemittanceFailed", Printed("remittances")),
    (Remittance, "RemittanceCanceled", Printed("remittances")),
    (Remittance, "RemittanceCompleted", Printed("remittances")),
    (Remittance, "DeliveryAttempted", Printed("remittances")),
    (Remittance, "DeliveryDisputed", Printed("remittances")),
    (Remittance, "DeliveryDisputeSettled", Printed("remittances")),
    (Remittance, "RemittanceHeld", Printed("holds")),
    (Remittance, "HoldReleased", Printed("holds")),
    (Remittance, "HoldKept", Printed("holds")),
    (Remittance, "HeldRemittanceDelivered", Printed("remittances")),
    (Remittance, "HoldBreachSettled", Printed("remittances")),
    (Remittance, "SaleDeclared", Printed("remittances")),
    (Proposal, "CommandProposed", Printed("proposals")),
    (Proposal, "ProposalApproved", Printed("proposals")),
    (Proposal, "ProposalRejected", Printed("proposals")),
    (Proposal, "ProposalWithdrawn", Printed("proposals")),
    (
        Proposal,
        "ProposedPersonForgotten",
        LeftOut("It is of a user that a proposal would have registered, never of a customer."),
    ),
];

/// Kinds of streams whose events name no customer, with what the dossier takes from them.
pub const WITHOUT_CUSTOMERS: &[(StreamKind, &str)] = &[
    (
        StreamKind::Tenant,
        "Settings: limit rules and lists stand with the holds and comparisons that they caused.",
    ),
    (StreamKind::Currency, "Reference data."),
    (StreamKind::Place, "Reference data."),
    (StreamKind::PaymentGroup, "Its name stands with the remittances."),
    (StreamKind::Party, "Users: their names stand with what they did."),
    (StreamKind::Movement, "Money between parties."),
    (StreamKind::Closure, "Accounting of parties."),
    (StreamKind::Rates, "The rate of a sale stands with the remittance."),
    (StreamKind::ApiKey, "Integrations."),
    (StreamKind::Webhook, "Integrations."),
];

/// What the dossier tells of an event type; `None` for one that names no customer.
#[must_use]
pub fn told(event_type: &str, kind: StreamKind) -> Option<Coverage> {
    let mut covered = COVERED.iter();
    let found = covered.find(|(of, name, _)| (*of, *name) == (kind, event_type));
    found.map(|(_, _, told)| *told)
}

#[cfg(test)]
mod tests {
    use super::*;
    use caudal_domain::Event;

    #[test]
    fn every_event_type_is_printed_left_out_with_a_reason_or_of_a_kind_that_names_no_customer() {
        for (kind, name) in Event::TYPES {
            let decided = COVERED
                .iter()
                .filter(|(of, known, _)| (of, known) == (kind, name))
                .count();
            let of_others = WITHOUT_CUSTOMERS.iter().filter(|(of, _)| of == kind).count();
            assert_eq!(decided + of_others, 1, "{kind} {name}");
        }
        for (kind, name, _) in COVERED {
            assert!(Event::TYPES.contains(&(*kind, *name)), "{kind} {name}");
        }
    }
}
