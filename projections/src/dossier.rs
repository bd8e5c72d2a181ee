//! Dossier of a customer for an authority: everything known and done, read from the log as of the event that records the
//! export. A pure function of the log up to that event and of the people who are erased: repeated, it has the same bytes.

mod sums;

pub use sums::{DossierCustomer, DossierMonth, DossierSums, DossierWindow, same_person};

use crate::{
    customer::masked,
    error::ReadError,
    public_events::erase_forgotten,
    refs::{HistoryActor, Ref},
    remittance::PublicHoldReason,
    scalar::{
        AttemptReason, CardBrand, CurrencyCode, CustomerType, Decimal, DeliveryMethod, IdentificationType, Money,
        RemittanceChange, RemittanceStatus,
    },
    screening::PublicPairOutcome,
    snapshot::Snapshot,
};
use caudal_domain::{
    Event, Refusal, StreamId, StreamKind, StreamState,
    customer::{CustomerDetails, CustomerEvent, ListedPerson, Place, ScreeningCandidate},
    ids::CustomerId,
    nomenclator::{payment_group::PaymentGroupEvent, place},
    party::PartyEvent,
    remittance::{Delivery, Remittance, RemittanceEvent},
};
use caudal_journal::{Journal, MAX_EVENTS, Recorded, to_hex};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use sums::Persons;
use utoipa::ToSchema;
use uuid::Uuid;

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
    /// All versions of the identity, oldest first; the last one holds.
    pub versions: Vec<DossierVersion>,
    /// Cards of a recipient, oldest first.
    pub cards: Vec<DossierCard>,
    /// Recipients of a sender.
    pub recipients: Vec<Ref>,
    /// What the person sent and received; absent in exports of before sums were kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sums: Option<DossierSums>,
    /// Remittances sent or received, oldest first; also those that were to be paid to the customer before an edit.
    pub remittances: Vec<DossierRemittance>,
    /// Pictures of the customer's documents, also of earlier ones, oldest first; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub document_pictures: Vec<DossierFile>,
    /// Files that reviewers attached to decisions about the customer, oldest first; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub review_files: Vec<DossierFile>,
    /// Comparisons of the customer with lists that found somebody or that ended a review, oldest first; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub screenings: Vec<DossierScreening>,
    /// What reviewers decided of pairs of the customer and a listed person, oldest first; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pair_decisions: Vec<DossierPairDecision>,
    /// Earlier exports of the dossier, oldest first.
    pub exports: Vec<DossierExport>,
}

/// A comparison of the customer with lists.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierScreening {
    /// Position of the event in the log.
    pub position: i64,
    /// When it was recorded.
    pub at: DateTime<Utc>,
    /// Whether the customer was in review afterwards.
    pub in_review: bool,
    /// Version of each list that was searched: 64 hexadecimal digits.
    pub lists: BTreeMap<String, String>,
    /// Listed persons whom the customer is like and of whom nothing was decided; null after erasure.
    pub candidates: Option<Vec<DossierCandidate>>,
}

/// A listed person whom the customer is like.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierCandidate {
    /// Name of the list.
    pub list: String,
    /// Identifier within the list.
    pub entry: String,
    /// The listed name that is most similar.
    pub name: String,
    /// Likeness in percent.
    pub score: u8,
}

/// A reviewer's decision about a pair of the customer and a listed person.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierPairDecision {
    /// Position of the event in the log.
    pub position: i64,
    /// When it was decided.
    pub at: DateTime<Utc>,
    /// Who decided it.
    pub by: HistoryActor,
    /// Whether they are the same person.
    pub outcome: PublicPairOutcome,
    /// Whether the customer was in review afterwards.
    pub in_review: bool,
    /// Name of the list; null after erasure.
    pub list: Option<String>,
    /// Identifier within the list; null after erasure.
    pub entry: Option<String>,
    /// Reason given; null after erasure.
    pub reason: Option<String>,
    /// The listed person as it was when decided; absent after erasure, in decisions of before it was kept, and where the list had
    /// no such entry any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listed: Option<DossierListedPerson>,
}

/// A listed person as published, in the words that the reviewer read.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct DossierListedPerson {
    /// Name and aliases.
    pub names: Vec<String>,
    /// Documents, with type and country as far as the list says them.
    pub documents: Vec<String>,
    /// Days, years or ranges of days.
    pub born: Vec<String>,
    /// Countries that the list names.
    pub countries: Vec<String>,
    /// Programs of the list.
    pub programs: Vec<String>,
}

