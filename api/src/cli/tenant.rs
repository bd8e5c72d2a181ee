//! `caudal tenant`: creates and lists tenants.

use super::{Failure, Place, node::Node, say};
use crate::{
    auth::{
        guesses::{Personal, require_impersonal},
        passwords::{hash_now, require_strong},
    },
    problem::Refused,
};
use caudal_domain::{DEFAULT_ZONE, ids::TenantId};
use caudal_journal::{Manager, Opening, OpeningError};
use chrono_tz::Tz;
use clap::{Args, Subcommand};
use std::io::Read as _;
use zeroize::Zeroizing;

/// Maximum length of a password on standard input, in bytes.
const MAX_PASSWORD_INPUT: u64 = 1_000;

/// What to do with tenants.
#[derive(Debug, Subcommand)]
pub enum TenantCommand {
    /// Make a tenant with its currencies, Cuba's provinces and municipalities, and its first manager
    ///
    /// It can be repeated: what is there already stays as it is.
    Create(Create),
    /// List the tenants, one a line
    List(List),
}

/// Makes a tenant.
#[derive(Args, Debug)]
pub struct Create {
    /// Its name in addresses and headers: 1 to 40 lower-case letters, digits and inner hyphens
    id: TenantId,
    /// Its name for people
    #[arg(long)]
    name: String,
    /// The e-mail address with which its manager logs in
    #[arg(long)]
    manager_email: String,
    /// The manager's name for people
    #[arg(long, default_value = "Manager")]
    manager_name: String,
    /// Read the manager's password from standard input, so that it stands in no list of processes
    #[arg(long, required = true)]
    manager_password_stdin: bool,
    /// Where its days are cut
    #[arg(long, default_value_t = DEFAULT_ZONE, value_name = "IANA ZONE")]
    time_zone: Tz,
    #[command(flatten)]
    place: Place,
}

/// Lists the tenants.
#[derive(Args, Debug)]
pub struct List {
    #[command(flatten)]
    place: Place,
}

impl TenantCommand {
    pub async fn run(self) -> Result<(), Failure> {
        match self {
            Self::Create(create) => create.run().await,
            Self::List(list) => list.run().await,
        }
    }
}

impl Create {
    async fn run(self) -> Result<(), Failure> {
        let password = read_password()?;
        require_strong("password", &password).map_err(Refused)?;
        let personal = Personal::of([&*self.name, &*self.manager_email, &*self.manager_name]);
        require_impersonal("password", &password, &personal).map_err(Refused)?;
        let opening = Opening {
            tenant: self.id.clone(),
            name: self.name,
            time_zone: self.time_zone,
            manager: Manager {
                name: self.manager_name,
                email: self.manager_email,
                password_hash: hash_now(&password)?,
            },
        };
        let node = Node::open(&self.place, "caudal tenant").await?;
        let outcome = opening.run(&node.journal).await;
        node.close().await?;
        if let Err(OpeningError::Invalid(refusal)) = outcome {
            return Err(Refused(refusal).into());
        }
        outcome?;
        say(&format!("tenant {} is there", self.id));
        Ok(())
    }
}

impl List {
    async fn run(self) -> Result<(), Failure> {
        let node = Node::open(&self.place, "caudal tenant").await?;
        let tenants = node.journal.tenants().await;
        node.close().await?;
        for tenant in tenants? {
            say(tenant.as_str());
        }
        Ok(())
    }
}

fn read_password() -> Result<Zeroizing<String>, std::io::Error> {
    let mut password = Zeroizing::new(String::new());
    std::io::stdin()
        .lock()
        .take(MAX_PASSWORD_INPUT)
        .read_to_string(&mut password)?;
    let end = password.trim_end_matches(['\n', '\r']).len();
    password.truncate(end);
    Ok(password)
}
