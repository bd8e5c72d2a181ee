//! Dossier of a customer for an authority: everything known and done, read from the log as of the event that records the
//! export. A pure function of the log up to that event and of the people who are erased: repeated, it has the same bytes. The
//! event also says which content the dossier has, so that a part that later versions of the program add is in later exports
//! alone.
//!
//! One file per part of it. `coverage.rs` says of every event type where it is printed, or why it is not.

pub mod coverage;
mod edits;
mod files;
mod holds;
mod names;
mod person;
mod proposals;
mod reader;
mod remittance;
mod screening;
mod settings;
mod sums;

pub(crate) use edits::document_type as document_type_name;
pub use edits::{DossierEdit, DossierField};
pub use files::{DossierFile, DossierFileKind, DossierPictureChange};
pub use holds::{DossierHold, DossierHoldOutcome, DossierLikeness, DossierReview};
pub use person::{DossierCard, DossierDocument, DossierIdentification, DossierPerson, DossierVersion};
pub use proposals::{DossierCommand, DossierCommandName, DossierProposal, DossierProposalOutcome};
pub use remittance::{DossierRemittance, DossierStep};
pub use screening::{DossierCandidate, DossierEntry, DossierListedPerson, DossierPairDecision, DossierScreening};
pub use settings::{DossierLimitRule, DossierList};
pub use sums::{DossierCustomer, DossierMonth, DossierSums, DossierWindow, same_person};

use crate::{
    error::ReadError,
    read_transaction::ReadTransaction,
    refs::{HistoryActor, Ref},
    scalar::CustomerType,
};
use caudal_domain::{
    Event, Refusal, StreamId, StreamKind, customer::CustomerEvent, ids::CustomerId, remittance::RemittanceEvent,
};
use caudal_journal::{Journal, Recorded, to_hex};
use chrono::{DateTime, Utc};
use holds::Causes;
use names::Names;
use reader::{Reader, is_with};
use serde::Serialize;
use settings::Settings;
use std::collections::BTreeMap;
use sums::Persons;
use utoipa::ToSchema;
use uuid::Uuid;

/// Events of the customer's remittances, one list per remittance.
type Remittances = [Vec<Recorded>];

/// Everything known of a customer and done with them, as of one event of the log.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Dossier {
    /// Tenant id.
    pub tenant: String,
    /// Position in the log of the event that records the export: the dossier has everything up to it.
    pub position: i64,
    /// Hash of that event, which covers the whole log before it: 64 hexadecimal digits.
    pub hash: String,
    /// Time of that event.
    pub exported: DateTime<Utc>,
    /// Who exported it.
    pub exported_by: HistoryActor,
    /// Id of the customer.
    pub customer_id: Uuid,
    /// Sender or recipient.
    pub customer_type: CustomerType,
    /// The agency or agent whose customer it is.
    pub owner: Ref,
    /// Sender of a recipient; null for a sender.
    pub sender: Option<Ref>,
    /// When the customer was deleted; null when not.
    pub deleted: Option<DateTime<Utc>>,
    /// Who deleted the customer, and when; absent when not, and in exports of the first content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion: Option<DossierAct>,
    /// All versions of the identity, oldest first; the last one holds.
    pub versions: Vec<DossierVersion>,
    /// When the customer was found to be one person with others who have the same document, oldest first; absent without.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub identifications: Vec<DossierIdentification>,
    /// Cards of a recipient, oldest first.
    pub cards: Vec<DossierCard>,
    /// Recipients of a sender.
    pub recipients: Vec<Ref>,
    /// Sums sent and received by the person; absent in exports older than the sums.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sums: Option<DossierSums>,
    /// Remittances sent or received, oldest first; also those that were to be paid to the customer before an edit.
    pub remittances: Vec<DossierRemittance>,
    /// Holds of these remittances with what caused them, oldest first; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<DossierHold>,
    /// Pictures of the customer's documents, also of earlier ones, oldest first; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub document_pictures: Vec<DossierFile>,
    /// Who recorded these pictures or took them away, and when, oldest first; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub picture_changes: Vec<DossierPictureChange>,
    /// Files that reviewers attached to decisions about the customer, oldest first; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub review_files: Vec<DossierFile>,
    /// Comparisons of the customer with lists that found somebody or that ended a review, oldest first; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub screenings: Vec<DossierScreening>,
    /// Reviewers' decisions on pairs of the customer and a listed person, oldest first; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pair_decisions: Vec<DossierPairDecision>,
    /// Commands about the customer or these remittances that waited for an approval, oldest first; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<DossierProposal>,
    /// Earlier exports of the dossier, oldest first.
    pub exports: Vec<DossierExport>,
}