impl From<&ListedPerson> for DossierListedPerson {
    fn from(listed: &ListedPerson) -> Self {
        let of = listed.clone();
        Self {
            names: of.names,
            documents: of.documents,
            born: of.born,
            countries: of.countries,
            programs: of.programs,
        }
    }
}

/// A version of a customer's identity.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierVersion {
    /// Position of the event in the log.
    pub position: i64,
    /// When it was recorded.
    pub at: DateTime<Utc>,
    /// Who recorded it.
    pub by: HistoryActor,
    /// Whether new remittances could name the customer.
    pub is_active: bool,
    /// Province of a recipient.
    pub province: Option<String>,
    /// Municipality of a recipient.
    pub municipality: Option<String>,
    /// Personal data; null after erasure.
    pub person: Option<DossierPerson>,
}

/// Personal data of a customer, as recorded.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierPerson {
    /// First name.
    pub name: String,
    /// First surname.
    pub last_name: Option<String>,
    /// Second surname.
    pub second_surname: Option<String>,
    /// Name by which the customer is known.
    pub alias: Option<String>,
    /// Number of the identity document.
    pub document_number: Option<String>,
    /// Type of the identity document.
    pub document_type: Option<IdentificationType>,
    /// ISO 3166-1 country that issued the document; absent where its type implies it, and where nobody said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_country: Option<String>,
    /// When the document was issued, `YYYY-MM-DD`.
    pub document_issued: Option<String>,
    /// When the document expires, `YYYY-MM-DD`.
    pub document_expires: Option<String>,
    /// Telephone.
    pub phone_number: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// Street and number.
    pub address_line: Option<String>,
    /// Neighbourhood.
    pub repart: Option<String>,
    /// City of a sender.
    pub city: Option<String>,
    /// State or province of a sender.
    pub state_or_province: Option<String>,
    /// Postal code.
    pub zip_code: Option<String>,
    /// ISO 3166-1 country of a sender.
    pub country: Option<String>,
    /// First name of the authorised representative.
    pub representative_name: Option<String>,
    /// Surname of the authorised representative.
    pub representative_last_name: Option<String>,
    /// Identity document of the authorised representative.
    pub representative_document_number: Option<String>,
    /// Telephone of the authorised representative.
    pub representative_phone_number: Option<String>,
}

impl From<&CustomerDetails> for DossierPerson {
    fn from(details: &CustomerDetails) -> Self {
        let of = details.clone();
        Self {
            name: of.name,
            last_name: of.last_name,
            second_surname: of.second_surname,
            alias: of.alias,
            document_number: of.personal_identification_number,
            document_type: of.personal_identification_type.map(IdentificationType::from),
            document_country: of.personal_identification_country,
            document_issued: of.personal_identification_issue_date,
            document_expires: of.personal_identification_expiration_date,
            phone_number: of.phone_number,
            email: of.email,
            address_line: of.address_line,
            repart: of.repart,
            city: of.municipality,
            state_or_province: of.province,
            zip_code: of.zip_code,
            country: of.country,
            representative_name: of.alternative_name,
            representative_last_name: of.alternative_last_name,
            representative_document_number: of.alternative_personal_identification_number,
            representative_phone_number: of.alternative_phone_number,
        }
    }
}

impl DossierPerson {
    /// Name, surname and second surname.
    #[must_use]
    pub fn full_name(&self) -> String {
        let parts = [Some(&self.name), self.last_name.as_ref(), self.second_surname.as_ref()];
        let parts: Vec<&str> = parts.into_iter().flatten().map(|part| part.trim()).collect();
        parts.join(" ").trim().to_owned()
    }
}

/// A card of a recipient.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierCard {
    /// Id of the card.
    pub id: Uuid,
    /// Bank and currency.
    pub brand: CardBrand,
    /// Number, masked except for the last four digits; null after erasure.
    pub number: Option<String>,
    /// When it was added.
    pub at: DateTime<Utc>,
    /// Who added it.
    pub by: HistoryActor,
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

