//! Running a command for the caller of a request.

use crate::{
    app::App,
    extract::{BodyDigest, Caller, Language},
    notes::Notes,
    preview::{self, PreviewView},
    problem::ApiError,
    request_id,
};
use actix_web::{FromRequest, HttpMessage as _, HttpRequest, dev::Payload, web::Data};
use caudal_domain::{Answer, Command, Expected};
use caudal_journal::{Credential, MAX_KEY_BYTES, RequestDigest, Submission};
use caudal_projections::{Scope, Snapshot};
use sha2::{Digest as _, Sha256};
use std::{
    fmt::Display,
    future::{Ready, ready},
};

/// Runs commands for the caller. Take it after the gate; it reads the headers only, so the body is left to
/// [`crate::extract::JsonBody`], whose digest it uses to tell requests under one idempotency key apart.
#[derive(Clone)]
pub struct Submit {
    /// Who asks.
    pub caller: Caller,
    /// The node.
    pub app: Data<App>,
    request: HttpRequest,
    key: Option<String>,
    as_of: Option<i64>,
    expected: Option<Expected>,
    previews: bool,
}

/// How often a change is made anew because its thing was changed meanwhile. Each time somebody else's change was done,
/// so that only a storm of them gets that far.
const AMENDMENTS: usize = 8;

/// A command that is durable.
#[derive(Clone, Debug)]
pub struct Done {
    /// What the caller is told.
    pub answer: Answer,
    /// Where the log stood with the command done: what a read that must show it asks for.
    pub position: i64,
    /// Whether it had been done before, under the same idempotency key.
    pub replayed: bool,
}

impl Submit {
    /// Runs a command and waits until the read models show it, so that the handler may read its answer from them.
    /// `X-Ledger-Position` and `Idempotency-Replayed` are set on the answer.
    ///
    /// # Errors
    /// The refusal, or why it could not be run.
    pub async fn run(&self, command: Command) -> Result<Done, ApiError> {
        self.submit(command, None, self.key.clone()).await
    }

    /// As [`Self::run`], setting what a party signs in with from now on in the same commit.
    pub async fn run_with_credential(&self, command: Command, credential: Credential) -> Result<Done, ApiError> {
        self.submit(command, Some(credential), self.key.clone()).await
    }

    /// As [`Self::run`], for one of the several commands of a request: each has a receipt of its own.
    pub async fn run_part(&self, part: impl Display, command: Command) -> Result<Done, ApiError> {
        let key = self.key.as_ref().map(|key| part_key(key, &part.to_string()));
        self.submit(command, None, key).await
    }

    /// The same caller, who confirmed these figures: a command that arrives at others is refused.
    #[must_use]
    pub fn expecting(self, expected: Option<Expected>) -> Self {
        Self { expected, ..self }
    }

    /// Whether commands are only previewed: files are not kept, and nobody is given anything.
    #[must_use]
    pub const fn previews(&self) -> bool {
        self.previews
    }

    /// Says that the answer will be made of the idempotency record alone ([`crate::answers`]).
    pub fn answers_by_record(&self) {
        Notes::answered_by_record(&self.request);
    }

    /// The caller's language.
    #[must_use]
    pub fn language(&self) -> Language {
        Language::of(&self.request)
    }

    /// Makes a change out of what is there: reads, merges and runs a command with the value that it is given. Where the
    /// command's thing was changed by somebody else in between, the command is refused and all of it done again, so that
    /// no change is lost to one that had not seen it.
    ///
    /// Within another amendment it is a part of that one.
    ///
    /// # Errors
    /// Those of the change; 409 where others change it all the time.
    pub async fn amend<T>(&self, change: impl AsyncFn(&Self) -> Result<T, ApiError>) -> Result<T, ApiError> {
        if self.as_of.is_some() {
            return change(self).await;
        }
        let mut left = AMENDMENTS;
        loop {
            let head = self.app.journal.head(&self.caller.tenant).await?;
            let seen = Self {
                as_of: Some(head.position),
                ..self.clone()
            };
            left -= 1;
            match change(&seen).await {
                Err(error) if error.is_changed_meanwhile() && left > 0 => {}
                done => return done,
            }
        }
    }

