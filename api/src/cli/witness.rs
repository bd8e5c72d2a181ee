//! `caudal witness`: co-signs other installations' checkpoints, on a separate machine under separate control.

use super::{Failure, say};
use crate::witness::Witness as Served;
use caudal_journal::SystemClock;
use clap::Args;
use std::{net::SocketAddr, path::PathBuf, sync::Arc};

/// Co-signs checkpoints that extend what it co-signed before, and keeps those that contradict it.
///
/// Nodes post to it with `caudal serve --witness URL`. It needs no database.
#[derive(Args, Debug)]
pub struct Witness {
    /// The address to listen on; port 0 takes a free one
    #[arg(
        long,
        env = "CAUDAL_WITNESS_LISTEN",
        default_value = "127.0.0.1:8090",
        value_name = "ADDRESS:PORT"
    )]
    listen: SocketAddr,
    /// The folder of what it has seen. Back it up: a witness that forgot would co-sign anything once
    #[arg(long, value_name = "FOLDER")]
    state: PathBuf,
    /// The witness's own signing key; made where there is none
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The public keys of an installation, as `caudal keys show` says them there; the file's name names the installation;
    /// several with commas between
    #[arg(
        long,
        value_name = "FILE",
        value_delimiter = ',',
        required = true,
        verbatim_doc_comment
    )]
    trust: Vec<PathBuf>,
}

impl Witness {
    pub async fn run(self) -> Result<(), Failure> {
        let witness = Served::new(&self.state, &self.key, self.trust, Arc::new(SystemClock))?;
        let keys = witness.public_keys().to_json()?;
        let (address, server) = witness.listen(self.listen)?;
        say(&keys);
        say(&format!("listening on http://{address}"));
        Ok(server.await?)
    }
}
