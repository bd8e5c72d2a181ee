//! What handlers take: the caller, the body, the list's paging.
//!
//! ```text
//! #[utoipa::path(request_body = AgencyInput, responses((status = 201, body = Created)))]
//! #[post("/agency")]
//! async fn create(submit: Submit, body: JsonBody<AgencyInput>) -> Result<HttpResponse, ApiError> {
//!     let command = body.into_inner().command()?;          // a DTO of `input/` becomes a domain command
//!     let done = submit.run(command).await?;               // durable and projected; headers are set on the answer
//!     Ok(HttpResponse::Created().json(Created { id: done.answer.id }))
//! }
//! ```
//!
//! - [`Caller`]: who asks, already checked against the policy table. `Submit` and `Reading` have it too.
//! - [`JsonBody`]: at most 256 KB of `application/json`. Syntax errors are 400, wrong shapes 422 with the field's path.
//! - [`Reading`]: `let (mut transaction, scope) = reading.begin().await?;` for a query. After a command,
//!   `submit.read_back(&done)` gives the same, showing what was done.
//! - [`crate::listing::Listing`]: paging, search, sort and filters of a list, and its answer as JSON or as a file.
//!   [`Filters`]: the query fields of a call that is no list, into a struct.
//! - [`PathId`]: the `{id}` of a path; what is no UUID is 404.

mod filters;
mod json;
mod path;
mod query;
mod reading;
mod tenant;

pub use crate::auth::caller::Caller;
pub use crate::language::Language;
pub use filters::Filters;
pub(crate) use json::fields_named;
pub use json::{BodyDigest, JSON_LIMIT, JsonBody, read_json_body};
pub use path::{PathHash, PathId, PathPart};
pub(crate) use query::{QueryFields, struct_fields};
pub use reading::{Reading, min_position};
pub use tenant::{DEFAULT_TENANT, tenant_of};
