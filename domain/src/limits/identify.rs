//! Who is the same person: customers are identified by their documents.

use super::sums::{LimitState, alone};
use crate::{
    approval::ProposalCommand,
    command::Command,
    customer::{Customer, CustomerCommand, CustomerDetails, CustomerEvent, IdentificationType},
    decision::{Actor, Context, Decision},
    document,
    ids::{CustomerId, PersonId},
    personal::Personal,
    refusal::{Refusal, require},
    remittance::RemittanceCommand,
    tenant_state::TenantState,
    unique_value::UniqueValueKind,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// An identity document, by which customers are one person.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", default, deny_unknown_fields)]
pub struct IdentityDocument {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<IdentificationType>,
    /// ISO 3166-1 country of issue, where the type implies one or the customer's data say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// Empty for a customer without a document.
    pub number: String,
}

crate::personal::personal_data!(IdentityDocument);

impl IdentityDocument {
    /// The document in a customer's details; `None` without a number.
    #[must_use]
    pub fn of(details: &CustomerDetails) -> Option<Self> {
        let number = details.personal_identification_number.as_deref()?.trim();
        let untyped = || document::is_card(number).then_some(IdentificationType::Ci);
        let kind = details.personal_identification_type.or_else(untyped);
        let implied = kind.and_then(IdentificationType::country).map(str::to_owned);
        let said = || {
            let country = details.personal_identification_country.as_deref()?.trim();
            (!country.is_empty()).then(|| country.to_ascii_uppercase())
        };
        let document = Self {
            kind,
            country: implied.or_else(said),
            number: number.to_owned(),
        };
        (!document.comparable().is_empty()).then_some(document)
    }

    /// Letters and digits of the number: separators and case differ between agencies.
    fn comparable(&self) -> String {
        let letters = self.number.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_uppercase).collect()
    }

    /// Type, country and number in the form that is compared: equal for the customers who are one person.
    #[must_use]
    pub fn unique(&self) -> String {
        let kind = self.kind.map_or("", IdentificationType::as_str);
        let country = self.country.as_deref().unwrap_or_default();
        format!("{kind}/{country}/{}", self.comparable())
    }
}

/// A customer is a person: everybody with the document. Sales from now on count for the person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PersonIdentified {
    pub id: CustomerId,
    pub person: PersonId,
    /// `false` for a customer without a document, who stays the person of before.
    pub has_document: bool,
    pub personal: Personal<IdentityDocument>,
}

/// Nobody has a person's document any more: the last customer who had it is forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PersonDocumentReleased {
    /// The forgotten customer.
    pub id: CustomerId,
    pub person: PersonId,
}

/// Documents of which a decision reads who has them.
pub(crate) fn looked_up(command: &Command, state: &TenantState) -> Vec<(UniqueValueKind, String)> {
    let limits = state.limits();
    let documents: Vec<IdentityDocument> = match command {
        Command::Customer(_, CustomerCommand::Register(registration)) if limits.has_rules() => {
            IdentityDocument::of(&registration.details).into_iter().collect()
        }
        Command::Customer(id, CustomerCommand::Change(change)) if limits.identifies(*id) => {
            IdentityDocument::of(&change.details).into_iter().collect()
        }
        Command::Customer(id, CustomerCommand::Identify(document)) if limits.has_rules() => {
            let unidentified = document.iter().filter(|_| !limits.is_identified(*id));
            unidentified.cloned().collect()
        }
        Command::Remittance(_, command) if limits.has_rules() => {
            let checks = match command {
                RemittanceCommand::Create(create) => &create.checks,
                RemittanceCommand::EditDetails(edit) => &edit.checks,
                _ => return Vec::new(),
            };
            let unidentified = checks.documents.iter().filter(|(id, _)| !limits.is_identified(**id));
            unidentified.filter_map(|(_, document)| document.clone()).collect()
        }
        Command::Proposal(_, ProposalCommand::Approve(command)) => return looked_up(command, state),
        _ => return Vec::new(),
    };
    documents
        .iter()
        .map(|document| (UniqueValueKind::PersonDocument, document.unique()))
        .collect()
}

/// What a registered or changed customer's document says of the person; `None` where nothing changes, and in a tenant
/// without rules.
pub(crate) fn identified(customer: CustomerId, details: &CustomerDetails, ctx: &Context<'_>) -> Option<CustomerEvent> {
    if !ctx.state.limits().identifies(customer) {
        return None;
    }
    let document = IdentityDocument::of(details);
    Identification::new(ctx).by(customer, document.as_ref()).event
}

