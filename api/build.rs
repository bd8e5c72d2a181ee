//! Lists the built interface, which the program carries; composes the version.

use std::{
    env,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

/// The built interface.
const INTERFACE: &str = "../frontend/dist";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CAUDAL_COMMIT");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    match env::var("CAUDAL_COMMIT") {
        Ok(commit) if !commit.is_empty() => println!("cargo:rustc-env=CAUDAL_VERSION={version} ({commit})"),
        _ => println!("cargo:rustc-env=CAUDAL_VERSION={version}"),
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    // Tests give a server its interface by --assets: a change of it compiles nothing there.
    let is_for_tests = env::var("OPT_LEVEL").is_ok_and(|level| level == "0");
    let list = if is_for_tests {
        "[]".to_owned()
    } else {
        println!("cargo:rerun-if-changed={INTERFACE}");
        list()?
    };
    fs::write(out.join("interface.rs"), list)
}

/// The interface's files as an array of names and contents; empty where it is not built.
///
/// A file that has a `.gz` beside it is left out, as the `.gz` holds it.
fn list() -> io::Result<String> {
    let mut list = "[\n".to_owned();
    if let Ok(folder) = Path::new(INTERFACE).canonicalize() {
        let mut files = Vec::new();
        find(&folder, &mut files)?;
        files.sort();
        for file in &files {
            let mut compressed = file.clone().into_os_string();
            compressed.push(".gz");
            if files.binary_search(&compressed.into()).is_err() {
                let name = file.strip_prefix(&folder).map_err(io::Error::other)?;
                writeln!(list, "({name:?}, include_bytes!({file:?}).as_slice()),").map_err(io::Error::other)?;
            }
        }
    }
    Ok(list + "]\n")
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
