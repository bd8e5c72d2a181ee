//! The TLS implementation of every HTTP client: ring, by rustls.

/// Chooses the implementation for the process, unless one is chosen already. HTTP clients can't be made before.
pub fn choose() {
    // An error says that a provider is chosen already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