/// A remittance of the dossier, as it stood.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierRemittance {
    /// Id of the remittance.
    pub id: Uuid,
    /// Human number.
    #[schema(examples("R-000001"))]
    pub code: String,
    /// When it was sold.
    pub sold: DateTime<Utc>,
    /// State.
    pub status: RemittanceStatus,
    /// Who sent it.
    pub sender: Ref,
    /// Who is paid.
    pub recipient: Ref,
    /// The party whose balance it draws on.
    pub seller: Ref,
    /// The agency of the sale.
    pub agency: Option<Ref>,
    /// The agent who sold it.
    pub agent: Option<Ref>,
    /// Payment group.
    pub payment_group: Ref,
    /// Amount sent, in USD.
    pub amount: Money,
    /// Amount paid out.
    pub payout: Money,
    /// Currency of the payout.
    pub currency: CurrencyCode,
    /// Units of the currency per USD.
    pub exchange_rate: Decimal,
    /// Fees, in USD.
    pub total_fee: Money,
    /// Amount and fees, in USD.
    pub total_to_pay: Money,
    /// The seller's own reference.
    pub reference: Option<String>,
    /// How it is paid out.
    pub delivery_method: DeliveryMethod,
    /// Province of the delivery.
    pub province: Option<String>,
    /// Municipality of the delivery.
    pub municipality: Option<String>,
    /// Id of the card that is paid to.
    pub card_id: Option<Uuid>,
    /// Delivery address, when another than the recipient's.
    pub address: Option<String>,
    /// The seller's notes.
    pub notes: Option<String>,
    /// Present or last dealer.
    pub dealer: Option<Ref>,
    /// Present or last delivery man.
    pub delivery_man: Option<Ref>,
    /// Who delivered it; null before.
    pub delivered_by: Option<Ref>,
    /// When it was delivered; null before.
    pub delivered: Option<DateTime<Utc>>,
    /// Whether the recipient's authorised representative took it.
    pub to_representative: bool,
    /// Files that prove the delivery, those of disputed deliveries, and those of reviews of its holds.
    pub files: Vec<DossierFile>,
    /// All events, oldest first.
    pub history: Vec<DossierStep>,
}

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

/// An event of a remittance.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierStep {
    /// Position of the event in the log.
    pub position: i64,
    /// When it was recorded.
    pub at: DateTime<Utc>,
    /// Who did it.
    pub by: HistoryActor,
    /// What was done.
    pub change: RemittanceChange,
    /// State after it.
    pub status: RemittanceStatus,
    /// Amount sent after it, in USD.
    pub amount: Money,
    /// Amount paid out after it.
    pub payout: Money,
    /// Recipient after it.
    pub recipient: Ref,
    /// Dealer after it.
    pub dealer: Option<Ref>,
    /// Delivery man after it.
    pub delivery_man: Option<Ref>,
    /// Reason of an error, a cancellation, a settlement or a review; null without one, and after erasure.
    pub reason: Option<String>,
    /// Why it was put in review; absent for other changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<PublicHoldReason>,
    /// Reason of a failed attempt.
    pub attempt: Option<AttemptReason>,
    /// Time of an attempt or a delivery without a network; null when recorded at once.
    pub happened: Option<DateTime<Utc>>,
}

