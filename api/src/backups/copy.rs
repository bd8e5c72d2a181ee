//! The copy of a folder of backups in a bucket, and its way back.
//!
//! | Object | Content |
//! |---|---|
//! | `wal/SEGMENT.gz` | an archived segment |
//! | `files/…` | an uploaded file |
//! | `base/NAME/PATH` | a file of a base backup; of a large one the first part, and `PATH.part1`, `PATH.part2` … |
//! | `base/NAME.json` | the [`Manifest`] of a base backup, written last: a backup without one is not whole |
//!
//! Nothing in the bucket is changed or deleted by this program: who takes over the server can't delete the backups if the
//! bucket's rules forbid it. Rules of the bucket remove what is old.

use super::note_copy;
use caudal_postgres::embedded::Archive;
use chrono::Utc;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use object_store::{ObjectStore, ObjectStoreExt as _, PutPayload, path::Path as StorePath};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, Read, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tokio::sync::watch;

/// Interval at which the folder is looked at.
const LOOK_INTERVAL: Duration = Duration::from_secs(10);
/// Concurrent uploads and downloads.
const AT_ONCE: usize = 8;
/// Size of an object: a file of a base backup may have a gigabyte.
const PART_BYTES: usize = 32 << 20;
/// Segments and uploaded files are small, and stay whole.
const WHOLE: usize = usize::MAX >> 1;
/// Folders of the archive that are copied file by file.
const PLAIN: [&str; 2] = ["wal", "files"];
const BASE: &str = "base";
const MANIFEST_END: &str = ".json";
/// Ends the name of a file that is being written.
const UNFINISHED: &str = ".part";

