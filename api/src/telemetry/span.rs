//! Spans: from those of the log, and from sqlx's log events about statements.

use super::context::{SpanId, TraceContext, TraceId, new_span};
use caudal_journal::TRACED;
use std::{
    fmt::Debug,
    time::{Duration, SystemTime},
};
use tokio::sync::mpsc;
use tracing::{
    Event, Level, Span, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{
    Layer, Registry,
    layer::Context,
    registry::{LookupSpan, SpanRef},
};

/// Target of sqlx's log events about statements.
pub const STATEMENTS: &str = "sqlx::query";
/// What the log's filter must let through.
pub const WANTED: [&str; 2] = ["caudal::trace=info", "sqlx::query=debug"];
/// Maximum statement text in bytes.
const STATEMENT_LIMIT: usize = 4_096;
/// Shares are told in percent.
const WHOLE: u64 = 100;

/// Role of a span, by its number in OTLP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Internal = 1,
    Server = 2,
    Client = 3,
}

/// Value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    Number(i64),
    Real(f64),
    Flag(bool),
}

type Attributed = Vec<(&'static str, Value)>;

/// A finished span.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Finished {
    pub(super) trace: TraceId,
    pub(super) span: SpanId,
    pub(super) parent: Option<SpanId>,
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) begun: SystemTime,
    pub(super) ended: SystemTime,
    pub(super) attributes: Attributed,
    pub(super) links: Vec<(TraceId, SpanId)>,
    pub(super) has_failed: bool,
}

/// A span under way, beside the log's own.
struct Live {
    unfinished: Finished,
    /// Time between the click and the request.
    since_click: Option<Duration>,
}

/// Beginning of a request.
pub struct Request {
    pub context: TraceContext,
    /// Name of the span: method and route.
    pub name: String,
    /// Time since the click that led to it.
    pub since_click: Option<Duration>,
}

/// The layer of the log that makes spans. Without a queue it makes none.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    queue: Option<mpsc::Sender<Finished>>,
    /// Percent of the traces.
    share: u8,
}

impl Traces {
    pub(super) fn to(queue: mpsc::Sender<Finished>, share: u8) -> Self {
        Self {
            queue: Some(queue),
            share,
        }
    }

    /// Whether spans are made.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.queue.is_some()
    }

    /// Whether a trace is sent: all nodes decide the same.
    fn takes(&self, context: &TraceContext) -> bool {
        let [.., a, b, c, d, e, f, g, h] = context.trace;
        let number = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
        self.is_on() && context.is_wanted && number % WHOLE < u64::from(self.share)
    }

    /// Makes the log's span of a request the root of its spans on this node.
    pub fn begin(span: &Span, request: Request) {
        with_live_of(span, |traces, log_span| {
            if !traces.takes(&request.context) {
                return;
            }
            let TraceContext {
                trace, span, parent, ..
            } = request.context;
            let now = SystemTime::now();
            log_span.extensions_mut().replace(Live {
                unfinished: Finished {
                    trace,
                    span,
                    parent,
                    name: request.name,
                    kind: Kind::Server,
                    begun: now,
                    ended: now,
                    attributes: Vec::new(),
                    links: Vec::new(),
                    has_failed: false,
                },
                since_click: request.since_click,
            });
        });
    }

    /// Adds attributes to the span of a request, and whether the request failed.
    pub fn note(span: &Span, attributes: impl IntoIterator<Item = (&'static str, Value)>, has_failed: bool) {
        with_live_of(span, |_, log_span| {
            if let Some(live) = log_span.extensions_mut().get_mut::<Live>() {
                live.unfinished.attributes.extend(attributes);
                live.unfinished.has_failed |= has_failed;
            }
        });
    }

    fn send(&self, span: Finished) {
        let Some(queue) = &self.queue else { return };
        if queue.try_send(span).is_err() {
            metrics::counter!("caudal_spans_dropped_total").increment(1);
        }
    }
}

