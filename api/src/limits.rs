//! Limits: what a sale's decision knows of its customers' documents. The decision refuses a sale without it. Single sales and
//! the rows of an import read it here.

use crate::{
    app::App,
    problem::ApiError,
    screening::{ScreeningError, of_sale},
};
use actix_web::web::Data;
use caudal_domain::{
    Actor, Command, StreamKind, TenantState,
    approval::ProposalCommand,
    customer::{CustomerCommand, CustomerDetails},
    ids::{CustomerId, TenantId},
    limits::{IdentityDocument, Need, SaleChecks},
    remittance::RemittanceCommand,
};
use caudal_journal::{Journal, Submission, SubmitError, WithCauses};
use caudal_projections::{
    ReadError, Reads, from_log,
    screening::{next_subjects, subjects},
};
use chrono::NaiveDate;
use futures::future::try_join_all;
use std::{collections::HashMap, time::Duration};

/// Customers read together.
const PAGE: i64 = 500;
/// Identifications in the tenant's writer at a time, so that sales have their turn.
const AT_ONCE: usize = 32;
/// How long the answer to a new rule waits until everybody is identified; it goes on afterwards.
const RULE_WAITS: Duration = Duration::from_secs(15);

/// Identifies the customers of before a rule that was just set, in the background after [`RULE_WAITS`].
pub async fn after_a_rule(app: &Data<App>, tenant: &TenantId) {
    app.identified.end(tenant);
    if let Some(walk) = in_background(app, tenant) {
        // A walk that takes longer goes on.
        let _ = tokio::time::timeout(RULE_WAITS, walk).await;
    }
}

/// Identifies the customers of before the first rule, unless this process has done so. A walk that fails is begun again by
/// the next sale.
pub fn in_background(app: &Data<App>, tenant: &TenantId) -> Option<tokio::task::JoinHandle<()>> {
    if !app.identified.begin(tenant) {
        return None;
    }
    let (app, tenant) = (app.clone(), tenant.clone());
    Some(tokio::spawn(async move {
        if let Err(error) = app.identify_everybody(&tenant).await {
            app.identified.end(&tenant);
            tracing::warn!(%tenant, error = %WithCauses(&error), "not all customers are identified; the next sale goes on");
        }
    }))
}

impl App {
    /// Identifies all customers with a document who are not yet: those who were registered before the first rule. What
    /// they sent elsewhere counts for the person from then on.
    async fn identify_everybody(&self, tenant: &TenantId) -> Result<(), ScreeningError> {
        self.checkpoints.compare_before_writing(tenant).await;
        let mut after = None;
        loop {
            let (state, head) = self.journal.state(tenant).await?;
            if !state.limits().has_rules() {
                self.identified.end(tenant);
                return Ok(());
            }
            let mut transaction = self.reads.begin(tenant, head.position).await?;
            let position = transaction.position();
            let Some((last, _, found)) = next_subjects(&self.journal, &mut transaction, after, PAGE).await? else {
                return Ok(());
            };
            drop(transaction);
            let documents = found
                .into_iter()
                .filter(|subject| !state.limits().is_identified(subject.id))
                .filter_map(|subject| Some((subject.id, IdentityDocument::of(&subject.details)?)));
            let documents: Vec<_> = documents.collect();
            drop(state);
            for some in documents.chunks(AT_ONCE) {
                let each = some
                    .iter()
                    .map(|(id, document)| self.identify(tenant, *id, document, position));
                try_join_all(each).await?;
            }
            after = Some(last);
        }
    }

