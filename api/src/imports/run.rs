//! The task of every node: previews and runs, some rows at a time.
//!
//! | Phase | What |
//! |---|---|
//! | look | imports of all tenants that wait for a node |
//! | hold | one import, by its row |
//! | plan | rows become commands |
//! | decide | a preview rehearses them; a run submits them, in order, some at a time |
//! | note | outcomes and progress in one transaction |
//!
//! A node that is killed between submitting and noting leaves rows that are submitted again, under the same keys: the log
//! answers with what was done.

use super::{
    kinds::{self, Plan, Setting, Step},
    known::Known,
    mapping::Mapping,
    reader::RawRow,
    store::{CHUNK, Due, Import, ImportState, Outcome, RowError, RowResult, StoreError},
};
use crate::app::App;
use actix_web::web::Data;
use caudal_domain::{
    Actor, Books, Command, Preview, Refusal,
    ids::{PartyId, TenantId},
    party::{Party, Role},
};
use caudal_journal::{Committed, Rehearsal, RequestDigest, Submission, SubmitError, WithCauses};
use futures::future::join_all;
use sha2::{Digest as _, Sha256};
use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{sync::watch, task::JoinSet};
use uuid::Uuid;

/// Poll interval.
const ROUND: Duration = Duration::from_millis(500);
/// Imports at work per node: each takes a share of the writer's batches.
const MAX_AT_WORK: usize = 2;
/// Rows submitted together: with some commands each they fill half a batch of the writer, so that others' commands find a
/// place in every batch.
const ROWS_TOGETHER: usize = 16;
/// Pause before rows are submitted again that met a busy or unavailable writer.
const PAUSE: Duration = Duration::from_millis(500);
/// Maximum repetitions of that; the import is then left to a later round.
const MAX_REPETITIONS: u32 = 20;
/// Interval of erasing contents whose retention has ended.
const ERASING: Duration = Duration::from_secs(3_600);

