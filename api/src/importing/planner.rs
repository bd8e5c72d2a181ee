//! Rows are planned and rehearsed here, for the task of the nodes and for `caudal rehearse`.

use super::{
    moneys::Moneys,
    rows::{
        Acting, Planned, acting, added, concerns_maker, opened, parts, plan_row, refused, sold_before, submission,
        without_commands,
    },
};
use crate::{
    files::{Files, Owner},
    imports::{
        deliveries::Deliveries,
        import::{Import, Outcome, RowFigures, RowResult, Summary},
        kinds::{Setting, Step, completions::code_of},
        known::Known,
        mapping::Mapping,
        proofs::Entry,
        reader::RawRow,
        store::{Imports, StoreError},
    },
    limits::Documents,
    problem::ApiError,
    screening::{ScreeningError, of_sale},
};
use actix_web::web::Bytes;
use caudal_domain::{
    Command, FieldError, Refusal, TenantState,
    customer::CustomerCommand,
    ids::{CustomerId, ProposalId, TenantId},
    remittance::Status,
};
use caudal_journal::{Clock, Journal, Rehearsal, Rehearsed, Submission, SubmitError};
use caudal_projections::{ReadError, Reads, Scope, remittance};
use std::collections::{BTreeSet, HashMap};
use uuid::Uuid;

/// Why a pass was interrupted; another round goes on.
#[derive(Debug, thiserror::Error)]
pub enum Interrupted {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the tenant's log")]
    Submit(#[from] SubmitError),
    #[error(transparent)]
    Read(Box<ReadError>),
    #[error("the store of files: {}", .0.code())]
    Files(Box<ApiError>),
    #[error("the hash of a password: {}", .0.code())]
    Password(Box<ApiError>),
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

impl From<ReadError> for Interrupted {
    fn from(error: ReadError) -> Self {
        Self::Read(Box::new(error))
    }
}

/// What rows are planned with.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    pub journal: &'a Journal,
    pub reads: &'a Reads,
    pub files: &'a Files,
    pub clock: &'a dyn Clock,
}

/// Where the content of proofs is.
pub enum Proofs<'a> {
    /// With the import.
    Stored(&'a Imports),
    /// In memory.
    Given(&'a [Entry]),
}

/// Plans of an import's rows.
pub struct Planner<'a> {
    means: Means<'a>,
    tenant: &'a TenantId,
    import: &'a Import,
    mapping: &'a Mapping,
    acting: Acting,
    state: TenantState,
    known: Known,
    deliveries: Deliveries,
    /// Of the customers of the sales that are decided next, and of those whom a preview registered.
    documents: Documents,
    /// Of the rows of the piece under way: approvals that ended without effect.
    ended_approvals: HashMap<i32, u32>,
}

impl<'a> Planner<'a> {
    /// Begins at the tenant's head, which the read models must show.
    ///
    /// # Errors
    /// Why the state can't be read, or the code by which its maker may not import.
    pub async fn new(
        means: Means<'a>,
        tenant: &'a TenantId,
        import: &'a Import,
        mapping: &'a Mapping,
    ) -> Result<Result<Self, &'static str>, Interrupted> {
        let (state, head) = means.journal.state(tenant).await?;
        let acting = match acting(&state, import, mapping) {
            Ok(acting) => acting,
            Err(code) => return Ok(Err(code)),
        };
        let mut transaction = means.reads.begin(tenant, head.position).await?;
        let mut known = Known::default();
        if import.kind.rules().has_owner() {
            known
                .load_customers(means.journal, &mut transaction, acting.owner)
                .await?;
        }
        if import.kind.rules().names_parties() {
            known.load_parties(means.journal, &mut transaction, &state).await?;
        }
        drop(transaction);
        let proofs = import.proofs.as_ref().map(|proofs| proofs.entries.as_slice());
        Ok(Ok(Self {
            means,
            tenant,
            import,
            mapping,
            acting,
            state,
            known,
            deliveries: Deliveries::new(proofs.unwrap_or_default()),
            documents: Documents::default(),
            ended_approvals: HashMap::new(),
        }))
    }

