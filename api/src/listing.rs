//! Answers of lists: one page as JSON or, with `?format=`, all rows as a file.

use crate::{
    extract::{Language, QueryFields, Reading},
    problem::ApiError,
};
use actix_web::{
    FromRequest, HttpRequest, HttpResponse,
    body::{BodyStream, BoxBody, MessageBody as _, SizedStream},
    dev::Payload,
    http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ContentEncoding},
    web::Bytes,
};
use caudal_export::{Document, Export, ExportError, Format};
use caudal_journal::WithCauses;
use caudal_projections::{
    ReadError, ReadTransaction, Scope,
    export::{self, ExportFailure, ExportRequest, Turn},
    lists::List,
    page::{DEFAULT_RECORDS_PER_PAGE, ListQuery, Paged},
    print::{Printing, Words, one_line},
    report::{self, Report},
};
use chrono::{DateTime, Utc};
use futures::{Stream, StreamExt as _, future::BoxFuture};
use serde::Serialize;
use std::future::{Ready, ready};
use uuid::Uuid;

/// Query parameter that requests a file.
pub const FORMAT: &str = "format";

/// Filter of recipients by their sender.
const SENDER: &str = "senderId";

/// Query of a list: paging, search, sort, and all other parameters as filters. The answering list validates them.
///
/// ```text
/// async fn list_debits(listing: Listing) -> Result<HttpResponse, ApiError> {
///     listing.answer(&lists::DEBITS, |s, c, q| Box::pin(debit::list(s, c, q))).await
/// }
/// ```
#[derive(Clone)]
pub struct Listing {
    reading: Reading,
    query: ListQuery,
    format: Option<Format>,
    language: Language,
    about: Vec<(Words, Uuid)>,
}

impl Listing {
    /// Answers with a list whose rows are lines of its file.
    ///
    /// # Errors
    /// The list's refusals; 422 for too many rows, 503 when too many exports are running.
    pub async fn answer<P, F>(self, declaration: &'static List<P::Row>, list: F) -> Result<HttpResponse, ApiError>
    where
        P: Paged<Row: Sync> + Serialize,
        F: for<'a> Fn(&'a mut ReadTransaction, &'a Scope, &'a ListQuery) -> BoxFuture<'a, Result<P, ReadError>>
            + Send
            + Sync
            + 'static,
    {
        self.answer_lines(declaration, list, one_line).await
    }

    /// [`Self::answer`] for rows with other or several lines in files.
    pub async fn answer_lines<P, L, F>(
        self,
        declaration: &'static List<L>,
        list: F,
        lines: fn(P::Row) -> Vec<L>,
    ) -> Result<HttpResponse, ApiError>
    where
        P: Paged + Serialize,
        L: Send + Sync + 'static,
        F: for<'a> Fn(&'a mut ReadTransaction, &'a Scope, &'a ListQuery) -> BoxFuture<'a, Result<P, ReadError>>
            + Send
            + Sync
            + 'static,
    {
        let Some(format) = self.format else {
            let (mut transaction, scope) = self.reading.begin().await?;
            let page = list(&mut transaction, &scope, &self.query).await?;
            return Ok(HttpResponse::Ok().json(page));
        };
        Ok(file(
            export::list(self.asked().await?, format, declaration, list, lines).await?,
        ))
    }

    /// Answers with a report.
    pub async fn report(self, definition: &'static Report) -> Result<HttpResponse, ApiError> {
        let Some(format) = self.format else {
            let (mut transaction, scope) = self.reading.begin().await?;
            let page = definition.page(&mut transaction, &scope, &self.query).await?;
            return Ok(HttpResponse::Ok().json(page));
        };
        Ok(file(report::export(definition, self.asked().await?, format).await?))
    }

    /// Names the record in the list's path.
    #[must_use]
    pub fn about(mut self, label: Words, id: Uuid) -> Self {
        self.about.push((label, id));
        self
    }

    /// Answers in the only file format of a call.
    ///
    /// # Errors
    /// 422 for another format in the query.
    pub fn in_format(mut self, format: Format) -> Result<Self, ApiError> {
        if self.format.is_some_and(|given| given != format) {
            return Err(ApiError::invalid(FORMAT, "value_unknown"));
        }
        self.format = Some(format);
        Ok(self)
    }

    /// A query parameter outside the list's filters, when a page is requested.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.query.get(name).filter(|_| self.format.is_none())
    }

    /// Current time; periods end at it.
    pub fn now(&self) -> DateTime<Utc> {
        self.reading.app.now()
    }

    /// Begins a non-list query.
    ///
    /// # Errors
    /// 503 when the read models are behind the requested position.
    pub async fn begin(&self) -> Result<(ReadTransaction, Scope), ApiError> {
        self.reading.begin().await
    }

    /// Begins a query of figures over the filtered rows.
    ///
    /// # Errors
    /// 422 for a file format; as [`Self::begin`].
    pub async fn begin_figures(&self) -> Result<(ReadTransaction, Scope, &ListQuery), ApiError> {
        if self.format.is_some() {
            return Err(ApiError::invalid(FORMAT, "filter_unknown"));
        }
        let (transaction, scope) = self.begin().await?;
        Ok((transaction, scope, &self.query))
    }

    async fn asked(&self) -> Result<ExportRequest, ApiError> {
        let turn = Turn::take().await?;
        let (mut transaction, scope) = self.reading.begin().await?;
        let printing = printing(&self.reading, &mut transaction, self.language).await?;
        Ok(ExportRequest {
            transaction,
            scope,
            query: self.query.clone(),
            about: self.about.clone(),
            printing,
            turn,
        })
    }

    fn of(request: &HttpRequest, payload: &mut Payload) -> Result<Self, ApiError> {
        let (query, format) = parse(request.query_string())?;
        Ok(Self {
            reading: Reading::of(request, payload)?,
            query,
            format,
            language: Language::of(request),
            about: Vec::new(),
        })
    }
}