/// Why a pass was interrupted; another round goes on.
#[derive(Debug, thiserror::Error)]
enum Interrupted {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the tenant's log")]
    Submit(#[from] SubmitError),
}

type Busy = Arc<Mutex<HashSet<Due>>>;

/// Works on imports until `stop` turns true. What is under way is given up: the next node goes on.
pub async fn run(app: Data<App>, mut stop: watch::Receiver<bool>) {
    let mut at_work = JoinSet::new();
    let busy: Busy = Arc::default();
    let rounds = async {
        let mut erased_at: Option<tokio::time::Instant> = None;
        loop {
            if erased_at.is_none_or(|at| at.elapsed() > ERASING) {
                erase(&app).await;
                erased_at = Some(tokio::time::Instant::now());
            }
            while at_work.try_join_next().is_some() {}
            match app.imports.due(MAX_AT_WORK as i64).await {
                Ok(due) => begin(&app, due, &busy, &mut at_work),
                Err(error) => {
                    tracing::warn!(error = %WithCauses(&error), "imports can't be looked at; they are again in a moment");
                }
            }
            tokio::time::sleep(ROUND).await;
        }
    };
    tokio::select! {
        _ = stop.wait_for(|stop| *stop) => {}
        () = rounds => {}
    }
    at_work.shutdown().await;
}

async fn erase(app: &App) {
    let tenants = match app.journal.tenants().await {
        Ok(tenants) => tenants,
        Err(error) => {
            tracing::warn!(error = %WithCauses(&error), "old imports are not erased; they are in an hour");
            return;
        }
    };
    for tenant in tenants {
        if let Err(error) = app.imports.erase_old(&tenant, app.now()).await {
            tracing::warn!(%tenant, error = %WithCauses(&error), "old imports are not erased; they are in an hour");
        }
    }
}

/// Frees an import when its pass ends, also by a panic.
struct Freed(Busy, Due);

impl Drop for Freed {
    fn drop(&mut self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}

fn begin(app: &Data<App>, due: Vec<Due>, busy: &Busy, at_work: &mut JoinSet<()>) {
    for due in due {
        if at_work.len() >= MAX_AT_WORK {
            return;
        }
        if !busy.lock().unwrap_or_else(PoisonError::into_inner).insert(due.clone()) {
            continue;
        }
        let freed = Freed(busy.clone(), due.clone());
        let app = app.clone();
        at_work.spawn(async move {
            let _freed = freed;
            if let Err(error) = pass(&app, &due).await {
                let Due { tenant, id } = &due;
                tracing::warn!(%tenant, %id, error = %WithCauses(&error), "an import is interrupted; it goes on soon");
            }
        });
    }
}

/// Works on an import until it is done, interrupted, or no longer held.
async fn pass(app: &App, due: &Due) -> Result<(), Interrupted> {
    let Some(import) = app.imports.hold(due).await? else {
        return Ok(());
    };
    let (from, done, stopped) = match import.state {
        ImportState::Previewing => (ImportState::Previewing, ImportState::Previewed, ImportState::Mapping),
        _ => (ImportState::Running, ImportState::Done, ImportState::Paused),
    };
    let (to, failure, summary) = match work(app, due, &import).await {
        Ok(Ended::Finished(summary)) => (done, None, summary),
        Ok(Ended::Lost) => (from, None, None),
        Ok(Ended::Stopped(code)) => (stopped, Some(code), None),
        // The hold ends by itself, so that the next try is not at once.
        Err(error) => return Err(error),
    };
    app.imports.release(due, from, to, failure, summary, app.now()).await?;
    Ok(())
}

enum Ended {
    Finished(Option<serde_json::Value>),
    /// It was paused or canceled, or another node has it.
    Lost,
    /// It can't go on without somebody's change.
    Stopped(&'static str),
}

/// Who imports, and for whom.
struct Acting {
    maker: Party,
    /// Owner of customers; named as the seller by a manager.
    owner: PartyId,
    /// Whose balance the rows move.
    seller: PartyId,
}

/// The maker as of now: the rules decide with every command what he may do.
fn acting(books: &Books, import: &Import, mapping: &Mapping) -> Result<Acting, &'static str> {
    let maker = books.party(PartyId(import.maker)).filter(|maker| maker.is_active);
    let maker = maker.cloned().ok_or("account_inactive")?;
    let (owner, seller) = match (maker.role, mapping.owner) {
        (Role::Manager, Some(owner)) => (PartyId(owner), PartyId(owner)),
        (Role::Manager, None) => return Err("import_owner_required"),
        _ => (maker.agency.unwrap_or(maker.id), maker.seller()),
    };
    Ok(Acting { maker, owner, seller })
}

/// A row with its commands.
struct Planned {
    row: i32,
    line: u32,
    plan: Result<Plan, Vec<RowError>>,
}

impl Planned {
    fn steps(&self) -> &[Step] {
        match &self.plan {
            Ok(Plan::Commands(steps)) => steps,
            _ => &[],
        }
    }
}

fn plan_row(row: i32, raw: &RawRow, import: &Import, mapping: &Mapping, setting: &mut Setting<'_>) -> Planned {
    let at = |errors: Vec<caudal_domain::FieldError>| {
        let place = |error: caudal_domain::FieldError| {
            let column = mapping.column_of(import.kind, &error.field);
            RowError::of(error, column)
        };
        errors.into_iter().map(place).collect::<Vec<_>>()
    };
    // Rows are told apart by their place in the file, which mending does not change.
    let number = u32::try_from(row).unwrap_or_default();
    let plan = mapping.values(import.kind, raw).and_then(|values| {
        let planned = import.kind.rules().plan(number, &values, setting);
        planned.map_err(kinds::errors_of)
    });
    Planned {
        row,
        line: raw.number,
        plan: plan.map_err(at),
    }
}

/// A command's submission: its key is made of the import, which is the file's, and the row or record.
fn submission(import: &Import, row: i32, step: &Step) -> Submission {
    // A customer is registered once per file, whichever row comes first.
    let is_own = matches!(step.command, Command::Remittance(..));
    let part = if is_own {
        format!("{row}/{}", step.part)
    } else {
        step.part.clone()
    };
    let digest = Sha256::new_with_prefix(import.id.as_bytes())
        .chain_update(&part)
        .finalize();
    Submission {
        key: Some(hex::encode(digest)),
        request_digest: RequestDigest::of([b"import".as_slice(), import.id.as_bytes(), part.as_bytes()]),
        ..Submission::of(Actor::Party(PartyId(import.maker)), step.command.clone())
    }
}

fn refused(import: &Import, mapping: &Mapping, refusal: Refusal) -> Outcome {
    let errors = kinds::errors_of(refusal).into_iter();
    let errors = errors.map(|error| {
        let column = mapping.column_of(import.kind, &error.field);
        RowError::of(error, column)
    });
    Outcome {
        result: RowResult::Refused,
        errors: errors.collect(),
        record: None,
        code: None,
        balance: None,
    }
}

fn waiting() -> Outcome {
    Outcome {
        result: RowResult::Waiting,
        errors: Vec::new(),
        record: None,
        code: None,
        balance: None,
    }
}

/// Outcome of a row that needs no command.
fn without_commands(planned: &Planned) -> Option<Outcome> {
    let (result, errors, record) = match &planned.plan {
        Err(errors) => (RowResult::Refused, errors.clone(), None),
        Ok(Plan::There(id)) => (RowResult::There, Vec::new(), Some(*id)),
        Ok(Plan::Commands(_)) => return None,
    };
    Some(Outcome {
        result,
        errors,
        record,
        code: None,
        balance: None,
    })
}

/// Ids that a row's refused step would have opened: later rows must not rely on them.
fn opened(step: &Step) -> Uuid {
    match &step.command {
        Command::Customer(_, caudal_domain::customer::CustomerCommand::AddCard(add)) => add.card.0,
        command => command.stream().id,
    }
}

async fn work(app: &App, due: &Due, import: &Import) -> Result<Ended, Interrupted> {
    let Some(details) = &import.details else {
        return Ok(Ended::Stopped("import_erased"));
    };
    let mapping = &details.mapping;
    let (books, head) = app.journal.books(&due.tenant).await?;
    let acting = match acting(&books, import, mapping) {
        Ok(acting) => acting,
        Err(code) => return Ok(Ended::Stopped(code)),
    };
    let known = Known::load(app, &due.tenant, acting.owner, head.position).await?;
    let mut worker = Worker {
        app,
        due,
        import,
        mapping,
        acting,
        books,
        known,
    };
    match import.state {
        ImportState::Previewing => worker.preview().await,
        _ => worker.run().await,
    }
}

struct Worker<'a> {
    app: &'a App,
    due: &'a Due,
    import: &'a Import,
    mapping: &'a Mapping,
    acting: Acting,
    books: Books,
    known: Known,
}

/// The seller's balances before the first row and after the last, by currency.
#[derive(Default)]
struct Balances(BTreeMap<String, (String, String)>);

impl Balances {
    /// The seller's balance after a row, if the row moves it.
    fn after(&mut self, preview: &Preview, seller: PartyId) -> Option<(String, String)> {
        let mut last = None;
        for side in preview
            .transfers
            .iter()
            .flat_map(|transfer| [transfer.debit, transfer.credit])
        {
            if side.account.owner != Some(seller) {
                continue;
            }
            if let Some((before, after)) = side.balance {
                let currency = side.account.currency.to_string();
                // A seller's account is told as what the seller has: credits less debits.
                let (before, after) = ((-before).to_string(), (-after).to_string());
                let entry = self
                    .0
                    .entry(currency.clone())
                    .or_insert_with(|| (before, after.clone()));
                entry.1.clone_from(&after);
                last = Some((after, currency));
            }
        }
        last
    }

