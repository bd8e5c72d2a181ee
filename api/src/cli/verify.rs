//! `caudal verify`: verifies a tenant's history, in the database, or in an exported file without a database.

use super::{Failure, Place, complain, node::Node, progress::Progress, say};
use crate::{
    checkpoints::{Checkpoints, Destination, Flaw},
    rows_beside::verify_rows,
    screening::store::Store,
};
use caudal_domain::ids::TenantId;
use caudal_journal::{
    ArchiveError, ArchiveReader, KeyError, PublicKeys, RowsVerified, SignedCheckpoint, SigningKeys, Verification,
    to_hex, verify_file,
};
use caudal_projections::verify::replay;
use clap::Args;
use std::{
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Exit status if something is wrong.
const WRONG: u8 = 1;
/// Exit status if the verification could not be completed.
const UNKNOWN: u8 = 2;

/// Maximum size of a file of public keys, in bytes.
const MAX_KEYS_BYTES: u64 = 1024 * 1024;

/// Verifies a tenant's log: its chain, the invariants of its ledger, and that its read models equal a replay.
///
/// The log is held against every checkpoint at hand: those kept in the database, those at the places where checkpoints are
/// sent, and those given.
///
/// It ends with 0 where all is whole, with 1 where something is wrong, and with 2 where that could not be found out.
#[derive(Args, Debug)]
pub struct Verify {
    /// The tenant; with --file, whose log the file must be
    #[arg(required_unless_present = "file")]
    tenant: Option<TenantId>,
    /// An exported log, which needs no database
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// A signed checkpoint that the log must agree with; it can be given several times
    #[arg(long, value_name = "FILE")]
    checkpoint: Vec<PathBuf>,
    /// Where checkpoints were sent: a folder or s3://BUCKET/PREFIX, or several of them with commas between. The log must
    /// agree with all that are there
    #[arg(
        long,
        env = "CAUDAL_CHECKPOINT_TO",
        value_name = "DESTINATION",
        value_delimiter = ',',
        verbatim_doc_comment
    )]
    checkpoints_at: Vec<Destination>,
    /// The public keys that checkpoints are signed with, as /api/audit/keys published them
    /// [default: the data folder's own]
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    public_keys: Option<PathBuf>,
    /// Leave the read models out: verify the log alone
    #[arg(long)]
    log_only: bool,
    /// Leave the ledger out too: verify the hash chain alone, which takes a fraction of the time
    #[arg(long, conflicts_with = "file")]
    chain_only: bool,
    #[command(flatten)]
    place: Place,
}

impl Verify {
    pub async fn run(self) -> ExitCode {
        let outcome = match &self.file {
            Some(file) => self.verify_file(file),
            None => self.verify_tenant().await,
        };
        match outcome {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(WRONG),
            Err(error) => {
                complain(error.as_ref());
                ExitCode::from(UNKNOWN)
            }
        }
    }

    fn verify_file(&self, file: &Path) -> Result<bool, Failure> {
        let failed = |error: std::io::Error| -> Failure { format!("{}: {error}", file.display()).into() };
        let input = BufReader::new(File::open(file).map_err(failed)?);
        let reader = match ArchiveReader::open(input) {
            Ok(reader) => reader,
            Err(ArchiveError::Fault(fault)) => {
                say(&format!("wrong: {fault}"));
                return Ok(false);
            }
            Err(ArchiveError::Read(error)) => return Err(failed(error)),
        };
        let tenant = reader.tenant().clone();
        if self.tenant.as_ref().is_some_and(|wanted| *wanted != tenant) {
            say(&format!("wrong: the file is the log of {tenant}"));
            return Ok(false);
        }
        let checkpoints = self.checkpoints(&tenant)?;
        let mut progress = Progress::of(format!("{tenant}, chain"));
        let verification = verify_file(reader, &checkpoints, |at, of| progress.tell(at, of)).map_err(failed)?;
        Ok(tell(&tenant, &verification, checkpoints.len()))
    }

    async fn verify_tenant(&self) -> Result<bool, Failure> {
        let tenant = self.tenant.as_ref().ok_or("which tenant?")?;
        let checkpoints = self.checkpoints(tenant)?;
        let node = Node::open_for(&self.place, tenant, "caudal verify").await?;
        let outcome = self.verify_node(&node, tenant, checkpoints).await;
        let closed = node.close().await;
        let is_whole = outcome?;
        closed?;
        Ok(is_whole)
    }

