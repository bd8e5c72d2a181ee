//! Limits: what a sale's decision knows of its customers' documents. The decision refuses a sale without it.

use crate::{app::App, problem::ApiError, screening::of_sale};
use caudal_domain::{
    Books, Command,
    customer::CustomerDetails,
    ids::TenantId,
    limits::{IdentityDocument, Need, SaleChecks},
    remittance::RemittanceCommand,
};
use caudal_projections::screening::subjects;
use chrono::NaiveDate;

impl App {
    /// A sale, or another recipient of one, with what was read of its customers' documents; other commands as they are.
    ///
    /// Everything committed so far is read, and later changes of a customer identify it by themselves. In a tenant
    /// without rules nothing is read.
    ///
    /// # Errors
    /// Why the customers can't be read.
    pub async fn with_documents(&self, tenant: &TenantId, mut command: Command) -> Result<Command, ApiError> {
        let customers = of_sale(&command);
        if customers.is_empty() {
            return Ok(command);
        }
        let (books, head) = self.journal.books(tenant).await?;
        let limits = books.limits();
        let reads = limits.has_rules()
            && (needs_documents(&books) || customers.iter().any(|customer| !limits.is_identified(*customer)));
        if !reads {
            return Ok(command);
        }
        let today = self.now().with_timezone(&books.zone()).date_naive();
        drop(books);
        let mut snapshot = self.reads.record_snapshot(tenant, head.position).await?;
        let found = subjects(&mut snapshot, &customers).await?;
        drop(snapshot);
        let mut checks = SaleChecks::default();
        for subject in found {
            if is_valid(&subject.details, today) {
                checks.valid.insert(subject.id);
            }
            checks
                .documents
                .insert(subject.id, IdentityDocument::of(&subject.details));
        }
        match &mut command {
            Command::Remittance(_, RemittanceCommand::Create(sale)) => sale.checks = checks,
            Command::Remittance(_, RemittanceCommand::EditDetails(edit)) => edit.checks = checks,
            _ => {}
        }
        Ok(command)
    }
}

fn needs_documents(books: &Books) -> bool {
    books.limits().rules().any(|rule| rule.needs.contains(&Need::Document))
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
