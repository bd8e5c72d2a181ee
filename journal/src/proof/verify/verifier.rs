//! Sequential verification of a log from any source: the chain, the checkpoints, and the folded ledger.

use super::{Fault, Verification, copy::Row};
use crate::{
    error::Unreadable,
    history::LogPoint,
    log::{
        chain::{self, Hash},
        read,
        stored::StoredEvent,
    },
    proof::{
        checkpoint::SignedCheckpoint,
        merkle::{Frontier, Node, nodes::LOWEST_KEPT},
    },
};
use caudal_domain::{
    Event, StreamId, StreamKind, StreamState, TenantState,
    ids::TenantId,
    remittance::{Remittance, RemittanceEvent},
};
use chrono::{DateTime, Utc};
use std::collections::HashMap;
use uuid::Uuid;

/// Expected end of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEnd {
    /// Position of the last event; 0 for an empty log.
    pub position: i64,
    /// Hash of the last event, or the genesis.
    pub hash: Hash,
    /// Time of the last event; ignored for an empty log.
    pub recorded_at: DateTime<Utc>,
}

impl LogEnd {
    /// Position and hash.
    #[must_use]
    pub const fn point(&self) -> LogPoint {
        LogPoint {
            position: self.position,
            hash: self.hash,
        }
    }
}

/// Verifies a tenant's log from event 1.
#[derive(Clone, Debug)]
pub struct Verifier<'a> {
    tenant: &'a TenantId,
    position: i64,
    hash: Hash,
    recorded_at: DateTime<Utc>,
    /// Merkle tree over the events so far.
    tree: Frontier,
    /// Completed nodes of the stored levels not taken yet; `None` when not collected.
    nodes: Option<Vec<Node>>,
    /// Checkpoints not reached yet, last position first.
    signed: Vec<&'a SignedCheckpoint>,
    ledger: Ledger,
}

/// Resumable state of a chain verification.
#[derive(Clone, Debug)]
pub struct Walked {
    pub(super) position: i64,
    pub(super) hash: Hash,
    pub(super) recorded_at: DateTime<Utc>,
    pub(super) tree: Frontier,
}

impl Walked {
    /// State before the first event.
    #[must_use]
    pub fn genesis(tenant: &TenantId) -> Self {
        Self {
            position: 0,
            hash: chain::genesis(tenant.as_str()),
            recorded_at: DateTime::<Utc>::MIN_UTC,
            tree: Frontier::default(),
        }
    }

    /// Last position verified.
    #[must_use]
    pub const fn position(&self) -> i64 {
        self.position
    }

    /// Last point verified.
    #[must_use]
    pub const fn point(&self) -> LogPoint {
        LogPoint {
            position: self.position,
            hash: self.hash,
        }
    }
}

/// The folded state and open remittances, for the invariants.
#[derive(Clone, Debug, Default)]
struct Ledger {
    tenant_state: TenantState,
    open: HashMap<Uuid, StreamState>,
}

impl<'a> Verifier<'a> {
    /// Starts at the genesis. The checkpoints must be this tenant's, with verified signatures.
    #[must_use]
    pub fn new(tenant: &'a TenantId, checkpoints: &'a [SignedCheckpoint]) -> Self {
        let mut signed: Vec<_> = checkpoints.iter().collect();
        signed.sort_by_key(|checkpoint| std::cmp::Reverse(checkpoint.position));
        Self {
            tenant,
            position: 0,
            hash: chain::genesis(tenant.as_str()),
            recorded_at: DateTime::<Utc>::MIN_UTC,
            tree: Frontier::default(),
            nodes: None,
            signed,
            ledger: Ledger::default(),
        }
    }

    /// Resumes from a saved state. Checkpoints before it are skipped: they were checked then.
    pub(super) fn resume(tenant: &'a TenantId, checkpoints: &'a [SignedCheckpoint], walked: &Walked) -> Self {
        let mut verifier = Self::new(tenant, checkpoints).taking_nodes();
        (verifier.position, verifier.hash, verifier.recorded_at) = (walked.position, walked.hash, walked.recorded_at);
        verifier.tree = walked.tree.clone();
        verifier
            .signed
            .retain(|checkpoint| checkpoint.position >= walked.position);
        verifier
    }

    /// Saves the state.
    pub(super) fn walked(&self) -> Walked {
        Walked {
            position: self.position,
            hash: self.hash,
            recorded_at: self.recorded_at,
            tree: self.tree.clone(),
        }
    }

    /// Collects completed nodes of the stored levels for [`Self::take_nodes`].
    pub(super) fn taking_nodes(mut self) -> Self {
        self.nodes = Some(Vec::new());
        self
    }