/// Calls with the layer and the log's span, where the layer makes spans.
fn with_live_of(span: &Span, call: impl FnOnce(&Traces, &SpanRef<'_, Registry>)) {
    span.with_subscriber(|(id, dispatch)| {
        let layer = dispatch.downcast_ref::<Traces>().filter(|traces| traces.is_on());
        let log_span = dispatch.downcast_ref::<Registry>().and_then(|log| log.span(id));
        if let (Some(traces), Some(log_span)) = (layer, log_span) {
            call(traces, &log_span);
        }
    });
}

/// Trace and id of the nearest span that is sent.
fn nearest<'a, S: LookupSpan<'a>>(span: &SpanRef<'a, S>) -> Option<(TraceId, SpanId)> {
    span.scope().find_map(|span| {
        let extensions = span.extensions();
        let live = extensions.get::<Live>()?;
        Some((live.unfinished.trace, live.unfinished.span))
    })
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Traces {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if !self.is_on() || attributes.metadata().target() != TRACED {
            return;
        }
        let Some(span) = context.span(id) else { return };
        let Some((trace, parent)) = span.parent().and_then(|parent| nearest(&parent)) else {
            return;
        };
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let now = SystemTime::now();
        span.extensions_mut().insert(Live {
            unfinished: Finished {
                trace,
                span: new_span(),
                parent: Some(parent),
                name: attributes.metadata().name().to_owned(),
                kind: Kind::Internal,
                begun: now,
                ended: now,
                attributes: fields.0,
                links: Vec::new(),
                has_failed: false,
            },
            since_click: None,
        });
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id).filter(|_| self.is_on()) else {
            return;
        };
        if let Some(live) = span.extensions_mut().get_mut::<Live>() {
            let mut fields = Fields::default();
            values.record(&mut fields);
            live.unfinished.attributes.append(&mut fields.0);
        }
    }

    fn on_follows_from(&self, id: &Id, follows: &Id, context: Context<'_, S>) {
        if !self.is_on() {
            return;
        }
        let cause = context.span(follows).and_then(|cause| nearest(&cause));
        if let (Some(cause), Some(span)) = (cause, context.span(id))
            && let Some(live) = span.extensions_mut().get_mut::<Live>()
        {
            live.unfinished.links.push(cause);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        if !self.is_on() {
            return;
        }
        let Some(span) = context.event_span(event) else { return };
        if event.metadata().target() == STATEMENTS {
            if let Some((trace, parent)) = nearest(&span) {
                self.send(statement(event, trace, parent));
            }
        } else if *event.metadata().level() == Level::ERROR
            && let Some(live) = span.extensions_mut().get_mut::<Live>()
        {
            live.unfinished.has_failed = true;
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id).filter(|_| self.is_on()) else {
            return;
        };
        let Some(live) = span.extensions_mut().remove::<Live>() else {
            return;
        };
        let ended = SystemTime::now();
        let span = Finished {
            ended,
            ..live.unfinished
        };
        if let (Some(since), Some(browser)) = (live.since_click, span.parent) {
            self.send(Finished {
                span: browser,
                parent: None,
                name: format!("browser {}", span.name),
                kind: Kind::Client,
                begun: span.begun.checked_sub(since).unwrap_or(span.begun),
                attributes: Vec::new(),
                links: Vec::new(),
                has_failed: false,
                ..span.clone()
            });
        }
        self.send(span);
    }
}

/// The span of a statement that has just ended.
fn statement(event: &Event<'_>, trace: TraceId, parent: SpanId) -> Finished {
    let mut fields = Statement::default();
    event.record(&mut fields);
    let Statement {
        summary,
        mut text,
        elapsed,
        rows,
    } = fields;
    let summary = summary.trim_end_matches(" …");
    if text.trim().is_empty() {
        summary.clone_into(&mut text);
    }
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.len() > STATEMENT_LIMIT {
        text.truncate(text.floor_char_boundary(STATEMENT_LIMIT));
    }
    let ended = SystemTime::now();
    let mut attributes = vec![
        ("db.system.name", Value::Text("postgresql".to_owned())),
        ("db.query.text", Value::Text(text)),
    ];
    attributes.extend(rows.map(|rows| ("db.response.returned_rows", Value::Number(rows))));
    Finished {
        trace,
        span: new_span(),
        parent: Some(parent),
        name: summary.to_owned(),
        kind: Kind::Client,
        begun: ended.checked_sub(elapsed).unwrap_or(ended),
        ended,
        attributes,
        links: Vec::new(),
        has_failed: false,
    }
}

/// Fields of sqlx's log event.
#[derive(Default)]
struct Statement {
    /// The first words.
    summary: String,
    /// The statement without its values; empty where the summary is all of it.
    text: String,
    elapsed: Duration,
    rows: Option<i64>,
}

impl Visit for Statement {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" => value.clone_into(&mut self.summary),
            "db.statement" => value.clone_into(&mut self.text),
            _ => {}
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "rows_returned" {
            self.rows = i64::try_from(value).ok();
        }
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        if field.name() == "elapsed_secs" {
            self.elapsed = Duration::try_from_secs_f64(value).unwrap_or_default();
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// Fields of a span, as attributes.
#[derive(Default)]
struct Fields(Attributed);

impl Visit for Fields {
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.push((field.name(), Value::Number(value)));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        self.0.push((field.name(), Value::Number(value)));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.push((field.name(), Value::Real(value)));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.push((field.name(), Value::Flag(value)));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.push((field.name(), Value::Text(value.to_owned())));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.push((field.name(), Value::Text(format!("{value:?}"))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderMap;
    use tracing_subscriber::layer::SubscriberExt as _;
    use uuid::Uuid;

    fn request(name: &str) -> Request {
        Request {
            context: TraceContext::of(&HeaderMap::new(), Uuid::now_v7()),
            name: name.to_owned(),
            since_click: None,
        }
    }

    /// Runs with the layer, and returns what it sent.
    fn sent(limit: usize, share: u8, run: impl FnOnce()) -> Vec<Finished> {
        let (queue, mut spans) = mpsc::channel(limit);
        let log = tracing_subscriber::registry().with(Traces::to(queue, share));
        tracing::subscriber::with_default(log, run);
        std::iter::from_fn(|| spans.try_recv().ok()).collect()
    }

    fn log_span() -> Span {
        tracing::info_span!(target: TRACED, "request")
    }

    #[test]
    fn spans_below_a_request_and_its_statements_are_in_its_trace() {
        let request = Request {
            since_click: Some(Duration::from_millis(50)),
            context: TraceContext {
                parent: Some([7; 8]),
                ..request("").context
            },
            ..request("GET /api/x")
        };
        let (trace, root) = (request.context.trace, request.context.span);
        let spans = sent(16, 100, || {
            let span = log_span();
            Traces::begin(&span, request);
            Traces::note(&span, [("http.route", Value::Text("/api/x".to_owned()))], true);
            let _request = span.enter();
            let write =
                tracing::info_span!(target: TRACED, "write", commands = 2_u64, position = tracing::field::Empty);
            let _write = write.enter();
            write.record("position", 9_i64);
            tracing::debug!(
                target: "sqlx::query",
                summary = "SELECT a, b, c …",
                db.statement = "\n\nSELECT a, b, c\n FROM t WHERE d = $1\n",
                rows_returned = 3_u64,
                elapsed_secs = 0.25,
            );
            // Of another target: not sent, and not in the way.
            let _other = tracing::info_span!("other").entered();
        });
        let [statement, write, browser, request] = spans.as_slice() else {
            panic!("{spans:#?}");
        };
        assert!(spans.iter().all(|span| span.trace == trace));
        assert_eq!((request.span, request.parent), (root, Some([7; 8])));
        assert_eq!((request.name.as_str(), request.kind), ("GET /api/x", Kind::Server));
        assert!(request.has_failed);
        assert_eq!((browser.span, browser.parent), ([7; 8], None));
        assert_eq!(browser.begun + Duration::from_millis(50), request.begun);
        assert_eq!((write.parent, write.name.as_str()), (Some(root), "write"));
        let attributes = [("commands", Value::Number(2)), ("position", Value::Number(9))];
        assert_eq!(write.attributes, attributes);
        assert_eq!((statement.parent, statement.kind), (Some(write.span), Kind::Client));
        assert_eq!(statement.name, "SELECT a, b, c");
        let text = Value::Text("SELECT a, b, c FROM t WHERE d = $1".to_owned());
        assert!(statement.attributes.contains(&("db.query.text", text)));
        let took = statement.ended.duration_since(statement.begun);
        assert_eq!(took.unwrap(), Duration::from_millis(250));
    }

    #[test]
    fn a_batch_is_linked_with_every_request_in_it() {
        let (first, second) = (request("first"), request("second"));
        let (one, other) = (first.context, second.context);
        let spans = sent(16, 100, || {
            let (first_span, second_span) = (log_span(), log_span());
            Traces::begin(&first_span, first);
            Traces::begin(&second_span, second);
            let batch = tracing::info_span!(target: TRACED, parent: &first_span, "write");
            batch.follows_from(&second_span);
            second_span.follows_from(&batch);
        });
        let named = |name: &str| spans.iter().find(|span| span.name == name).unwrap();
        let batch = named("write");
        assert_eq!((batch.trace, batch.parent), (one.trace, Some(one.span)));
        assert_eq!(batch.links, [(other.trace, other.span)]);
        assert_eq!(named("second").links, [(one.trace, batch.span)]);
    }

    #[test]
    fn a_full_queue_drops_spans_and_unwanted_traces_are_not_sent() {
        let spans = sent(2, 100, || {
            for _ in 0..5 {
                Traces::begin(&log_span(), request("GET /api/x"));
            }
        });
        assert_eq!(spans.len(), 2);
        let none = sent(16, 0, || Traces::begin(&log_span(), request("GET /api/x")));
        assert!(none.is_empty());
        let unwanted = sent(16, 100, || {
            let mut request = request("GET /api/x");
            request.context.is_wanted = false;
            Traces::begin(&log_span(), request);
        });
        assert!(unwanted.is_empty());
    }
}
