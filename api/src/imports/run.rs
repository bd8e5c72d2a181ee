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
    store::{
        CHUNK, Due, Import, ImportBalance, ImportState, ImportSum, Outcome, RowError, RowResult, StoreError, Summary,
    },
};
use crate::{
    app::App,
    screening::{ScreeningError, of_change, of_sale},
};
use actix_web::web::Data;
use caudal_domain::{
    Actor, Books, Command, Preview, Refusal,
    customer::CustomerCommand,
    ids::{CustomerId, PartyId, TenantId},
    money::{Amount, CurrencyCode},
    party::{Party, Role},
};
use caudal_journal::{Committed, Rehearsal, RequestDigest, Submission, SubmitError, WithCauses};
use futures::future::join_all;
use sha2::{Digest as _, Sha256};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
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
    #[error(transparent)]
    Screening(Box<ScreeningError>),
    #[error("refused to its maker: {0}")]
    Stopped(&'static str),
}

impl From<ScreeningError> for Interrupted {
    fn from(error: ScreeningError) -> Self {
        Self::Screening(Box::new(error))
    }
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
        Ok(Ended::Stopped(code)) | Err(Interrupted::Stopped(code)) => (stopped, Some(code), None),
        Err(Interrupted::Submit(SubmitError::Quarantined)) => (stopped, Some("log_diverged"), None),
        // The hold ends by itself, so that the next try is not at once.
        Err(error) => return Err(error),
    };
    app.imports.release(due, from, to, failure, summary, app.now()).await?;
    Ok(())
}

/// Rows of a piece that a pass works on.
#[derive(Default)]
struct Piece {
    todo: Vec<(i32, RawRow)>,
    left_out: Vec<(i32, u32, Outcome)>,
}

const fn is_of_customer(step: &Step) -> bool {
    matches!(step.command, Command::Customer(..))
}

/// Whether all commands took effect.
fn all_done(results: &[Result<Committed, Refusal>]) -> bool {
    let mut results = results.iter();
    results.all(|result| {
        result
            .as_ref()
            .is_ok_and(|committed| committed.answer.proposal.is_none())
    })
}

/// Refusals of the maker rather than of a row: every row would have them.
fn stop_at(refusal: &Refusal) -> Result<(), Interrupted> {
    match refusal.code {
        "access_expired" | "permission_missing" | "role_not_allowed" => Err(Interrupted::Stopped(refusal.code)),
        _ => Ok(()),
    }
}

enum Ended {
    Finished(Option<Summary>),
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
        _ if !import.kind.rules().has_owner() => (maker.id, maker.id),
        (Role::Manager, Some(seller)) => {
            let party = books.party(PartyId(seller)).filter(|party| party.role.holds_terms());
            let party = party.ok_or("import_owner_required")?;
            (party.customer_owner(), party.id)
        }
        (Role::Manager, None) => return Err("import_owner_required"),
        _ => (maker.customer_owner(), maker.seller()),
    };
    Ok(Acting { maker, owner, seller })
}

/// A row with its commands.
struct Planned {
    row: i32,
    line: u32,
    plan: Result<Plan, Vec<RowError>>,
    /// Customers and cards that it registers.
    opened: Vec<Uuid>,
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
    setting.known.begin_row();
    let plan = mapping.values(import.kind, raw).and_then(|values| {
        let planned = import.kind.rules().plan(number, &values, setting);
        planned.map_err(kinds::errors_of)
    });
    if plan.is_err() {
        setting.known.forget_row();
    }
    Planned {
        row,
        line: raw.number,
        plan: plan.map_err(at),
        opened: setting.known.take_row(),
    }
}