    /// Begins a piece of rows, of which some waited for approvals that ended without effect.
    pub(super) fn begin_piece(&mut self, ended_approvals: HashMap<i32, u32>) {
        self.ended_approvals = ended_approvals;
    }

    pub(super) fn plan(&mut self, row: i32, raw: &RawRow) -> Planned {
        let mut setting = Setting {
            tenant: self.tenant,
            import: self.import.id,
            ended_approvals: self.ended_approvals.get(&row).copied().unwrap_or_default(),
            state: &self.state,
            maker: &self.acting.maker,
            owner: self.acting.owner,
            seller: self.acting.seller,
            known: &mut self.known,
            deliveries: &mut self.deliveries,
            now: self.means.clock.now(),
        };
        plan_row(row, raw, self.import, self.mapping, &mut setting)
    }

    /// Plans a row on what is decided; `None` while it means what a row before it registers. Whatever the row registers is
    /// undecided from then on.
    pub(super) fn plan_on_decided(&mut self, row: i32, raw: &RawRow) -> Option<Planned> {
        let planned = self.plan(row, raw);
        if self.known.leans() {
            self.known.forget(&planned.opened);
            return None;
        }
        self.known.begin_deciding(&planned.opened);
        Some(planned)
    }

    /// What rows registered is decided.
    pub(super) fn end_deciding(&mut self) {
        self.known.end_deciding();
    }

    pub(super) fn refused(&self, refusal: Refusal) -> Outcome {
        refused(self.import, self.mapping, refusal)
    }

    pub(super) fn summary(&self, moneys: &Moneys) -> Summary {
        Summary {
            unused_proofs: self.deliveries.unused(),
            ..moneys.summary(&self.mapping.expected)
        }
    }

    /// Looks up the remittances of a piece of completions, and notes which proofs belong to its rows.
    pub(super) async fn look_up(&mut self, rows: &[RawRow]) -> Result<(), Interrupted> {
        if !self.import.kind.rules().has_proofs() {
            return Ok(());
        }
        let mut codes = Vec::with_capacity(rows.len());
        for raw in rows {
            let Ok(values) = self.mapping.values(self.import.kind, raw) else {
                continue;
            };
            codes.push(code_of(&values));
            if let Ok(proofs) = self.deliveries.proofs_of(&values) {
                self.deliveries.use_up(proofs);
            }
        }
        let (_, head) = self.means.journal.state(self.tenant).await?;
        let mut transaction = self.means.reads.begin(self.tenant, head.position).await?;
        let scope = Scope::of(&self.acting.maker, &self.state);
        let found = remittance::deliverables(self.means.journal, &mut transaction, &scope, codes).await?;
        self.deliveries.take(found);
        Ok(())
    }

    /// Examines the proofs of a row, and stores them as files of its remittance if asked. Those of a remittance that can't be
    /// completed are left.
    pub(super) async fn examine(
        &mut self,
        raw: &RawRow,
        proofs: &mut Proofs<'_>,
        keeps: bool,
    ) -> Result<(), Interrupted> {
        if !self.import.kind.rules().has_proofs() {
            return Ok(());
        }
        let Ok(values) = self.mapping.values(self.import.kind, raw) else {
            return Ok(());
        };
        let found = self.deliveries.remittance(&code_of(&values));
        let Some(found) = found.filter(|found| found.status == Status::Shipping) else {
            return Ok(());
        };
        let owners = [Owner::Remittance(found.id)];
        let (files, maker) = (self.means.files, self.acting.maker.id);
        for (field, entry) in self.deliveries.proofs_of(&values).unwrap_or_default().entries() {
            if !keeps && self.deliveries.is_examined(entry) {
                continue;
            }
            let content = match proofs {
                Proofs::Stored(imports) => imports.proof(self.tenant, self.import, entry).await?,
                Proofs::Given(entries) => entries
                    .get(entry)
                    .map(|entry| entry.content.clone())
                    .unwrap_or_default(),
            };
            let content = Bytes::from(content);
            let examined = if keeps {
                let now = self.means.clock.now();
                let kept = files.keep(self.tenant, Some(maker), field, content, &owners, now).await;
                kept.map(|kept| kept.hash)
            } else {
                files.examine(field, content).await.map(|(kept, _)| kept.hash)
            };
            let examined = match examined {
                Ok(hash) => Ok(hash),
                Err(error) => Err(faults(error)?),
            };
            self.deliveries.note(entry, examined);
        }
        Ok(())
    }

