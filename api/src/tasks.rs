//! Background tasks: one that panicked is started again, logged, counted, and told of in `/readyz`.
//!
//! Without this a panic ends a task for as long as the process runs, and nobody notices: a node without its watch looks sound.

use futures::FutureExt as _;
use std::{
    any::Any,
    collections::BTreeMap,
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::{sync::watch, task::JoinHandle};

/// Names of the tasks, as in `caudal_task_panics_total`.
pub const NAMES: &[&str] = &[
    "backup_copy",
    "backups",
    "cells",
    "checkpoints",
    "cluster",
    "deletion",
    "imports",
    "projector",
    "proposals",
    "rates",
    "readings",
    "rebuild",
    "reload",
    "screening",
    "verification",
    "watch",
    "webhooks",
];

/// Pause before a task is started again.
const PAUSE: Duration = Duration::from_secs(1);
/// How long a panic is told of. A task that panics again and again is told of all the time.
const TOLD_FOR: Duration = Duration::from_secs(60);

/// The background tasks of a process. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Tasks(Arc<Mutex<BTreeMap<&'static str, Instant>>>);

impl Tasks {
    /// Runs a task until it ends by itself; one that panics is started again until `stop` turns true. The name is one of
    /// [`NAMES`].
    pub fn keep<W>(
        &self,
        name: &'static str,
        stop: &watch::Receiver<bool>,
        work: impl Fn() -> W + Send + 'static,
    ) -> JoinHandle<()>
    where
        W: Future<Output = ()> + Send + 'static,
    {
        debug_assert!(NAMES.contains(&name), "{name}");
        let (tasks, mut stop) = (self.clone(), stop.clone());
        tokio::spawn(async move {
            while let Err(panic) = AssertUnwindSafe(work()).catch_unwind().await {
                tasks.panicked(name, said(&*panic));
                drop(panic);
                tokio::select! {
                    _ = stop.wait_for(|stop| *stop) => return,
                    () = tokio::time::sleep(PAUSE) => {}
                }
            }
        })
    }

    fn panicked(&self, name: &'static str, said: &str) {
        tracing::error!(task = name, said, "a background task panicked and is started again");
        metrics::counter!("caudal_task_panics_total", "task" => name).increment(1);
        let mut panicked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        panicked.insert(name, Instant::now());
    }

    /// Whether a task panicked within the last minute.
    #[must_use]
    pub fn are_failing(&self) -> bool {
        let panicked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        panicked.values().any(|at| at.elapsed() < TOLD_FOR)
    }
}

/// The text of a panic.
#[must_use]
pub fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("nothing")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[tokio::test(start_paused = true)]
    async fn a_task_that_panics_is_started_again_and_told_of() {
        let (tasks, (stop, stopped)) = (Tasks::default(), watch::channel(false));
        let starts = Arc::new(AtomicU32::new(0));
        let counted = starts.clone();
        let task = tasks.keep("watch", &stopped, move || {
            let start = counted.fetch_add(1, Ordering::Relaxed);
            async move { assert!(start > 1, "start {start}") }
        });
        assert!(!tasks.are_failing());
        task.await.unwrap();
        assert_eq!(starts.load(Ordering::Relaxed), 3);
        assert!(tasks.are_failing());
        drop(stop);
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_panics_all_the_time_ends_with_the_server() {
        let (tasks, (stop, stopped)) = (Tasks::default(), watch::channel(false));
        let task = tasks.keep("watch", &stopped, || async {
            assert_eq!(std::hint::black_box(1), 2, "always")
        });
        tokio::time::sleep(PAUSE * 5).await;
        stop.send_replace(true);
        task.await.unwrap();
    }
}
