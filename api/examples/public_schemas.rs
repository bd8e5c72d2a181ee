//! Writes the JSON Schemas of the public events to docs/feed, and refuses a change that a consumer could notice.

use caudal_api::openapi::public_events as schemas;
use std::{error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/feed");
    fs::create_dir_all(&folder)?;
    for (name, schema) in schemas::schemas()? {
        let path = folder.join(format!("{name}.json"));
        if path.exists() {
            let published = serde_json::from_str(&fs::read_to_string(&path)?)?;
            let faults = schemas::incompatibilities(&published, &schema);
            if !faults.is_empty() {
                return Err(format!("{name} needs a new version: {}", faults.join(", ")).into());
            }
        }
        fs::write(path, schemas::text(&schema)?)?;
    }
    Ok(())
}