    /// Knows the documents of the customers of sales that are decided next, by the rules as they are now.
    pub(super) async fn know_documents(&mut self, planned: &[&Planned]) -> Result<(), Interrupted> {
        if sold(planned).is_empty() {
            return Ok(());
        }
        let (state, _) = self.means.journal.state(self.tenant).await?;
        self.know_documents_by(&state, planned).await
    }

    /// Knows the documents of the customers of planned sales, as a single sale does: those that the rows register are the
    /// rows', the rest is read at once. Where these books have no limit rules nothing is read.
    async fn know_documents_by(&mut self, state: &TenantState, planned: &[&Planned]) -> Result<(), Interrupted> {
        let sold = sold(planned);
        if !Documents::are_read(state, &sold) {
            return Ok(());
        }
        let today = self.means.clock.now().with_timezone(&state.zone()).date_naive();
        for step in planned.iter().flat_map(|planned| planned.steps()) {
            if let Command::Customer(id, CustomerCommand::Register(register)) = &step.command {
                self.documents.note(*id, &register.details, today);
            }
        }
        let unknown = sold.into_iter().filter(|customer| !self.documents.has(*customer));
        let unknown: Vec<_> = unknown.collect();
        let Means { journal, reads, .. } = self.means;
        Ok(self
            .documents
            .read(journal, reads, self.tenant, today, &unknown)
            .await?)
    }

    /// Forgets all documents: those of the next sales are read as they are then.
    pub(super) fn forget_documents(&mut self) {
        self.documents = Documents::default();
    }

    /// A command's submission, with the known documents of a sale's customers.
    pub(super) fn submission(&self, planned: &Planned, step: &Step) -> Submission {
        let mut submission = submission(self.import, planned, step);
        self.documents.give(&mut submission.command);
        submission
    }

    /// Rehearses rows, in order.
    pub(super) async fn rehearse(
        &mut self,
        rehearsal: &mut Rehearsal,
        moneys: &mut Moneys,
        rows: &[(i32, RawRow)],
    ) -> Result<Vec<(i32, u32, Outcome)>, Interrupted> {
        self.prefetch(rehearsal, rows).await?;
        let mut outcomes = Vec::with_capacity(rows.len());
        for (row, raw) in rows {
            let planned = self.plan(*row, raw);
            let outcome = match without_commands(&planned) {
                Some(outcome) => {
                    let opening = outcome.record.and_then(|record| self.known.opening_by_id(record));
                    if let Some((currency, amount)) = opening {
                        moneys.add_opened_before(currency, amount);
                    }
                    outcome
                }
                None => self.rehearse_row(rehearsal, &planned, moneys).await?,
            };
            outcomes.push((*row, planned.line, outcome));
        }
        Ok(outcomes)
    }

    fn submissions(&self, planned: &Planned) -> Vec<Submission> {
        let steps = planned.steps().iter();
        steps.map(|step| self.submission(planned, step)).collect()
    }

