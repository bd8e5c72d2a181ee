//! Commands decided for a preview or a rehearsal. Nothing of them is written.

use super::Draft;
use crate::{
    beside::unique_values::UniqueValueChange, error::SubmitError, journal::Node, submission::Submission,
    writer::load::LoadedFacts,
};
use caudal_domain::{Actor, Command, Decision, Event, Preview, ids::TenantId};
use std::sync::Arc;

/// A command decided for a rehearsal, and not applied.
pub(in crate::writer) struct Rehearsing {
    preview: Preview,
    decision: Decision<Event>,
    unique_values: Vec<UniqueValueChange>,
}

impl Draft {
    /// Decides a command for a preview. Facts not in memory are noted: once they are loaded, the preview must be
    /// repeated.
    pub(in crate::writer) fn preview(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut LoadedFacts,
        submission: &Submission,
    ) -> Result<Preview, SubmitError> {
        let (decision, _, needed) = self.judged(node, tenant, facts, submission)?;
        let caller = match submission.actor {
            Actor::System => None,
            Actor::Party(id) => self.tenant_state.party(id),
        };
        Ok(Preview {
            approval: needed.map(|needed| needed.rule),
            ..Preview::of(&decision, &self.tenant_state, caller)
        })
    }

    /// Decides a command for a rehearsal. Facts not in memory are noted: once they are loaded, it must be repeated.
    pub(in crate::writer) fn rehearse(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut LoadedFacts,
        submission: &Submission,
    ) -> Result<Rehearsing, SubmitError> {
        let (decision, unique_values, needed) = self.judged(node, tenant, facts, submission)?;
        let caller = match submission.actor {
            Actor::System => None,
            Actor::Party(id) => self.tenant_state.party(id),
        };
        let preview = Preview {
            approval: needed.map(|needed| needed.rule),
            ..Preview::of(&decision, &self.tenant_state, caller)
        };
        Ok(Rehearsing {
            preview,
            decision,
            unique_values,
        })
    }

    /// Applies what was rehearsed, unless it waits for an approval.
    pub(in crate::writer) fn take(&mut self, facts: &LoadedFacts, command: &Command, rehearsed: Rehearsing) -> Preview {
        let Rehearsing {
            preview,
            decision,
            unique_values,
        } = rehearsed;
        if preview.approval.is_some() {
            return preview;
        }
        for event in &decision.events {
            let id = command.stream_of(event);
            let mut stream = self.stream(facts, id);
            let changed = Arc::make_mut(&mut stream);
            self.tenant_state.apply(event, self.now);
            self.position += 1;
            changed.apply(event, self.position);
            self.forgotten.extend(event.erases());
            self.streams.insert(id, stream);
        }
        for unique_value in &unique_values {
            self.unique_values.apply(unique_value);
        }
        preview
    }
}
