//! Writes the JSON Schemas of the public events to docs/feed, and refuses a change that a consumer could notice. With
//! `--freeze` it keeps them as those of this version, which a release does (docs/feed.md).

use caudal_api::openapi::public_events as schemas;
use std::{collections::BTreeMap, env, error::Error, fs, io, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/feed");
    let released = folder.join("released");
    fs::create_dir_all(&released)?;
    if env::args().nth(1).as_deref() == Some("--freeze") {
        return freeze(&released.join(concat!(env!("CARGO_PKG_VERSION"), ".json")));
    }
    let current = schemas::schemas()?;
    for file in fs::read_dir(&released)? {
        let path = file?.path();
        let frozen: BTreeMap<String, serde_json::Value> = serde_json::from_str(&fs::read_to_string(&path)?)?;
        for (name, frozen) in frozen {
            let schema = current.get(name.as_str()).ok_or_else(|| format!("{name} is gone"))?;
            require(&name, &frozen, schema)?;
        }
    }
    for (name, schema) in current {
        let path = folder.join(format!("{name}.json"));
        if path.exists() {
            require(name, &serde_json::from_str(&fs::read_to_string(&path)?)?, &schema)?;
        }
        fs::write(path, schemas::text(&schema)?)?;
    }
    Ok(())
}

fn require(name: &str, before: &serde_json::Value, after: &serde_json::Value) -> Result<(), String> {
    let faults = schemas::incompatibilities(before, after);
    if faults.is_empty() {
        return Ok(());
    }
    Err(format!("{name} needs a new version: {}", faults.join(", ")))
}

/// What is frozen is never written again.
fn freeze(path: &Path) -> Result<(), Box<dyn Error>> {
    let file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    io::Write::write_all(&mut &file, schemas::frozen()?.as_bytes())?;
    Ok(())
}
