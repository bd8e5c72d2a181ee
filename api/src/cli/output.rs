//! Output files of commands: written atomically, never over an existing file.

use super::Failure;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// A file that gets its final name when it is complete.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    part: PathBuf,
    out: BufWriter<File>,
    is_finished: bool,
}

impl Output {
    /// Creates a temporary file, readable by its owner only.
    ///
    /// # Errors
    /// If a file of that name exists, or can't be created.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let failed = |error: io::Error| -> Failure { format!("{}: {error}", path.display()).into() };
        if fs::symlink_metadata(path).is_ok() {
            return Err(format!("{} is there already", path.display()).into());
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let part = path.with_file_name(name);
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Ok(Self {
            path: path.to_owned(),
            out: BufWriter::new(options.open(&part).map_err(failed)?),
            part,
            is_finished: false,
        })
    }

    /// Syncs the file to disk and gives it its final name.
    ///
    /// # Errors
    /// If the operating system reports an error.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()?;
        self.out.get_ref().sync_all()?;
        // A hard link, unlike a rename, fails if another process has created the file in the meantime.
        fs::hard_link(&self.part, &self.path)?;
        self.is_finished = true;
        fs::remove_file(&self.part)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.is_finished {
            // Removes an incomplete file, which could be mistaken for a complete one.
            let _ = fs::remove_file(&self.part);
        }
    }
}
