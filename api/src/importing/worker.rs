//! A pass over the rows of an import.

use super::{
    moneys::Moneys,
    planner::{Interrupted, Means, Planner, Proofs, stop_at},
    rows::{Planned, added, all_done, is_of_customer, not_identified, sold_before, without_commands},
};
use crate::{
    app::App,
    auth::refresh,
    imports::{
        import::{Due, Import, ImportState, Outcome, PieceRows, RowFigures, RowResult, Summary},
        kinds::{ImportKind, Step},
        reader::RawRow,
        store::{CHUNK, StoreError},
    },
    problem::ApiError,
    screening::{of_change, of_sale},
};
use caudal_domain::{
    Command, Expected, Refusal,
    ids::{CustomerId, TenantId},
    party::PartyCommand,
};
use caudal_journal::{Committed, Credential, Rehearsal, Submission, SubmitError};
use futures::future::join_all;
use std::{
    collections::{BTreeSet, HashMap},
    time::{Duration, Instant},
};
use zeroize::Zeroizing;

/// Rows submitted together: with some commands each they fill half a batch of the writer, so that others' commands find a
/// place in every batch.
const ROWS_TOGETHER: usize = 16;
/// Pause before rows are submitted again that met a busy or unavailable writer.
const PAUSE: Duration = Duration::from_millis(500);
/// Interval in which the hold is prolonged while images are examined.
const ALIVE: Duration = Duration::from_secs(3);
/// Maximum repetitions of that; the import is then left to a later round.
const MAX_REPETITIONS: u32 = 20;

/// Time after which a run lets others' imports go first. A run that goes on plans the rows before it again, which takes about a
/// second for 50,000 rows.
const TURN: Duration = Duration::from_secs(10);