    /// Nodes completed since the last call.
    pub(super) fn take_nodes(&mut self) -> Vec<Node> {
        self.nodes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Position of the last event.
    #[must_use]
    pub const fn position(&self) -> i64 {
        self.position
    }

    /// Hash of the last event, or the genesis.
    #[must_use]
    pub const fn hash(&self) -> Hash {
        self.hash
    }

    /// Time of the last event.
    #[must_use]
    pub const fn recorded_at(&self) -> DateTime<Utc> {
        self.recorded_at
    }

    /// Verifies the next event and returns it decoded, its personal part still encrypted.
    ///
    /// # Errors
    /// The fault found; verification ends there.
    pub fn take(&mut self, stored: &StoredEvent) -> Result<Event, Fault> {
        let next = self.next(&stored.row())?;
        let event = decode(stored).map_err(|error| Fault::Unreadable {
            position: next.position,
            reason: error.to_string(),
        })?;
        self.ledger.apply(stored, &event, next.recorded_at);
        self.go_to(&next);
        Ok(event)
    }

    /// Verifies the next event's chain link without decoding it.
    ///
    /// # Errors
    /// The fault found; verification ends there.
    pub(super) fn link(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        let next = self.next(row)?;
        self.go_to(&next);
        Ok(())
    }

    /// The end of the chain including the next event.
    fn next(&mut self, row: &Row<'_>) -> Result<LogEnd, Fault> {
        let (position, found) = (self.position + 1, row.position);
        if found > position {
            return Err(Fault::Missing { position, found });
        }
        if found < position {
            return Err(Fault::Repeated { position, found });
        }
        let expected = row.expected_hash(self.tenant, &self.hash);
        let (Some(hash), Some(recorded_at)) = (expected.filter(|hash| row.hash == Some(*hash)), row.recorded_at) else {
            return Err(Fault::Changed { position });
        };
        if recorded_at < self.recorded_at {
            return Err(Fault::Backwards { position });
        }
        self.require_signed_before(position)?;
        Ok(LogEnd {
            position,
            hash,
            recorded_at,
        })
    }

    fn go_to(&mut self, end: &LogEnd) {
        (self.position, self.hash, self.recorded_at) = (end.position, end.hash, end.recorded_at);
        let nodes = &mut self.nodes;
        self.tree.push(&end.hash, |node| {
            if let Some(nodes) = nodes.as_mut().filter(|_| node.level >= LOWEST_KEPT) {
                nodes.push(node);
            }
        });
    }

    /// Compares checkpoints before `position` with the chain so far.
    fn require_signed_before(&mut self, position: i64) -> Result<(), Fault> {
        while let Some(next) = self.signed.last().filter(|next| next.position < position) {
            if (next.position, next.hash) != (self.position, self.hash) {
                return Err(Fault::Rewritten {
                    position: next.position,
                });
            }
            if next.root().is_some_and(|root| root != self.tree.root()) {
                return Err(Fault::RootChanged {
                    position: next.position,
                });
            }
            self.signed.pop();
        }
        Ok(())
    }

    /// Ends a chain-only verification after the last event.
    #[must_use]
    pub(super) fn finish_chain(mut self, end: &LogEnd) -> Verification {
        Verification {
            fault: self.fault_at(end),
            events: self.position,
            hash: self.hash,
            violations: Vec::new(),
        }
    }

    /// Ends the verification after the last event.
    #[must_use]
    pub fn finish(mut self, end: &LogEnd) -> Verification {
        let fault = self.fault_at(end);
        let violations = if fault.is_none() {
            self.ledger.violations()
        } else {
            Vec::new()
        };
        Verification {
            events: self.position,
            hash: self.hash,
            fault,
            violations,
        }
    }

    fn fault_at(&mut self, end: &LogEnd) -> Option<Fault> {
        if let Err(fault) = self.require_signed_before(self.position + 1) {
            return Some(fault);
        }
        if self.position != end.position {
            return Some(Fault::HeadMoved {
                end: self.position,
                head: end.position,
            });
        }
        if self.hash != end.hash || (self.position > 0 && self.recorded_at != end.recorded_at) {
            return Some(Fault::HeadChanged {
                position: self.position,
            });
        }
        self.signed.last().map(|next| Fault::Shortened {
            end: self.position,
            signed: next.position,
        })
    }

    /// Ends the verification with a fault.
    #[must_use]
    pub fn stop(self, fault: Fault) -> Verification {
        Verification {
            events: self.position,
            hash: self.hash,
            fault: Some(fault),
            violations: Vec::new(),
        }
    }
}

/// Decodes an event; its personal part stays encrypted.
fn decode(stored: &StoredEvent) -> Result<Event, Unreadable> {
    read::stored_event(stream(stored)?.kind, &stored.row())
}

pub(crate) fn stream(stored: &StoredEvent) -> Result<StreamId, Unreadable> {
    read::stream_id(&stored.aggregate_type, &stored.aggregate_id)
}

impl Ledger {
    fn apply(&mut self, stored: &StoredEvent, event: &Event, at: DateTime<Utc>) {
        self.tenant_state.apply(event, at);
        let (Event::Remittance(change), Ok(id)) = (event, Uuid::parse_str(&stored.aggregate_id)) else {
            return;
        };
        // Closed remittances take part in no invariant: memory holds open ones only.
        if matches!(
            change,
            RemittanceEvent::RemittanceCanceled(_) | RemittanceEvent::RemittanceCompleted(_)
        ) {
            self.open.remove(&id);
            return;
        }
        let state = self
            .open
            .entry(id)
            .or_insert_with(|| StreamState::new(StreamKind::Remittance));
        state.apply(event);
    }

    fn violations(&self) -> Vec<caudal_domain::tenant_state::invariants::Violation> {
        let remittances = self.open.values().filter_map(|state| -> Option<&Remittance> {
            match state {
                StreamState::Remittance(stream) => stream.0.as_ref(),
                _ => None,
            }
        });
        self.tenant_state.violations(remittances)
    }
}
