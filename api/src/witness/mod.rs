//! Witness: cosigns checkpoints that extend what it cosigned before. A rewritten or rolled back log gets no
//! cosignature; two roots for one position are stored as evidence.
//!
//! A log is a tenant of an installation; an installation is a file of public keys that the witness's operator trusts.

pub mod protocol;
mod state;

pub use state::StateError;

use actix_web::{
    App, HttpResponse, HttpServer,
    dev::Server,
    http::StatusCode,
    web::{self, Bytes, Data},
};
use caudal_journal::{
    Clock, Cosignature, Hash, KeyError, PublicKeys, SignedCheckpoint, SigningKeys, from_hex, is_consistent,
};
use protocol::{Accepted, CHECKPOINTS, MAX_PROOF, MAX_REQUEST_BYTES, Refused, Request};
use state::{Seen, State};
use std::{
    fs, io,
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Timeout for receiving a request's head.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);
/// Grace period for running requests at shutdown.
const DRAIN_SECONDS: u64 = 10;
/// One worker: a few requests a minute.
const WORKERS: usize = 1;
/// Maximum open connections.
const MAX_CONNECTIONS: usize = 256;
/// Maximum size of a file of public keys, in bytes.
const MAX_KEYS_BYTES: u64 = 1024 * 1024;

/// Code for two signed ends at one position.
const CONFLICT: &str = "conflict";

/// Why a witness can't start.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    #[error("the witness's key")]
    Key(#[from] KeyError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error("{path}: {reason}")]
    Trusted { path: PathBuf, reason: String },
    #[error("the address can't be bound")]
    Bind(#[from] io::Error),
}

pub struct Witness {
    keys: SigningKeys,
    trusted: Vec<PathBuf>,
    clock: Arc<dyn Clock>,
    /// Held while a checkpoint is compared, stored and signed.
    state: Mutex<State>,
}

/// Result of a request.
#[derive(Debug)]
enum Answer {
    Accepted(Accepted),
    Refused(StatusCode, &'static str, Option<Box<SignedCheckpoint>>),
}

fn refused(status: StatusCode, code: &'static str) -> Answer {
    Answer::Refused(status, code, None)
}

impl Witness {
    /// A witness with its own key, created when missing, and its state in a folder. Each file of trusted keys is an
    /// installation, named by the file.
    ///
    /// # Errors
    /// When the key, the folder or a key file can't be read.
    pub fn new(state: &Path, key: &Path, trusted: Vec<PathBuf>, clock: Arc<dyn Clock>) -> Result<Self, WitnessError> {
        let witness = Self {
            keys: SigningKeys::open_or_create(key, clock.now())?,
            trusted,
            clock,
            state: Mutex::new(State::open(state)?),
        };
        witness.installations()?;
        Ok(witness)
    }

    /// Public key of the witness.
    #[must_use]
    pub fn public_keys(&self) -> PublicKeys {
        self.keys.public()
    }

    /// Trusted installations, read at each request: a rotated key is trusted as soon as its file contains it.
    fn installations(&self) -> Result<Vec<(String, PublicKeys)>, WitnessError> {
        let read = |path: &PathBuf| {
            let wrong = |reason: String| WitnessError::Trusted {
                path: path.clone(),
                reason,
            };
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            if name.is_empty() || !name.chars().all(is_plain) {
                return Err(wrong(
                    "its name names the installation: letters, digits, - and _".to_owned(),
                ));
            }
            let size = fs::metadata(path).map_err(|error| wrong(error.to_string()))?.len();
            if size > MAX_KEYS_BYTES {
                return Err(wrong("too large".to_owned()));
            }
            let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
            let keys = PublicKeys::from_json(&text).map_err(|error| wrong(error.to_string()))?;
            Ok((name.to_owned(), keys))
        };
        self.trusted.iter().map(read).collect()
    }

    fn answer(&self, body: &[u8]) -> Result<Answer, WitnessError> {
        let Some((checkpoint, from, proof)) = read(body) else {
            return Ok(refused(StatusCode::BAD_REQUEST, "unreadable"));
        };
        let installations = self.installations()?;
        let signer = installations
            .iter()
            .find(|(_, keys)| checkpoint.check(&checkpoint.tenant, keys).is_ok());
        let Some((installation, _)) = signer else {
            return Ok(refused(StatusCode::FORBIDDEN, "untrusted"));
        };
        let Some(root) = checkpoint.root() else {
            return Ok(refused(StatusCode::UNPROCESSABLE_ENTITY, "no_root"));
        };
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let last = state.last(installation, &checkpoint.tenant)?;
        if let Some(last) = &last {
            if last.checkpoint == checkpoint && last.cosignature.witness == self.keys.current_id() {
                let cosignature = last.cosignature.clone();
                return Ok(Answer::Accepted(Accepted { cosignature }));
            }
            if let Some(code) = contradiction(&last.checkpoint, &checkpoint, root, from, &proof) {
                let (tenant, position) = (&checkpoint.tenant, checkpoint.position);
                // Anyone can send old checkpoints and wrong proofs, but not two signed ends for one position.
                if code == CONFLICT {
                    tracing::error!(installation, %tenant, position, "two histories were signed; both are kept as evidence");
                    state.keep_evidence(installation, &last.checkpoint, &checkpoint)?;
                } else {
                    tracing::warn!(installation, %tenant, position, code, "a checkpoint was not co-signed");
                }
                let last = Box::new(last.checkpoint.clone());
                return Ok(Answer::Refused(StatusCode::CONFLICT, code, Some(last)));
            }
        }
        let seen = Seen {
            cosignature: Cosignature::sign(&self.keys, &checkpoint, self.clock.now()),
            checkpoint,
        };
        match state.keep(installation, &seen) {
            Err(StateError::Full) => Ok(refused(StatusCode::INSUFFICIENT_STORAGE, "too_many_logs")),
            Err(error) => Err(error.into()),
            Ok(()) => Ok(Answer::Accepted(Accepted {
                cosignature: seen.cosignature,
            })),
        }
    }

    /// Starts listening.
    ///
    /// # Errors
    /// When the address can't be bound.
    pub fn listen(self, address: SocketAddr) -> Result<(SocketAddr, Server), WitnessError> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let witness = Data::new(self);
        let server = HttpServer::new(move || {
            App::new()
                .app_data(witness.clone())
                .app_data(web::PayloadConfig::new(MAX_REQUEST_BYTES))
                .route(CHECKPOINTS, web::post().to(cosign))
                .route("/v1/keys", web::get().to(keys))
        })
        .workers(WORKERS)
        .max_connections(MAX_CONNECTIONS)
        .client_request_timeout(HEAD_PATIENCE)
        .shutdown_timeout(DRAIN_SECONDS)
        .listen(listener)?
        .run();
        Ok((address, server))
    }
}

/// Parses a request: checkpoint, previous position, proof.
fn read(body: &[u8]) -> Option<(SignedCheckpoint, Option<i64>, Vec<Hash>)> {
    let request: Request = serde_json::from_slice(body).ok()?;
    let checkpoint = SignedCheckpoint::from_json(&request.checkpoint.to_string()).ok()?;
    if request.proof.len() > MAX_PROOF {
        return None;
    }
    let proof = request.proof.iter().map(|hash| from_hex(hash)).collect::<Option<_>>()?;
    Some((checkpoint, request.from, proof))
}

/// Why a checkpoint is refused after the last one; `None` when it extends it.
fn contradiction(
    last: &SignedCheckpoint,
    next: &SignedCheckpoint,
    root: Hash,
    from: Option<i64>,
    proof: &[Hash],
) -> Option<&'static str> {
    if next.position < last.position {
        return Some("rollback");
    }
    if next.position == last.position {
        return (!next.agrees_with(last)).then_some(CONFLICT);
    }
    if from != Some(last.position) {
        return Some("stale");
    }
    let is_extended = last
        .root()
        .is_some_and(|last_root| is_consistent(last.position, &last_root, next.position, &root, proof));
    (!is_extended).then_some("inconsistent")
}

async fn cosign(witness: Data<Witness>, body: Bytes) -> HttpResponse {
    // Blocking: reads and writes files.
    let answer = web::block(move || witness.answer(&body)).await;
    match answer {
        Ok(Ok(Answer::Accepted(accepted))) => HttpResponse::Ok().json(accepted),
        Ok(Ok(Answer::Refused(status, code, last))) => HttpResponse::build(status).json(Refused {
            code: code.to_owned(),
            last: last
                .and_then(|last| last.to_json().ok())
                .and_then(|text| serde_json::from_str(&text).ok()),
        }),
        Ok(Err(error)) => {
            tracing::error!(%error, "a checkpoint was not co-signed");
            failed()
        }
        Err(error) => {
            tracing::error!(%error, "a checkpoint was not co-signed");
            failed()
        }
    }
}

fn failed() -> HttpResponse {
    HttpResponse::InternalServerError().json(Refused {
        code: "failed".to_owned(),
        last: None,
    })
}

async fn keys(witness: Data<Witness>) -> HttpResponse {
    match witness.public_keys().to_json() {
        Ok(text) => HttpResponse::Ok().content_type("application/json").body(text),
        Err(_) => failed(),
    }
}
