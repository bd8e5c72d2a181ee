//! A server on a free port over a database of its own, its client, and a small business.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where something is missing"
)]

mod authenticator;
mod branches;
mod business;
mod client;
mod collector;
mod copy;
mod feed;
pub mod pdf;
mod picture;
mod process;
mod receiver;
mod s3;
mod server;
mod smtp;
mod stream;
mod vault;

pub use authenticator::secret_of;
pub use branches::{Branch, Kind};
pub use business::{Business, text};
pub use client::{Answer, Call, Client};
pub use collector::Collector;
pub use copy::assert_copy_is_read;
pub use feed::{feed_answer, feed_page, position, remittances_of, types, whole_feed};
pub use picture::picture;
pub use process::{Process, caudal_alone, create_tenant, create_tenant_by, run};
pub use receiver::{Received, Receiver, Reply};
pub use s3::S3;
pub use server::{MANAGER, PASSWORD, Server, Surroundings, code_in};
pub use smtp::{Manner, SmtpSink};
pub use stream::Stream;
pub use vault::{VAULT_KEY, VAULT_TOKEN, Vault};
