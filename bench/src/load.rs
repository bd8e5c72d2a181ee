//! Load: so many clients that ask again as soon as they are answered, or so many requests a second.

use crate::latency::Latencies;
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// How long a load runs before it is measured: caches, plans and connections are there by then.
const WARM_UP: Duration = Duration::from_secs(1);

/// Result of a load.
#[derive(Clone, Debug)]
pub struct Load {
    /// How many were done in a second.
    pub rate: f64,
    /// How long each took.
    pub latencies: Latencies,
}

/// One client, which is asked to do one thing after the other.
pub trait Client: Send + 'static {
    /// Does it once, and answers how much of the time it took is not to be counted. It panics where that fails.
    fn once(&mut self) -> impl Future<Output = Duration> + Send;
}

/// Lets clients ask again as soon as they are answered.
pub async fn closed<C: Client>(clients: Vec<C>, duration: Duration) -> Load {
    let begin = Instant::now() + WARM_UP;
    let end = begin + duration;
    let tasks = clients.into_iter().map(|mut client| {
        tokio::spawn(async move {
            let mut times = Vec::new();
            loop {
                let asked = Instant::now();
                if asked >= end {
                    return times;
                }
                let uncounted = client.once().await;
                let answered = Instant::now();
                if answered >= begin && answered < end {
                    times.push((answered - asked).saturating_sub(uncounted));
                }
            }
        })
    });
    collect(tasks.collect(), duration).await
}

/// Lets clients ask so many times a second, together, whether the one before was answered in time or not: a time counts
/// from when it was due, so that a slow answer is counted in all those that had to wait for it.
pub async fn paced<C: Client>(clients: Vec<C>, rate: f64, duration: Duration) -> Load {
    let start = Instant::now();
    let begin = start + WARM_UP;
    let end = begin + duration;
    let tickets = Arc::new(AtomicU64::new(0));
    let tasks = clients.into_iter().map(|mut client| {
        let tickets = tickets.clone();
        tokio::spawn(async move {
            let mut times = Vec::new();
            loop {
                let number = tickets.fetch_add(1, Ordering::Relaxed);
                let due = start + Duration::from_secs_f64(number as f64 / rate);
                if due >= end {
                    return times;
                }
                tokio::time::sleep_until(due.into()).await;
                let uncounted = client.once().await;
                if due >= begin {
                    times.push(due.elapsed().saturating_sub(uncounted));
                }
            }
        })
    });
    collect(tasks.collect(), duration).await
}

async fn collect(tasks: Vec<tokio::task::JoinHandle<Vec<Duration>>>, duration: Duration) -> Load {
    let mut times = Vec::new();
    for task in tasks {
        times.extend(task.await.expect("a client does what it is asked"));
    }
    Load {
        rate: times.len() as f64 / duration.as_secs_f64(),
        latencies: Latencies::of(times),
    }
}
