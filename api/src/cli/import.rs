//! `caudal import`: imports a tenant from an exported file.

use super::{Failure, Place, node::Node, progress::Progress, say};
use caudal_journal::{ArchiveReader, MAX_PEOPLE_BYTES, People, TransferSecret, to_hex};
use caudal_projections::Projector;
use clap::Args;
use std::{
    fs::{self, File},
    io::{BufReader, Read as _},
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

/// Maximum length of a secret on standard input, in bytes.
const MAX_SECRET_INPUT: u64 = 1_000;

/// Takes a tenant over from the file that `caudal export` made: every event as it was, with the same chain. The tenant
/// must be new here, or empty.
///
/// What is not in the log stays behind: uploaded files, idempotency keys, sessions.
#[derive(Args, Debug)]
pub struct Import {
    /// The exported log
    #[arg(value_name = "LOG")]
    export: PathBuf,
    /// The file with its people's keys; its secret is read from standard input
    #[arg(long, value_name = "FILE", required_unless_present = "without_people")]
    people: Option<PathBuf>,
    /// Import it without anybody's key: names, telephones and addresses stay sealed for good, and nobody can log in
    #[arg(long, conflicts_with = "people")]
    without_people: bool,
    #[command(flatten)]
    place: Place,
}

impl Import {
    pub async fn run(self) -> Result<(), Failure> {
        let failed = |error: std::io::Error| -> Failure { format!("{}: {error}", self.export.display()).into() };
        let reader = ArchiveReader::open(BufReader::new(File::open(&self.export).map_err(failed)?))?;
        let (tenant, end) = (reader.tenant().clone(), *reader.end());
        let people = match &self.people {
            Some(path) => {
                let secret = read_secret()?;
                Some(People::open(&read_people(path)?, &secret, &tenant, &end)?)
            }
            None => None,
        };
        let node = Node::open(&self.place, "caudal import").await?;
        let mut progress = Progress::of(format!("{tenant}, import"));
        let told = |at, of| progress.tell(at, of);
        let outcome = match node.journal.import(reader, people.as_ref(), told).await {
            Ok(end) => {
                let projector = Projector::new(node.database.clone(), node.journal.clone());
                // The tenant is imported at this point. Its read models are built here, or by a server that runs
                // beside.
                projector.catch_up(&tenant).await.map(|_| end).map_err(Failure::from)
            }
            Err(error) => Err(error.into()),
        };
        let closed = node.close().await;
        let end = outcome?;
        closed?;
        say(&format!(
            "{tenant}: {} events, head {}",
            end.position,
            to_hex(&end.hash)
        ));
        Ok(())
    }
}

fn read_secret() -> Result<TransferSecret, Failure> {
    let mut text = Zeroizing::new(String::new());
    std::io::stdin()
        .lock()
        .take(MAX_SECRET_INPUT)
        .read_to_string(&mut text)?;
    TransferSecret::from_text(&text).ok_or_else(|| "standard input holds no secret as `caudal export` says it".into())
}

fn read_people(path: &Path) -> Result<String, Failure> {
    let failed = |error: std::io::Error| -> Failure { format!("{}: {error}", path.display()).into() };
    if fs::metadata(path).map_err(failed)?.len() > MAX_PEOPLE_BYTES as u64 {
        return Err(format!("{}: too large for a file of people", path.display()).into());
    }
    fs::read_to_string(path).map_err(failed)
}