    async fn verify_node(
        &self,
        node: &Node,
        tenant: &TenantId,
        mut checkpoints: Vec<SignedCheckpoint>,
    ) -> Result<bool, Failure> {
        let mut is_compared = true;
        for flaw in self.add_those_at_hand(node, tenant, &mut checkpoints).await? {
            match flaw {
                Flaw::Invalid { .. } | Flaw::Missing { .. } => {
                    say(&format!("{tenant}: wrong: {flaw}"));
                    is_compared = false;
                }
                Flaw::Unreachable { .. } => return Err(flaw.to_string().into()),
            }
        }
        let is_whole = self.verify_against(node, tenant, &checkpoints).await?;
        Ok(!is_in_quarantine(node, tenant).await? && is_whole && is_compared)
    }

    /// Adds the checkpoints of the database and of the destinations. Returns the flaws of those that are no evidence.
    async fn add_those_at_hand(
        &self,
        node: &Node,
        tenant: &TenantId,
        checkpoints: &mut Vec<SignedCheckpoint>,
    ) -> Result<Vec<Flaw>, Failure> {
        let at_hand = Checkpoints::new(
            node.journal.clone(),
            node.database.clone(),
            node.clock.clone(),
            node.data_dir.path(),
        )
        .sending_to(self.checkpoints_at.clone());
        let own = match SigningKeys::read(&SigningKeys::path(node.data_dir.path())) {
            Ok(keys) => keys.public(),
            // This installation has not signed anything; checkpoints signed elsewhere are reported as signed with an
            // unknown key.
            Err(KeyError::File { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                PublicKeys::default()
            }
            Err(error) => return Err(error.into()),
        };
        let has_none = own.keys().is_empty() && self.public_keys.is_none();
        let keys = match &self.public_keys {
            Some(_) => own.and(self.keys()?),
            None => own,
        };
        let evidence = at_hand.evidence_under(tenant, &keys).await?;
        if has_none && !evidence.flaws.is_empty() {
            return Err("there are checkpoints, but no keys to check them with: give --public-keys".into());
        }
        if evidence.given_up > 0 {
            say(&format!(
                "{tenant}: {} checkpoints of a history that an operator gave up were left out",
                evidence.given_up
            ));
        }
        for checkpoint in evidence.checkpoints {
            if !checkpoints.contains(&checkpoint) {
                checkpoints.push(checkpoint);
            }
        }
        Ok(evidence.flaws)
    }

    async fn verify_against(
        &self,
        node: &Node,
        tenant: &TenantId,
        checkpoints: &[SignedCheckpoint],
    ) -> Result<bool, Failure> {
        let mut progress = Progress::of(format!("{tenant}, chain"));
        let told = |at, of| progress.tell(at, of);
        if self.chain_only {
            let verification = node.journal.verify_chain(tenant, checkpoints, told).await?;
            return Ok(tell_chain(tenant, &verification, checkpoints.len()));
        }
        let verification = node.journal.verify(tenant, checkpoints, told).await?;
        if !tell(tenant, &verification, checkpoints.len()) {
            return Ok(false);
        }
        if self.log_only {
            return Ok(true);
        }
        let lists = Store::new(node.database.clone(), &node.keyring);
        let rows = verify_rows(&node.journal, &lists, tenant).await?;
        let rows_are_whole = tell_rows(tenant, &rows);
        let mut progress = Progress::of(format!("{tenant}, read models"));
        let told = |at, of| progress.tell(at, of);
        let differences = replay(&node.database, &node.journal, tenant, told).await?;
        for difference in &differences {
            say(&format!("wrong: {difference}"));
        }
        if differences.is_empty() {
            say(&format!("{tenant}: the read models equal a replay"));
        }
        Ok(rows_are_whole && differences.is_empty())
    }

    /// The given checkpoints with valid signatures.
    fn checkpoints(&self, tenant: &TenantId) -> Result<Vec<SignedCheckpoint>, Failure> {
        if self.checkpoint.is_empty() {
            return Ok(Vec::new());
        }
        let keys = self.keys()?;
        let read = |path: &PathBuf| -> Result<SignedCheckpoint, Failure> {
            let named = |error: &dyn std::error::Error| -> Failure { format!("{}: {error}", path.display()).into() };
            let text = read_short(path)?;
            let checkpoint = SignedCheckpoint::from_json(&text).map_err(|error| named(&error))?;
            checkpoint.check(tenant, &keys).map_err(|error| named(&error))?;
            Ok(checkpoint)
        };
        self.checkpoint.iter().map(read).collect()
    }

    fn keys(&self) -> Result<PublicKeys, Failure> {
        match &self.public_keys {
            Some(path) => Ok(PublicKeys::from_json(&read_short(path)?)?),
            None => {
                let path = SigningKeys::path(self.place.data_dir()?.path());
                Ok(SigningKeys::read(&path)?.public())
            }
        }
    }
}

/// Whether nodes have seen what this log does not have, and no operator has decided.
async fn is_in_quarantine(node: &Node, tenant: &TenantId) -> Result<bool, Failure> {
    node.journal.look_once().await?;
    let Some(report) = node
        .journal
        .quarantines()
        .into_iter()
        .find(|report| report.tenant == *tenant)
    else {
        return Ok(false);
    };
    say(&format!(
        "{tenant}: wrong: in quarantine, because {}; look at `caudal quarantine show {tenant}`",
        report.divergence
    ));
    Ok(true)
}

/// Verifies the log and the rows beside it of every tenant. Returns how many there are.
///
/// # Errors
/// If one of them is invalid or could not be read.
pub async fn logs(node: &Node) -> Result<usize, Failure> {
    let tenants = node.journal.tenants().await?;
    let lists = Store::new(node.database.clone(), &node.keyring);
    for tenant in &tenants {
        let mut progress = Progress::of(format!("{tenant}, chain"));
        let verification = node.journal.verify(tenant, &[], |at, of| progress.tell(at, of)).await?;
        let log_is_whole = tell(tenant, &verification, 0);
        let rows = verify_rows(&node.journal, &lists, tenant).await?;
        if !tell_rows(tenant, &rows) || !log_is_whole {
            return Err(format!("{tenant} is not whole").into());
        }
    }
    Ok(tenants.len())
}

/// Reads a small text file.
fn read_short(path: &Path) -> Result<String, Failure> {
    let failed = |error: std::io::Error| -> Failure { format!("{}: {error}", path.display()).into() };
    if fs::metadata(path).map_err(failed)?.len() > MAX_KEYS_BYTES {
        return Err(format!("{}: too large", path.display()).into());
    }
    fs::read_to_string(path).map_err(failed)
}

/// Prints the result, with the ledger's invariants. Returns whether all is valid.
fn tell(tenant: &TenantId, verification: &Verification, checkpoints: usize) -> bool {
    if !tell_chain(tenant, verification, checkpoints) {
        return false;
    }
    for violation in &verification.violations {
        say(&format!("{tenant}: wrong: {violation}"));
    }
    if verification.violations.is_empty() {
        say(&format!("{tenant}: the ledger's invariants hold"));
    }
    verification.is_whole()
}

/// Prints the result for the rows beside the log. Returns whether they are valid.
fn tell_rows(tenant: &TenantId, rows: &RowsVerified) -> bool {
    for fault in &rows.faults {
        say(&format!("{tenant}: wrong: {fault}"));
    }
    if let Some(reason) = &rows.not_compared {
        say(&format!(
            "{tenant}: wrong: the rows beside the log could not be compared with it: {reason}"
        ));
    }
    if rows.is_whole() {
        let count = rows.rows;
        say(&format!(
            "{tenant}: the {count} rows beside the log are authentic and agree with it"
        ));
    } else {
        let wrong = rows.wrong;
        say(&format!("{tenant}: {wrong} rows beside the log are wrong"));
    }
    rows.is_whole()
}

/// Prints the result for the chain. Returns whether it is valid.
fn tell_chain(tenant: &TenantId, verification: &Verification, checkpoints: usize) -> bool {
    if let Some(fault) = &verification.fault {
        let good = verification.events;
        say(&format!("{tenant}: position {}: wrong: {fault}", fault.position()));
        say(&format!("{tenant}: {good} events before it are as they were recorded"));
        return false;
    }
    let (events, hash) = (verification.events, to_hex(&verification.hash));
    let signed = match checkpoints {
        0 => String::new(),
        1 => ", and agrees with the checkpoint".to_owned(),
        count => format!(", and agrees with the {count} checkpoints"),
    };
    say(&format!(
        "{tenant}: the chain of {events} events is whole{signed}; head {hash}"
    ));
    true
}
