//! Trace context of a request, by W3C Trace Context: `traceparent: 00-TRACE-SPAN-FLAGS`.

use actix_web::http::header::HeaderMap;
use std::{fmt, time::Duration};
use uuid::Uuid;

/// Header with the caller's trace and span.
pub const PARENT: &str = "traceparent";
/// Header with what the interface tells of its click: `caudal=153`, the milliseconds since then.
const STATE: &str = "tracestate";
/// The interface's key in that header.
const KEY: &str = "caudal=";
/// Maximum time between a click and its request; a later request belongs to something else.
const LATE: Duration = Duration::from_secs(60);
/// Flag: the caller records this trace.
const SAMPLED: u8 = 1;

/// Id of a span.
pub type SpanId = [u8; 8];
/// Id of a trace.
pub type TraceId = [u8; 16];

/// Where a request stands in its trace.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TraceContext {
    pub trace: TraceId,
    /// Span of the request.
    pub span: SpanId,
    /// The caller's span.
    pub parent: Option<SpanId>,
    /// Whether the caller records the trace, or has none.
    pub is_wanted: bool,
}

impl fmt::Debug for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.header())
    }
}

impl TraceContext {
    /// Context of a request: the caller's trace, or else one of the request's own id.
    #[must_use]
    pub fn of(headers: &HeaderMap, request_id: Uuid) -> Self {
        let span = new_span();
        let sent = headers.get(PARENT).and_then(|value| parse(value.to_str().ok()?));
        match sent {
            Some((trace, parent, flags)) => Self {
                trace,
                span,
                parent: Some(parent),
                is_wanted: flags & SAMPLED == SAMPLED,
            },
            None => Self {
                trace: request_id.into_bytes(),
                span,
                parent: None,
                is_wanted: true,
            },
        }
    }

    /// The header of requests that this one leads to.
    #[must_use]
    pub fn header(&self) -> String {
        let flags = u8::from(self.is_wanted);
        format!("00-{}-{}-{flags:02x}", hex::encode(self.trace), hex::encode(self.span))
    }
}

/// A random span id; zero stands for none.
pub fn new_span() -> SpanId {
    let mut span = SpanId::default();
    if getrandom::fill(&mut span).is_err() || span == SpanId::default() {
        // Random in its last eight bytes.
        let [.., a, b, c, d, e, f, g, h] = Uuid::now_v7().into_bytes();
        span = [a, b, c, d, e, f, g, h];
    }
    span
}

/// Trace, span and flags of a header. A later version may append fields.
fn parse(text: &str) -> Option<(TraceId, SpanId, u8)> {
    let mut parts = text.trim().split('-');
    let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_hexadecimal = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if version.len() != 2 || version == "ff" || (version == "00" && parts.next().is_some()) {
        return None;
    }
    if ![version, trace, span, flags].into_iter().all(is_hexadecimal) {
        return None;
    }
    let (mut trace_id, mut span_id, mut flag) = (TraceId::default(), SpanId::default(), [0]);
    hex::decode_to_slice(trace, &mut trace_id).ok()?;
    hex::decode_to_slice(span, &mut span_id).ok()?;
    hex::decode_to_slice(flags, &mut flag).ok()?;
    let is_none = trace_id == TraceId::default() || span_id == SpanId::default();
    (!is_none).then_some((trace_id, span_id, flag[0]))
}

/// Time between the user's click and the request, where the interface tells it.
#[must_use]
pub fn since_click(headers: &HeaderMap) -> Option<Duration> {
    let state = headers.get(STATE)?.to_str().ok()?;
    let told = state.split(',').find_map(|member| member.trim().strip_prefix(KEY))?;
    let since = Duration::from_millis(told.parse().ok()?);
    (since <= LATE).then_some(since)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::{HeaderName, HeaderValue};

    fn headers(of: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in of {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn a_request_continues_its_caller_s_trace_and_begins_one_otherwise() {
        let id = Uuid::now_v7();
        let sent = headers(&[(PARENT, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")]);
        let context = TraceContext::of(&sent, id);
        assert_eq!(hex::encode(context.trace), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!(context.parent.map(hex::encode).as_deref(), Some("00f067aa0ba902b7"));
        assert!(context.is_wanted);
        assert!(context.header().starts_with("00-4bf92f3577b34da6a3ce929d0e0e4736-"));
        assert_ne!(context.span, TraceContext::of(&sent, id).span);

        let without = TraceContext::of(&headers(&[]), id);
        assert_eq!(without.trace, id.into_bytes());
        assert_eq!(without.parent, None);
        assert!(without.is_wanted);

        let unwanted = headers(&[(PARENT, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")]);
        assert!(!TraceContext::of(&unwanted, id).is_wanted);
    }

    #[test]
    fn malformed_headers_begin_a_trace() {
        for text in [
            "",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "00-4bf92f35-00f067aa0ba902b7-01",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert!(parse("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more").is_some());
    }

    #[test]
    fn the_time_since_the_click_is_bounded() {
        let since = |state| since_click(&headers(&[("tracestate", state)]));
        assert_eq!(since("caudal=153"), Some(Duration::from_millis(153)));
        assert_eq!(since("other=1, caudal=5"), Some(Duration::from_millis(5)));
        for none in ["caudal=60001", "caudal=-1", "caudal=x", "other=1"] {
            assert_eq!(since(none), None, "{none}");
        }
    }
}
