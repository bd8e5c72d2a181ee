//! The interface's chunks of one other version: a page opened before an upgrade, or on an upgraded node, keeps loading
//! its chunks.
//!
//! Each version is one object in the file store, written at a node's first start with it. The newest other version is
//! served beside the node's own; older ones are deleted. Objects have an HMAC under the key file: write access to the
//! store alone can't inject scripts.

use crate::{auth::mac::KeyedHash, problem::ApiError, spa::Interface};
use actix_web::{HttpRequest, HttpResponse, web::Bytes};
use caudal_journal::Keyring;
use futures::TryStreamExt as _;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _, path::Path as StorePath};
use sha2::{Digest as _, Sha256};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::Mutex;

/// Folder in the file store; tenant ids have no underscore.
const FOLDER: &str = "_interface";
/// Purpose string of the HMAC key.
const KEY_PURPOSE: &str = "interface versions";
/// Interval of store lookups for an unknown chunk: another node may have been upgraded.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// Bytes of the hash in a version's name.
const VERSION_BYTES: usize = 16;
/// Length of an HMAC-SHA-256.
const MAC_BYTES: usize = 32;

/// Errors of storing or loading versions.
#[derive(Debug, thiserror::Error)]
pub enum EarlierError {
    #[error("the store of the interface's versions")]
    Store(#[from] object_store::Error),
    #[error("the interface's version {0} is not authentic and is not served")]
    NotAuthentic(String),
}

/// The other version served.
#[derive(Default)]
struct Known {
    /// Name of the served version.
    version: Option<String>,
    interface: Interface,
    looked: Option<Instant>,
}

/// Versions of the interface in a store.
pub struct Earlier {
    store: Arc<dyn ObjectStore>,
    hash: KeyedHash,
    own: Option<String>,
    known: Mutex<Known>,
}

impl Earlier {
    /// Beside a node's own version, which may be absent.
    pub fn new(store: Arc<dyn ObjectStore>, keyring: &Keyring, own: &Interface) -> Self {
        Self {
            store,
            hash: KeyedHash::new(&keyring.derive(KEY_PURPOSE)),
            own: version(own),
            known: Mutex::default(),
        }
    }

    /// Stores the node's own version, and deletes versions that no node serves.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn publish(&self, own: &Interface) -> Result<(), EarlierError> {
        let Some(version) = &self.own else { return Ok(()) };
        let mut kept = self.others().await?;
        if kept.iter().all(|meta| name(meta) != version) {
            let body = written(own);
            let mut object = self.mac(version, &body).to_vec();
            object.extend_from_slice(&body);
            self.store.put(&place(version), object.into()).await?;
        }
        kept.retain(|meta| name(meta) != version);
        for old in kept.iter().skip(1) {
            self.store.delete(&old.location).await?;
        }
        Ok(())
    }

    /// Serves a chunk of the other version; `None` for an unknown name.
    pub async fn answer(&self, request: &HttpRequest) -> Option<Result<HttpResponse, ApiError>> {
        let name = request.path().trim_start_matches('/');
        let mut known = self.known.lock().await;
        if !known.interface.has(name) && known.looked.is_none_or(|looked| looked.elapsed() >= LOOK_EVERY) {
            known.looked = Some(Instant::now());
            if let Err(error) = self.look(&mut known).await {
                tracing::warn!(%error, "the interface's version before can't be served");
            }
        }
        known.interface.has(name).then(|| known.interface.answer(request))
    }

    /// Loads the newest other version unless loaded.
    async fn look(&self, known: &mut Known) -> Result<(), EarlierError> {
        let others = self.others().await?;
        let newest = others.iter().find(|meta| Some(name(meta)) != self.own.as_deref());
        let Some(newest) = newest.filter(|meta| known.version.as_deref() != Some(name(meta))) else {
            return Ok(());
        };
        let version = name(newest).to_owned();
        let object = self.store.get(&newest.location).await?.bytes().await?;
        let unreadable = || EarlierError::NotAuthentic(version.clone());
        if object.len() < MAC_BYTES {
            return Err(unreadable());
        }
        let (mac, body) = (object.slice(..MAC_BYTES), object.slice(MAC_BYTES..));
        // Not constant-time: one guess per restart at 256 bits.
        if mac != self.mac(&version, &body).as_slice() {
            return Err(unreadable());
        }
        known.interface = read(&body).ok_or_else(unreadable)?;
        known.version = Some(version);
        Ok(())
    }

