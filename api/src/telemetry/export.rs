//! Sending to the collector.

use super::{Collector, Headers, encode, exposition, span::Finished};
use crate::metrics;
use caudal_journal::WithCauses;
use reqwest::{Client, StatusCode, header::CONTENT_TYPE, redirect::Policy};
use serde_json::{Value as Json, json};
use std::{
    fmt, fs,
    time::{Duration, SystemTime},
};
use tokio::{
    sync::{mpsc, watch},
    time::{MissedTickBehavior, interval, timeout},
};
use uuid::Uuid;

/// Time for which spans are gathered.
const GATHERING: Duration = Duration::from_secs(1);
/// Interval of the metrics.
const METRICS_INTERVAL: Duration = Duration::from_secs(60);
/// Maximum spans of one request.
const BATCH_LIMIT: usize = 512;
/// Request timeout.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time for what is left when the server stops.
const LAST_PATIENCE: Duration = Duration::from_secs(3);
/// Name of the machine.
const HOST_NAME: &str = "/proc/sys/kernel/hostname";

/// Why something was not sent.
#[derive(Debug, thiserror::Error)]
enum NotSent {
    #[error("the collector does not answer")]
    Unreachable(#[from] reqwest::Error),
    #[error("the collector answered {0}")]
    Refused(StatusCode),
    #[error("the body")]
    Body(#[from] serde_json::Error),
}

/// Sends spans and metrics to a collector. What can't be sent is dropped, counted in `caudal_telemetry_failed_total`.
pub struct Exporter {
    collector: Collector,
    headers: Headers,
    spans: mpsc::Receiver<Finished>,
    begun: SystemTime,
    resource: Json,
    /// Whether the log has said that nothing gets through.
    is_failing: bool,
}

impl Exporter {
    pub(super) fn new(collector: Collector, headers: Headers, spans: mpsc::Receiver<Finished>) -> Self {
        let host = fs::read_to_string(HOST_NAME).ok();
        let host = host.as_deref().map(str::trim).filter(|host| !host.is_empty());
        Self {
            collector,
            headers,
            spans,
            begun: SystemTime::now(),
            resource: encode::resource(&Uuid::now_v7().to_string(), host),
            is_failing: false,
        }
    }

    /// Sends until `stop` turns true, and then what is left.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let client = match client(self.headers.clone()) {
            Ok(client) => client,
            Err(error) => {
                tracing::error!(%error, "no client for the collector: neither traces nor metrics are sent");
                return;
            }
        };
        // A request under way is given up: a collector that hangs does not hold up the server's end.
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => {}
            () = self.send_on(&client) => {}
        }
        let rest = async {
            self.send_spans(&client).await;
            self.send_metrics(&client).await;
        };
        if timeout(LAST_PATIENCE, rest).await.is_err() {
            tracing::warn!("the collector did not take the last traces and metrics in time");
        }
    }

    /// Sends spans and metrics, each in its interval.
    async fn send_on(&mut self, client: &Client) {
        let (mut gathered, mut measured) = (interval(GATHERING), interval(METRICS_INTERVAL));
        gathered.set_missed_tick_behavior(MissedTickBehavior::Delay);
        measured.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = gathered.tick() => self.send_spans(client).await,
                _ = measured.tick() => self.send_metrics(client).await,
            }
        }
    }

    /// Sends what has gathered, until the queue is empty or a request fails.
    async fn send_spans(&mut self, client: &Client) {
        loop {
            let mut batch = Vec::new();
            while batch.len() < BATCH_LIMIT
                && let Ok(span) = self.spans.try_recv()
            {
                batch.push(span);
            }
            if batch.is_empty() {
                return;
            }
            let body = encode::traces(&self.resource, &batch);
            if !self.send(client, "traces", &body).await {
                return;
            }
        }
    }

    async fn send_metrics(&mut self, client: &Client) {
        let Some(text) = metrics::text() else { return };
        let families = exposition::read(&text);
        let body = encode::metrics(&self.resource, &families, self.begun, SystemTime::now());
        self.send(client, "metrics", &body).await;
    }

    /// Sends a body. Returns whether it arrived.
    async fn send(&mut self, client: &Client, signal: &'static str, body: &Json) -> bool {
        let sent = post(client, &self.collector.of(signal), body).await;
        match sent {
            Ok(()) => {
                if self.is_failing {
                    tracing::info!("traces and metrics get to the collector again");
                }
                self.is_failing = false;
                true
            }
            Err(error) => {
                ::metrics::counter!("caudal_telemetry_failed_total", "signal" => signal).increment(1);
                if !self.is_failing {
                    tracing::warn!(%error, collector = %self.collector, signal, "traces and metrics do not get to the collector");
                }
                self.is_failing = true;
                false
            }
        }
    }
}

/// Why a collector takes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CollectorFault {
    /// No answer.
    Unreachable(String),
    /// The answer to traces or to metrics was another one than success.
    Refused(String),
}

/// Asks a collector whether it takes traces and metrics, with none of either.
pub struct Probe {
    collector: Collector,
    headers: Headers,
}

impl Probe {
    pub(super) const fn new(collector: Collector, headers: Headers) -> Self {
        Self { collector, headers }
    }

    /// Why it takes nothing; none where it does.
    pub async fn ask(&self) -> Option<CollectorFault> {
        let unreachable =
            |error: reqwest::Error| CollectorFault::Unreachable(WithCauses(&error.without_url()).to_string());
        let client = match client(self.headers.clone()) {
            Ok(client) => client,
            Err(error) => return Some(unreachable(error)),
        };
        for (signal, body) in [
            ("traces", json!({"resourceSpans": []})),
            ("metrics", json!({"resourceMetrics": []})),
        ] {
            match post(&client, &self.collector.of(signal), &body).await {
                Ok(()) => {}
                Err(NotSent::Unreachable(error)) => return Some(unreachable(error)),
                Err(error) => return Some(CollectorFault::Refused(format!("{error} to {signal}"))),
            }
        }
        None
    }
}

impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.collector.fmt(f)
    }
}

fn client(headers: Headers) -> reqwest::Result<Client> {
    crate::tls::choose();
    Client::builder()
        .timeout(PATIENCE)
        .redirect(Policy::none())
        .default_headers(headers)
        .build()
}

async fn post(client: &Client, url: &str, body: &Json) -> Result<(), NotSent> {
    let answer = client
        .post(url)
        .header(CONTENT_TYPE, "application/json")
        .body(serde_json::to_vec(body)?)
        .send()
        .await?;
    let status = answer.status();
    if status.is_success() {
        Ok(())
    } else {
        Err(NotSent::Refused(status))
    }
}
