//! The migrations are compiled in: a changed or added one must rebuild this crate.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
