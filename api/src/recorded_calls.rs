//! Calls whose reads are recorded: the policy table says which, and the gate asks here.

use crate::{
    app::App,
    extract::{Caller, QueryFields},
    listing::{self, FORMAT},
    policy::{self, FreshCode, Reads, Row},
    problem::ApiError,
    readings::{Read, Reader},
};
use actix_web::{
    HttpMessage as _, HttpRequest,
    dev::{ServiceRequest, ServiceResponse},
    http::Method,
    web::Data,
};
use caudal_projections::reading::ReadingKind;
use chrono::{DateTime, Utc};
use uuid::Uuid;

impl From<&Caller> for Reader {
    fn from(caller: &Caller) -> Self {
        let (party, viewed_as) = match caller.viewer {
            Some(viewer) => (viewer.party, Some(caller.party)),
            None => (caller.party, None),
        };
        Self {
            tenant: caller.tenant.clone(),
            party,
            viewed_as,
            session: caller.session,
        }
    }
}

/// A call whose read is recorded if it answers data. Inserted into the request by the gate.
#[derive(Clone, Debug)]
struct Pending(Read);

/// Remembers that an admitted call reads what is recorded.
pub fn expect(request: &ServiceRequest, row: &Row, caller: &Caller, now: DateTime<Utc>) {
    if let Some(read) = read_of(request.request(), row, caller, now) {
        request.extensions_mut().insert(Pending(read));
    }
}

/// Remembers whose data a call reads that its path does not name.
///
/// # Errors
/// Without a caller.
pub fn opens(request: &HttpRequest, kind: ReadingKind, subject: Uuid) -> Result<(), ApiError> {
    let caller = request.extensions().get::<Caller>().cloned();
    let caller = caller.ok_or_else(|| ApiError::unauthorized("token_missing"))?;
    let now = App::of(request)?.now();
    let call = policy::pattern(request.path());
    let read = Read::new((&caller).into(), kind, Some(subject), call, None, now);
    request.extensions_mut().insert(Pending(read));
    Ok(())
}

/// Records the read of an answer with data, whatever the method: a change answers the record, and so does the refusal of one that
/// was made on old data, field by field.
///
/// # Errors
/// When what must be recorded first can't be.
pub async fn record<B>(response: &ServiceResponse<B>) -> Result<(), ApiError> {
    let problem = response.response().error();
    let tells = match problem.and_then(|error| error.as_error::<ApiError>()) {
        // Previews and proposals have no data of the record.
        Some(problem) => problem.tells_present_values(),
        None => response.status().is_success(),
    };
    if !tells {
        return Ok(());
    }
    let request = response.request();
    let Some(Pending(read)) = request.extensions_mut().remove::<Pending>() else {
        return Ok(());
    };
    let app: Data<App> = App::of(request)?;
    app.readings.note(read).await
}

fn read_of(request: &HttpRequest, row: &Row, caller: &Caller, now: DateTime<Utc>) -> Option<Read> {
    // A change is one of a record, whatever its query.
    let is_list = request.method() == Method::GET || row.reads == Reads::Rows;
    if !is_list && row.reads == Reads::Nobody {
        return None;
    }
    let query = request.query_string();
    let format = QueryFields::read(query)
        .ok()
        .filter(|_| is_list)
        .and_then(|fields| fields.get(FORMAT).map(str::to_owned));
    let is_whole = match (row.reads, row.fresh_code) {
        (Reads::Rows, _) => listing::has_all_rows(query).unwrap_or(false),
        (_, FreshCode::ForWhole) => listing::is_whole(query).unwrap_or(false),
        _ => false,
    };
    let kind = match (row.reads, &format) {
        (Reads::File, _) | (_, Some(_)) => ReadingKind::File,
        (Reads::Nobody | Reads::Rows, None) if is_whole => ReadingKind::File,
        (Reads::Person(kind), None) => kind,
        (Reads::Nobody | Reads::Rows, None) if caller.viewer.is_some() => ReadingKind::Page,
        // Page by page a list is read whole, too.
        (Reads::Nobody | Reads::Rows, None)
            if (row.reads == Reads::Rows || row.fresh_code == FreshCode::ForWhole)
                && listing::goes_beyond_first_rows(query).unwrap_or(false) =>
        {
            ReadingKind::Page
        }
        (Reads::Nobody | Reads::Rows, None) => return None,
    };
    let subject = id_in(row.path, request.path());
    let call = numbered(row.path, request.path());
    let is_screen = is_whole && format.is_none();
    let read = Read::new(caller.into(), kind, subject, &call, format, now);
    // Screens that show all rows read them again at every change.
    Some(if is_screen { read.once_in_a_while() } else { read })
}

/// A pattern with the numbers of the path: which event of the log, or which delivery, was read. Nothing else of a path is
/// recorded, since it may be an address.
fn numbered(pattern: &str, path: &str) -> String {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let segments = pattern.split('/').zip(path.split('/'));
    let named: Vec<_> = segments
        .map(|(place, given)| {
            if place.starts_with('{') && is_number(given) {
                given
            } else {
                place
            }
        })
        .collect();
    named.join("/")
}

/// The id at the place of `{id}` of a pattern.
fn id_in(pattern: &str, path: &str) -> Option<Uuid> {
    let mut segments = pattern.split('/').zip(path.split('/'));
    let (_, id) = segments.find(|(place, _)| *place == "{id}")?;
    Uuid::parse_str(id).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_recorded_with_its_numbers_and_without_ids_and_texts() {
        let pattern = "/api/webhooks/{id}/deliveries/{number}";
        let path = format!("/api/webhooks/{}/deliveries/17", Uuid::now_v7());
        assert_eq!(numbered(pattern, &path), "/api/webhooks/{id}/deliveries/17");
        assert_eq!(
            numbered("/api/audit/events/{position}", "/api/audit/events/9"),
            "/api/audit/events/9"
        );
        let address = "/api/users/{email}";
        assert_eq!(numbered(address, "/api/users/ana@example.test"), address);
    }

    #[test]
    fn the_record_is_the_one_at_the_place_of_the_pattern() {
        let id = Uuid::now_v7();
        let path = format!("/api/customer/{id}/details");
        assert_eq!(id_in("/api/customer/{id}/details", &path), Some(id));
        assert_eq!(id_in("/api/customer/sender", "/api/customer/sender"), None);
        assert_eq!(id_in("/api/customer/{id}/details", "/api/customer/x/details"), None);
    }
}