/// The dossier of a customer as of the event that records its export.
///
/// # Errors
/// Not found where the log has no such event.
pub async fn get(
    journal: &Journal,
    snapshot: &mut Snapshot,
    id: CustomerId,
    position: i64,
) -> Result<Dossier, ReadError> {
    let reader = Reader { journal, position };
    let customer = reader.stream(snapshot, StreamKind::Customer, id.0).await?;
    let not_found = || ReadError::from(Refusal::not_found("dossier_not_found"));
    let export = customer.last().filter(|last| {
        last.position == position && matches!(last.event, Event::Customer(CustomerEvent::DossierExported { .. }))
    });
    let export = export.ok_or_else(not_found)?;
    let registered = customer.iter().find_map(|recorded| match &recorded.event {
        Event::Customer(CustomerEvent::CustomerRegistered(registered)) => Some(&registered.customer),
        _ => None,
    });
    let registered = registered.ok_or_else(not_found)?;
    let mut remittances = Vec::new();
    for remittance in candidates(snapshot, id, registered.sender, position).await? {
        let events = reader.stream(snapshot, StreamKind::Remittance, remittance).await?;
        if is_with(&events, id) {
            remittances.push(events);
        }
    }
    let recipients = recipients(snapshot, id, position).await?;
    let persons = match &export.event {
        Event::Customer(CustomerEvent::DossierExported {
            same_person: Some(others),
            ..
        }) => {
            let mut persons = Persons::default();
            persons.add(registered, &remittances);
            for other in others {
                persons.read(&reader, snapshot, *other).await?;
            }
            Some(persons)
        }
        _ => None,
    };
    let zone = snapshot.zone();
    let mut names = Names::default();
    names.note(StreamKind::Party, [registered.owner.0]);
    names.note(StreamKind::Customer, registered.sender.map(Uuid::from));
    names.note(StreamKind::Customer, recipients.iter().copied());
    for of in persons.iter().flat_map(|persons| &persons.customers) {
        names.note(StreamKind::Customer, [of.id.0]);
        names.note(StreamKind::Party, [of.owner.0]);
    }
    for recorded in customer.iter().chain(remittances.iter().flatten()) {
        names.note_in(recorded);
    }
    names.read(&reader, snapshot).await?;
    Ok(Dossier {
        tenant: snapshot.tenant().to_string(),
        position,
        hash: to_hex(&export.hash),
        exported: export.recorded_at,
        exported_by: names.actor(export),
        customer_id: id.0,
        customer_type: registered.kind.into(),
        owner: names.of(registered.owner.0),
        sender: registered.sender.map(|sender| names.of(sender.0)),
        deleted: customer.iter().find_map(|recorded| match recorded.event {
            Event::Customer(CustomerEvent::CustomerDeleted { .. }) => Some(recorded.recorded_at),
            _ => None,
        }),
        versions: customer
            .iter()
            .filter_map(|recorded| version(recorded, &names))
            .collect(),
        cards: customer.iter().filter_map(|recorded| card(recorded, &names)).collect(),
        recipients: recipients.into_iter().map(|recipient| names.of(recipient)).collect(),
        sums: persons.map(|persons| persons.sums(&names, zone)),
        remittances: remittances
            .iter()
            .filter_map(|events| remittance(events, &names))
            .collect(),
        document_pictures: document_pictures(&customer),
        review_files: customer
            .iter()
            .filter_map(|recorded| match &recorded.event {
                Event::Customer(CustomerEvent::ScreeningPairDecided(decided)) => Some((recorded, decided)),
                _ => None,
            })
            .flat_map(|(recorded, decided)| attached(recorded, &decided.files, DossierFileKind::Review))
            .collect(),
        screenings: customer.iter().filter_map(screening).collect(),
        pair_decisions: customer
            .iter()
            .filter_map(|recorded| pair_decision(recorded, &names))
            .collect(),
        exports: customer
            .iter()
            .filter(|recorded| recorded.position < position)
            .filter_map(|recorded| match recorded.event {
                Event::Customer(CustomerEvent::DossierExported { .. }) => Some(DossierExport {
                    position: recorded.position,
                    at: recorded.recorded_at,
                    by: names.actor(recorded),
                }),
                _ => None,
            })
            .collect(),
    })
}

/// Reads streams up to a position.
struct Reader<'a> {
    journal: &'a Journal,
    position: i64,
}

impl Reader<'_> {
    /// Events of a stream up to the position. Personal parts of erased people are erased.
    async fn stream(&self, snapshot: &mut Snapshot, kind: StreamKind, id: Uuid) -> Result<Vec<Recorded>, ReadError> {
        let tenant = snapshot.tenant().clone();
        let stream = StreamId::new(kind, id);
        let mut events = Vec::new();
        let mut read = 0;
        loop {
            let page = self.journal.stream_events(&tenant, stream, read, MAX_EVENTS).await?;
            let Some(last) = page.last() else { break };
            read = last.sequence;
            events.extend(page.into_iter().filter(|recorded| recorded.position <= self.position));
        }
        erase_forgotten(snapshot, &mut events).await?;
        Ok(events)
    }
}

/// Remittances that may be with the customer, oldest first. A recipient may have been replaced in one: recipients are of
/// one sender, so the sender's remittances have them all.
async fn candidates(
    snapshot: &mut Snapshot,
    id: CustomerId,
    sender: Option<CustomerId>,
    position: i64,
) -> Result<Vec<Uuid>, ReadError> {
    let mut sql = snapshot.rows("remittances", "r").after("SELECT r.id");
    sql.push(" AND r.position <= ").bind(position);
    sql.push(" AND (r.sender = ").bind(sender.unwrap_or(id).0);
    sql.push(" OR r.recipient = ").bind(id.0);
    sql.push(") ORDER BY r.position");
    snapshot.fetch_ids(&sql).await
}

