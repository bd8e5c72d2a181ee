//! Scheduled signing: the end of every grown log is delivered to destinations and witnesses.

use super::{Checkpoints, Destination, Witnesses};
use crate::mail::Mailer;
use caudal_domain::ids::TenantId;
use caudal_journal::WithCauses;
use std::{collections::HashMap, time::Duration};
use tokio::sync::watch;

/// Retry interval after a failure.
const AGAIN: Duration = Duration::from_secs(60);
/// Minimum interval; each signing is a file or a mail per tenant.
const SHORTEST: Duration = Duration::from_secs(1);

/// Interval, destinations and witnesses.
#[derive(Clone, Debug)]
pub struct Schedule {
    pub every: Duration,
    pub destinations: Vec<Destination>,
    pub witnesses: Witnesses,
}

/// Last position delivered, by tenant and place; witnesses are numbered after the destinations.
type Sent = HashMap<(TenantId, usize), i64>;

/// Parses an interval such as `30s`, `15m`, `6h` or `1d`.
///
/// # Errors
/// Another text, or less than a second.
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
    /// Delivers checkpoints until `stop` turns true.
    pub async fn run(self, checkpoints: Checkpoints, mailer: Mailer, mut stop: watch::Receiver<bool>) {
        let mut sent = Sent::new();
        loop {
            let all_went = self.send_all(&checkpoints, &mailer, &mut sent).await;
            let pause = if all_went { self.every } else { AGAIN.min(self.every) };
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return,
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Delivers new checkpoints; returns whether all were delivered.
    async fn send_all(&self, checkpoints: &Checkpoints, mailer: &Mailer, sent: &mut Sent) -> bool {
        let tenants = match checkpoints.tenants().await {
            Ok(tenants) => tenants,
            Err(error) => {
                failed("the tenants can't be listed", &error);
                return false;
            }
        };
        let mut all_went = true;
        for tenant in tenants {
            let checkpoint = match checkpoints.take(&tenant).await {
                Ok(checkpoint) => checkpoint,
                Err(error) => {
                    failed("a log's end was not signed", &error);
                    all_went = false;
                    continue;
                }
            };
            let is_sent = |sent: &Sent, place: usize| {
                let last = sent.get(&(tenant.clone(), place));
                last.is_some_and(|position| *position >= checkpoint.position)
            };
            for (place, destination) in self.destinations.iter().enumerate() {
                if is_sent(sent, place) {
                    continue;
                }
                match checkpoints.deliver(&checkpoint, destination, mailer).await {
                    Ok(()) => {
                        metrics::counter!("caudal_checkpoints_sent_total").increment(1);
                        sent.insert((tenant.clone(), place), checkpoint.position);
                    }
                    Err(error) => {
                        failed("a checkpoint was not delivered; it is tried again", &error);
                        all_went = false;
                    }
                }
            }
            for (number, witness) in self.witnesses.iter().enumerate() {
                let place = self.destinations.len() + number;
                if is_sent(sent, place) {
                    continue;
                }
                match self.witnesses.ask(checkpoints, witness, &checkpoint).await {
                    Ok(()) => {
                        metrics::counter!("caudal_cosignatures_total").increment(1);
                        sent.insert((tenant.clone(), place), checkpoint.position);
                    }
                    Err(error) => {
                        metrics::counter!("caudal_cosignatures_failed_total").increment(1);
                        tracing::warn!(%tenant, %witness, error = %WithCauses(&error), "a witness did not co-sign");
                        all_went = false;
                    }
                }
            }
        }
        all_went
    }
}

fn failed(what: &str, error: &dyn std::error::Error) {
    metrics::counter!("caudal_checkpoints_failed_total").increment(1);
    tracing::error!(error = %WithCauses(error), "{what}");
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
