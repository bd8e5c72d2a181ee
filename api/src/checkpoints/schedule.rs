//! Signing on a schedule: the end of every tenant's log that has grown.

use super::{Checkpoints, Destination};
use crate::{mail::Mailer, problem::causes};
use caudal_domain::ids::TenantId;
use std::{collections::HashMap, time::Duration};
use tokio::sync::watch;

/// How soon what failed is tried again.
const AGAIN: Duration = Duration::from_secs(60);
/// The shortest interval: each signing of a tenant is a file or a mail.
const SHORTEST: Duration = Duration::from_secs(1);

/// When and where checkpoints are sent.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// How often.
    pub every: Duration,
    /// To all of these.
    pub destinations: Vec<Destination>,
}

/// Reads an interval, like `30s`, `15m`, `6h` or `1d`.
///
/// # Errors
/// Another text, or an interval under a second.
pub fn parse_interval(text: &str) -> Result<Duration, String> {
    let wrong = || format!("an interval is like 30s, 15m, 6h or 1d, not {text:?}");
    let unit = text.chars().last().ok_or_else(wrong)?;
    let seconds: u64 = match unit {
        's' => 1,
        'm' => 60,
        'h' => 60 * 60,
        'd' => 24 * 60 * 60,
        _ => return Err(wrong()),
    };
    let count: u64 = text
        .strip_suffix(unit)
        .unwrap_or_default()
        .parse()
        .map_err(|_| wrong())?;
    let interval = Duration::from_secs(count.checked_mul(seconds).ok_or_else(wrong)?);
    if interval < SHORTEST {
        Err(wrong())
    } else {
        Ok(interval)
    }
}

impl Schedule {
    /// Sends checkpoints until `stop` turns true.
    pub async fn run(self, checkpoints: Checkpoints, mailer: Mailer, mut stop: watch::Receiver<bool>) {
        let mut sent: HashMap<(TenantId, usize), i64> = HashMap::new();
        loop {
            let all_went = self.send_all(&checkpoints, &mailer, &mut sent).await;
            let pause = if all_went { self.every } else { AGAIN.min(self.every) };
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return,
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Sends what is new; whether all of it went.
    async fn send_all(
        &self,
        checkpoints: &Checkpoints,
        mailer: &Mailer,
        sent: &mut HashMap<(TenantId, usize), i64>,
    ) -> bool {
        let tenants = match checkpoints.tenants().await {
            Ok(tenants) => tenants,
            Err(error) => {
                failed("the tenants can't be listed", &error);
                return false;
            }
        };
        let mut all_went = true;
        for tenant in tenants {
            let checkpoint = match checkpoints.sign(&tenant).await {
                Ok(checkpoint) => checkpoint,
                Err(error) => {
                    failed("a log's end could not be signed", &error);
                    all_went = false;
                    continue;
                }
            };
            let mut is_new = false;
            for (place, destination) in self.destinations.iter().enumerate() {
                let key = (tenant.clone(), place);
                if sent.get(&key).is_some_and(|position| *position >= checkpoint.position) {
                    continue;
                }
                match destination.send(&checkpoint, mailer).await {
                    Ok(()) => {
                        metrics::counter!("caudal_checkpoints_sent_total").increment(1);
                        is_new = true;
                        sent.insert(key, checkpoint.position);
                    }
                    Err(error) => {
                        failed("a checkpoint was not delivered; it is tried again", &error);
                        all_went = false;
                    }
                }
            }
            // Kept here only to be listed: where they count, they have arrived.
            if is_new && let Err(error) = checkpoints.keep(checkpoint).await {
                failed("a checkpoint was delivered, but could not be kept", &error);
            }
        }
        all_went
    }
}

fn failed(what: &str, error: &dyn std::error::Error) {
    metrics::counter!("caudal_checkpoints_failed_total").increment(1);
    tracing::error!(%error, causes = causes(error), "{what}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_read_with_their_unit() {
        for (text, seconds) in [("30s", 30), ("15m", 900), ("6h", 21_600), ("1d", 86_400)] {
            assert_eq!(parse_interval(text), Ok(Duration::from_secs(seconds)));
        }
        for text in ["", "5", "h", "-1h", "0s", "1.5h", "99999999999999999d", "1 h", "1é"] {
            assert!(parse_interval(text).is_err(), "{text}");
        }
    }
}
