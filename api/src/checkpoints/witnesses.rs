//! Asking witnesses to co-sign. A witness that does not answer delays nothing but its own cosignature.

use super::{CheckpointFailure, Checkpoints};
use crate::{
    divergence::diverged,
    witness::protocol::{Accepted, CHECKPOINTS, MAX_ANSWER_BYTES, Refused, Request},
};
use caudal_journal::{Checkpoint, CosignatureError, Fault, LogPoint};
use futures::StreamExt as _;
use reqwest::{Client, Response, StatusCode, Url, header::CONTENT_TYPE};
use std::{fmt, str::FromStr, time::Duration};

/// How long a witness may take to answer: it writes to its disk once.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a witness is asked again from the position that it says it stands at; two nodes may take turns.
const ATTEMPTS: u32 = 3;

/// A witness's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessUrl(Url);

impl FromStr for WitnessUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("a witness is an address like https://witness.example.org, not {text:?}");
        let url: Url = text.trim_end_matches('/').parse().map_err(|_| wrong())?;
        if matches!(url.scheme(), "http" | "https") && url.has_host() {
            Ok(Self(url))
        } else {
            Err(wrong())
        }
    }
}

impl fmt::Display for WitnessUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

/// Why a witness did not co-sign.
#[derive(Debug, thiserror::Error)]
pub enum WitnessFailure {
    #[error("the witness does not answer")]
    Unreachable(#[from] reqwest::Error),
    #[error("the witness answered {status}: {code}")]
    Refused {
        /// The HTTP status.
        status: StatusCode,
        /// The witness's code.
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

/// The witnesses of a node.
#[derive(Clone, Debug, Default)]
pub struct Witnesses {
    urls: Vec<WitnessUrl>,
    client: Client,
}

impl Witnesses {
    /// Witnesses at these addresses.
    ///
    /// # Errors
    /// Where no HTTP client can be made.
    pub fn new(urls: Vec<WitnessUrl>) -> Result<Self, reqwest::Error> {
        crate::tls::choose();
        let client = Client::builder().timeout(PATIENCE).build()?;
        Ok(Self { urls, client })
    }

    /// Their addresses.
    pub fn iter(&self) -> impl Iterator<Item = &WitnessUrl> {
        self.urls.iter()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.urls.is_empty()
    }

    /// Has a witness co-sign a checkpoint, and keeps the cosignature with it. A witness that has co-signed a later one
    /// already co-signs no earlier one, and that is no failure.
    ///
    /// # Errors
    /// Where it does not co-sign. A witness that has seen another log is a divergence.
    pub async fn ask(
        &self,
        checkpoints: &Checkpoints,
        witness: &WitnessUrl,
        checkpoint: &Checkpoint,
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
            let seen = seen.and_then(|text| Checkpoint::from_json(&text).ok());
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

/// What to ask a witness next that has co-signed another checkpoint before; none where that one is a later one.
async fn after(
    checkpoints: &Checkpoints,
    witness: &WitnessUrl,
    checkpoint: &Checkpoint,
    seen: &Checkpoint,
) -> Result<Option<Request>, WitnessFailure> {
    let (journal, tenant) = (&checkpoints.journal, &checkpoint.tenant);
    let keys = checkpoints.public_keys().await?;
    // Only what this installation signed can say anything of its log.
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
        diverged(journal, tenant, &fault, genesis, std::slice::from_ref(seen)).await;
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
        diverged(journal, tenant, &fault, genesis, std::slice::from_ref(seen)).await;
        return Err(WitnessFailure::Diverged(format!("{witness}: {fault}")));
    }
    let request = Request::after(checkpoint, seen.position, &proof.proof);
    Ok(Some(request.map_err(CheckpointFailure::from)?))
}

/// An answer's body, which is a few hundred bytes.
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
