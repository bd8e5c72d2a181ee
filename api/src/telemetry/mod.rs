//! Traces and metrics for an OpenTelemetry collector: OTLP over HTTP, with JSON.
//!
//! Off unless `--otlp-endpoint` names a collector. A trace leads from the click in the browser to the SQL statements:
//!
//! | Span | Begins with | Made by |
//! |---|---|---|
//! | `browser GET /api/…` | the click that led to the request | [`crate::request_id`], by what the interface tells in `tracestate` |
//! | `GET /api/…` | the request | [`crate::request_id`] |
//! | `write` | the batch of the tenant's writer, with the ledger position | the journal |
//! | the first words of a statement | the statement | [`Traces`], of sqlx's log events |
//!
//! Spans hold routes, roles of programs and statements without their values: no personal data.
//!
//! Nothing waits for the collector: a queue of [`QUEUE_LIMIT`] spans lies between, and spans beyond it are dropped and
//! counted in `caudal_spans_dropped_total`.

mod context;
mod encode;
mod export;
mod exposition;
mod span;

pub use context::{TraceContext, since_click};
pub use export::{CollectorFault, Exporter, Probe};
pub use span::{Request, STATEMENTS, Traces, Value, WANTED};

use crate::base_url;
use clap::Args;
use reqwest::{
    Url,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use std::{fmt, str::FromStr};
use tokio::sync::mpsc;

/// Maximum spans that wait for the collector: some seconds of a busy node, a few megabytes.
const QUEUE_LIMIT: usize = 8_192;

/// Share of the traces that are sent, in percent.
const ALL: u8 = 100;

/// Where traces and metrics are sent.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// An OpenTelemetry collector (OTLP over HTTP with JSON), like http://127.0.0.1:4318, to which traces and metrics are
    /// sent; without it neither is
    #[arg(long, env = "CAUDAL_OTLP_ENDPOINT", value_name = "URL", verbatim_doc_comment)]
    otlp_endpoint: Option<Collector>,
    /// Headers for the collector, such as its token, like authorization=Bearer abc, with commas between
    #[arg(
        long,
        env = "CAUDAL_OTLP_HEADERS",
        value_name = "NAME=VALUE",
        value_delimiter = ',',
        hide_env_values = true
    )]
    otlp_headers: Vec<Header>,
    /// How many traces of a hundred are sent; metrics are not concerned
    #[arg(
        long,
        env = "CAUDAL_TRACE_SHARE",
        value_name = "PERCENT",
        default_value_t = ALL,
        value_parser = clap::value_parser!(u8).range(0..=100)
    )]
    trace_share: u8,
}

impl Settings {
    /// The layer of the log that makes spans, and their exporter; neither sends anything without a collector.
    pub fn begin(&self) -> (Traces, Option<Exporter>) {
        let Some(collector) = &self.otlp_endpoint else {
            return (Traces::default(), None);
        };
        let (queue, spans) = mpsc::channel(QUEUE_LIMIT);
        let exporter = Exporter::new(collector.clone(), self.headers(), spans);
        (Traces::to(queue, self.trace_share), Some(exporter))
    }

    /// The collector, to be asked whether it takes anything.
    #[must_use]
    pub fn collector(&self) -> Option<Probe> {
        let collector = self.otlp_endpoint.clone()?;
        Some(Probe::new(collector, self.headers()))
    }

    /// Whether headers for a collector are set.
    #[must_use]
    pub const fn has_headers(&self) -> bool {
        !self.otlp_headers.is_empty()
    }

    fn headers(&self) -> Headers {
        self.otlp_headers.iter().map(|header| header.0.clone()).collect()
    }
}

/// Address of a collector; `/v1/traces` and `/v1/metrics` are appended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collector(Url);

impl Collector {
    fn of(&self, signal: &str) -> String {
        format!("{}/v1/{signal}", base_url::text(&self.0))
    }
}

impl FromStr for Collector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("a collector is an address like http://127.0.0.1:4318, not {text:?}");
        // With credentials in it, the log would show them: they are what --otlp-headers is for.
        let has_none = |url: &Url| url.username().is_empty() && url.password().is_none();
        base_url::parse(text).filter(has_none).map(Self).ok_or_else(wrong)
    }
}

impl fmt::Display for Collector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(base_url::text(&self.0))
    }
}

/// A header of the requests to the collector.
#[derive(Clone)]
pub struct Header((HeaderName, HeaderValue));

impl FromStr for Header {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        const WRONG: &str = "a header is written NAME=VALUE";
        let (name, value) = text.split_once('=').ok_or(WRONG)?;
        let name = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| WRONG)?;
        let mut value = HeaderValue::from_str(value.trim()).map_err(|_| WRONG)?;
        value.set_sensitive(true);
        Ok(Self((name, value)))
    }
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=…", self.0.0)
    }
}

type Headers = HeaderMap;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collector_is_an_address_and_a_header_hides_its_value() {
        let collector: Collector = "http://127.0.0.1:4318/".parse().unwrap();
        assert_eq!(collector.of("traces"), "http://127.0.0.1:4318/v1/traces");
        let below: Collector = "https://otel.example.org/caudal".parse().unwrap();
        assert_eq!(below.of("metrics"), "https://otel.example.org/caudal/v1/metrics");
        for wrong in ["127.0.0.1:4318", "https://me:secret@otel.example.org"] {
            assert!(wrong.parse::<Collector>().is_err(), "{wrong}");
        }
        let header: Header = "Authorization=Bearer a=b".parse().unwrap();
        assert_eq!(header.0.0, "authorization");
        assert_eq!(header.0.1, "Bearer a=b");
        assert_eq!(format!("{header:?}"), "authorization=…");
        for wrong in ["authorization", "a b=c", "a=b\nc"] {
            assert!(wrong.parse::<Header>().is_err(), "{wrong:?}");
        }
    }
}
