//! Rebuilds the program, which embeds the interface, after a build of the interface; composes the version.

fn main() {
    println!("cargo:rerun-if-changed=../frontend/dist");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CAUDAL_COMMIT");
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    match std::env::var("CAUDAL_COMMIT") {
        Ok(commit) if !commit.is_empty() => println!("cargo:rustc-env=CAUDAL_VERSION={version} ({commit})"),
        _ => println!("cargo:rustc-env=CAUDAL_VERSION={version}"),
    }
}
