//! Lists the migrations for `src/migrations.rs`, which compiles them in. sqlx's macro does the same, and for it the whole of
//! sqlx with its runtime and its TLS library is built a second time, for the compiler.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=../../migrations");
    let folder = fs::canonicalize("../../migrations")?;
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "sql") {
            files.push(path);
        }
    }
    files.sort();
    let mut list = String::from("[\n");
    for path in files {
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let (version, description) = name
            .split_once('_')
            .ok_or_else(|| format!("{} is no VERSION_DESCRIPTION.sql", path.display()))?;
        let version: i64 = version.parse()?;
        let description = description.replace('_', " ");
        writeln!(list, "({version}, {description:?}, include_str!({path:?})),")?;
    }
    list.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("migrations.rs"), list)?;
    Ok(())
}
