//! Forwarding of a command to the holder of the tenant's lease.

use super::{Holder, LEASE, LeaseTable, Leases};
use crate::writer::faults::{Fault, is_planted};
use caudal_domain::ids::TenantId;
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until};

/// Timeout of a forwarded command: the network between two nodes may be silent, while the database hears both.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// An error of the way to another node.
type TransportError = Box<dyn std::error::Error + Send + Sync>;

/// Why a forwarded command has no answer. The node at which it arrived then runs the command itself.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// Certain: the other node does not have the command.
    #[error("the node is not reached: {0}")]
    NotReached(TransportError),
    #[error("the node's answer is lost: {0}")]
    AnswerLost(TransportError),
    #[error("the node has the lease, and does not answer")]
    TimedOut,
    #[error("the node lost its lease")]
    LeaseLost,
    #[error("the node had lost its lease, and ran nothing")]
    Misdirected,
}

impl Unanswered {
    /// Whether the other node may run the command later. A refusal or an error of this node is then not final: it is
    /// answered as an unknown outcome.
    #[must_use]
    pub fn leaves_refusals_open(&self) -> bool {
        match self {
            Self::AnswerLost(_) | Self::TimedOut | Self::LeaseLost => !is_planted(Fault::RefusalAfterAForwardIsFinal),
            Self::NotReached(_) | Self::Misdirected => false,
        }
    }
}

impl<T: LeaseTable> Leases<T> {
    /// Waits for the holder's answer to a command, while the holder has the lease and at most for a timeout. Without an answer this node
    /// decides the commands that it receives for the holder's tenants, until the holder's lease has ended.
    ///
    /// # Errors
    /// Why there is no answer.
    pub async fn answer_of<A>(
        &self,
        tenant: &TenantId,
        holder: &Holder<T::Address>,
        answer: impl Future<Output = Result<A, Unanswered>>,
    ) -> Result<A, Unanswered> {
        let answer = tokio::select! {
            biased;
            answer = answer => answer,
            () = self.until_lost(tenant, holder) => Err(Unanswered::LeaseLost),
            () = sleep(ANSWER_TIMEOUT) => Err(Unanswered::TimedOut),
        };
        if answer.is_err() {
            self.note_silence(holder);
        }
        answer
    }

    /// Skips a holder until its lease must have expired.
    fn note_silence(&self, holder: &Holder<T::Address>) {
        let mut known = self.known();
        let now = Instant::now();
        known.silent.retain(|_, until| *until > now);
        known.silent.insert(holder.node, now + LEASE);
    }

    /// Completes when a holder has lost a tenant's lease: not renewed, or taken by another node.
    async fn until_lost(&self, tenant: &TenantId, holder: &Holder<T::Address>) {
        if is_planted(Fault::SilentHolderWaitedFor) {
            return std::future::pending().await;
        }
        let mut until = holder.until;
        loop {
            sleep_until(until).await;
            match self.known().holders.get(tenant) {
                Some(known) if known.node == holder.node && known.until > until => until = known.until,
                _ => return,
            }
        }
    }
}