    async fn identify(
        &self,
        tenant: &TenantId,
        id: CustomerId,
        document: &IdentityDocument,
        position: i64,
    ) -> Result<(), SubmitError> {
        let identify = CustomerCommand::Identify(Some(document.clone()));
        let mut submission = Submission::of(Actor::System, Command::Customer(id, identify));
        submission.as_of = Some(position);
        match self.journal.submit(tenant, submission).await {
            // A change identifies the customer by itself, and a forgotten one has no document.
            Ok(_) | Err(SubmitError::Changed | SubmitError::Refused(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Customers whom a command sells from or to: those of [`of_sale`], and of a sale whose amount changes. In a tenant without
/// rules of limits and lists nobody asks for the latter, and nothing is read.
///
/// # Errors
/// Why they can't be read.
pub async fn customers_of(app: &App, tenant: &TenantId, command: &Command) -> Result<Vec<CustomerId>, ApiError> {
    let id = match command {
        Command::Remittance(id, RemittanceCommand::EditAmount(_)) => *id,
        Command::Proposal(_, ProposalCommand::Approve(proposed)) => match proposed.as_ref() {
            Command::Remittance(id, RemittanceCommand::EditAmount(_)) => *id,
            _ => return Ok(Vec::new()),
        },
        _ => return Ok(of_sale(command)),
    };
    let (state, _) = app.journal.state(tenant).await?;
    if !state.limits().has_rules() && state.screening_rule().lists.is_empty() {
        return Ok(Vec::new());
    }
    drop(state);
    Ok(from_log::customers_of(&app.journal, tenant, id).await?)
}

/// A sale, or an edit of one, with what was read of its customers' documents; other commands as they are.
///
/// Everything committed of them so far is read, and later changes of a customer identify it by themselves. In a tenant
/// without rules nothing is read.
///
/// # Errors
/// Why the customers can't be read.
pub async fn with_documents(
    app: &Data<App>,
    tenant: &TenantId,
    mut command: Command,
    customers: &[CustomerId],
) -> Result<Command, ApiError> {
    if customers.is_empty() {
        return Ok(command);
    }
    if let Some(RemittanceCommand::EditAmount(edit)) = of_remittance(&mut command) {
        edit.customers = customers.to_vec();
    }
    let (state, _) = app.journal.state(tenant).await?;
    if state.limits().has_rules() {
        in_background(app, tenant);
    }
    let mut documents = Documents::default();
    if Documents::are_read(&state, customers) {
        let today = app.now().with_timezone(&state.zone()).date_naive();
        drop(state);
        documents
            .read(&app.journal, &app.reads, tenant, today, customers)
            .await?;
    }
    documents.give(&mut command);
    Ok(command)
}

/// Documents of customers, as decisions of sales need them.
#[derive(Debug, Default)]
pub struct Documents(HashMap<CustomerId, KnownDocument>);

#[derive(Debug)]
struct KnownDocument {
    document: Option<IdentityDocument>,
    is_valid: bool,
}

impl Documents {
    /// Whether sales from or to customers need their documents: a rule asks for one, or a customer is not identified. In a tenant
    /// without rules none do.
    pub fn are_read(state: &TenantState, customers: &[CustomerId]) -> bool {
        let limits = state.limits();
        limits.has_rules()
            && (needs_documents(state) || customers.iter().any(|customer| !limits.is_identified(*customer)))
    }

    /// Reads those of customers, all at once, with everything committed of them so far.
    ///
    /// # Errors
    /// 503 when the read models lag.
    pub async fn read(
        &mut self,
        journal: &Journal,
        reads: &Reads,
        tenant: &TenantId,
        today: NaiveDate,
        customers: &[CustomerId],
    ) -> Result<(), ReadError> {
        if customers.is_empty() {
            return Ok(());
        }
        let records: Vec<_> = customers.iter().map(|customer| customer.0).collect();
        let mut transaction = reads
            .begin_with_changes_of(tenant, StreamKind::Customer, &records)
            .await?;
        for subject in subjects(journal, &mut transaction, customers).await? {
            self.note(subject.id, &subject.details, today);
        }
        Ok(())
    }

    /// Notes that of a customer with these details.
    pub fn note(&mut self, customer: CustomerId, details: &CustomerDetails, today: NaiveDate) {
        let known = KnownDocument {
            document: IdentityDocument::of(details),
            is_valid: is_valid(details, today),
        };
        self.0.insert(customer, known);
    }

    /// Whether the customer's document, or that there is none, is known.
    pub fn has(&self, customer: CustomerId) -> bool {
        self.0.contains_key(&customer)
    }

    /// Gives a sale, or an edit of one, the documents of its customers. Other commands stay as they are.
    pub fn give(&self, command: &mut Command) {
        match of_remittance(command) {
            Some(RemittanceCommand::Create(sale)) => sale.checks = self.checks(&[sale.sender, sale.recipient]),
            Some(RemittanceCommand::EditDetails(edit)) => edit.checks = self.checks(&[edit.recipient]),
            Some(RemittanceCommand::EditAmount(edit)) => edit.checks = self.checks(&edit.customers),
            _ => {}
        }
    }

    fn checks(&self, customers: &[CustomerId]) -> SaleChecks {
        let known = || customers.iter().filter_map(|id| Some((*id, self.0.get(id)?)));
        SaleChecks {
            documents: known().map(|(id, known)| (id, known.document.clone())).collect(),
            valid: known().filter(|(_, known)| known.is_valid).map(|(id, _)| id).collect(),
        }
    }
}

/// The command on a remittance, also in its approval.
fn of_remittance(command: &mut Command) -> Option<&mut RemittanceCommand> {
    match command {
        Command::Remittance(_, command) => Some(command),
        Command::Proposal(_, ProposalCommand::Approve(command)) => of_remittance(command),
        _ => None,
    }
}

fn needs_documents(state: &TenantState) -> bool {
    state.limits().rules().any(|rule| rule.needs.contains(&Need::Document))
}

/// Whether the document is valid on a day; one without an expiry date is.
fn is_valid(details: &CustomerDetails, today: NaiveDate) -> bool {
    let expires = details.personal_identification_expiration_date.as_deref();
    let expires = expires.filter(|date| !date.trim().is_empty());
    expires.is_none_or(|date| NaiveDate::parse_from_str(date, "%Y-%m-%d").is_ok_and(|expires| today <= expires))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_valid_through_its_last_day() {
        let today = NaiveDate::from_ymd_opt(2026, 11, 27).unwrap();
        let valid = |expires: Option<&str>| {
            let details = CustomerDetails {
                personal_identification_expiration_date: expires.map(str::to_owned),
                ..CustomerDetails::default()
            };
            is_valid(&details, today)
        };
        assert!(valid(None) && valid(Some("")) && valid(Some("2026-11-27")) && valid(Some("2030-01-01")));
        assert!(!valid(Some("2026-11-26")) && !valid(Some("soon")));
    }
}
