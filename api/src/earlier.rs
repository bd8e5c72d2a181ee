//! The interface's chunks of one other version: a page that was opened before an upgrade, or on a node that is upgraded
//! already, goes on loading the parts that it names.
//!
//! Each version is one object in the store of the files, written at a node's first start with it. The newest version but
//! the node's own is served besides it; older ones are deleted. An object carries an HMAC under the key file: who can
//! write to the store alone can't have a browser run anything.

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

/// The folder in the store of the files; no tenant's, whose names have no underscore.
const FOLDER: &str = "_interface";
/// The purpose under which the key is derived from the key file.
const KEY_PURPOSE: &str = "interface versions";
/// The store is looked at again for a chunk that nobody knows after this long: another node may have been upgraded since.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// The bytes of a hash that name a version.
const VERSION_BYTES: usize = 16;
/// The bytes of an HMAC-SHA-256.
const MAC_BYTES: usize = 32;

/// Why versions of the interface can't be kept or found.
#[derive(Debug, thiserror::Error)]
pub enum EarlierError {
    #[error("the store of the interface's versions")]
    Store(#[from] object_store::Error),
    #[error("the interface's version {0} is not authentic and is not served")]
    NotAuthentic(String),
}

/// What a node serves of another version.
#[derive(Default)]
struct Known {
    /// The version that is served.
    version: Option<String>,
    interface: Interface,
    looked: Option<Instant>,
}

/// The versions of the interface in a store.
pub struct Earlier {
    store: Arc<dyn ObjectStore>,
    hash: KeyedHash,
    own: Option<String>,
    known: Mutex<Known>,
}

impl Earlier {
    /// Beside a node's own version, which may be none.
    pub fn new(store: Arc<dyn ObjectStore>, keyring: &Keyring, own: &Interface) -> Self {
        Self {
            store,
            hash: KeyedHash::new(&keyring.derive(KEY_PURPOSE)),
            own: version(own),
            known: Mutex::default(),
        }
    }

    /// Keeps the node's own version for the nodes and starts to come, and deletes those that nobody serves any more.
    ///
    /// # Errors
    /// Where the store fails.
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

    /// Answers with a chunk of the other version; `None` where it has none of that name.
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

    /// Loads the newest version but the own one, where it is not the one that is loaded.
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
        // A guess per restart at a hash of 256 bits is worth no comparison in constant time.
        if mac != self.mac(&version, &body).as_slice() {
            return Err(unreadable());
        }
        known.interface = read(&body).ok_or_else(unreadable)?;
        known.version = Some(version);
        Ok(())
    }

    /// All versions in the store, newest first.
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

/// The hash of all chunks with their names; none of an interface without any.
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

/// The chunks as one text: the length of each name and the name, then the length of its bytes and the bytes.
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
        // The objects of two versions differ in their modification time.
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
        // A node that is not upgraded yet serves the parts of those that are.
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
