//! Outbox: a folder with one `.eml` file per mail, for installations without a mail server.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};
use uuid::Uuid;

/// Folder in the data folder.
const FOLDER: &str = "outbox";
/// Retention: the oldest mails are deleted beyond this number.
const MAX_KEPT: usize = 1_000;

/// A folder of mails.
#[derive(Debug)]
pub struct Outbox {
    folder: PathBuf,
}

impl Outbox {
    /// Outbox of a data folder; owner-only, because mails contain codes.
    pub fn in_folder(data_dir: &Path) -> io::Result<Self> {
        let folder = data_dir.join(FOLDER);
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&folder)?;
        tracing::info!(folder = %folder.display(), "mails are kept in a folder: no mail server is configured");
        Ok(Self { folder })
    }

    pub async fn keep(&self, mail: Vec<u8>) -> io::Result<()> {
        let folder = self.folder.clone();
        tokio::task::spawn_blocking(move || keep_now(&folder, &mail))
            .await
            .map_err(io::Error::other)?
    }
}

fn keep_now(folder: &Path, mail: &[u8]) -> io::Result<()> {
    // Time-ordered ids give time-ordered names.
    let id = Uuid::now_v7().simple();
    let (unfinished, name) = (folder.join(format!("{id}.part")), folder.join(format!("{id}.eml")));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&unfinished)?;
    file.write_all(mail)?;
    file.sync_all()?;
    fs::rename(&unfinished, &name)?;
    make_room(folder)
}

fn make_room(folder: &Path) -> io::Result<()> {
    let mut mails = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "eml") {
            mails.push(path);
        }
    }
    let too_many = mails.len().saturating_sub(MAX_KEPT);
    mails.sort_unstable();
    for mail in mails.iter().take(too_many) {
        match fs::remove_file(mail) {
            // Deleted by a concurrent writer.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            removed => removed?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn the_newest_thousand_are_kept_for_the_operator_alone() {
        let folder = tempfile::tempdir().unwrap();
        let outbox = Outbox::in_folder(folder.path()).unwrap();
        for number in 0..MAX_KEPT {
            fs::write(outbox.folder.join(format!("0{number:05}.eml")), b"old").unwrap();
        }
        keep_now(&outbox.folder, b"new").unwrap();
        let mut names: Vec<_> = fs::read_dir(&outbox.folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        names.sort();
        assert_eq!(names.len(), MAX_KEPT);
        assert!(names[0].ends_with("000001.eml"), "the oldest is gone: {:?}", names[0]);
        let newest = names.iter().find(|name| fs::read(name).unwrap() == b"new").unwrap();
        assert_eq!(fs::metadata(newest).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(
            fs::metadata(&outbox.folder).unwrap().permissions().mode() & 0o777,
            0o700
        );
    }
}