pub(super) enum Ended {
    Finished(Option<Summary>),
    /// It was paused or canceled, or another node has it.
    Lost,
    /// Others' imports wait: it goes on in its next turn.
    Yielded,
    /// It can't go on without somebody's change.
    Stopped(&'static str),
}

/// Outcomes of a piece with what they were made of.
type Rehearsed = (Vec<(i32, u32, Outcome)>, PieceRows);

/// Rows of a piece that a pass works on.
#[derive(Default)]
struct Piece {
    todo: Vec<(i32, RawRow)>,
    left_out: Vec<(i32, u32, Outcome)>,
    /// What a preview of it is made of.
    planned: PieceRows,
}

pub(super) async fn work(app: &App, due: &Due, import: &Import) -> Result<Ended, Interrupted> {
    let Some(details) = &import.details else {
        return Ok(Ended::Stopped("import_erased"));
    };
    let mapping = &details.mapping;
    let means = Means {
        journal: &app.journal,
        reads: &app.reads,
        files: &app.files,
        clock: app.clock.as_ref(),
    };
    let planner = match Planner::new(means, &due.tenant, import, mapping).await? {
        Ok(planner) => planner,
        Err(code) => return Ok(Ended::Stopped(code)),
    };
    let unknown_password = if import.kind == ImportKind::Users && import.state != ImportState::Previewing {
        let hash = unknown_password(app).await;
        Some(hash.map_err(|error| Interrupted::Password(Box::new(error)))?)
    } else {
        None
    };
    let mut worker = Worker {
        app,
        due,
        import,
        planner,
        unknown_password,
        previewed: HashMap::new(),
        unconfirmed: HashMap::new(),
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
    planner: Planner<'a>,
    /// Hash of a password that nobody knows; what the users of a file begin with.
    unknown_password: Option<String>,
    /// Figures that the previews of the rows under way showed, by row.
    previewed: HashMap<i32, RowFigures>,
    /// What the previews said of those that they refused: nobody confirmed these.
    unconfirmed: HashMap<i32, Outcome>,
}

/// Hash of a random password.
async fn unknown_password(app: &App) -> Result<String, ApiError> {
    let password = Zeroizing::new(hex::encode(refresh::random()?.as_slice()));
    app.passwords.hash(&password).await
}

impl Worker<'_> {
    fn submission(&self, planned: &Planned, step: &Step) -> Submission {
        let registered = match &step.command {
            Command::Party(party, PartyCommand::Register(_)) => {
                self.unknown_password.as_ref().map(|hash| (*party, hash))
            }
            _ => None,
        };
        // What was confirmed is the preview: at other figures the row is refused.
        let previewed = self.previewed.get(&planned.row).filter(|_| !is_of_customer(step));
        Submission {
            credential: registered.map(|(party, hash)| Credential {
                party,
                hash: hash.clone(),
            }),
            expected: previewed.map(|figures| Expected::from(*figures)),
            ..self.planner.submission(planned, step)
        }
    }

    fn tenant(&self) -> &TenantId {
        &self.due.tenant
    }

    /// Plans the rows of a piece that are left. Rows that a run has ended are planned too, so that later rows know what they
    /// registered.
    async fn piece(&mut self, chunk: i32) -> Result<Piece, Interrupted> {
        let imports = &self.app.imports;
        let rows = imports.chunk(self.tenant(), self.import.id, chunk).await?;
        let earlier = imports.earlier(self.tenant(), self.import, chunk, &rows).await?;
        if self.import.state == ImportState::Running && earlier.noted < rows.len() {
            return Err(StoreError::NotAsPreviewed.into());
        }
        self.previewed = earlier.previewed;
        self.unconfirmed = earlier.refused;
        self.planner.begin_piece(earlier.ended_approvals.clone());
        self.planner.look_up(&rows).await?;
        let mut piece = Piece::default();
        if self.import.state == ImportState::Previewing {
            piece.planned = PieceRows {
                first: chunk * CHUNK,
                cells: rows.clone(),
                ended_approvals: earlier.ended_approvals,
            };
        }
        for (row, raw) in (chunk * CHUNK..).zip(rows) {
            if earlier.left_out.contains(&row) {
                piece.left_out.push((row, raw.number, Outcome::of(RowResult::LeftOut)));
                continue;
            }
            if earlier.ended.contains(&row) {
                self.planner.plan(row, &raw);
                continue;
            }
            piece.todo.push((row, raw));
        }
        Ok(piece)
    }

    /// Rehearses all rows. What a piece gave is noted while the next one is rehearsed.
    async fn preview(&mut self) -> Result<Ended, Interrupted> {
        let (app, due, import) = (self.app, self.due, self.import);
        let note = async |next: i32, (outcomes, planned): &Rehearsed| -> Result<bool, Interrupted> {
            Ok(app.imports.note(due, import, next, outcomes, planned).await?)
        };
        let mut rehearsal = app.journal.rehearse(self.tenant()).await?;
        let mut moneys = Moneys::default();
        let mut before = Rehearsed::default();
        for chunk in 0..chunks(self.import.rows) {
            let rehearsed = self.rehearse(chunk, &mut rehearsal, &mut moneys);
            let (is_held, outcomes) = tokio::try_join!(note(chunk * CHUNK, &before), rehearsed)?;
            match outcomes {
                Some(outcomes) if is_held => before = outcomes,
                _ => return Ok(Ended::Lost),
            }
        }
        if !note(self.import.rows, &before).await? {
            return Ok(Ended::Lost);
        }
        Ok(Ended::Finished(Some(self.planner.summary(&moneys))))
    }

    /// Rehearses the rows of a piece. `None` when the import is no longer held here.
    async fn rehearse(
        &mut self,
        chunk: i32,
        rehearsal: &mut Rehearsal,
        moneys: &mut Moneys,
    ) -> Result<Option<Rehearsed>, Interrupted> {
        let Piece {
            todo,
            left_out: mut outcomes,
            planned,
        } = self.piece(chunk).await?;
        if !self.examine(&todo).await? {
            return Ok(None);
        }
        outcomes.extend(self.planner.rehearse(rehearsal, moneys, &todo).await?);
        Ok(Some((outcomes, planned)))
    }

    /// Examines the proofs of rows. `false` when the import is no longer held here.
    async fn examine(&mut self, rows: &[(i32, RawRow)]) -> Result<bool, Interrupted> {
        let mut alive = Instant::now();
        let mut proofs = Proofs::Stored(&self.app.imports);
        for (row, raw) in rows {
            let keeps = self.import.state == ImportState::Running;
            self.planner.examine(raw, &mut proofs, keeps).await?;
            if alive.elapsed() > ALIVE {
                if !self.note(*row, &[]).await? {
                    return Ok(false);
                }
                alive = Instant::now();
            }
        }
        Ok(true)
    }

    async fn run(&mut self) -> Result<Ended, Interrupted> {
        let mut begun = Instant::now();
        for chunk in 0..chunks(self.import.rows) {
            let Piece { todo, left_out, .. } = self.piece(chunk).await?;
            if !left_out.is_empty() && !self.note(chunk * CHUNK, &left_out).await? {
                return Ok(Ended::Lost);
            }
            for together in todo.chunks(ROWS_TOGETHER) {
                self.until_not_behind().await?;
                if !self.examine(together).await? {
                    return Ok(Ended::Lost);
                }
                let mut outcomes = Vec::with_capacity(together.len());
                self.submit(together, &mut outcomes).await?;
                let next = together.last().map_or(0, |(row, _)| row + 1);
                if !self.note(next, &outcomes).await? {
                    return Ok(Ended::Lost);
                }
                if begun.elapsed() > TURN {
                    if self.app.imports.others_wait(self.due).await? {
                        return Ok(Ended::Yielded);
                    }
                    begun = Instant::now();
                }
            }
        }
        Ok(Ended::Finished(None))
    }

    async fn note(&self, next: i32, outcomes: &[(i32, u32, Outcome)]) -> Result<bool, StoreError> {
        let imports = &self.app.imports;
        let planned = PieceRows::default();
        imports.note(self.due, self.import, next, outcomes, &planned).await
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

    /// Submits rows together, in order: first what registers their customers and cards, then the rest. A row whose customer is
    /// refused, or waits for an approval, has no further effect. Where customers are screened, no sale is decided before
    /// their screening.
    async fn submit(
        &mut self,
        rows: &[(i32, RawRow)],
        outcomes: &mut Vec<(i32, u32, Outcome)>,
    ) -> Result<(), Interrupted> {
        self.app.checkpoints.compare_before_writing(self.tenant()).await;
        let mut registered = Vec::with_capacity(rows.len());
        let mut undecided = Vec::new();
        for (row, raw) in rows {
            loop {
                if let Some(mut planned) = self.planner.plan_on_decided(*row, raw) {
                    if let Some(preview) = self.unconfirmed.get(row) {
                        self.planner.cut(&mut planned, preview);
                    }
                    undecided.push(planned);
                    break;
                }
                self.register(&mut undecided, &mut registered).await?;
            }
        }
        self.register(&mut undecided, &mut registered).await?;
        self.screen(registered.iter().map(|(planned, _)| planned)).await?;
        let planned: Vec<_> = registered.iter().map(|(planned, _)| planned).collect();
        self.know_documents(&planned).await?;
        let worker = &*self;
        let rest = registered.iter().map(|(planned, registration)| async move {
            match registration {
                Registration::Done(_) => worker.submit_steps(planned, |step| !is_of_customer(step)).await,
                Registration::Ended(_) => Ok(Vec::new()),
            }
        });
        let rest = join_all(rest).await;
        for ((planned, registration), rest) in registered.into_iter().zip(rest) {
            let outcome = match (registration, rest) {
                (Registration::Ended(outcome), _) => outcome,
                // A first limit rule was set after the documents were read.
                (Registration::Done(_), Ok(rest)) if not_identified(&rest) => self.alone(&planned).await?,
                (Registration::Done(mut results), Ok(rest)) => {
                    results.extend(rest);
                    self.outcome(&planned, results)?
                }
                // Again after a moment: the writer was busy, or an outcome was lost.
                (Registration::Done(_), Err(_)) => self.alone(&planned).await?,
            };
            outcomes.push((planned.row, planned.line, outcome));
        }
        Ok(())
    }

    /// Submits what registers the customers and cards of rows, until the log has decided all of it.
    async fn register(
        &mut self,
        undecided: &mut Vec<Planned>,
        registered: &mut Vec<(Planned, Registration)>,
    ) -> Result<(), Interrupted> {
        let submitted = undecided
            .iter()
            .map(|planned| self.submit_steps(planned, is_of_customer));
        let submitted = join_all(submitted).await;
        for (planned, results) in undecided.drain(..).zip(submitted) {
            let results = match results {
                Ok(results) => results,
                Err(_) => self.one_by_one(&planned, is_of_customer).await?,
            };
            let registration = if all_done(&results) {
                Registration::Done(results)
            } else {
                Registration::Ended(self.outcome(&planned, results)?)
            };
            registered.push((planned, registration));
        }
        self.planner.end_deciding();
        Ok(())
    }

    /// Knows the documents of sales that are decided next, as they are now.
    async fn know_documents(&mut self, planned: &[&Planned]) -> Result<(), Interrupted> {
        self.planner.forget_documents();
        self.planner.know_documents(planned).await
    }

    /// Screens the customers of sales by the lists that are chosen now, if there are any.
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
            let submission = self.submission(planned, step);
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
    async fn alone(&mut self, planned: &Planned) -> Result<Outcome, Interrupted> {
        let mut results = self.one_by_one(planned, is_of_customer).await?;
        if all_done(&results) {
            self.screen(std::iter::once(planned)).await?;
            self.know_documents(&[planned]).await?;
            results.extend(self.one_by_one(planned, |step| !is_of_customer(step)).await?);
        }
        self.outcome(planned, results)
    }

    /// Submits the steps of a row that fit, each after the one before, until the log answers. Ends at the first that has no effect.
    async fn one_by_one(
        &self,
        planned: &Planned,
        fits: impl Fn(&Step) -> bool,
    ) -> Result<Vec<Result<Committed, Refusal>>, Interrupted> {
        let mut results = Vec::new();
        for step in planned.steps().iter().filter(|step| fits(step)) {
            results.push(self.until_answered(planned, step).await?);
            if !all_done(&results) {
                break;
            }
        }
        Ok(results)
    }

    async fn until_answered(&self, planned: &Planned, step: &Step) -> Result<Result<Committed, Refusal>, Interrupted> {
        let mut tries = 0;
        loop {
            let submission = self.submission(planned, step);
            match self.app.journal.submit(self.tenant(), submission).await {
                Ok(committed) => return Ok(Ok(committed)),
                Err(SubmitError::Refused(refusal)) => return Ok(Err(refusal)),
                Err(error) if tries >= MAX_REPETITIONS => return Err(error.into()),
                Err(SubmitError::Quarantined) => return Err(SubmitError::Quarantined.into()),
                Err(_) => {
                    tries += 1;
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    fn outcome(&mut self, planned: &Planned, results: Vec<Result<Committed, Refusal>>) -> Result<Outcome, Interrupted> {
        if let Some(outcome) = without_commands(planned) {
            return Ok(outcome);
        }
        let mut last = None;
        for (place, result) in results.into_iter().enumerate() {
            match result {
                Ok(committed) => match &committed.answer.proposal {
                    Some(proposed) => return Ok(self.planner.waiting(planned, place, Some(proposed.id))),
                    None => last = Some(committed.answer),
                },
                Err(refusal) => {
                    if let Some(outcome) = sold_before(planned, place, &refusal) {
                        return Ok(outcome);
                    }
                    self.planner.lose_from(planned, place);
                    stop_at(&refusal)?;
                    return Ok(self.planner.refused(refusal));
                }
            }
        }
        if let Some(previewed) = self.unconfirmed.get(&planned.row).filter(|_| planned.is_cut) {
            return Ok(Outcome {
                errors: previewed.errors.clone(),
                ..Outcome::of(RowResult::Refused)
            });
        }
        Ok(last.map_or_else(|| Outcome::of(RowResult::Added), added))
    }
}

/// What became of the commands that register a row's customers and cards.
enum Registration {
    Done(Vec<Result<Committed, Refusal>>),
    /// The row has no further effect.
    Ended(Outcome),
}

const fn chunks(rows: i32) -> i32 {
    (rows + CHUNK - 1) / CHUNK
}