    fn summary(&self) -> serde_json::Value {
        let ends = self.0.iter().map(
            |(currency, (begins, ends))| serde_json::json!({"currency": currency, "begins": begins, "ends": ends}),
        );
        serde_json::Value::Array(ends.collect())
    }
}

impl Worker<'_> {
    fn tenant(&self) -> &TenantId {
        &self.due.tenant
    }

    fn plan(&mut self, row: i32, raw: &RawRow) -> Planned {
        let mut setting = Setting {
            tenant: &self.due.tenant,
            import: self.import.id,
            books: &self.books,
            maker: &self.acting.maker,
            owner: self.acting.owner,
            known: &mut self.known,
        };
        plan_row(row, raw, self.import, self.mapping, &mut setting)
    }

    async fn preview(&mut self) -> Result<Ended, Interrupted> {
        let mut rehearsal = self.app.journal.rehearse(self.tenant()).await?;
        let mut balances = Balances::default();
        for chunk in 0..chunks(self.import.rows) {
            let rows = self.app.imports.chunk(self.tenant(), self.import.id, chunk).await?;
            let ended: HashSet<i32> = self.ended(chunk).await?;
            let mut outcomes = Vec::with_capacity(rows.len());
            for (row, raw) in (chunk * CHUNK..).zip(&rows) {
                if ended.contains(&row) {
                    continue;
                }
                let planned = self.plan(row, raw);
                let outcome = match without_commands(&planned) {
                    Some(outcome) => outcome,
                    None => self.rehearse(&mut rehearsal, &planned, &mut balances).await?,
                };
                outcomes.push((row, planned.line, outcome));
            }
            let next = ((chunk + 1) * CHUNK).min(self.import.rows);
            let noted = self
                .app
                .imports
                .note(self.due, ImportState::Previewing, next, &outcomes);
            if !noted.await? {
                return Ok(Ended::Lost);
            }
        }
        Ok(Ended::Finished(Some(balances.summary())))
    }

