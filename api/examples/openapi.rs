//! Writes the OpenAPI document: `make contract` keeps it in frontend/openapi.json, and the interface's client by it.

use std::{error::Error, io::Write as _};

fn main() -> Result<(), Box<dyn Error>> {
    let text = caudal_api::openapi::text()?;
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}