impl FromRequest for Listing {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        ready(Self::of(request, payload))
    }
}

/// Parses a list's query string.
///
/// # Errors
/// Unreadable parameters, control characters, values out of range; an unknown format.
pub fn parse(text: &str) -> Result<(ListQuery, Option<Format>), ApiError> {
    let QueryFields(fields) = QueryFields::read(text)?;
    let parameters = fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let mut query = ListQuery::parse(parameters)?;
    let format = query.get(FORMAT).map(str::parse::<Format>).transpose();
    let format = format.map_err(|_| ApiError::invalid(FORMAT, "value_unknown"))?;
    query.filters.retain(|name, _| !name.eq_ignore_ascii_case(FORMAT));
    Ok((query, format))
}

/// Whether a list's query asks for a file or for all rows at once. The recipients of one sender are no whole list.
///
/// # Errors
/// As [`parse`].
pub fn is_whole(text: &str) -> Result<bool, ApiError> {
    let (query, format) = parse(text)?;
    Ok(format.is_some() || (query.records_per_page == 0 && query.get(SENDER).is_none()))
}

/// Whether a list's query asks for more than the first rows, which a search shows. The recipients of one
/// sender are few.
///
/// # Errors
/// As [`parse`].
pub fn goes_beyond_first_rows(text: &str) -> Result<bool, ApiError> {
    let (query, _) = parse(text)?;
    let is_beyond = query.current_page > 1 || query.records_per_page > DEFAULT_RECORDS_PER_PAGE;
    Ok(is_beyond && query.get(SENDER).is_none())
}

/// Whether a list's query asks for all rows at once.
///
/// # Errors
/// As [`parse`].
pub fn has_all_rows(text: &str) -> Result<bool, ApiError> {
    Ok(parse(text)?.0.records_per_page == 0)
}

/// Print context of the caller.
pub async fn printing(
    reading: &Reading,
    transaction: &mut ReadTransaction,
    language: Language,
) -> Result<Printing, ApiError> {
    Ok(Printing::of(transaction, language.of_words(), reading.app.now()).await?)
}

/// Answers with a document.
///
/// # Errors
/// 422 when too large.
pub async fn printed(document: Document) -> Result<HttpResponse, ApiError> {
    let made = caudal_export::document(document).await.map_err(ExportFailure::from)?;
    Ok(file(made))
}

/// Answers with a file. Its ASCII name is made of title and time. A failure after the first byte aborts the connection,
/// so that a partial file is not mistaken for a complete one.
fn file(export: Export) -> HttpResponse {
    let Export {
        format,
        file_name,
        length,
        body,
    } = export;
    let body = body.inspect(|chunk| {
        if let Err(error) = chunk {
            tracing::error!(error = %WithCauses(error), "an export was cut off");
        }
    });
    let mut response = HttpResponse::Ok();
    response
        .insert_header((CONTENT_TYPE, format.content_type()))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{file_name}\"")))
        .insert_header((CACHE_CONTROL, "no-store"));
    if format != Format::Csv {
        // Compressed already.
        response.insert_header(ContentEncoding::Identity);
    }
    let body: BoxBody = match length {
        Some(length) => SizedStream::new(length, body).boxed(),
        None => BodyStream::new(body).boxed(),
    };
    response.body(body)
}

/// Streams a text as a file. A failure after the first byte aborts the connection.
pub fn text_file<E: std::error::Error + Send + Sync + 'static>(
    file_name: &str,
    content_type: &'static str,
    body: impl Stream<Item = Result<Bytes, E>> + 'static,
) -> HttpResponse {
    let body = body.inspect(|piece| {
        if let Err(error) = piece {
            tracing::error!(error = %WithCauses(error), "an export was cut off");
        }
    });
    let mut response = HttpResponse::Ok();
    response
        .insert_header((CONTENT_TYPE, content_type))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{file_name}\"")))
        .insert_header((CACHE_CONTROL, "no-store"));
    response.body(BodyStream::new(body))
}

impl From<ExportFailure> for ApiError {
    fn from(failure: ExportFailure) -> Self {
        match failure {
            ExportFailure::Busy => Self::unavailable("busy"),
            ExportFailure::Read(error) => error.into(),
            ExportFailure::Export(ExportError::TooManyRows { limit, .. }) => {
                Self::unprocessable("export_too_many_rows").with("max", limit)
            }
            ExportFailure::Export(ExportError::TooMuchText { limit }) => {
                Self::unprocessable("export_too_much_text").with("max", limit)
            }
            ExportFailure::Export(error) => Self::internal(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_no_filter_and_an_unknown_one_is_refused() {
        let (query, format) = parse("status=1&Format=xlsx&CurrentPage=3").unwrap();
        assert_eq!(format, Some(Format::Xlsx));
        assert_eq!(query.filters.keys().collect::<Vec<_>>(), ["status"]);
        assert_eq!(parse("status=1&format=").unwrap().1, None);
        assert_eq!(parse("format=doc").unwrap_err().code(), "invalid");
        assert_eq!(parse("format=csv&FORMAT=pdf").unwrap_err().code(), "invalid");
    }

    #[test]
    fn a_whole_list_is_a_file_or_all_rows_at_once_of_more_than_one_sender() {
        let whole = |text| is_whole(text).unwrap();
        assert!(whole("Format=csv") && whole("recordsPerPage=0") && whole("RECORDSPERPAGE=00&senderId="));
        assert!(!whole("") && !whole("RecordsPerPage=100") && !whole("RecordsPerPage=0&SenderId=x"));
    }
}