    async fn rehearse(
        &mut self,
        rehearsal: &mut Rehearsal,
        planned: &Planned,
        balances: &mut Balances,
    ) -> Result<Outcome, Interrupted> {
        let submissions: Vec<_> = planned
            .steps()
            .iter()
            .map(|step| submission(self.import, planned.row, step))
            .collect();
        rehearsal.prefetch(&submissions).await?;
        let (mut last, mut waits) = (None, false);
        for (place, (step, submission)) in planned.steps().iter().zip(&submissions).enumerate() {
            match rehearsal.decide(submission).await {
                Ok(preview) => {
                    if preview.approval.is_some() {
                        self.known.forget(&[opened(step)]);
                        waits = true;
                        if place + 1 < submissions.len() {
                            break;
                        }
                    }
                    last = Some(preview);
                }
                Err(SubmitError::Refused(refusal)) => {
                    self.forget_from(planned, place);
                    return Ok(refused(self.import, self.mapping, refusal));
                }
                Err(error) => return Err(error.into()),
            }
        }
        if waits {
            return Ok(waiting());
        }
        let balance = last
            .as_ref()
            .and_then(|preview| balances.after(preview, self.acting.seller));
        Ok(Outcome {
            result: RowResult::Added,
            errors: Vec::new(),
            record: None,
            code: None,
            balance,
        })
    }

    /// Later rows can't rely on what a row's refused step, and those after it, would have opened.
    fn forget_from(&mut self, planned: &Planned, place: usize) {
        let opened: Vec<Uuid> = planned.steps().iter().skip(place).map(opened).collect();
        self.known.forget(&opened);
    }

    async fn ended(&self, chunk: i32) -> Result<HashSet<i32>, StoreError> {
        let ended = self.app.imports.ended(self.tenant(), self.import.id, chunk).await?;
        Ok(ended.into_iter().collect())
    }

    async fn run(&mut self) -> Result<Ended, Interrupted> {
        for chunk in self.import.next_row / CHUNK..chunks(self.import.rows) {
            let rows = self.app.imports.chunk(self.tenant(), self.import.id, chunk).await?;
            let ended = self.ended(chunk).await?;
            let rows: Vec<_> = (chunk * CHUNK..).zip(rows).collect();
            for together in rows.chunks(ROWS_TOGETHER) {
                self.until_not_behind().await?;
                let mut outcomes = Vec::with_capacity(together.len());
                let todo: Vec<_> = together.iter().filter(|(row, _)| !ended.contains(row)).collect();
                self.submit(&todo, &mut outcomes).await?;
                let next = together.last().map_or(0, |(row, _)| row + 1);
                if !self
                    .app
                    .imports
                    .note(self.due, ImportState::Running, next, &outcomes)
                    .await?
                {
                    return Ok(Ended::Lost);
                }
            }
        }
        Ok(Ended::Finished(None))
    }