/// Identifies a customer who was registered before the first rule, by the document as it was read. System only.
///
/// # Errors
/// The caller is not the system, or there is no such customer.
pub(crate) fn record(
    own: Option<&Customer>,
    document: Option<&IdentityDocument>,
    ctx: &Context<'_>,
) -> Result<Decision<CustomerEvent>, Refusal> {
    require(ctx.actor == Actor::System, || Refusal::forbidden("role_not_allowed"))?;
    let own = own.ok_or_else(|| Refusal::not_found("customer_not_found"))?;
    let limits = ctx.state.limits();
    let mut decision = Decision::nothing(own.id);
    if !own.forgotten && limits.has_rules() && !limits.is_identified(own.id) {
        decision
            .events
            .extend(Identification::new(ctx).by(own.id, document).event);
    }
    Ok(decision)
}

/// Documents that nobody has any more once a customer is forgotten.
pub(crate) fn released(customer: CustomerId, limits: &LimitState) -> Vec<CustomerEvent> {
    limits
        .ends_with(customer)
        .map(|person| CustomerEvent::PersonDocumentReleased(PersonDocumentReleased { id: customer, person }))
        .collect()
}

/// A customer as a person.
pub(super) struct Identity {
    pub(super) person: PersonId,
    /// What the customer had before the first document, which moves to the person.
    pub(super) brings: Option<PersonId>,
    pub(super) has_document: bool,
    /// `None` where nothing changes.
    pub(super) event: Option<CustomerEvent>,
}

/// Identifies the customers of a decision, one after the other: two may have one new document.
pub(super) struct Identification<'a> {
    ctx: &'a Context<'a>,
    found: Vec<(String, PersonId)>,
}

impl<'a> Identification<'a> {
    pub(super) const fn new(ctx: &'a Context<'a>) -> Self {
        Self { ctx, found: Vec::new() }
    }

    /// A customer of a sale: as identified, else by the document that was read for the sale.
    ///
    /// # Errors
    /// A customer who is not identified and whose document was not read: who sells reads it and sells again.
    pub(super) fn of(
        &mut self,
        customer: CustomerId,
        read: Option<&Option<IdentityDocument>>,
    ) -> Result<Identity, Refusal> {
        let limits = self.ctx.state.limits();
        if limits.is_identified(customer) {
            return Ok(Identity {
                person: limits.person(customer),
                brings: None,
                has_document: limits.has_document(customer),
                event: None,
            });
        }
        let document = read.ok_or_else(|| Refusal::conflict("customer_not_identified"))?;
        Ok(self.by(customer, document.as_ref()))
    }

    fn by(&mut self, customer: CustomerId, document: Option<&IdentityDocument>) -> Identity {
        let limits = self.ctx.state.limits();
        let Some(document) = document else {
            let is_news = !limits.is_identified(customer) || limits.has_document(customer);
            let person = limits.person(customer);
            return Identity {
                person,
                brings: None,
                has_document: false,
                event: is_news.then(|| event(customer, person, None)),
            };
        };
        let unique = document.unique();
        let holder = self.found.iter().find(|(value, _)| *value == unique);
        let holder = holder.map(|(_, person)| *person);
        let holder = holder.or_else(|| self.ctx.holder(UniqueValueKind::PersonDocument, &unique).map(PersonId));
        let known = limits.persons_of(customer);
        let person = holder.unwrap_or_else(|| new_person(customer, known));
        self.found.push((unique, person));
        let is_news = known.last() != Some(&person) || !limits.has_document(customer);
        Identity {
            person,
            brings: Some(alone(customer)).filter(|own| known.is_empty() && *own != person),
            has_document: true,
            event: is_news.then(|| event(customer, person, Some(document))),
        }
    }
}

fn event(customer: CustomerId, person: PersonId, document: Option<&IdentityDocument>) -> CustomerEvent {
    CustomerEvent::PersonIdentified(PersonIdentified {
        id: customer,
        person,
        has_document: document.is_some(),
        personal: Personal::clear(customer, document.cloned().unwrap_or_default()),
    })
}

/// A person with a document that nobody has: at first the customer alone, with another document another person. One
/// person has one document for good.
fn new_person(customer: CustomerId, known: &[PersonId]) -> PersonId {
    if known.is_empty() {
        return alone(customer);
    }
    let count = u64::try_from(known.len()).unwrap_or(u64::MAX);
    PersonId(Uuid::new_v5(&customer.0, &count.to_be_bytes()))
}
