//! Log lines of actix-http about connections that speak no HTTP.

use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{Layer, layer::Context};

/// Log target under which actix-http reports a closed connection.
const TARGET: &str = "actix_http";
/// Prefix of such a report. Failures on the server's side, such as an answer's body, have other texts.
const GIVEN_UP: &str = "stream error";

/// Removes reports of closed connections from the log, which anybody could flood with them, and counts them in
/// `caudal_http_connections_given_up`. `RUST_LOG` with `actix_http` in it shows them.
#[derive(Clone, Copy, Debug)]
pub struct Garbage {
    is_shown: bool,
}

impl Garbage {
    /// Hides the reports unless the log's filter names actix-http.
    pub fn of(filter: Option<&str>) -> Self {
        Self {
            is_shown: filter.is_some_and(|filter| filter.contains(TARGET)),
        }
    }
}

/// A layer of the whole log, not a per-layer filter: tracing caches a per-layer filter's verdict on an event. If a
/// library checks that an event is enabled and then does not send it (sqlx does), the verdict is applied to the next
/// event, and that line is lost.
impl<S: Subscriber> Layer<S> for Garbage {
    fn event_enabled(&self, event: &Event<'_>, _: Context<'_, S>) -> bool {
        let metadata = event.metadata();
        if *metadata.level() != Level::ERROR || !metadata.target().starts_with(TARGET) {
            return true;
        }
        let mut message = Message::default();
        event.record(&mut message);
        if !message.0.starts_with(GIVEN_UP) {
            return true;
        }
        metrics::counter!("caudal_http_connections_given_up").increment(1);
        self.is_shown
    }
}

/// The message of an event.
#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}
