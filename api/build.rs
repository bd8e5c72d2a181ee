//! Builds again when the interface was built anew, since the program carries it.

fn main() {
    println!("cargo:rerun-if-changed=../frontend/dist");
    println!("cargo:rerun-if-changed=build.rs");
}