/// Recipients of a sender, oldest first.
async fn recipients(snapshot: &mut Snapshot, id: CustomerId, position: i64) -> Result<Vec<Uuid>, ReadError> {
    let mut sql = snapshot.rows("customers", "c").after("SELECT c.id");
    sql.push(" AND c.position <= ").bind(position);
    sql.push(" AND c.sender = ").bind(id.0);
    sql.push(" ORDER BY c.position");
    snapshot.fetch_ids(&sql).await
}

/// Whether a remittance was ever sent by the customer or to be paid to them.
fn is_with(events: &[Recorded], id: CustomerId) -> bool {
    events.iter().any(|recorded| match &recorded.event {
        Event::Remittance(RemittanceEvent::RemittanceCreated(created)) => {
            created.sale.sender == id || created.sale.recipient == id
        }
        Event::Remittance(RemittanceEvent::RemittanceDetailsEdited(edited)) => edited.recipient == id,
        _ => false,
    })
}

/// Names of parties, customers and payment groups, as of the position.
#[derive(Default)]
struct Names {
    wanted: BTreeSet<(StreamKind, Uuid)>,
    found: BTreeMap<Uuid, String>,
}

impl Names {
    fn note(&mut self, kind: StreamKind, ids: impl IntoIterator<Item = Uuid>) {
        self.wanted.extend(ids.into_iter().map(|id| (kind, id)));
    }

