//! Opening of a tenant: name, currencies and first manager. Each command has a fixed idempotency key, so that opening
//! can be repeated at any time.

use crate::{Committed, Credential, Journal, JournalError, RequestDigest, Submission, SubmitError};
use caudal_domain::{
    Actor, Command, Refusal, Tenant, TenantCommand,
    ids::{CurrencyId, PartyId, TenantId},
    money::{Amount, CurrencyCode, Rate},
    party::{PartyCommand, PartyDetails, RegisterParty, Registration},
    reference_data::currency::{Currency, CurrencyCommand},
};
use chrono_tz::Tz;

/// Currencies of a new tenant with their symbols.
const CURRENCIES: [(CurrencyCode, &str); 4] = [
    (CurrencyCode::CUP, "$MN"),
    (CurrencyCode::USD, "$"),
    (CurrencyCode::EUR, "€"),
    (CurrencyCode::MLC, "MLC"),
];

/// A tenant to open.
#[derive(Clone, Debug)]
pub struct Opening {
    pub tenant: TenantId,
    pub name: String,
    /// Its local midnight separates days.
    pub time_zone: Tz,
    /// First manager.
    pub manager: Manager,
}

/// First manager of a tenant.
#[derive(Clone)]
pub struct Manager {
    pub name: String,
    /// E-mail address of the login.
    pub email: String,
    /// Password hash as a PHC string.
    pub password_hash: String,
}

impl std::fmt::Debug for Manager {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Manager").finish_non_exhaustive()
    }
}

/// Why a tenant was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    #[error("the tenant is there already, with another name, time zone or manager")]
    Different,
    #[error("the tenant can't be opened like that: {0}")]
    Invalid(Refusal),
    #[error("the journal can't be written")]
    Submit(#[source] SubmitError),
    #[error("the journal can't be used")]
    Journal(#[from] JournalError),
}

impl From<SubmitError> for OpeningError {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::KeyReused => Self::Different,
            SubmitError::Refused(refusal) if refusal.code == "already_exists" => Self::Different,
            SubmitError::Refused(refusal) => Self::Invalid(refusal),
            other => Self::Submit(other),
        }
    }
}

impl Opening {
    /// Opens the tenant, or completes an interrupted opening. Returns its manager.
    ///
    /// # Errors
    /// When another tenant of this id exists, or the journal fails.
    pub async fn run(&self, journal: &Journal) -> Result<PartyId, OpeningError> {
        match journal.create_tenant(&self.tenant).await {
            Ok(()) | Err(JournalError::TenantExists(_)) => {}
            Err(error) => return Err(error.into()),
        }
        let tenant = Tenant {
            name: self.name.clone(),
            time_zone: self.time_zone,
        };
        let open = Command::Tenant(TenantCommand::Open(tenant));
        let zone = self.time_zone.name();
        self.submit(journal, "open", &[&self.name, zone], open, None).await?;
        for (code, symbol) in CURRENCIES {
            let id = CurrencyId::generate();
            let currency = Currency {
                id,
                code,
                symbol: symbol.to_owned(),
                exchange_rate: Rate::ONE,
                distribution_rate: Amount::ZERO,
                accounted: true,
                enabled: true,
            };
            let add = Command::Currency(id, CurrencyCommand::Add(currency));
            self.submit(journal, &format!("currency {code}"), &[], add, None)
                .await?;
        }
        let id = PartyId::generate();
        let details = PartyDetails {
            name: self.manager.name.clone(),
            email: self.manager.email.clone(),
            ..PartyDetails::default()
        };
        let registration = RegisterParty {
            id,
            registration: Registration::Manager,
            details,
            is_active: true,
        };
        let register = Command::Party(id, PartyCommand::Register(registration));
        let credential = Credential {
            party: id,
            hash: self.manager.password_hash.clone(),
        };
        let email = PartyDetails::normal_email(&self.manager.email);
        let registered = self
            .submit(journal, "manager", &[&email], register, Some(credential))
            .await?;
        Ok(PartyId(registered.answer.id))
    }

    async fn submit(
        &self,
        journal: &Journal,
        step: &str,
        asked: &[&str],
        command: Command,
        credential: Option<Credential>,
    ) -> Result<Committed, SubmitError> {
        let submission = Submission {
            key: Some(format!("tenant create/{step}")),
            // Ids are random each time; the request's content distinguishes openings.
            request_digest: RequestDigest::of(asked.iter().map(|text| text.as_bytes())),
            credential,
            ..Submission::of(Actor::System, command)
        };
        journal.submit(&self.tenant, submission).await
    }
}
