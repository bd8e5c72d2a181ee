//! Faults planted on purpose: the writer's simulation has to find each of them.
//!
//! Outside of tests nothing is planted, and the conditions compile to nothing.

/// A fault of the writer or of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "faults of the log are planted in its model alone")
)]
pub(crate) enum Fault {
    /// A batch is answered as committed although the append failed, or its answer was lost.
    AnsweredBeforeTheCommit,
    /// A batch whose answer was lost is decided again without looking for it.
    LostAnswerNotLookedUp,
    /// What became of a lost append is looked up without a fence before.
    NoFence,
    /// Callers of an append that nobody could look up are told that nothing was written.
    UnknownToldAsRefused,
    /// Events that others appended are applied without a look at their hashes.
    ChainNotChecked,
    /// The head of others is taken over without their events.
    EventsNotRead,
    /// An idempotency record that was found is ignored.
    RecordIgnored,
    /// A unique value that somebody else holds is given out.
    UniqueValueIgnored,
    /// A refusal is answered without confirming the head.
    RefusalNotConfirmed,
    /// A read is answered from the published state without confirming the head.
    ReadNotConfirmed,
    /// Events are recorded at the node's time, also where it is before the last event's.
    TimeGoesBack,
    /// A log that contradicts what was seen is read anew, without a quarantine.
    NoQuarantine,
    /// The answers of a batch go to one another's callers.
    AnswersExchanged,
    /// Streams in memory stay as they were when others append to them.
    StreamsLeftStale,
    /// The log appends at another hash than the batch was decided on.
    HashNotCompared,
    /// The log appends in another epoch than the batch was decided in.
    EpochNotCompared,
    /// The log appends at another position than the batch was decided on.
    PositionNotCompared,
    /// The log does not keep idempotency records.
    RecordNotStored,
    /// The log keeps the first event of a batch alone.
    BatchTornApart,
}

#[cfg(test)]
pub(crate) use planting::{is_planted, plant};

/// Nothing is planted.
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
        pub(crate) const ALL: [Self; 19] = [
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
        ];
    }
}