    /// Other versions in the store, newest first.
    async fn others(&self) -> Result<Vec<ObjectMeta>, EarlierError> {
        let folder = StorePath::from(FOLDER);
        let mut found: Vec<ObjectMeta> = self.store.list(Some(&folder)).try_collect().await?;
        found.sort_by_key(|meta| std::cmp::Reverse(meta.last_modified));
        Ok(found)
    }

    fn mac(&self, version: &str, body: &[u8]) -> [u8; MAC_BYTES] {
        self.hash.of(&[version.as_bytes(), body])
    }
}

fn place(version: &str) -> StorePath {
    StorePath::from(format!("{FOLDER}/{version}"))
}

fn name(meta: &ObjectMeta) -> &str {
    meta.location.filename().unwrap_or_default()
}

/// Hash over all chunks and names; `None` without chunks.
fn version(interface: &Interface) -> Option<String> {
    let chunks = interface.hashed();
    if chunks.is_empty() {
        return None;
    }
    let mut sha = Sha256::new();
    for (name, bytes) in chunks {
        sha.update((name.len() as u64).to_be_bytes());
        sha.update(name);
        sha.update(Sha256::digest(bytes));
    }
    Some(hex::encode(&sha.finalize()[..VERSION_BYTES]))
}

/// Serialised chunks: length-prefixed name and bytes of each.
fn written(interface: &Interface) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, bytes) in interface.hashed() {
        for part in [name.as_bytes(), bytes] {
            body.extend_from_slice(&(part.len() as u64).to_be_bytes());
            body.extend_from_slice(part);
        }
    }
    body
}

fn read(body: &Bytes) -> Option<Interface> {
    let mut rest = body.clone();
    let mut part = || {
        let length = u64::from_be_bytes(rest.get(..8)?.try_into().ok()?);
        let length = usize::try_from(length).ok()?.checked_add(8)?;
        if length > rest.len() {
            return None;
        }
        Some(rest.split_to(length).slice(8..))
    };
    let mut files = Vec::new();
    while let Some(name) = part() {
        files.push((String::from_utf8(name.to_vec()).ok()?, part()?.to_vec()));
    }
    Some(Interface::of(files))
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;
    use object_store::memory::InMemory;

    fn built(chunk: &str) -> Interface {
        Interface::of([
            ("index.html".to_owned(), b"<!doctype html>".to_vec()),
            (format!("assets/{chunk}.js"), chunk.as_bytes().to_vec()),
        ])
    }

    async fn served(earlier: &Earlier, chunk: &str) -> Option<u16> {
        let request = TestRequest::with_uri(&format!("/assets/{chunk}.js")).to_http_request();
        earlier
            .answer(&request)
            .await
            .map(|answer| answer.unwrap().status().as_u16())
    }

    async fn started(store: &Arc<dyn ObjectStore>, keyring: &Keyring, chunk: &str) -> Earlier {
        // Objects of two versions differ in their modification time.
        tokio::time::sleep(Duration::from_millis(5)).await;
        let own = built(chunk);
        let earlier = Earlier::new(Arc::clone(store), keyring, &own);
        earlier.publish(&own).await.unwrap();
        earlier
    }

    #[tokio::test]
    async fn the_chunks_of_one_version_before_are_served_and_those_before_them_are_gone() {
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let keyring = Keyring::generate().unwrap();
        let first = started(&store, &keyring, "one").await;
        assert_eq!(served(&first, "one").await, None, "its own are not its matter");
        let second = started(&store, &keyring, "two").await;
        assert_eq!(served(&second, "one").await, Some(200));
        assert_eq!(served(&second, "none").await, None);
        let page = TestRequest::with_uri("/index.html").to_http_request();
        assert!(
            second.answer(&page).await.is_none(),
            "an old page would name old chunks"
        );
        let third = started(&store, &keyring, "three").await;
        assert_eq!(served(&third, "two").await, Some(200));
        assert_eq!(served(&third, "one").await, None);
        // A node that is not upgraded yet serves chunks of upgraded ones.
        let old = started(&store, &keyring, "two").await;
        assert_eq!(served(&old, "three").await, Some(200));
    }

    #[tokio::test]
    async fn what_was_not_written_with_the_key_file_is_not_served() {
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        started(&store, &Keyring::generate().unwrap(), "one").await;
        let second = started(&store, &Keyring::generate().unwrap(), "two").await;
        assert_eq!(served(&second, "one").await, None);
    }
}
