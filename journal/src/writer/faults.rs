//! Faults planted on purpose: the simulation of writers and leases has to find each of them.
//!
//! Outside of tests nothing is planted, and the conditions compile to nothing.

/// A fault of the writer, of the log, of leases, or of forwarding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "faults of the log are planted in its model alone")
)]
pub(crate) enum Fault {
    /// A batch is answered as committed although its append failed or the answer was lost.
    AnsweredBeforeTheCommit,
    /// A batch whose answer was lost is decided again without a look-up of its events.
    LostAnswerNotLookedUp,
    /// The outcome of a lost append is looked up without a fence.
    NoFence,
    /// Callers of an append with unknown outcome are told that nothing was written.
    UnknownToldAsRefused,
    /// Events appended by other nodes are applied without a check of their hashes.
    ChainNotChecked,
    /// The head set by other nodes is adopted without their events.
    EventsNotRead,
    /// An idempotency record that was found is ignored.
    RecordIgnored,
    /// A unique value is given to a second holder.
    UniqueValueIgnored,
    /// A refusal is answered without confirming the head.
    RefusalNotConfirmed,
    /// A read is answered from the published state without confirming the head.
    ReadNotConfirmed,
    /// Events are recorded at the node's time, even where that is before the last event's time.
    TimeGoesBack,
    /// A log that contradicts what the node has seen is read again, without a quarantine.
    NoQuarantine,
    /// The answers of a batch are swapped among its callers.
    AnswersExchanged,
    /// Cached streams are not refreshed when other nodes append to them.
    StreamsLeftStale,
    /// The log accepts an append decided on another hash.
    HashNotCompared,
    /// The log accepts an append decided in another epoch.
    EpochNotCompared,
    /// The log accepts an append decided on another position.
    PositionNotCompared,
    /// The log does not keep idempotency records.
    RecordNotStored,
    /// The log keeps only the first event of a batch.
    BatchTornApart,
    /// Whether an append whose answer was lost took place is told by its position alone.
    LookedUpByPosition,
    /// A node keeps no record of the answers that it gave.
    AcknowledgementsNotNoted,
    /// An idempotency record takes the place of the one that is there.
    RecordOverwritten,
    /// The log does not keep unique values.
    UniqueValueNotStored,
    /// The rows beside the log are another tenant's.
    RowsOfAnotherTenant,
    /// A node counts a lease from the moment at which the answer arrived: it believes in it too long.
    LeaseCountedFromTheAnswer,
    /// A node that shuts down believes in the leases that it has given back.
    LeaseBelievedAfterRelease,
    /// A node whose question for a lease has no answer takes itself for the holder.
    LeaseOfNoAnswer,
    /// A node renews no lease.
    LeaseNotRenewed,
    /// A lease that has expired by the holder's timer is renewed.
    ExpiredLeaseRenewed,
    /// Forwarded commands do not count as use of the lease.
    ForwardedUseNotNoted,
    /// The table gives a lease away that has not ended.
    LeaseTakenBeforeItsEnd,
    /// A node without the lease runs what was forwarded to it.
    ForwardedAcceptedWithoutTheLease,
    /// Commands without an idempotency key are forwarded.
    KeylessForwarded,
    /// A command whose forward had no answer is run under another idempotency key.
    FallbackUnderAnotherKey,
    /// A refusal is final although another node may still carry the command out.
    RefusalAfterAForwardIsFinal,
    /// A holder that does not answer is waited for after its lease has ended.
    SilentHolderWaitedFor,
}

#[cfg(test)]
pub(crate) use planting::{is_planted, plant};

#[cfg(not(test))]
pub(crate) const fn is_planted(_: Fault) -> bool {
    false
}

#[cfg(test)]
mod planting {
    use super::Fault;
    use std::cell::Cell;

    thread_local! {
        static PLANTED: Cell<Option<Fault>> = const { Cell::new(None) };
    }

    /// Whether a fault is planted in this thread.
    pub(crate) fn is_planted(fault: Fault) -> bool {
        PLANTED.get() == Some(fault)
    }

    /// Plants a fault in this thread, or none.
    pub(crate) fn plant(fault: Option<Fault>) {
        PLANTED.set(fault);
    }

    impl Fault {
        /// All of them.
        pub(crate) const ALL: [Self; 36] = [
            Self::AnsweredBeforeTheCommit,
            Self::LostAnswerNotLookedUp,
            Self::NoFence,
            Self::UnknownToldAsRefused,
            Self::ChainNotChecked,
            Self::EventsNotRead,
            Self::RecordIgnored,
            Self::UniqueValueIgnored,
            Self::RefusalNotConfirmed,
            Self::ReadNotConfirmed,
            Self::TimeGoesBack,
            Self::NoQuarantine,
            Self::AnswersExchanged,
            Self::StreamsLeftStale,
            Self::HashNotCompared,
            Self::EpochNotCompared,
            Self::PositionNotCompared,
            Self::RecordNotStored,
            Self::BatchTornApart,
            Self::LookedUpByPosition,
            Self::AcknowledgementsNotNoted,
            Self::RecordOverwritten,
            Self::UniqueValueNotStored,
            Self::RowsOfAnotherTenant,
            Self::LeaseCountedFromTheAnswer,
            Self::LeaseBelievedAfterRelease,
            Self::LeaseOfNoAnswer,
            Self::LeaseNotRenewed,
            Self::ExpiredLeaseRenewed,
            Self::ForwardedUseNotNoted,
            Self::LeaseTakenBeforeItsEnd,
            Self::ForwardedAcceptedWithoutTheLease,
            Self::KeylessForwarded,
            Self::FallbackUnderAnotherKey,
            Self::RefusalAfterAForwardIsFinal,
            Self::SilentHolderWaitedFor,
        ];
    }
}
