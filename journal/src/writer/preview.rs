//! Previews: a command is decided on the state at the head. Nothing is written, and no idempotency key is used up.

use super::{
    TenantWriter,
    decide::Draft,
    load::{LOAD_LIMIT, LoadedFacts},
    recover::BatchError,
};
use crate::{
    clock,
    error::{JournalError, SubmitError},
    log::tenant_log::{TenantLog, WantedFacts},
    submission::{Previewed, Submission},
    writer::state::Reading,
};

impl<L: TenantLog> TenantWriter<L> {
    pub(super) async fn preview(&mut self, submission: &Submission) -> Result<Previewed, SubmitError> {
        if self.node.histories.refuses_writes(&self.tenant) {
            return Err(SubmitError::Quarantined);
        }
        match self.decided(submission).await {
            Ok(previewed) => previewed,
            Err(error) => {
                let error = self.explain(error);
                self.reset();
                Err(error)
            }
        }
    }

    async fn decided(&mut self, submission: &Submission) -> Result<Result<Previewed, SubmitError>, BatchError> {
        // A preview has no append that would find another node's events, so it reads the head.
        self.behind = true;
        self.bring_up().await?;
        let Self {
            node,
            tenant,
            log,
            state: Some(state),
            ..
        } = self
        else {
            return Err(BatchError::NoTenant);
        };
        if state.reading == Reading::AsFound {
            return Err(BatchError::Quarantined);
        }
        let (mut facts, mut wanted) = (LoadedFacts::default(), WantedFacts::default());
        let command = &submission.command;
        for id in [command.stream()].into_iter().chain(command.reads()) {
            facts.want_stream(&mut wanted, state, id);
        }
        let now = clock::recorded_at(node.clock.as_ref(), &state.head);
        for _ in 0..LOAD_LIMIT {
            facts.load(log, node, tenant, wanted).await?;
            let mut draft = Draft::on(state.tenant_state.clone(), state.head.position, now);
            let previewed = draft.preview(node, tenant, &mut facts, submission);
            wanted = std::mem::take(&mut draft.wanted);
            if wanted.is_empty() {
                let position = state.head.position;
                log.unlock();
                return Ok(previewed.map(|preview| Previewed { preview, position }));
            }
        }
        Err(BatchError::Broken(JournalError::Unexpected(
            "a preview that wants ever more facts".to_owned(),
        )))
    }
}
