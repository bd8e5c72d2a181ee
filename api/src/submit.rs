//! Execution of commands for a request's caller.

use crate::{
    app::App,
    auth::callers::permitted,
    extract::{BodyDigest, Caller, Language},
    figures::{self, PreviewView},
    fresh_code,
    limits::{customers_of, with_documents},
    notes::Notes,
    preview,
    problem::ApiError,
    request_id,
    screening::{of_change, of_sale},
};
use actix_web::{FromRequest, HttpMessage as _, HttpRequest, dev::Payload, web::Data};
use caudal_domain::{
    Actor, Answer, Command, Expected, Preview, TenantState,
    approval::ProposalCommand,
    ids::{CustomerId, PartyId, ProposalId},
};
use caudal_journal::{Credential, MAX_KEY_BYTES, RequestDigest, Submission, SubmitError, WithCauses};
use caudal_projections::{
    ReadTransaction, Scope, proposal,
    refs::{self, Ref},
};
use sha2::{Digest as _, Sha256};
use std::{
    collections::{BTreeSet, HashMap},
    fmt::Display,
    future::{Ready, ready},
};
use uuid::Uuid;

/// Runs commands for the caller. An extractor that reads headers only; the digest of [`crate::extract::JsonBody`]
/// distinguishes requests under one idempotency key.
#[derive(Clone)]
pub struct Submit {
    pub caller: Caller,
    pub app: Data<App>,
    request: HttpRequest,
    key: Option<String>,
    as_of: Option<i64>,
    expected: Option<Expected>,
    previews: bool,
}

/// Maximum retries of a change whose record was changed concurrently.
const AMENDMENTS: usize = 8;

/// A durable command.
#[derive(Clone, Debug)]
pub struct Done {
    pub answer: Answer,
    /// Log position after the command: the minimum for reads that must show it.
    pub position: i64,
    /// Whether it was replayed from its idempotency record.
    pub replayed: bool,
}

impl Submit {
    /// Runs a command; durable when this returns. The read models show it soon after: [`Self::read_back`] waits for that,
    /// as do the caller's queries. Sets `X-Ledger-Position` and `Idempotency-Replayed` on the answer.
    ///
    /// # Errors
    /// The refusal, or why it could not be run.
    pub async fn run(&self, command: Command) -> Result<Done, ApiError> {
        self.submit(command, None, self.key.clone()).await
    }

    /// [`Self::run`] with a credential set in the same commit.
    pub async fn run_with_credential(&self, command: Command, credential: Credential) -> Result<Done, ApiError> {
        self.submit(command, Some(credential), self.key.clone()).await
    }

    /// [`Self::run`] for one of several commands of a request, each with its own idempotency record.
    pub async fn run_part(&self, part: impl Display, command: Command) -> Result<Done, ApiError> {
        let key = self.key.as_ref().map(|key| part_key(key, &part.to_string()));
        self.submit(command, None, key).await
    }

