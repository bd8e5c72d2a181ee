//! `caudal tenant`: creates and lists tenants, and lets in who lost a second factor.

use super::{
    Failure, Place,
    cells::Move,
    node::{Node, Nodes},
    say,
};
use crate::{
    auth::{
        guesses::{Personal, require_impersonal},
        passkeys::Passkeys,
        passwords::{hash_now, require_strong},
        second_factors::SecondFactors,
        sessions::Sessions,
    },
    problem::Refused,
};
use caudal_domain::{Command, DEFAULT_ZONE, PasswordPolicy, Refusal, ids::TenantId, party::PartyCommand};
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
    /// List the tenants, one a line; with cells, each with its own
    List(List),
    /// Move a tenant to another cell while it works
    Move(Move),
    /// End the second factor of a login whose owner lost the telephone and the recovery codes
    ///
    /// The next login needs the password alone, and all sessions end. The log tells that the operator did it. Make sure by
    /// other ways that it is the owner who asks.
    EndSecondFactor(EndSecondFactor),
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

/// Ends a second factor.
#[derive(Args, Debug)]
pub struct EndSecondFactor {
    /// The tenant
    id: TenantId,
    /// The e-mail address of the login
    email: String,
    #[command(flatten)]
    place: Place,
}

impl TenantCommand {
    pub async fn run(self) -> Result<(), Failure> {
        match self {
            Self::EndSecondFactor(end) => end.run().await,
            Self::Create(create) => create.run().await,
            Self::List(list) => list.run().await,
            Self::Move(to) => to.run().await,
        }
    }
}

impl Create {
    async fn run(self) -> Result<(), Failure> {
        let password = read_password()?;
        require_strong("password", &password, PasswordPolicy::default()).map_err(Refused)?;
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
        // Opening can be repeated, also when the tenant has moved.
        let node = Node::open_for(&self.place, &self.id, "caudal tenant").await?;
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
        let nodes = Nodes::open(&self.place, "caudal tenant").await?;
        let mut lines = Vec::new();
        let listed = async {
            for (cell, node) in &nodes.nodes {
                for tenant in node.journal.tenants().await? {
                    lines.push(match nodes.nodes.len() {
                        1 => tenant.to_string(),
                        _ => format!("{tenant} {cell}"),
                    });
                }
            }
            Ok::<_, Failure>(())
        };
        let listed = listed.await;
        nodes.close().await?;
        listed?;
        lines.sort_unstable();
        for line in lines {
            say(&line);
        }
        Ok(())
    }
}

impl EndSecondFactor {
    async fn run(self) -> Result<(), Failure> {
        let node = Node::open_for(&self.place, &self.id, "caudal tenant").await?;
        let outcome = self.end(&node).await;
        node.close().await?;
        outcome?;
        say(&format!(
            "{} logs in to {} with the password alone",
            self.email, self.id
        ));
        Ok(())
    }

    async fn end(&self, node: &Node) -> Result<(), Failure> {
        let (journal, tenant) = (&node.journal, &self.id);
        let login = journal.credential_by_email(tenant, &self.email).await?;
        let party = login
            .ok_or_else(|| Refused(Refusal::not_found("party_not_found")))?
            .party;
        let (state, _) = journal.state(tenant).await?;
        if state.second_factors(party).is_empty() {
            return Err(Refused(Refusal::conflict("second_factor_missing")).into());
        }
        let command = Command::Party(party, PartyCommand::EndSecondFactors);
        node.submit(tenant, command).await?;
        let (database, macs) = (node.database.clone(), journal.row_macs().clone());
        let factors = SecondFactors::new(database.clone(), macs.clone(), &node.keyring);
        factors.delete_all(tenant, party).await?;
        let passkeys = Passkeys::new(database.clone(), macs.clone(), &node.keyring);
        passkeys.delete_all(tenant, party).await?;
        let sessions = Sessions::new(database, macs, node.keyring.clone());
        sessions.end_all(tenant, party, node.clock.now()).await?;
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
