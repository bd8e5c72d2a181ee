//! Client of witnesses. A witness that does not answer delays its own cosignature only.

use super::{CheckpointFailure, Checkpoints};
use crate::{
    base_url,
    divergence::diverged,
    witness::protocol::{Accepted, CHECKPOINTS, MAX_ANSWER_BYTES, Refused, Request},
};
use caudal_journal::{CosignatureError, Fault, LogPoint, SignedCheckpoint};
use futures::StreamExt as _;
use reqwest::{Client, Response, StatusCode, Url, header::CONTENT_TYPE};
use std::{fmt, str::FromStr, time::Duration};

/// Request timeout of a witness.
const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum requests per checkpoint from the position that the witness reports; nodes may take turns.
const ATTEMPTS: u32 = 3;

/// URL of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessUrl(Url);

impl FromStr for WitnessUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("a witness is an address like https://witness.example.org, not {text:?}");
        base_url::parse(text).map(Self).ok_or_else(wrong)
    }
}

impl fmt::Display for WitnessUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(base_url::text(&self.0))
    }
}

/// Why a witness did not cosign.
#[derive(Debug, thiserror::Error)]
pub enum WitnessFailure {
    #[error("the witness does not answer")]
    Unreachable(#[from] reqwest::Error),
    #[error("the witness answered {status}: {code}")]
    Refused {
        /// HTTP status.
        status: StatusCode,
        /// Code returned by the witness.
        code: String,
    },
    #[error("the witness's answer can't be read")]
    Answer,
    #[error(transparent)]
    Cosignature(#[from] CosignatureError),
    #[error("the witness has seen another log: {0}")]
    Diverged(String),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointFailure),
}

/// Witnesses of a node.
#[derive(Clone, Debug, Default)]
pub struct Witnesses {
    urls: Vec<WitnessUrl>,
    client: Client,
}

impl Witnesses {
    /// Witnesses at these URLs.
    ///
    /// # Errors
    /// When no HTTP client can be created.
    pub fn new(urls: Vec<WitnessUrl>) -> Result<Self, reqwest::Error> {
        crate::tls::choose();
        let client = Client::builder().timeout(PATIENCE).build()?;
        Ok(Self { urls, client })
    }

    pub fn iter(&self) -> impl Iterator<Item = &WitnessUrl> {
        self.urls.iter()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.urls.is_empty()
    }

    /// Requests and stores a cosignature. A witness that has cosigned a later checkpoint refuses an earlier one, which
    /// is no failure.
    ///
    /// # Errors
    /// When the witness does not cosign. A witness that has seen another log is a divergence.
    pub async fn ask(
        &self,
        checkpoints: &Checkpoints,
        witness: &WitnessUrl,
        checkpoint: &SignedCheckpoint,
    ) -> Result<(), WitnessFailure> {
        let mut request = Request::first(checkpoint).map_err(CheckpointFailure::from)?;
        for _ in 0..ATTEMPTS {
            let answer = self
                .client
                .post(format!("{witness}{CHECKPOINTS}"))
                .header(CONTENT_TYPE, "application/json")
                .body(serde_json::to_vec(&request).map_err(CheckpointFailure::from)?)
                .send()
                .await?;
            let status = answer.status();
            let body = limited(answer).await?;
            if status.is_success() {
                let accepted: Accepted = serde_json::from_slice(&body).map_err(|_| WitnessFailure::Answer)?;
                accepted.cosignature.check(checkpoint)?;
                checkpoints.keep_cosignature(checkpoint, &accepted.cosignature).await?;
                return Ok(());
            }
            let refused: Refused = serde_json::from_slice(&body).map_err(|_| WitnessFailure::Answer)?;
            let seen = refused.last.as_ref().map(ToString::to_string);
            let seen = seen.and_then(|text| SignedCheckpoint::from_json(&text).ok());
            let (StatusCode::CONFLICT, Some(seen)) = (status, seen) else {
                let code = refused.code;
                return Err(WitnessFailure::Refused { status, code });
            };
            match after(checkpoints, witness, checkpoint, &seen).await? {
                Some(next) => request = next,
                None => return Ok(()),
            }
        }
        Err(WitnessFailure::Answer)
    }
}

/// Next request to a witness that has cosigned another checkpoint; `None` when that one is later.
async fn after(
    checkpoints: &Checkpoints,
    witness: &WitnessUrl,
    checkpoint: &SignedCheckpoint,
    seen: &SignedCheckpoint,
) -> Result<Option<Request>, WitnessFailure> {
    let (journal, tenant) = (&checkpoints.journal, &checkpoint.tenant);
    let generation = journal.history_generation(tenant);
    let keys = checkpoints.public_keys().await?;
    // Only a checkpoint of this installation says anything about its log.
    seen.check(tenant, &keys).map_err(|_| WitnessFailure::Answer)?;
    if checkpoints.is_given_up(tenant, seen).await? {
        return Err(WitnessFailure::Diverged(format!(
            "position {} of a history that was given up; its operator must begin this log's witnessing again",
            seen.position
        )));
    }
    let genesis = LogPoint::genesis(tenant.as_str());
    let fault = journal.compare(tenant, std::slice::from_ref(seen)).await;
    if let Some(fault) = fault.map_err(CheckpointFailure::from)? {
        diverged(journal, tenant, generation, &fault, genesis, std::slice::from_ref(seen)).await;
        return Err(WitnessFailure::Diverged(format!("{witness}: {fault}")));
    }
    if seen.position > checkpoint.position {
        return Ok(None);
    }
    let proof = journal
        .consistency_proof(tenant, seen.position, checkpoint.position)
        .await;
    let proof = proof.map_err(CheckpointFailure::from)?;
    if seen.root().is_some_and(|root| root != proof.from_root) {
        let fault = Fault::RootChanged {
            position: seen.position,
        };
        diverged(journal, tenant, generation, &fault, genesis, std::slice::from_ref(seen)).await;
        return Err(WitnessFailure::Diverged(format!("{witness}: {fault}")));
    }
    let request = Request::after(checkpoint, seen.position, &proof.proof);
    Ok(Some(request.map_err(CheckpointFailure::from)?))
}

/// Body of an answer, limited to some hundred bytes.
async fn limited(answer: Response) -> Result<Vec<u8>, WitnessFailure> {
    let mut body = Vec::new();
    let mut parts = answer.bytes_stream();
    while let Some(part) = parts.next().await {
        body.extend_from_slice(&part?);
        if body.len() > MAX_ANSWER_BYTES {
            return Err(WitnessFailure::Answer);
        }
    }
    Ok(body)
}
