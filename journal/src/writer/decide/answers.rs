//! The results of commands, also of those that repeat an earlier one.

use super::Draft;
use crate::{
    beside::idempotency_records::IdempotencyRecord,
    error::{JournalError, SubmitError},
    submission::Committed,
    writer::{
        CommandJob,
        faults::{Fault, is_planted},
        load::LoadedFacts,
    },
};

/// Outcome of a command, valid if the head is where the command was decided.
#[derive(Debug)]
pub(in crate::writer) enum Outcome {
    Ends(Box<Result<Committed, SubmitError>>),
    /// The command repeats an earlier command of the batch, given by its index.
    Repeats(usize),
}

impl Outcome {
    pub(super) fn ends(result: Result<Committed, SubmitError>) -> Self {
        Self::Ends(Box::new(result))
    }
}

impl Draft {
    /// Outcome of a command whose idempotency key was used before; `None` for a new key.
    pub(super) fn of_used_key(&self, facts: &LoadedFacts, job: &CommandJob) -> Result<Option<Outcome>, JournalError> {
        let Some((key, digest)) = &job.idempotency_record else {
            return Ok(None);
        };
        if let Some(Some(idempotency_record)) = facts.idempotency_records.get(key)
            && !is_planted(Fault::RecordIgnored)
        {
            return Ok(Some(Outcome::ends(repeated(idempotency_record, digest)?)));
        }
        Ok(match self.record_places.get(key) {
            Some((first, same)) if same == digest => Some(Outcome::Repeats(*first)),
            Some(_) => Some(Outcome::ends(Err(SubmitError::KeyReused))),
            None => None,
        })
    }

    /// The answers, once the batch is committed.
    pub(in crate::writer) fn into_results(outcomes: Vec<Outcome>) -> Vec<Result<Committed, SubmitError>> {
        let mut results: Vec<Result<Committed, SubmitError>> = Vec::with_capacity(outcomes.len());
        for outcome in outcomes {
            let result = match outcome {
                Outcome::Ends(result) => *result,
                // Only an accepted command can be repeated, and its result stands before that of the repetition.
                Outcome::Repeats(first) => match results.get(first) {
                    Some(Ok(committed)) => Ok(Committed {
                        replayed: true,
                        ..committed.clone()
                    }),
                    Some(Err(error)) => Err(error.clone()),
                    None => Err(SubmitError::OutcomeUnknown),
                },
            };
            results.push(result);
        }
        if is_planted(Fault::AnswersExchanged) {
            results.reverse();
        }
        results
    }
}

pub(in crate::writer) fn repeated(
    idempotency_record: &IdempotencyRecord,
    digest: &[u8; 32],
) -> Result<Result<Committed, SubmitError>, JournalError> {
    if idempotency_record.digest != digest {
        return Ok(Err(SubmitError::KeyReused));
    }
    let answer = serde_json::from_str(&idempotency_record.answer)?;
    Ok(Ok(Committed {
        answer,
        position: idempotency_record.position,
        replayed: true,
    }))
}
