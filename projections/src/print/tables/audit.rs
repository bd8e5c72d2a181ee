//! The event log.

use super::{
    super::table::{Table, number, text, time},
    actor,
};
use crate::{audit::AuditEvent, print::Words};

/// The event log.
pub const AUDIT_EVENTS: Table<AuditEvent> = Table::new(
    Words::new("Registro de eventos", "Event log"),
    &[
        number("Posición", "Position", |e| e.position),
        time("Fecha", "Date", |e| Some(e.at)),
        text("Evento", "Event", |e, _| Some(e.event_type.clone())),
        text("Registro", "Record", |e, _| e.record_name.clone()),
        text("Id", "Id", |e, _| Some(e.record_id.to_string())),
        text("Quién", "Who", |e, p| actor(&e.actor, p)),
        text("Hash", "Hash", |e, _| Some(e.hash.clone())),
    ],
);