/// A command's submission: its key is made of the import, which is the file's, and the row or record.
fn submission(import: &Import, row: i32, step: &Step) -> Submission {
    // A customer is registered once per file, whichever row comes first.
    let is_own = !is_of_customer(step);
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
        // The audit's filter by request finds all events of an import.
        request_id: import.id,
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

const fn plain(result: RowResult) -> Outcome {
    Outcome {
        result,
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
        Ok(Plan::Done(id)) => (RowResult::Added, Vec::new(), Some(*id)),
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
        Command::Customer(_, CustomerCommand::AddCard(add)) => add.card.0,
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

/// Money of a preview: the seller's balances before the first row and after the last, and sums, by currency.
#[derive(Default)]
struct Moneys {
    balances: BTreeMap<CurrencyCode, (Amount, Amount)>,
    /// Charged and paid out.
    sums: BTreeMap<CurrencyCode, (Amount, Amount)>,
}

impl Moneys {
    /// Adds a row; the seller's balance after it, if the row moves it.
    fn add(&mut self, previews: &[Preview], seller: PartyId) -> Option<(String, String)> {
        let mut last = None;
        for preview in previews {
            if let Some(figures) = &preview.figures {
                self.sums.entry(figures.total_currency).or_default().0 += figures.total_to_pay;
                self.sums.entry(figures.payout_currency).or_default().1 += figures.payout;
            }
            let transfers = preview.transfers.iter();
            for side in transfers.flat_map(|transfer| [transfer.debit, transfer.credit]) {
                let Some((before, after)) = side.balance.filter(|_| side.account.owner == Some(seller)) else {
                    continue;
                };
                // A seller's account is told as what the seller has: credits less debits.
                let currency = side.account.currency;
                self.balances.entry(currency).or_insert((-before, -after)).1 = -after;
                last = Some(((-after).to_string(), currency.to_string()));
            }
        }
        last
    }

    fn summary(&self) -> Summary {
        let balances = self.balances.iter().map(|(currency, (begins, ends))| ImportBalance {
            currency: currency.to_string(),
            begins: begins.to_string(),
            ends: ends.to_string(),
        });
        let sums = self.sums.iter().map(|(currency, (charged, paid_out))| ImportSum {
            currency: currency.to_string(),
            charged: charged.to_string(),
            paid_out: paid_out.to_string(),
        });
        Summary {
            balances: balances.collect(),
            sums: sums.collect(),
        }
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
            seller: self.acting.seller,
            known: &mut self.known,
        };
        plan_row(row, raw, self.import, self.mapping, &mut setting)
    }

    /// Plans the rows of a piece that are left. Rows that a run has ended are planned too, so that later rows know what they
    /// registered.
    async fn piece(&mut self, chunk: i32) -> Result<Piece, Interrupted> {
        let rows = self.app.imports.chunk(self.tenant(), self.import.id, chunk).await?;
        let settled = self.app.imports.settled(self.tenant(), self.import.id, chunk).await?;
        let mut piece = Piece::default();
        for (row, raw) in (chunk * CHUNK..).zip(rows) {
            if settled.left_out.contains(&row) {
                piece.left_out.push((row, raw.number, plain(RowResult::LeftOut)));
                continue;
            }
            if settled.ended.contains(&row) {
                self.plan(row, &raw);
                continue;
            }
            piece.todo.push((row, raw));
        }
        Ok(piece)
    }

    async fn preview(&mut self) -> Result<Ended, Interrupted> {
        let mut rehearsal = self.app.journal.rehearse(self.tenant()).await?;
        let mut moneys = Moneys::default();
        for chunk in 0..chunks(self.import.rows) {
            let Piece { todo, left_out } = self.piece(chunk).await?;
            let mut outcomes = left_out;
            self.prefetch(&mut rehearsal, &todo).await?;
            for (row, raw) in &todo {
                let planned = self.plan(*row, raw);
                let outcome = match without_commands(&planned) {
                    Some(outcome) => outcome,
                    None => self.rehearse(&mut rehearsal, &planned, &mut moneys).await?,
                };
                outcomes.push((*row, planned.line, outcome));
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
        Ok(Ended::Finished(Some(moneys.summary())))
    }

    fn submissions(&self, planned: &Planned) -> Vec<Submission> {
        let steps = planned.steps().iter();
        steps.map(|step| submission(self.import, planned.row, step)).collect()
    }

    /// Loads in one round trip what the decisions of rows will need. The plans are guesses: each row is planned again when the
    /// rows before it are decided.
    async fn prefetch(&mut self, rehearsal: &mut Rehearsal, rows: &[(i32, RawRow)]) -> Result<(), Interrupted> {
        let planned: Vec<Planned> = rows.iter().map(|(row, raw)| self.plan(*row, raw)).collect();
        let submissions: Vec<_> = planned.iter().flat_map(|planned| self.submissions(planned)).collect();
        self.take_back(&planned);
        Ok(rehearsal.prefetch(&submissions).await?)
    }

    /// Forgets what plans register.
    fn take_back(&mut self, planned: &[Planned]) {
        for planned in planned.iter().rev() {
            self.known.forget(&planned.opened);
        }
    }

    async fn rehearse(
        &mut self,
        rehearsal: &mut Rehearsal,
        planned: &Planned,
        moneys: &mut Moneys,
    ) -> Result<Outcome, Interrupted> {
        let submissions = self.submissions(planned);
        let mut previews = Vec::with_capacity(submissions.len());
        for (place, submission) in submissions.iter().enumerate() {
            match rehearsal.decide(submission).await {
                Ok(preview) if preview.approval.is_some() => return Ok(self.waiting(planned, place)),
                Ok(preview) => previews.push(preview),
                Err(SubmitError::Refused(refusal)) => {
                    self.lose_from(planned, place);
                    stop_at(&refusal)?;
                    return Ok(refused(self.import, self.mapping, refusal));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Outcome {
            balance: moneys.add(&previews, self.acting.seller),
            ..plain(RowResult::Added)
        })
    }

    /// Outcome of a row with a command that waits for an approval. One whose sale comes after it has to be run again.
    fn waiting(&mut self, planned: &Planned, place: usize) -> Outcome {
        self.lose_from(planned, place);
        if place + 1 == planned.steps().len() {
            return plain(RowResult::Waiting);
        }
        refused(self.import, self.mapping, Refusal::conflict("import_approval_first"))
    }

    /// Later rows can't rely on what a row's refused step, and those after it, would have opened.
    fn lose_from(&mut self, planned: &Planned, place: usize) {
        let opened: Vec<Uuid> = planned.steps().iter().skip(place).map(opened).collect();
        self.known.forget(&opened);
    }

    async fn run(&mut self) -> Result<Ended, Interrupted> {
        let screens = !self.books.screening_rule().lists.is_empty();
        for chunk in 0..chunks(self.import.rows) {
            let Piece { todo, left_out } = self.piece(chunk).await?;
            if !left_out.is_empty() && !self.note(chunk * CHUNK, &left_out).await? {
                return Ok(Ended::Lost);
            }
            for together in todo.chunks(ROWS_TOGETHER) {
                self.until_not_behind().await?;
                let mut outcomes = Vec::with_capacity(together.len());
                self.submit(together, screens, &mut outcomes).await?;
                let next = together.last().map_or(0, |(row, _)| row + 1);
                if !self.note(next, &outcomes).await? {
                    return Ok(Ended::Lost);
                }
            }
        }
        Ok(Ended::Finished(None))
    }

    async fn note(&self, next: i32, outcomes: &[(i32, u32, Outcome)]) -> Result<bool, StoreError> {
        let imports = &self.app.imports;
        imports.note(self.due, ImportState::Running, next, outcomes).await
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

    /// Submits rows together, in order: first what registers their customers and cards, and when all of that is done, the rest.
    /// A row whose customer is refused, or waits for an approval, has no further effect. Where customers are screened, no
    /// sale is decided before their screening. After a failure the rows are submitted one by one.
    async fn submit(
        &mut self,
        rows: &[(i32, RawRow)],
        screens: bool,
        outcomes: &mut Vec<(i32, u32, Outcome)>,
    ) -> Result<(), Interrupted> {
        self.app.checkpoints.compare_before_writing(self.tenant()).await;
        let planned: Vec<Planned> = rows.iter().map(|(row, raw)| self.plan(*row, raw)).collect();
        let registered = planned.iter().map(|planned| self.submit_steps(planned, is_of_customer));
        let registered = join_all(registered).await;
        if !registered
            .iter()
            .all(|results| results.as_ref().is_ok_and(|results| all_done(results)))
        {
            self.take_back(&planned);
            for (row, raw) in rows {
                let planned = self.plan(*row, raw);
                outcomes.push((*row, raw.number, self.alone(&planned, screens).await?));
            }
            return Ok(());
        }
        if screens {
            self.screen(planned.iter()).await?;
        }
        let rest = planned
            .iter()
            .map(|planned| self.submit_steps(planned, |step| !is_of_customer(step)));
        let rest = join_all(rest).await;
        for ((planned, before), rest) in planned.iter().zip(registered).zip(rest) {
            let outcome = match (before, rest) {
                (Ok(mut results), Ok(rest)) => {
                    results.extend(rest);
                    self.outcome(planned, results)?
                }
                // One by one, and again after a moment: the writer was busy, or an outcome was lost.
                _ => self.alone(planned, screens).await?,
            };
            outcomes.push((planned.row, planned.line, outcome));
        }
        Ok(())
    }

    /// Screens the customers of sales.
    async fn screen(&self, planned: impl Iterator<Item = &Planned>) -> Result<(), Interrupted> {
        let steps = planned.flat_map(|planned| planned.steps());
        let customers: BTreeSet<CustomerId> = steps
            .flat_map(|step| {
                let mut named = of_sale(&step.command);
                named.extend(of_change(&step.command));
                named
            })
            .collect();
        let customers: Vec<_> = customers.into_iter().collect();
        Ok(self.app.screen(self.tenant(), &customers).await?)
    }

    /// Submits the steps of a row that fit, in order.
    async fn submit_steps(
        &self,
        planned: &Planned,
        fits: impl Fn(&Step) -> bool,
    ) -> Result<Vec<Result<Committed, Refusal>>, SubmitError> {
        let steps = planned.steps().iter().filter(|step| fits(step));
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
    async fn alone(&mut self, planned: &Planned, screens: bool) -> Result<Outcome, Interrupted> {
        let mut results = Vec::new();
        for step in planned.steps() {
            if screens && !is_of_customer(step) {
                self.screen(std::iter::once(planned)).await?;
            }
            let mut tries = 0;
            let result = loop {
                let submission = submission(self.import, planned.row, step);
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
        self.outcome(planned, results)
    }

    fn outcome(&mut self, planned: &Planned, results: Vec<Result<Committed, Refusal>>) -> Result<Outcome, Interrupted> {
        if let Some(outcome) = without_commands(planned) {
            return Ok(outcome);
        }
        let mut last = None;
        for (place, result) in results.into_iter().enumerate() {
            match result {
                Ok(committed) if committed.answer.proposal.is_some() => {
                    return Ok(self.waiting(planned, place));
                }
                Ok(committed) => last = Some(committed),
                Err(refusal) => {
                    self.lose_from(planned, place);
                    stop_at(&refusal)?;
                    return Ok(refused(self.import, self.mapping, refusal));
                }
            }
        }
        Ok(Outcome {
            record: last.as_ref().map(|done| done.answer.id),
            code: last
                .and_then(|done| done.answer.number)
                .map(|number| number.to_string()),
            ..plain(RowResult::Added)
        })
    }
}

const fn chunks(rows: i32) -> i32 {
    (rows + CHUNK - 1) / CHUNK
}
