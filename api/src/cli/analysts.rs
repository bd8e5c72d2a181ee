//! `caudal analysts`: which database logins read the views for analysts.

use super::{Failure, Place, say};
use caudal_domain::ids::TenantId;
use caudal_postgres::{Storage, analysts, grant_analyst, migrate_or_check, revoke_analyst};
use clap::{Args, Subcommand};

/// What to do with logins of analysts.
#[derive(Debug, Subcommand)]
pub enum AnalystsCommand {
    /// Let a login of PostgreSQL read the views of one tenant
    ///
    /// An administrator makes the login: CREATE ROLE name LOGIN PASSWORD '...', and runs deploy/postgres/analysts.sql once in
    /// the database. Repeated with another tenant, the login reads that one in place of the first.
    Grant(Grant),
    /// Take the views from a login
    Revoke(Revoke),
    /// List the logins with their tenants, one a line
    List(List),
}

/// Lets a login read the views.
#[derive(Args, Debug)]
pub struct Grant {
    /// The login: it must exist and have no other rights in the database
    login: String,
    /// The tenant that it reads
    #[arg(long)]
    tenant: TenantId,
    #[command(flatten)]
    place: Place,
}

/// Takes the views from a login.
#[derive(Args, Debug)]
pub struct Revoke {
    /// The login
    login: String,
    #[command(flatten)]
    place: Place,
}

/// Lists the logins.
#[derive(Args, Debug)]
pub struct List {
    #[command(flatten)]
    place: Place,
}

impl AnalystsCommand {
    pub async fn run(self) -> Result<(), Failure> {
        let place = match &self {
            Self::Grant(Grant { place, .. }) | Self::Revoke(Revoke { place, .. }) | Self::List(List { place }) => place,
        };
        let storage = Storage::open(&place.data_dir()?, place.given()).await?;
        let outcome = self.on(&storage).await;
        storage.shutdown().await?;
        outcome
    }

    async fn on(&self, storage: &Storage) -> Result<(), Failure> {
        let owner = storage.checked_owner_url().await?;
        migrate_or_check(owner).await?;
        match self {
            Self::Grant(Grant { login, tenant, .. }) => {
                grant_analyst(owner, login, tenant.as_str()).await?;
                say(&format!(
                    "{login} may read the views of {tenant} in the schema analytics_v1"
                ));
            }
            Self::Revoke(Revoke { login, .. }) => {
                if !revoke_analyst(owner, login).await? {
                    return Err(format!("{login} had no views; `caudal analysts list` names the logins").into());
                }
                say(&format!("{login} may read no views any more"));
            }
            Self::List(_) => {
                for analyst in analysts(owner).await? {
                    say(&format!("{} {}", analyst.login, analyst.tenant));
                }
            }
        }
        Ok(())
    }
}