    /// Reads in the caller's scope, showing what a command did.
    ///
    /// # Errors
    /// 503 where the read models have not got that far; the command is durable all the same.
    pub async fn read_back(&self, done: &Done) -> Result<(Snapshot, Scope), ApiError> {
        let snapshot = self.app.reads.snapshot(&self.caller.tenant, done.position).await?;
        Ok((snapshot, self.caller.scope()))
    }

    /// The same, for one record that is found by its key.
    pub async fn read_record_back(&self, done: &Done) -> Result<(Snapshot, Scope), ApiError> {
        let reads = &self.app.reads;
        let snapshot = reads.record_snapshot(&self.caller.tenant, done.position).await?;
        Ok((snapshot, self.caller.scope()))
    }

    /// Reads in the caller's scope, showing all that was committed until now: for what a partial change leaves as it is.
    ///
    /// # Errors
    /// 503 where the read models have not got that far.
    pub async fn read_now(&self) -> Result<(Snapshot, Scope), ApiError> {
        let position = match self.as_of {
            Some(position) => position,
            None => self.app.journal.head(&self.caller.tenant).await?.position,
        };
        let snapshot = self.app.reads.snapshot(&self.caller.tenant, position).await?;
        Ok((snapshot, self.caller.scope()))
    }

    async fn submit(
        &self,
        command: Command,
        credential: Option<Credential>,
        key: Option<String>,
    ) -> Result<Done, ApiError> {
        let caller = &self.caller;
        if self.app.reads.projector().known_lag(&caller.tenant).is_too_far() {
            return Err(ApiError::unavailable("busy"));
        }
        let changes_callers = matches!(command, Command::Party(..));
        let stream = command.stream().id;
        let submission = Submission {
            actor: caller.actor(),
            command,
            key,
            request_digest: request_digest(&self.request),
            request_id: request_id::of(&self.request),
            credential,
            as_of: self.as_of,
            expected: self.expected,
        };
        if self.previews {
            let previewed = self.app.journal.preview(&caller.tenant, submission).await?;
            Notes::read_at(&self.request, previewed.position);
            let view = PreviewView::of(previewed.preview, self.language());
            return Err(ApiError::previewed(view));
        }
        let outcome = self.app.journal.submit(&caller.tenant, submission).await;
        self.app.writes.note(&outcome);
        let committed = outcome?;
        if changes_callers {
            self.app.callers.forget_tenant(&caller.tenant);
        }
        Notes::committed(&self.request, stream, committed.position, committed.replayed);
        self.app.until_projected(&caller.tenant, committed.position).await;
        if changes_callers {
            self.app.streams.check_sessions(&caller.tenant);
        }
        Ok(Done {
            answer: committed.answer,
            position: committed.position,
            replayed: committed.replayed,
        })
    }
}

/// What tells a request apart from another one under the same idempotency key.
pub fn request_digest(request: &HttpRequest) -> RequestDigest {
    let extensions = request.extensions();
    let body = extensions.get::<BodyDigest>().map_or([0; 32], |digest| digest.0);
    let path = request.path().trim_end_matches('/');
    RequestDigest::of([request.method().as_str().as_bytes(), path.as_bytes(), &body])
}

/// The key under which a request is done once.
///
/// # Errors
/// 422 where the header is no such key: visible characters, not too many.
pub fn key_of(request: &HttpRequest) -> Result<Option<&str>, ApiError> {
    let Some(value) = request.headers().get("idempotency-key") else {
        return Ok(None);
    };
    value
        .to_str()
        .ok()
        .filter(|key| (1..=MAX_KEY_BYTES).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()))
        .map(Some)
        .ok_or_else(|| ApiError::unprocessable("idempotency_key_invalid"))
}

/// The key of a part: never longer than a key may be, and nobody's own key by accident.
fn part_key(key: &str, part: &str) -> String {
    let mut sha = Sha256::new();
    for text in [key, part] {
        sha.update((text.len() as u64).to_be_bytes());
        sha.update(text);
    }
    hex::encode(sha.finalize())
}

impl FromRequest for Submit {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        ready(Self::of(request, payload))
    }
}

impl Submit {
    fn of(request: &HttpRequest, payload: &mut Payload) -> Result<Self, ApiError> {
        let caller = Caller::from_request(request, payload).into_inner()?;
        let key = key_of(request)?.map(str::to_owned);
        let previews = preview::is_asked(request)?;
        Ok(Self {
            caller,
            app: App::of(request)?,
            request: request.clone(),
            key,
            as_of: None,
            expected: None,
            previews,
        })
    }
}
