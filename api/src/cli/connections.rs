//! What the web server's library says of connections that speak no HTTP.

use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{Layer, layer::Context};

/// Where the library reports a connection that it gave up.
const TARGET: &str = "actix_http";
/// How such a report begins. What fails on our side, as the body of an answer, is told in other words.
const GIVEN_UP: &str = "stream error";

/// Keeps connections that were given up out of the log, where anybody could fill it with errors, and counts them in
/// `caudal_http_connections_given_up`. `RUST_LOG` with `actix_http` in it shows them.
#[derive(Clone, Copy, Debug)]
pub struct Garbage {
    is_shown: bool,
}

impl Garbage {
    /// As the filter of the log says.
    pub fn of(filter: Option<&str>) -> Self {
        Self {
            is_shown: filter.is_some_and(|filter| filter.contains(TARGET)),
        }
    }
}

/// A layer for the whole log, not a filter of one layer: what such a filter decides of one event is remembered, and taken for
/// the next one where a library asks whether an event is enabled that it then does not send (sqlx does). That line was lost.
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

/// The text of an event.
#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}
