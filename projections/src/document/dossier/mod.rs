//! Dossier of a customer for an authority, with the signature of its JSON. One file per part, as of the dossier itself.

mod edits;
mod holds;
mod person;
mod proposals;
mod remittances;
mod screening;

use super::Composer;
use crate::{
    dossier::{Dossier, DossierApproval, DossierFile, DossierFileKind, DossierPerson},
    print::{Printing, Words, actor, name, word},
    refs::HistoryActor,
    scalar::CustomerType,
};
use caudal_export::{Cell, Document, Kind};

/// Signature of a dossier's JSON, as printed.
#[derive(Clone, Debug)]
pub struct PrintedSignature {
    /// SHA-256 of the canonical bytes, in hexadecimal.
    pub digest: String,
    /// Name of the key.
    pub key: String,
    /// Public key, in Base64.
    pub public_key: String,
    /// Signature, in Base64.
    pub signature: String,
}

/// The dossier as a document. The signature covers the JSON of the same export, which has the same content.
#[must_use]
pub fn dossier(dossier: &Dossier, signature: &PrintedSignature, printing: &Printing) -> Document {
    let title = Words::new("Expediente para una autoridad", "Dossier for an authority");
    let last = dossier.versions.last().and_then(|version| version.person.as_ref());
    let name_of = last.map(DossierPerson::full_name);
    let about = vec![printing.name_or_erased(name_of.as_deref())];
    let mut composer = Composer::new(printing, title, &dossier.position.to_string(), about);
    let kind = match dossier.customer_type {
        CustomerType::Sender => word::SENDER,
        CustomerType::Recipient => word::RECIPIENT,
    };
    composer.text(word::TYPE, Some(printing.say(kind)));
    composer.text(word::BELONGS_TO, Some(printing.name(&dossier.owner)));
    composer.text(word::SENDER, name(dossier.sender.as_ref(), printing));
    composer.text(Words::new("Id", "Id"), Some(dossier.customer_id.to_string()));
    composer.time(Words::new("Eliminado el", "Deleted on"), dossier.deleted);
    let deletion = dossier.deletion.as_ref();
    composer.text(
        Words::new("Eliminado por", "Deleted by"),
        deletion.and_then(|act| who(&act.by, act.approval.as_ref(), printing)),
    );
    composer.time(Words::new("Exportado el", "Exported on"), Some(dossier.exported));
    composer.text(
        Words::new("Exportado por", "Exported by"),
        actor(&dossier.exported_by, printing),
    );
    composer.text(word::POSITION, Some(dossier.position.to_string()));
    composer.text(
        Words::new("Hash de esta posición", "Hash of this position"),
        Some(dossier.hash.as_str()),
    );
    for (index, version) in dossier.versions.iter().enumerate().rev() {
        person::identity(&mut composer, version, index + 1);
    }
    person::identifications(&mut composer, dossier);
    person::cards(&mut composer, dossier);
    person::document_pictures(&mut composer, dossier);
    person::recipients(&mut composer, dossier);
    person::sums(&mut composer, dossier);
    remittances::totals(&mut composer, dossier);
    holds::holds(&mut composer, dossier);
    for remittance in &dossier.remittances {
        remittances::one(&mut composer, remittance);
    }
    screening::screenings(&mut composer, dossier);
    screening::pair_decisions(&mut composer, dossier);
    screening::review_files(&mut composer, dossier);
    proposals::proposals(&mut composer, dossier);
    exports(&mut composer, dossier);
    composer.section(Words::new("Firma del expediente", "Signature of the dossier"));
    let digest = Words::new("SHA-256 del JSON", "SHA-256 of the JSON");
    composer.text(digest, Some(signature.digest.as_str()));
    composer.text(
        Words::new("Clave que firma", "Signing key"),
        Some(signature.key.as_str()),
    );
    composer.text(
        Words::new("Clave pública (Ed25519)", "Public key (Ed25519)"),
        Some(signature.public_key.as_str()),
    );
    composer.text(
        Words::new("Firma en Base64", "Signature in Base64"),
        Some(signature.signature.as_str()),
    );
    composer.finish(
        &signature.digest,
        Words::new(
            "SHA-256 del JSON de este expediente, que la firma cubre. El JSON se verifica sin Caudal.",
            "SHA-256 of this dossier's JSON, which the signature covers. The JSON is verified without Caudal.",
        ),
    )
}

/// Who did something, and who approved it; `None` for the system.
fn who(by: &HistoryActor, approval: Option<&DossierApproval>, printing: &Printing) -> Option<String> {
    let approved = |by: String| match approval {
        None => by,
        Some(of) => {
            let approved = printing.say(Words::new("aprobó", "approved by"));
            format!("{by}; {approved} {}", printing.name(&of.by))
        }
    };
    actor(by, printing).map(approved)
}

const fn yes_or_no(is: bool) -> Words {
    if is { word::YES } else { word::NO }
}

fn files(composer: &mut Composer<'_>, files: &[DossierFile]) {
    if files.is_empty() {
        return;
    }
    let printing = composer.printing;
    let rows = files.iter().map(|file| {
        let kind = match file.kind {
            DossierFileKind::Identification => Words::new("Identificación o comprobante", "Identification or proof"),
            DossierFileKind::Signature => Words::new("Firma de quien recibió", "Signature of who received"),
            DossierFileKind::Document => word::DOCUMENT,
            DossierFileKind::Review => Words::new("Archivo de una revisión", "File of a review"),
        };
        vec![
            printing.say(kind).into(),
            text(Some(file.hash.clone())),
            Cell::Integer(file.position),
        ]
    });
    composer.table(
        &[
            (word::FILE, Kind::Text),
            (Words::new("SHA-256", "SHA-256"), Kind::Text),
            (word::POSITION, Kind::Integer),
        ],
        rows.collect(),
        Vec::new(),
    );
}

fn exports(composer: &mut Composer<'_>, dossier: &Dossier) {
    if dossier.exports.is_empty() {
        return;
    }
    let printing = composer.printing;
    composer.section(Words::new("Exportado antes", "Exported before"));
    let rows = dossier.exports.iter().map(|export| {
        vec![
            printing.time(export.at),
            text(actor(&export.by, printing)),
            Cell::Integer(export.position),
        ]
    });
    composer.table(
        &[
            (word::DATE, Kind::DateTime),
            (word::WHO, Kind::Text),
            (word::POSITION, Kind::Integer),
        ],
        rows.collect(),
        Vec::new(),
    );
}

fn text(value: Option<String>) -> Cell {
    value.map_or(Cell::Empty, Cell::Text)
}