    /// Notes everybody whom an event names.
    fn note_in(&mut self, recorded: &Recorded) {
        self.note(StreamKind::Party, recorded.metadata.actor.parse::<Uuid>().ok());
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
            RemittanceEvent::RemittanceFailed(_)
            | RemittanceEvent::RemittanceCanceled(_)
            | RemittanceEvent::DeliveryAttempted(_)
            | RemittanceEvent::DeliveryDisputed(_)
            | RemittanceEvent::DeliveryDisputeSettled(_)
            | RemittanceEvent::RemittanceHeld(_)
            | RemittanceEvent::HoldReleased(_)
            | RemittanceEvent::HoldKept(_)
            | RemittanceEvent::HeldRemittanceDelivered(_)
            | RemittanceEvent::HoldBreachSettled(_)
            | RemittanceEvent::SaleDeclared(_) => {}
        }
    }

    async fn read(&mut self, reader: &Reader<'_>, snapshot: &mut Snapshot) -> Result<(), ReadError> {
        for (kind, id) in std::mem::take(&mut self.wanted) {
            let events = reader.stream(snapshot, kind, id).await?;
            let name = events.iter().rev().find_map(|recorded| named(&recorded.event));
            self.found.extend(name.map(|name| (id, name)));
        }
        Ok(())
    }

    fn of(&self, id: Uuid) -> Ref {
        Ref {
            id,
            name: self.found.get(&id).cloned(),
        }
    }

    fn maybe(&self, id: Option<impl Into<Uuid>>) -> Option<Ref> {
        id.map(|id| self.of(id.into()))
    }

    fn actor(&self, recorded: &Recorded) -> HistoryActor {
        let id = recorded.metadata.actor.parse().ok();
        let name = id.and_then(|id| self.found.get(&id).cloned());
        HistoryActor::new(id, &recorded.metadata.role, name)
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

fn province_name(place: Place) -> Option<String> {
    place
        .province
        .and_then(place::province)
        .map(|province| province.name.clone())
}

fn municipality_name(place: Place) -> Option<String> {
    let municipality = place.municipality.and_then(place::municipality);
    municipality.map(|municipality| municipality.name.clone())
}

fn version(recorded: &Recorded, names: &Names) -> Option<DossierVersion> {
    let (is_active, place, personal) = match &recorded.event {
        Event::Customer(CustomerEvent::CustomerRegistered(registered)) => {
            let customer = &registered.customer;
            (customer.is_active, customer.place, &registered.personal)
        }
        Event::Customer(CustomerEvent::CustomerChanged(changed)) => {
            (changed.is_active, changed.place, &changed.personal)
        }
        _ => return None,
    };
    Some(DossierVersion {
        position: recorded.position,
        at: recorded.recorded_at,
        by: names.actor(recorded),
        is_active,
        province: province_name(place),
        municipality: municipality_name(place),
        person: personal.get().map(DossierPerson::from),
    })
}

fn card(recorded: &Recorded, names: &Names) -> Option<DossierCard> {
    let Event::Customer(CustomerEvent::CardAdded(added)) = &recorded.event else {
        return None;
    };
    Some(DossierCard {
        id: added.card.0,
        brand: added.brand.into(),
        number: added.personal.get().map(|number| masked(&number.card_number)),
        at: recorded.recorded_at,
        by: names.actor(recorded),
    })
}

fn screening(recorded: &Recorded) -> Option<DossierScreening> {
    let Event::Customer(CustomerEvent::CustomerScreened(screened)) = &recorded.event else {
        return None;
    };
    let candidate = |of: &ScreeningCandidate| DossierCandidate {
        list: of.list.clone(),
        entry: of.entry.clone(),
        name: of.name.clone(),
        score: of.score,
    };
    let findings = screened.personal.get();
    Some(DossierScreening {
        position: recorded.position,
        at: recorded.recorded_at,
        in_review: screened.in_review,
        lists: screened.lists.clone(),
        candidates: findings.map(|findings| findings.candidates.iter().map(candidate).collect()),
    })
}

fn pair_decision(recorded: &Recorded, names: &Names) -> Option<DossierPairDecision> {
    let Event::Customer(CustomerEvent::ScreeningPairDecided(decided)) = &recorded.event else {
        return None;
    };
    let pair = decided.personal.get();
    Some(DossierPairDecision {
        position: recorded.position,
        at: recorded.recorded_at,
        by: names.actor(recorded),
        outcome: decided.outcome.into(),
        in_review: decided.in_review,
        list: pair.map(|pair| pair.list.clone()),
        entry: pair.map(|pair| pair.entry.clone()),
        reason: pair.map(|pair| pair.reason.clone()),
        listed: pair
            .and_then(|pair| pair.listed.as_ref())
            .map(DossierListedPerson::from),
    })
}

/// A remittance as it stands after its events.
fn remittance(events: &[Recorded], names: &Names) -> Option<DossierRemittance> {
    let mut state = StreamState::new(StreamKind::Remittance);
    let mut history = Vec::with_capacity(events.len());
    let mut files = Vec::new();
    let (mut address, mut notes) = (None, None);
    let (mut delivered, mut delivered_by, mut to_representative) = (None, None, false);
    for recorded in events {
        state.apply(&recorded.event);
        let (Event::Remittance(event), Some(after)) = (&recorded.event, state.remittance()) else {
            continue;
        };
        match event {
            RemittanceEvent::RemittanceCreated(created) => {
                let details = created.personal.get();
                address = details.and_then(|details| details.address.clone());
                notes = details.and_then(|details| details.notes.clone());
            }
            RemittanceEvent::RemittanceDetailsEdited(edited) => {
                let details = edited.personal.get();
                address = details.and_then(|details| details.address.clone());
                notes = details.and_then(|details| details.notes.clone());
            }
            RemittanceEvent::RemittanceCompleted(completed) => {
                delivered = Some(completed.delivered_at.unwrap_or(recorded.recorded_at));
                delivered_by = Some(completed.delivered_by);
                to_representative = completed.to_representative;
                files.extend(proofs(
                    recorded,
                    &completed.identification,
                    completed.signature.as_deref(),
                ));
            }
            RemittanceEvent::DeliveryDisputed(disputed) => {
                files.extend(proofs(
                    recorded,
                    &disputed.identification,
                    disputed.signature.as_deref(),
                ));
            }
            RemittanceEvent::HoldReleased(reviewed) | RemittanceEvent::HoldKept(reviewed) => {
                files.extend(attached(recorded, &reviewed.files, DossierFileKind::Review));
            }
            _ => {}
        }
        history.push(step(recorded, event, after, names));
    }
    let sold = events.first()?.recorded_at;
    let after = state.remittance()?;
    let (sale, quote) = (&after.sale, &after.sale.quote);
    let (delivery_method, place, card_id) = match after.delivery {
        Delivery::Home { province, municipality } => {
            let place = Place {
                province: Some(province),
                municipality: Some(municipality),
            };
            (DeliveryMethod::Home, place, None)
        }
        Delivery::Card { card, .. } => (DeliveryMethod::Card, Place::default(), Some(card.0)),
    };
    Some(DossierRemittance {
        id: after.id.0,
        code: sale.code.clone(),
        sold,
        status: after.status.into(),
        sender: names.of(sale.sender.0),
        recipient: names.of(sale.recipient.0),
        seller: names.of(sale.seller.0),
        agency: names.maybe(sale.agency),
        agent: names.maybe(sale.agent),
        payment_group: names.of(sale.group.0),
        amount: quote.amount.into(),
        payout: quote.payout.into(),
        currency: quote.currency_to.into(),
        exchange_rate: Decimal(quote.exchange_rate),
        total_fee: quote.total_fee.into(),
        total_to_pay: quote.total_to_pay.into(),
        reference: sale.reference.clone(),
        delivery_method,
        province: province_name(place),
        municipality: municipality_name(place),
        card_id,
        address,
        notes,
        dealer: names.maybe(after.dealer),
        delivery_man: names.maybe(after.delivery_man),
        delivered_by: names.maybe(delivered_by),
        delivered,
        to_representative,
        files,
        history,
    })
}

fn proofs(recorded: &Recorded, identification: &str, signature: Option<&str>) -> Vec<DossierFile> {
    let file = |kind, hash: &str| DossierFile {
        kind,
        hash: hash.to_owned(),
        position: recorded.position,
    };
    let mut files = vec![file(DossierFileKind::Identification, identification)];
    files.extend(signature.map(|hash| file(DossierFileKind::Signature, hash)));
    files
}

/// Each picture once, with the event that first has it.
fn document_pictures(customer: &[Recorded]) -> Vec<DossierFile> {
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

fn step(recorded: &Recorded, event: &RemittanceEvent, after: &Remittance, names: &Names) -> DossierStep {
    let (mut reason, mut attempt, mut happened, mut declared) = (None, None, None, None);
    let mut hold = None;
    let change = match event {
        RemittanceEvent::RemittanceCreated(_) => RemittanceChange::Created,
        RemittanceEvent::RemittanceAmountEdited(_) => RemittanceChange::AmountEdited,
        RemittanceEvent::RemittanceDetailsEdited(_) => RemittanceChange::DetailsEdited,
        RemittanceEvent::RemittanceAssigned(_) => RemittanceChange::Assigned,
        RemittanceEvent::RemittanceFailed(failed) => {
            reason = failed.personal.get();
            RemittanceChange::Error
        }
        RemittanceEvent::RemittanceCanceled(canceled) => {
            reason = canceled.personal.get();
            RemittanceChange::Canceled
        }
        RemittanceEvent::RemittanceCompleted(completed) => {
            happened = completed.delivered_at;
            RemittanceChange::Completed
        }
        RemittanceEvent::DeliveryAttempted(attempted) => {
            attempt = Some(AttemptReason(attempted.reason));
            happened = attempted.attempted_at;
            RemittanceChange::Attempted
        }
        RemittanceEvent::DeliveryDisputed(disputed) => {
            happened = disputed.delivered_at;
            RemittanceChange::Disputed
        }
        RemittanceEvent::DeliveryDisputeSettled(settled) => {
            reason = settled.personal.get();
            RemittanceChange::DisputeSettled
        }
        RemittanceEvent::RemittanceHeld(held) => {
            reason = held.personal.get().filter(|note| !note.reason.is_empty());
            hold = Some(held.reason.into());
            RemittanceChange::Held
        }
        RemittanceEvent::HoldReleased(reviewed) => {
            reason = reviewed.personal.get();
            RemittanceChange::HoldReleased
        }
        RemittanceEvent::HoldKept(reviewed) => {
            reason = reviewed.personal.get();
            RemittanceChange::HoldKept
        }
        RemittanceEvent::HeldRemittanceDelivered(delivered) => {
            happened = delivered.delivered_at;
            RemittanceChange::DeliveredWhileHeld
        }
        RemittanceEvent::HoldBreachSettled(settled) => {
            reason = settled.personal.get();
            RemittanceChange::HoldBreachSettled
        }
        RemittanceEvent::SaleDeclared(declaration) => {
            declared = crate::remittance::declared(declaration);
            RemittanceChange::Declared
        }
    };
    DossierStep {
        position: recorded.position,
        at: recorded.recorded_at,
        by: names.actor(recorded),
        change,
        status: after.status.into(),
        amount: after.sale.quote.amount.into(),
        payout: after.sale.quote.payout.into(),
        recipient: names.of(after.sale.recipient.0),
        dealer: names.maybe(after.dealer),
        delivery_man: names.maybe(after.delivery_man),
        reason: reason.map(|reason| reason.reason.clone()).or(declared),
        hold,
        attempt,
        happened,
    }
}
