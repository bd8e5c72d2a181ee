//! Memory for uploaded forms, which are read completely: a bound for those of all requests together.

use crate::problem::ApiError;
use std::{sync::Arc, time::Duration};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum memory for forms per node, in bytes: a ZIP of proofs at the limit of its size, whose buffer has grown to twice that, and
/// some thirty photographs beside it.
const MAX_MEMORY: usize = 256 * 1024 * 1024;
/// Unit in which memory is taken, in bytes.
const MEMORY_UNIT: usize = 64 * 1024;
/// Maximum wait for memory that others hold.
const MEMORY_PATIENCE: Duration = Duration::from_secs(10);

/// Memory for forms of a node. A form takes it as its bytes arrive, so that slow senders hold no more than they have sent.
#[derive(Clone, Debug)]
pub struct FormMemory {
    free: Arc<Semaphore>,
}

impl Default for FormMemory {
    fn default() -> Self {
        Self::of(MAX_MEMORY)
    }
}

impl FormMemory {
    fn of(bytes: usize) -> Self {
        Self {
            free: Arc::new(Semaphore::new(bytes / MEMORY_UNIT)),
        }
    }

    pub const fn hold(&self) -> HeldMemory<'_> {
        HeldMemory {
            memory: self,
            units: 0,
            permit: None,
        }
    }
}

/// Memory that a form has taken.
pub struct HeldMemory<'m> {
    memory: &'m FormMemory,
    units: usize,
    permit: Option<OwnedSemaphorePermit>,
}

impl HeldMemory<'_> {
    /// Takes what is missing to hold a number of bytes.
    ///
    /// # Errors
    /// 503 while others hold it.
    pub async fn grow_to(&mut self, bytes: usize) -> Result<(), ApiError> {
        let units = bytes.div_ceil(MEMORY_UNIT);
        let Some(missing) = units.checked_sub(self.units).filter(|missing| *missing > 0) else {
            return Ok(());
        };
        let taken = self
            .memory
            .free
            .clone()
            .acquire_many_owned(u32::try_from(missing).unwrap_or(u32::MAX));
        let taken = tokio::time::timeout(MEMORY_PATIENCE, taken).await;
        let Ok(Ok(taken)) = taken else {
            return Err(ApiError::unavailable("busy"));
        };
        match &mut self.permit {
            Some(permit) => permit.merge(taken),
            none => *none = Some(taken),
        }
        self.units = units;
        Ok(())
    }

    /// What was taken, for as long as the permit lives.
    pub fn permit(self) -> Option<OwnedSemaphorePermit> {
        self.permit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::ResponseError as _;

    #[tokio::test(start_paused = true)]
    async fn forms_take_memory_as_they_grow_and_give_it_back_when_they_are_dropped() {
        let memory = FormMemory::of(4 * MEMORY_UNIT);
        let mut first = memory.hold();
        first.grow_to(1).await.unwrap();
        first.grow_to(3 * MEMORY_UNIT).await.unwrap();
        first.grow_to(2 * MEMORY_UNIT).await.unwrap();
        let mut second = memory.hold();
        second.grow_to(MEMORY_UNIT).await.unwrap();
        let refused = second.grow_to(MEMORY_UNIT + 1).await.unwrap_err();
        assert_eq!((refused.code(), refused.status_code().as_u16()), ("busy", 503));
        drop(first);
        second.grow_to(4 * MEMORY_UNIT).await.unwrap();
    }
}