/// Something that was done.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierAct {
    /// Position of the event in the log.
    pub position: i64,
    /// When it was recorded.
    pub at: DateTime<Utc>,
    /// Who did it; of what waited for an approval, who proposed it. All fields null for the system.
    pub by: HistoryActor,
    /// Who approved it; null where it took effect at once.
    pub approval: Option<DossierApproval>,
}

/// The approval of something that waited for a second person.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierApproval {
    /// Id of the proposal.
    pub proposal: Uuid,
    /// Who approved it.
    pub by: Ref,
}

/// An export of the dossier.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierExport {
    /// Position of the event in the log.
    pub position: i64,
    /// When it was exported.
    pub at: DateTime<Utc>,
    /// Who exported it.
    pub by: HistoryActor,
}

/// The dossier of a customer as of the event that records its export.
///
/// # Errors
/// Not found where the log has no such event. When an event that it is made of was changed.
pub async fn get(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    id: CustomerId,
    position: i64,
) -> Result<Dossier, ReadError> {
    let reader = Reader { journal, position };
    let customer = reader.stream(transaction, StreamKind::Customer, id.0).await?;
    let not_found = || ReadError::from(Refusal::not_found("dossier_not_found"));
    let export = customer.last().filter(|last| last.position == position);
    let export = export.ok_or_else(not_found)?;
    let Event::Customer(CustomerEvent::DossierExported {
        same_person, content, ..
    }) = &export.event
    else {
        return Err(not_found());
    };
    let registered = customer.iter().find_map(|recorded| match &recorded.event {
        Event::Customer(CustomerEvent::CustomerRegistered(registered)) => Some(&registered.customer),
        _ => None,
    });
    let registered = registered.ok_or_else(not_found)?;
    let others = same_person.as_deref().unwrap_or_default();
    let customers: Vec<CustomerId> = std::iter::once(id).chain(others.iter().copied()).collect();
    let of_all = reader.remittances(transaction, &customers).await?;
    let own = of_all.iter().filter(|events| is_with(events, id));
    let remittances: Vec<Vec<Recorded>> = own.cloned().collect();
    let codes = codes(&remittances);
    let proposals = reader
        .proposals(transaction, id, codes.keys().copied().collect())
        .await?;
    let StreamId { kind, id: tenant } = StreamId::TENANT;
    let settings = Settings(reader.stream(transaction, kind, tenant).await?);
    let recipients = reader.recipients(transaction, id).await?;
    let persons = match same_person {
        Some(others) => {
            let mut persons = Persons::new(registered, &of_all);
            for other in others {
                persons.read(&reader, transaction, *other).await?;
            }
            Some(persons)
        }
        None => None,
    };
    let zone = transaction.zone();
    let mut names = Names::default();
    names.note(StreamKind::Party, [registered.owner.0]);
    names.note(StreamKind::Customer, registered.sender.map(Uuid::from));
    names.note(StreamKind::Customer, recipients.iter().copied());
    for of in persons.iter().flat_map(|persons| &persons.customers) {
        names.note(StreamKind::Customer, [of.id.0]);
        names.note(StreamKind::Party, [of.owner.0]);
    }
    let about = customer.iter().chain(remittances.iter().flatten());
    for recorded in about.chain(proposals.iter().flatten()) {
        names.note_in(recorded);
    }
    settings.note(&mut names);
    names.read(&reader, transaction).await?;
    let causes = Causes {
        id,
        customer: &customer,
        settings: &settings,
        names: &names,
    };
    let deletion = person::deletion(&customer, &names);
    let dossier = Dossier {
        tenant: transaction.tenant().to_string(),
        position,
        hash: to_hex(&export.hash),
        exported: export.recorded_at,
        exported_by: names.actor(export),
        customer_id: id.0,
        customer_type: registered.kind.into(),
        owner: names.of(registered.owner.0),
        sender: registered.sender.map(|sender| names.of(sender.0)),
        deleted: deletion.as_ref().map(|act| act.at),
        deletion,
        versions: person::versions(&customer, &names),
        identifications: person::identifications(&customer, &names),
        cards: person::cards(&customer, &names),
        recipients: recipients.into_iter().map(|recipient| names.of(recipient)).collect(),
        sums: persons.map(|persons| persons.sums(&names, zone)),
        holds: causes.holds(&remittances),
        remittances: remittance::remittances(&remittances, &names),
        document_pictures: files::document_pictures(&customer),
        picture_changes: files::picture_changes(&customer, &names),
        review_files: files::of_decisions(&customer),
        screenings: screening::screenings(&customer, &settings, &names),
        pair_decisions: screening::pair_decisions(&customer, &names),
        proposals: proposals::proposals(&proposals, &codes, export.recorded_at, &names),
        exports: exports(&customer, &names, position),
    };
    Ok(match content {
        None => dossier.of_first_content(),
        Some(_) => dossier,
    })
}