/// Why something is not in the bucket, or did not come back from it.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("the bucket")]
    Store(#[from] object_store::Error),
    #[error("the name of an object")]
    Name(#[from] object_store::path::Error),
    #[error("the folder of the backups")]
    Folder(#[from] io::Error),
    #[error("a base backup's list of files")]
    Manifest(#[from] serde_json::Error),
    #[error("{0} is not what was copied into the bucket")]
    Changed(String),
    #[error("the copy was given up")]
    Abandoned(#[from] tokio::task::JoinError),
    #[error(transparent)]
    Archive(#[from] caudal_postgres::embedded::EmbeddedError),
}

/// Files of a base backup, with the folders, some of which are empty.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Manifest {
    folders: Vec<String>,
    files: Vec<Entry>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    path: String,
    parts: usize,
    /// SHA-256 of the content, in hexadecimal.
    sha256: String,
}

/// The bucket beside a folder of backups.
#[derive(Clone)]
pub struct BucketCopy {
    store: Arc<dyn ObjectStore>,
    folder: PathBuf,
    part_bytes: usize,
}

impl BucketCopy {
    /// The copy of a folder in a bucket.
    pub fn new(store: Arc<dyn ObjectStore>, folder: &Path) -> Self {
        Self {
            store,
            folder: folder.to_owned(),
            part_bytes: PART_BYTES,
        }
    }

    /// Copies what is new in the folder, until `stop` turns true. Notes in the data folder when everything was in the bucket.
    pub async fn run(self, data_dir: PathBuf, mut stop: watch::Receiver<bool>) {
        let (mut known, mut is_failing) = (None, false);
        loop {
            let caught_up = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return,
                caught_up = self.catch_up(&mut known) => caught_up,
            };
            match caught_up.and_then(|()| Ok(note_copy(&data_dir, Utc::now())?)) {
                Ok(()) => {
                    if is_failing {
                        tracing::info!("the bucket has all backups again");
                    }
                    is_failing = false;
                }
                Err(error) => {
                    if !is_failing {
                        let error = caudal_journal::WithCauses(&error);
                        tracing::error!(%error, "backups do not get to the bucket; trying again");
                    }
                    is_failing = true;
                }
            }
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return,
                () = tokio::time::sleep(LOOK_INTERVAL) => {}
            }
        }
    }

    /// Copies what the bucket lacks. `known` has the names of its objects, once they were listed.
    async fn catch_up(&self, known: &mut Option<BTreeSet<String>>) -> Result<(), CopyError> {
        let known = match known {
            Some(known) => known,
            None => known.insert(self.objects().await?),
        };
        let (mut plain, mut backups) = (Vec::new(), Vec::new());
        for folder in PLAIN {
            let files = listing(&self.folder.join(folder))?.1;
            plain.extend(files.into_iter().map(|path| format!("{folder}/{path}")));
        }
        for entry in entries(&self.folder.join(BASE))? {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with('Z') {
                backups.push(name);
            }
        }
        plain.retain(|path| !known.contains(path));
        let putting = plain.into_iter().map(|path| {
            let copy = self.clone();
            async move { copy.put_file(&path, WHOLE).await.map(|_| path) }
        });
        let copied: Vec<_> = stream::iter(putting).buffer_unordered(AT_ONCE).try_collect().await?;
        known.extend(copied);
        for name in backups {
            let manifest = format!("{BASE}/{name}{MANIFEST_END}");
            if !known.contains(&manifest) {
                self.put_backup(&name, &manifest).await?;
                known.insert(manifest);
            }
        }
        Ok(())
    }

    /// Names of the plain files and of the manifests in the bucket.
    async fn objects(&self) -> Result<BTreeSet<String>, CopyError> {
        let mut names = BTreeSet::new();
        for folder in PLAIN {
            let listed = self.store.list(Some(&StorePath::from(folder)));
            let listed: Vec<_> = listed
                .map_ok(|object| object.location.to_string())
                .try_collect()
                .await?;
            names.extend(listed);
        }
        let base = self.store.list_with_delimiter(Some(&StorePath::from(BASE))).await?;
        names.extend(base.objects.into_iter().map(|object| object.location.to_string()));
        Ok(names)
    }

    async fn put_backup(&self, name: &str, manifest: &str) -> Result<(), CopyError> {
        let (folders, files) = listing(&self.folder.join(BASE).join(name))?;
        let putting = files.into_iter().map(|path| {
            let (copy, object) = (self.clone(), format!("{BASE}/{name}/{path}"));
            async move {
                let (parts, sha256) = copy.put_file(&object, copy.part_bytes).await?;
                Ok::<_, CopyError>(Entry { path, parts, sha256 })
            }
        });
        let files: Vec<Entry> = stream::iter(putting).buffered(AT_ONCE).try_collect().await?;
        let content = serde_json::to_vec(&Manifest { folders, files })?;
        self.store.put(&StorePath::parse(manifest)?, content.into()).await?;
        Ok(())
    }

    /// Copies a file in parts of at most `limit` bytes. Returns their number, and the digest of the content.
    async fn put_file(&self, path: &str, limit: usize) -> Result<(usize, String), CopyError> {
        let from = self.folder.join(path);
        let mut file = File::open(&from)?;
        let (mut digest, mut parts) = (Sha256::new(), 0);
        loop {
            let most = limit as u64;
            let (read, content) = tokio::task::spawn_blocking(move || {
                let mut content = Vec::new();
                let read = Read::by_ref(&mut file).take(most).read_to_end(&mut content);
                read.map(|_| (file, content))
            })
            .await??;
            file = read;
            let is_last = content.len() < limit;
            if parts > 0 && content.is_empty() {
                break;
            }
            digest.update(&content);
            let place = StorePath::parse(part(path, parts))?;
            self.store.put(&place, PutPayload::from(content)).await?;
            parts += 1;
            if is_last {
                break;
            }
        }
        Ok((parts, hex::encode(digest.finalize())))
    }

    /// Brings back what the folder lacks: the newest base backup that ended by a time, written as backups' names are, and
    /// everything that was archived and uploaded.
    ///
    /// # Errors
    /// When the bucket does not answer, or holds something else than was copied into it.
    pub async fn bring_back(&self, archive: &Archive, limit: Option<&str>) -> Result<(), CopyError> {
        let objects = self.objects().await?;
        let backups = objects.iter().filter_map(|name| {
            let name = name.strip_prefix(BASE)?.strip_prefix('/')?.strip_suffix(MANIFEST_END)?;
            limit.is_none_or(|limit| name <= limit).then_some(name)
        });
        if let Some(newest) = backups.max()
            && !self.folder.join(BASE).join(newest).exists()
        {
            self.get_backup(newest).await?;
        }
        let mut missing: Vec<_> = objects.into_iter().filter(|name| !name.starts_with(BASE)).collect();
        for name in &missing {
            safe(name)?;
        }
        missing.retain(|name| !self.folder.join(name).exists());
        let getting = missing.into_iter().map(|name| {
            let (copy, to) = (self.clone(), self.folder.join(&name));
            async move { copy.get_file(&name, 1, &to).await.map(|_| to) }
        });
        let got: Vec<_> = stream::iter(getting).buffer_unordered(AT_ONCE).try_collect().await?;
        for path in got.iter().filter(|path| path.starts_with(self.folder.join("wal"))) {
            archive.give_to_postgres(path)?;
        }
        Ok(())
    }

    async fn get_backup(&self, name: &str) -> Result<(), CopyError> {
        let manifest = StorePath::parse(format!("{BASE}/{name}{MANIFEST_END}"))?;
        let manifest = self.store.get(&manifest).await?.bytes().await?;
        let manifest: Manifest = serde_json::from_slice(&manifest)?;
        let unfinished = self.folder.join(BASE).join("part");
        if unfinished.exists() {
            fs::remove_dir_all(&unfinished)?;
        }
        fs::create_dir_all(&unfinished)?;
        let inside = |path: &str| safe(path).map(|path| unfinished.join(path));
        for folder in &manifest.folders {
            fs::create_dir_all(inside(folder)?)?;
        }
        let mut places = Vec::new();
        for entry in manifest.files {
            places.push((inside(&entry.path)?, entry));
        }
        let getting = places.into_iter().map(|(to, entry)| {
            let (copy, object) = (self.clone(), format!("{BASE}/{name}/{}", entry.path));
            async move {
                let sha256 = copy.get_file(&object, entry.parts, &to).await?;
                if sha256 == entry.sha256 {
                    Ok(())
                } else {
                    Err(CopyError::Changed(object))
                }
            }
        });
        let _: Vec<()> = stream::iter(getting).buffer_unordered(AT_ONCE).try_collect().await?;
        fs::rename(&unfinished, self.folder.join(BASE).join(name))?;
        Ok(())
    }

    /// Writes the parts of a file, whole or not at all. Returns the digest of the content.
    async fn get_file(&self, name: &str, parts: usize, to: &Path) -> Result<String, CopyError> {
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut unfinished = to.as_os_str().to_owned();
        unfinished.push(UNFINISHED);
        let mut file = File::create(&unfinished)?;
        let mut digest = Sha256::new();
        for number in 0..parts {
            let object = StorePath::parse(part(name, number))?;
            let content = self.store.get(&object).await?.bytes().await?;
            digest.update(&content);
            file = tokio::task::spawn_blocking(move || file.write_all(&content).map(|()| file)).await??;
        }
        file.sync_all()?;
        fs::rename(&unfinished, to)?;
        Ok(hex::encode(digest.finalize()))
    }
}

/// Name of a file's part.
fn part(path: &str, number: usize) -> String {
    match number {
        0 => path.to_owned(),
        number => format!("{path}.part{number}"),
    }
}

/// A path of a manifest, which may not lead out of the folder.
fn safe(path: &str) -> Result<&Path, CopyError> {
    let is_plain = |part| matches!(part, std::path::Component::Normal(_));
    let path_in_folder = Path::new(path);
    if path_in_folder.components().all(is_plain) {
        Ok(path_in_folder)
    } else {
        Err(CopyError::Changed(path.to_owned()))
    }
}

fn entries(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Folders and finished files below a folder, by their paths in it.
fn listing(root: &Path) -> io::Result<(Vec<String>, Vec<String>)> {
    let (mut folders, mut files, mut open) = (Vec::new(), Vec::new(), vec![String::new()]);
    while let Some(below) = open.pop() {
        for entry in entries(&root.join(&below))? {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if below.is_empty() {
                name
            } else {
                format!("{below}/{name}")
            };
            if entry.file_type()?.is_dir() {
                folders.push(path.clone());
                open.push(path);
            } else if !path.ends_with(UNFINISHED) {
                files.push(path);
            }
        }
    }
    folders.sort();
    files.sort();
    Ok((folders, files))
}

#[cfg(test)]
mod tests {
    use super::*;
    use object_store::memory::InMemory;

    const NAME: &str = "20261123T120000Z";

    fn write(folder: &Path, path: &str, content: &[u8]) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn copy(store: &Arc<dyn ObjectStore>, archive: &Archive) -> BucketCopy {
        BucketCopy {
            part_bytes: 4,
            ..BucketCopy::new(store.clone(), archive.folder())
        }
    }

    #[tokio::test]
    async fn a_folder_comes_back_from_its_bucket_with_empty_folders_and_large_files() {
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let archive = Archive::at(&here.path().join("backup")).unwrap();
        let from = archive.folder();
        write(from, "wal/000000010000000000000001.gz", b"one");
        write(from, "wal/000000010000000000000002.gz.part", b"unfinished");
        write(from, "files/acme/ab/cd", b"a picture");
        write(from, &format!("base/{NAME}/data/PG_VERSION"), b"15\n");
        write(from, &format!("base/{NAME}/data/base/1/2"), b"twelve bytes");
        write(from, &format!("base/{NAME}/data/empty"), b"");
        fs::create_dir_all(from.join(format!("base/{NAME}/data/pg_notify"))).unwrap();
        write(from, "base/part/data/PG_VERSION", b"15\n");
        let mut known = None;
        copy(&store, &archive).catch_up(&mut known).await.unwrap();
        write(from, "wal/000000010000000000000002.gz", b"two");
        copy(&store, &archive).catch_up(&mut known).await.unwrap();

        let other = Archive::at(&there.path().join("backup")).unwrap();
        copy(&store, &other)
            .bring_back(&other, Some("20261123T115959Z"))
            .await
            .unwrap();
        assert_eq!(other.base_backups().unwrap(), Vec::<String>::new(), "it ended later");
        copy(&store, &other).bring_back(&other, Some(NAME)).await.unwrap();
        fs::remove_dir_all(from.join("base/part")).unwrap();
        fs::remove_file(from.join("wal/000000010000000000000002.gz.part")).unwrap();
        assert_eq!(listing(other.folder()).unwrap(), listing(from).unwrap());
        for path in listing(from).unwrap().1 {
            let [one, same] = [from, other.folder()].map(|folder| fs::read(folder.join(&path)).unwrap());
            assert_eq!(one, same, "{path}");
        }
    }

    #[tokio::test]
    async fn a_backup_without_a_manifest_is_none_and_a_changed_object_is_refused() {
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let archive = Archive::at(&here.path().join("backup")).unwrap();
        write(archive.folder(), &format!("base/{NAME}/data/PG_VERSION"), b"15\n");
        copy(&store, &archive).catch_up(&mut None).await.unwrap();
        let put = |path: String| {
            let store = store.clone();
            async move {
                store
                    .put(&StorePath::from(path), PutPayload::from_static(b"16\n"))
                    .await
                    .unwrap()
            }
        };
        put("base/20261124T120000Z/data/PG_VERSION".to_owned()).await;
        let other = Archive::at(&there.path().join("backup")).unwrap();
        copy(&store, &other).bring_back(&other, None).await.unwrap();
        assert_eq!(other.base_backups().unwrap(), [NAME]);
        put(format!("base/{NAME}/data/PG_VERSION")).await;
        let third = Archive::at(&there.path().join("third")).unwrap();
        let refused = copy(&store, &third).bring_back(&third, None).await;
        assert!(matches!(refused, Err(CopyError::Changed(_))), "{refused:?}");
        assert_eq!(third.base_backups().unwrap(), Vec::<String>::new());
    }

    #[test]
    fn a_manifest_does_not_lead_out_of_the_folder() {
        for path in ["../keys", "/etc/passwd", "data/../../keys"] {
            assert!(safe(path).is_err(), "{path}");
        }
        assert!(safe("data/base/1/2").is_ok());
    }
}
