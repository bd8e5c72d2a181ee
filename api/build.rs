//! Rebuilds the program, which embeds the interface, after a build of the interface.

fn main() {
    println!("cargo:rerun-if-changed=../frontend/dist");
    println!("cargo:rerun-if-changed=build.rs");
}