/// Remittances that were ever sent by a customer or to be paid to them, by the log as of a read transaction, oldest first.
pub(crate) async fn remittances_of(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    id: CustomerId,
) -> Result<Vec<Vec<Recorded>>, ReadError> {
    let position = transaction.position();
    Reader { journal, position }.remittances(transaction, &[id]).await
}

/// Numbers of the remittances by their ids.
fn codes(remittances: &Remittances) -> BTreeMap<Uuid, String> {
    let codes = remittances
        .iter()
        .flatten()
        .filter_map(|recorded| match &recorded.event {
            Event::Remittance(RemittanceEvent::RemittanceCreated(created)) => {
                Some((created.id.0, created.sale.code.clone()))
            }
            _ => None,
        });
    codes.collect()
}

fn exports(customer: &[Recorded], names: &Names, position: i64) -> Vec<DossierExport> {
    let earlier = customer.iter().filter(|recorded| recorded.position < position);
    let exports = earlier.filter_map(|recorded| match recorded.event {
        Event::Customer(CustomerEvent::DossierExported { .. }) => Some(DossierExport {
            position: recorded.position,
            at: recorded.recorded_at,
            by: names.actor(recorded),
        }),
        _ => None,
    });
    exports.collect()
}

impl Dossier {
    /// Without what [`caudal_domain::customer::DOSSIER_CONTENT`] 2 added: the bytes that were signed then.
    fn of_first_content(mut self) -> Self {
        self.deletion = None;
        self.identifications.clear();
        self.holds.clear();
        self.picture_changes.clear();
        self.proposals.clear();
        for version in &mut self.versions {
            version.approval = None;
            version.edits.clear();
        }
        for card in &mut self.cards {
            card.position = None;
            card.approval = None;
        }
        for screening in &mut self.screenings {
            screening.searched.clear();
        }
        for decision in &mut self.pair_decisions {
            decision.approval = None;
        }
        for remittance in &mut self.remittances {
            remittance.card = None;
            for step in &mut remittance.history {
                step.hold_number = None;
                step.reported_by = None;
                step.refused = None;
                step.approval = None;
                step.edits.clear();
            }
        }
        self
    }
}
