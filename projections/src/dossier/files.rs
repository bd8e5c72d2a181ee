//! Files that the dossier names by their hashes: proofs of deliveries, files of reviews, pictures of documents.

use super::names::Names;
use crate::refs::HistoryActor;
use caudal_domain::{Event, customer::CustomerEvent, remittance::RemittanceEvent};
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

/// A file that proves a delivery, that a reviewer attached to a decision, or that shows the customer's document.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierFile {
    /// Content.
    pub kind: DossierFileKind,
    /// SHA-256 of the content, by which the file is stored: 64 hexadecimal digits.
    pub hash: String,
    /// Position of the event that names it; of a picture of a document, of the first one.
    pub position: i64,
}

/// Content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DossierFileKind {
    /// Photograph of the identification, or the proof of a transfer.
    Identification,
    /// Signature of who took it.
    Signature,
    /// A file that a reviewer attached to a decision.
    Review,
    /// A picture of the customer's identity document.
    Document,
}

/// A change of the pictures of the customer's document.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierPictureChange {
    /// Position of the event in the log.
    pub position: i64,
    /// When it was recorded.
    pub at: DateTime<Utc>,
    /// Who recorded it.
    pub by: HistoryActor,
    /// Hashes of all pictures from then on; empty where they were taken away, or another document was recorded.
    pub files: Vec<String>,
}

pub(super) fn proofs(recorded: &Recorded, identification: &str, signature: Option<&str>) -> Vec<DossierFile> {
    let file = |kind, hash: &str| DossierFile {
        kind,
        hash: hash.to_owned(),
        position: recorded.position,
    };
    let mut files = vec![file(DossierFileKind::Identification, identification)];
    files.extend(signature.map(|hash| file(DossierFileKind::Signature, hash)));
    files
}

/// Files that an event of a remittance names.
pub(super) fn of_remittance(recorded: &Recorded, event: &RemittanceEvent) -> Vec<DossierFile> {
    match event {
        RemittanceEvent::RemittanceCompleted(of) => proofs(recorded, &of.identification, of.signature.as_deref()),
        RemittanceEvent::DeliveryDisputed(of) => proofs(recorded, &of.identification, of.signature.as_deref()),
        RemittanceEvent::HoldReleased(of) | RemittanceEvent::HoldKept(of) => {
            attached(recorded, &of.files, DossierFileKind::Review).collect()
        }
        _ => Vec::new(),
    }
}

/// Files of decisions about likenesses.
pub(super) fn of_decisions(customer: &[Recorded]) -> Vec<DossierFile> {
    let files = customer.iter().filter_map(|recorded| match &recorded.event {
        Event::Customer(CustomerEvent::ScreeningPairDecided(decided)) => {
            Some(attached(recorded, &decided.files, DossierFileKind::Review))
        }
        _ => None,
    });
    files.flatten().collect()
}

/// Each picture once, with the event that first has it.
pub(super) fn document_pictures(customer: &[Recorded]) -> Vec<DossierFile> {
    let mut pictures: Vec<DossierFile> = Vec::new();
    for recorded in customer {
        if let Event::Customer(CustomerEvent::DocumentPicturesRecorded(of)) = &recorded.event {
            for picture in attached(recorded, &of.files, DossierFileKind::Document) {
                if pictures.iter().all(|known| known.hash != picture.hash) {
                    pictures.push(picture);
                }
            }
        }
    }
    pictures
}

pub(super) fn picture_changes(customer: &[Recorded], names: &Names) -> Vec<DossierPictureChange> {
    let changes = customer.iter().filter_map(|recorded| match &recorded.event {
        Event::Customer(CustomerEvent::DocumentPicturesRecorded(of)) => Some(DossierPictureChange {
            position: recorded.position,
            at: recorded.recorded_at,
            by: names.actor(recorded),
            files: of.files.clone(),
        }),
        _ => None,
    });
    changes.collect()
}

fn attached<'a>(
    recorded: &'a Recorded,
    files: &'a [String],
    kind: DossierFileKind,
) -> impl Iterator<Item = DossierFile> + 'a {
    files.iter().map(move |hash| DossierFile {
        kind,
        hash: hash.clone(),
        position: recorded.position,
    })
}