    /// Loads in two round trips what the decisions of rows will need: documents, and what is in the log. The plans are guesses:
    /// each row is planned again when the rows before it are decided.
    async fn prefetch(&mut self, rehearsal: &mut Rehearsal, rows: &[(i32, RawRow)]) -> Result<(), Interrupted> {
        let planned: Vec<Planned> = rows.iter().map(|(row, raw)| self.plan(*row, raw)).collect();
        let guesses: Vec<_> = planned.iter().collect();
        self.know_documents_by(rehearsal.state(), &guesses).await?;
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

    async fn rehearse_row(
        &mut self,
        rehearsal: &mut Rehearsal,
        planned: &Planned,
        moneys: &mut Moneys,
    ) -> Result<Outcome, Interrupted> {
        self.know_documents_by(rehearsal.state(), &[planned]).await?;
        let submissions = self.submissions(planned);
        let mut previews = Vec::with_capacity(submissions.len());
        let mut committed = None;
        for (place, submission) in submissions.iter().enumerate() {
            match rehearsal.decide(submission).await {
                Ok(Rehearsed::Decided(preview)) if preview.approval.is_some() => {
                    let balance = moneys.add_waiting(&preview);
                    return Ok(Outcome {
                        balance,
                        figures: preview.figures.map(RowFigures::from),
                        ..self.waiting(planned, place, None)
                    });
                }
                Ok(Rehearsed::Decided(preview)) => {
                    committed = None;
                    previews.push(*preview);
                }
                Ok(Rehearsed::Committed(done)) => match &done.answer.proposal {
                    Some(proposed) => return Ok(self.waiting(planned, place, Some(proposed.id))),
                    None => committed = Some(done.answer),
                },
                Err(SubmitError::Refused(refusal)) => {
                    if let Some(outcome) = sold_before(planned, place, &refusal) {
                        return Ok(outcome);
                    }
                    self.lose_from(planned, place);
                    stop_at(&refusal)?;
                    return Ok(Outcome {
                        decided: parts(planned, place),
                        ..refused(self.import, self.mapping, refusal)
                    });
                }
                Err(error) => return Err(error.into()),
            }
        }
        let figures = previews.iter().find_map(|preview| preview.figures);
        Ok(Outcome {
            balance: moneys.add(&previews, self.acting.seller),
            figures: figures.map(RowFigures::from),
            // The row's own command was committed by a run that was killed before it noted that.
            ..committed.map_or_else(|| Outcome::of(RowResult::Added), added)
        })
    }

    /// Outcome of a row with a command that waits for an approval. One whose sale comes after it has to be run again.
    pub(super) fn waiting(&mut self, planned: &Planned, place: usize, proposal: Option<ProposalId>) -> Outcome {
        self.lose_from(planned, place);
        let outcome = if place + 1 == planned.steps().len() && !planned.is_cut {
            Outcome::of(RowResult::Waiting)
        } else {
            Outcome {
                decided: parts(planned, place + 1),
                ..refused(self.import, self.mapping, Refusal::conflict("import_approval_first"))
            }
        };
        Outcome {
            proposal: proposal.map(|proposal| proposal.0),
            ..outcome
        }
    }

    /// Leaves of a row that its preview refused what that decided: later rows rely on no more.
    pub(super) fn cut(&mut self, planned: &mut Planned, preview: &Outcome) {
        let lost = planned.cut(&preview.decided);
        self.known.forget(&lost);
    }

    /// Later rows can't rely on what a row's refused step, and those after it, would have opened.
    pub(super) fn lose_from(&mut self, planned: &Planned, place: usize) {
        let opened: Vec<Uuid> = planned.steps().iter().skip(place).map(opened).collect();
        self.known.forget(&opened);
    }
}

/// Customers of planned sales, each once.
fn sold(planned: &[&Planned]) -> Vec<CustomerId> {
    let steps = planned.iter().flat_map(|planned| planned.steps());
    let sold: BTreeSet<CustomerId> = steps.flat_map(|step| of_sale(&step.command)).collect();
    sold.into_iter().collect()
}

/// What is wrong with an image. Quotas and failures end the pass.
fn faults(error: ApiError) -> Result<Vec<FieldError>, Interrupted> {
    if !error.errors().is_empty() {
        return Ok(error.errors().to_vec());
    }
    Err(match error.code() {
        "storage_full" => Interrupted::Stopped("storage_full"),
        "too_many_uploads" => Interrupted::Stopped("too_many_uploads"),
        _ => Interrupted::Files(Box::new(error)),
    })
}

/// Ends the pass at a refusal of the maker.
pub(super) fn stop_at(refusal: &Refusal) -> Result<(), Interrupted> {
    if concerns_maker(refusal) {
        return Err(Interrupted::Stopped(refusal.code));
    }
    Ok(())
}