    /// Waits while the read models are far behind: others' reads come first.
    async fn until_not_behind(&self) -> Result<(), Interrupted> {
        for _ in 0..MAX_REPETITIONS {
            if !self.app.reads.projector().known_lag(self.tenant()).is_too_far() {
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err(Interrupted::Submit(SubmitError::Busy { retry_after: PAUSE }))
    }

    /// Submits rows together, in order. After a refusal, the rows behind it that relied on what was refused are planned and
    /// submitted again, one by one.
    async fn submit(
        &mut self,
        rows: &[&(i32, RawRow)],
        outcomes: &mut Vec<(i32, u32, Outcome)>,
    ) -> Result<(), Interrupted> {
        self.app.checkpoints.compare_before_writing(self.tenant()).await;
        let planned: Vec<Planned> = rows.iter().map(|(row, raw)| self.plan(*row, raw)).collect();
        let results = join_all(planned.iter().map(|planned| self.submit_row(planned))).await;
        let mut lost = HashSet::new();
        for ((planned, results), (row, raw)) in planned.iter().zip(results).zip(rows) {
            let relies = planned.steps().iter().any(|step| {
                let reads = step.command.reads().into_iter();
                let mut reads = reads.chain([step.command.stream()]);
                reads.any(|id| lost.contains(&id.id))
            });
            let outcome = match results {
                Ok(results) if !relies => self.outcome(planned, results, &mut lost),
                // One by one, and again after a moment: the writer was busy, or an outcome was lost.
                _ => self.alone(*row, raw, &mut lost).await?,
            };
            outcomes.push((*row, raw.number, outcome));
        }
        Ok(())
    }

    async fn submit_row(&self, planned: &Planned) -> Result<Vec<Result<Committed, Refusal>>, SubmitError> {
        let steps = planned.steps().iter();
        let submitted = steps.map(|step| {
            let submission = submission(self.import, planned.row, step);
            self.app.journal.submit(&self.due.tenant, submission)
        });
        let mut results = Vec::with_capacity(planned.steps().len());
        for result in join_all(submitted).await {
            self.app.writes.note(&result);
            results.push(match result {
                Ok(committed) => Ok(committed),
                Err(SubmitError::Refused(refusal)) => Err(refusal),
                Err(error) => return Err(error),
            });
        }
        Ok(results)
    }

    /// Submits a row by itself, each command after the one before, until the log answers.
    async fn alone(&mut self, row: i32, raw: &RawRow, lost: &mut HashSet<Uuid>) -> Result<Outcome, Interrupted> {
        let lost_before: Vec<Uuid> = lost.iter().copied().collect();
        self.known.forget(&lost_before);
        let planned = self.plan(row, raw);
        let mut results = Vec::new();
        for step in planned.steps() {
            let mut tries = 0;
            let result = loop {
                let submission = submission(self.import, row, step);
                match self.app.journal.submit(&self.due.tenant, submission).await {
                    Ok(committed) => break Ok(committed),
                    Err(SubmitError::Refused(refusal)) => break Err(refusal),
                    Err(error) if tries >= MAX_REPETITIONS => return Err(error.into()),
                    Err(SubmitError::Quarantined) => return Err(SubmitError::Quarantined.into()),
                    Err(_) => {
                        tries += 1;
                        tokio::time::sleep(PAUSE).await;
                    }
                }
            };
            let ends = result
                .as_ref()
                .map_or(true, |committed| committed.answer.proposal.is_some());
            results.push(result);
            if ends {
                break;
            }
        }
        // What this row opens is there again.
        for step in planned.steps() {
            lost.remove(&opened(step));
        }
        Ok(self.outcome(&planned, results, lost))
    }

    fn outcome(
        &mut self,
        planned: &Planned,
        results: Vec<Result<Committed, Refusal>>,
        lost: &mut HashSet<Uuid>,
    ) -> Outcome {
        if let Some(outcome) = without_commands(planned) {
            return outcome;
        }
        let mut last = None;
        for (place, result) in results.into_iter().enumerate() {
            match result {
                Ok(committed) if committed.answer.proposal.is_some() => {
                    lost.extend(planned.steps().iter().skip(place).map(opened));
                    self.forget_from(planned, place);
                    return waiting();
                }
                Ok(committed) => last = Some(committed),
                Err(refusal) => {
                    lost.extend(planned.steps().iter().skip(place).map(opened));
                    self.forget_from(planned, place);
                    return refused(self.import, self.mapping, refusal);
                }
            }
        }
        Outcome {
            result: RowResult::Added,
            errors: Vec::new(),
            record: last.as_ref().map(|done| done.answer.id),
            code: last
                .and_then(|done| done.answer.number)
                .map(|number| number.to_string()),
            balance: None,
        }
    }
}

const fn chunks(rows: i32) -> i32 {
    (rows + CHUNK - 1) / CHUNK
}