    /// What an earlier sending of the request did, or proposed, under its own idempotency key; `None` for a new key, and for a preview.
    /// Keys are looked up before a command is decided, so the given one must be a command that is always refused: it leaves a new
    /// key unused.
    ///
    /// # Errors
    /// 422 `idempotency_key_reused` for the key of another request; why the key could not be looked up.
    pub async fn repeats(&self, refused: Command) -> Result<Option<Done>, ApiError> {
        if self.previews || self.key.is_none() {
            return Ok(None);
        }
        let stream = refused.stream().id;
        let submission = self.submission(refused, None, self.key.clone()).await?;
        match self.app.journal.submit(&self.caller.tenant, submission).await {
            Ok(committed) => {
                Notes::committed(&self.request, stream, committed.position, committed.replayed);
                Ok(Some(Done {
                    answer: committed.answer,
                    position: committed.position,
                    replayed: committed.replayed,
                }))
            }
            Err(SubmitError::Refused(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives a command that follows from a decision which the caller has just approved, in the name of the decision's maker. Where
    /// a rule covers it, its proposal is approved by the caller at once: two persons have decided it.
    ///
    /// # Errors
    /// Why it could not be run; a refusal where it has become impossible.
    pub async fn run_entailed(&self, maker: PartyId, part: impl Display, command: Command) -> Result<(), ApiError> {
        let tenant = &self.caller.tenant;
        let submission = Submission {
            actor: Actor::Party(maker),
            api_key: None,
            ..self.submission(command.clone(), None, None).await?
        };
        self.app.checkpoints.compare_before_writing(tenant).await;
        let outcome = self.app.journal.submit(tenant, submission).await;
        self.app.writes.note(&outcome);
        let committed = outcome?;
        self.app.wrote(tenant, self.caller.session, committed.position);
        if let Some(proposed) = committed.answer.proposal {
            let approve = ProposalCommand::Approve(Box::new(command));
            self.run_part(part, Command::Proposal(proposed.id, approve)).await?;
        }
        Ok(())
    }

    /// Decides a command without an effect, before something is stored beside the log for it.
    ///
    /// # Errors
    /// The refusal that [`Self::run`] would answer.
    pub async fn check(&self, command: Command) -> Result<(), ApiError> {
        let submission = self.submission(command, None, None).await?;
        self.app.journal.preview(&self.caller.tenant, submission).await?;
        Ok(())
    }

    /// Adds confirmed figures: a command that results in others is refused.
    #[must_use]
    pub fn expecting(self, expected: Option<Expected>) -> Self {
        Self { expected, ..self }
    }

    /// Whether commands are only previewed: files must not be stored, nor anything assigned.
    #[must_use]
    pub const fn previews(&self) -> bool {
        self.previews
    }

    /// Whether the request has an idempotency key.
    #[must_use]
    pub const fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// Declares that the answer derives from the idempotency record alone ([`crate::answers`]).
    pub fn answers_by_record(&self) {
        Notes::answered_by_record(&self.request);
    }

    #[must_use]
    pub fn language(&self) -> Language {
        Language::of(&self.request)
    }

    /// Read-modify-write: reads, merges and runs a command with the given value. If the record was changed
    /// concurrently, the command is refused and the whole change repeated, which prevents lost updates.
    ///
    /// Nested amendments are part of the outer one.
    ///
    /// # Errors
    /// Those of the change; 409 under permanent contention.
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

    /// [`Self::run`] for a command that replaces or removes a record as it is now. If it waits for an approval, a later change of
    /// the record makes the proposal outdated.
    pub async fn run_as_read(&self, command: Command) -> Result<Done, ApiError> {
        self.amend(async |submit| submit.run(command.clone()).await).await
    }

    /// Reads in the caller's scope, including a command's effect.
    ///
    /// # Errors
    /// 503 when the read models lag; the command is durable all the same.
    pub async fn read_back(&self, done: &Done) -> Result<(ReadTransaction, Scope), ApiError> {
        self.app.until_projected(&self.caller.tenant, done.position).await;
        let transaction = self.app.reads.begin(&self.caller.tenant, done.position).await?;
        Ok((transaction, self.caller.scope()))
    }

    /// [`Self::read_back`] for one record by key.
    pub async fn read_record_back(&self, done: &Done) -> Result<(ReadTransaction, Scope), ApiError> {
        self.app.until_projected(&self.caller.tenant, done.position).await;
        let reads = &self.app.reads;
        let transaction = reads.begin_for_record(&self.caller.tenant, done.position).await?;
        Ok((transaction, self.caller.scope()))
    }

    /// Reads in the caller's scope everything committed so far, as the basis of a partial change.
    ///
    /// # Errors
    /// 503 when the read models lag.
    pub async fn read_now(&self) -> Result<(ReadTransaction, Scope), ApiError> {
        let position = match self.as_of {
            Some(position) => position,
            None => self.app.journal.head(&self.caller.tenant).await?.position,
        };
        let transaction = self.app.reads.begin(&self.caller.tenant, position).await?;
        Ok((transaction, self.caller.scope()))
    }

    /// The owners of a preview's accounts whose balances the caller sees, as far as the read models have them.
    async fn owners(&self, preview: &Preview) -> Result<HashMap<Uuid, Ref>, ApiError> {
        let ids: BTreeSet<Uuid> = figures::shown_owners(preview).collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let mut transaction = self.app.reads.begin_for_record(&self.caller.tenant, 0).await?;
        Ok(refs::named(&mut transaction, ids).await?)
    }

    /// The answer of a command that waits for its approval.
    async fn proposed(&self, done: &Done) -> ApiError {
        // It shows the row, which changes: only the first answer is equal to itself.
        Notes::answered_by_row(&self.request);
        let found = async {
            let (mut transaction, scope) = self.read_record_back(done).await?;
            let id = ProposalId(done.answer.id);
            Ok::<_, ApiError>(proposal::get_proposal(&mut transaction, &scope, id, self.app.now()).await?)
        };
        match found.await {
            Ok(found) => ApiError::proposed(found, done.position),
            Err(error) => error,
        }
    }

    /// Whether a login has access; true for none.
    async fn is_admitted(&self, login: Option<PartyId>) -> Result<bool, ApiError> {
        let Some(party) = login else { return Ok(true) };
        let (state, _) = self.app.journal.state(&self.caller.tenant).await?;
        let is_active = state.party(party).is_some_and(|party| party.is_active);
        Ok(is_active && permitted(&state, party, self.app.now()).is_ok())
    }

    /// Whether a command that asks for a fresh code is to be refused. Looked up only where the tenant's rule has such
    /// commands; previews have no effect.
    async fn lacks_code(&self) -> Result<bool, ApiError> {
        let (app, caller) = (&self.app, &self.caller);
        if self.previews || caller.second_factors.is_empty() {
            return Ok(false);
        }
        let (state, _) = app.journal.state(&caller.tenant).await?;
        if state.second_factor_rule().code_from.is_none() {
            return Ok(false);
        }
        fresh_code::is_lacking(app, caller).await
    }

    async fn submission(
        &self,
        command: Command,
        credential: Option<Credential>,
        key: Option<String>,
    ) -> Result<Submission, ApiError> {
        Ok(Submission {
            actor: self.caller.actor(),
            api_key: self.caller.api_key,
            command,
            key,
            request_digest: request_digest(&self.request),
            request_id: request_id::of(&self.request),
            credential,
            as_of: self.as_of,
            presumes_no_checks: false,
            expected: self.expected,
            lacks_code: self.lacks_code().await?,
        })
    }

    async fn submit(
        &self,
        command: Command,
        credential: Option<Credential>,
        key: Option<String>,
    ) -> Result<Done, ApiError> {
        let tenant = &self.caller.tenant;
        if self.app.reads.projector().known_lag(tenant).is_too_far() {
            return Err(ApiError::unavailable("busy"));
        }
        // The decision checks that there is no rule that this node does not know of: most sales cost no read of the state.
        let known_to_check = || self.app.journal.known_state(tenant, TenantState::checks_customers);
        if !of_sale(&command).is_empty() && known_to_check() == Some(false) {
            let submission = Submission {
                presumes_no_checks: true,
                ..self
                    .submission(command.clone(), credential.clone(), key.clone())
                    .await?
            };
            match self.give(submission, &[]).await {
                Err(error) if error.is_changed_meanwhile() => {}
                done => return done,
            }
        }
        let sold = customers_of(&self.app, tenant, &command).await?;
        let command = with_documents(&self.app, tenant, command, &sold).await?;
        let submission = self.submission(command, credential, key).await?;
        self.give(submission, &sold).await
    }

    /// Runs a submission, or previews it. These customers are screened first.
    async fn give(&self, submission: Submission, sold: &[CustomerId]) -> Result<Done, ApiError> {
        let caller = &self.caller;
        let command = &submission.command;
        // A tenant's rule of second factors is one of them.
        let changes_callers = matches!(command, Command::Party(..) | Command::Tenant(_) | Command::Proposal(..));
        let stream = command.stream().id;
        let changed = of_change(command);
        let login = login_of(command);
        let was_admitted = self.is_admitted(login).await?;
        if self.previews {
            let previewed = self.app.journal.preview(&caller.tenant, submission).await?;
            Notes::read_at(&self.request, previewed.position);
            let owners = self.owners(&previewed.preview).await?;
            let view = PreviewView::of(previewed.preview, &owners, self.language());
            return Err(ApiError::previewed(view));
        }
        self.app.screen(&caller.tenant, sold).await?;
        self.app.checkpoints.compare_before_writing(&caller.tenant).await;
        let outcome = self.app.journal.submit(&caller.tenant, submission).await;
        self.app.writes.note(&outcome);
        let committed = outcome?;
        if let Some(party) = login
            && !(was_admitted && self.is_admitted(login).await?)
        {
            // At the end of an access and again at its return, should a node die between the commit and the end of the sessions.
            self.app.sessions.end_all(&caller.tenant, party, self.app.now()).await?;
        }
        if changes_callers {
            self.app.callers.forget_tenant(&caller.tenant);
        }
        Notes::committed(&self.request, stream, committed.position, committed.replayed);
        self.app.wrote(&caller.tenant, caller.session, committed.position);
        if changes_callers {
            // Sessions are checked against the read models.
            self.app.until_projected(&caller.tenant, committed.position).await;
            self.app.streams.check_sessions(&caller.tenant);
        }
        if let (Some(customer), false) = (changed, committed.replayed) {
            // A failure is no refusal: sales screen again, and so does the next run.
            if let Err(error) = self.app.screen(&caller.tenant, &[customer]).await {
                tracing::warn!(error = %WithCauses(&error), "a changed customer was not screened; the next sale does it");
            }
        }
        let done = Done {
            answer: committed.answer,
            position: committed.position,
            replayed: committed.replayed,
        };
        match done.answer.proposal {
            None => Ok(done),
            // The handler stops here: nothing took effect that it could answer with.
            Some(_) => Err(self.proposed(&done).await),
        }
    }
}

/// The party whose login a command changes.
fn login_of(command: &Command) -> Option<PartyId> {
    match command {
        Command::Party(id, _) => Some(*id),
        Command::Proposal(_, ProposalCommand::Approve(proposed)) => login_of(proposed),
        _ => None,
    }
}

/// Digest of a request under an idempotency key.
pub fn request_digest(request: &HttpRequest) -> RequestDigest {
    let extensions = request.extensions();
    let body = extensions.get::<BodyDigest>().map_or([0; 32], |digest| digest.0);
    let path = request.path().trim_end_matches('/');
    RequestDigest::of([request.method().as_str().as_bytes(), path.as_bytes(), &body])
}

/// Idempotency key of a request.
///
/// # Errors
/// 422 for an invalid key: visible characters up to the maximum length.
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

/// Idempotency key of a part: within the length limit, and distinct from clients' keys.
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
