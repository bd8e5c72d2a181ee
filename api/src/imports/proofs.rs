//! The ZIP of proofs that comes with a list of completions. Its entries are known by their names without folders. Every size
//! is measured while it is unpacked, because sizes written in an archive may be false.

use super::reader::{ReadFault, fault, fault_with};
use crate::files::MAX_FILE_BYTES;
use std::{
    collections::{HashMap, HashSet},
    io::{Cursor, Read as _},
};
use zip::ZipArchive;

/// Maximum ZIP in bytes: two hundred photographs as the interface scales them.
pub const MAX_ZIP_BYTES: usize = 64 * 1024 * 1024;
/// Maximum of all entries together when unpacked: images hardly shrink in an archive, so more is a bomb.
pub const MAX_UNPACKED_BYTES: usize = 80 * 1024 * 1024;
/// Maximum entries: two for each of 250 deliveries.
pub const MAX_ENTRIES: usize = 500;
/// Maximum length of an entry's name without folders, in characters.
const MAX_NAME_CHARS: usize = 200;
/// Length of an entry's name in the central directory's record, and of the record without its texts.
const NAME_AT: usize = 28;
const RECORD_BYTES: usize = 46;

/// Beginnings of archives: ZIP, also an empty one, gzip, RAR, 7-Zip, bzip2, xz.
const ARCHIVES: [&[u8]; 7] = [
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"Rar!",
    b"7z\xbc\xaf\x27\x1c",
    b"BZh",
    b"\xfd7zXZ\0",
];

/// An entry of the ZIP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Name without folders.
    pub name: String,
    pub content: Vec<u8>,
}

/// Reads all entries, in the order of the archive. Folders, and what operating systems add by themselves, are left out.
///
/// # Errors
/// Why the ZIP can't be taken, with the name of the entry.
pub fn read(content: &[u8]) -> Result<Vec<Entry>, ReadFault> {
    if content.len() > MAX_ZIP_BYTES {
        return Err(fault_with(
            "import_proofs_too_large",
            [("max", MAX_ZIP_BYTES.to_string())],
        ));
    }
    if !content.starts_with(b"PK\x03\x04") {
        return Err(fault("import_proofs_not_zip"));
    }
    let damaged = |_| fault("import_proofs_damaged");
    let mut archive = ZipArchive::new(Cursor::new(content)).map_err(damaged)?;
    check_directory(content, &archive)?;
    let (mut entries, mut names, mut total) = (Vec::new(), HashSet::new(), 0_usize);
    for index in 0..archive.len() {
        let raw = archive.by_index_raw(index).map_err(damaged)?;
        let path = raw.name().map_err(damaged)?.into_owned();
        let (is_locked, is_folder) = (raw.encrypted(), path.ends_with(['/', '\\']));
        drop(raw);
        let Some(name) = name_of(&path)?.filter(|_| !is_folder) else {
            continue;
        };
        if is_locked {
            return Err(named("import_proofs_locked", name));
        }
        if !names.insert(name.to_lowercase()) {
            return Err(named("import_proofs_doubled", name));
        }
        if names.len() > MAX_ENTRIES {
            return Err(too_many());
        }
        let part = archive.by_index(index).map_err(damaged)?;
        let mut content = Vec::new();
        part.take(MAX_FILE_BYTES as u64 + 1)
            .read_to_end(&mut content)
            .map_err(|_| fault("import_proofs_damaged"))?;
        if content.len() > MAX_FILE_BYTES {
            let mut fault = named("import_proof_too_large", name);
            fault.params.insert("max", MAX_FILE_BYTES.to_string());
            return Err(fault);
        }
        total += content.len();
        if total > MAX_UNPACKED_BYTES {
            return Err(fault_with(
                "import_proofs_unpack_too_large",
                [("max", MAX_UNPACKED_BYTES.to_string())],
            ));
        }
        if ARCHIVES.iter().any(|mark| content.starts_with(mark)) {
            return Err(named("import_proofs_nested", name));
        }
        entries.push(Entry {
            name: name.to_owned(),
            content,
        });
    }
    if entries.is_empty() {
        return Err(fault("import_proofs_empty"));
    }
    Ok(entries)
}

fn named(code: &'static str, name: &str) -> ReadFault {
    fault_with(code, [("file", name.chars().take(MAX_NAME_CHARS).collect())])
}

fn too_many() -> ReadFault {
    fault_with("import_proofs_too_many", [("max", MAX_ENTRIES.to_string())])
}

/// Counts the records of the central directory: the archive's reader keeps one of those with equal names.
fn check_directory(content: &[u8], archive: &ZipArchive<Cursor<&[u8]>>) -> Result<(), ReadFault> {
    let damaged = || fault("import_proofs_damaged");
    let mut at = usize::try_from(archive.central_directory_start()).map_err(|_| damaged())?;
    let mut names = HashSet::new();
    while let Some(record) = content.get(at..).filter(|rest| rest.starts_with(b"PK\x01\x02")) {
        let length = |place: usize| {
            let bytes = record.get(place..place + 2).and_then(|bytes| bytes.try_into().ok());
            bytes
                .map(|bytes| usize::from(u16::from_le_bytes(bytes)))
                .ok_or_else(damaged)
        };
        let name = length(NAME_AT)?;
        let end = RECORD_BYTES + name;
        let text = record.get(RECORD_BYTES..end).ok_or_else(damaged)?;
        if !names.insert(text) {
            return Err(self::named("import_proofs_doubled", &String::from_utf8_lossy(text)));
        }
        // Folders count too: they take memory here.
        if names.len() > 2 * MAX_ENTRIES {
            return Err(too_many());
        }
        at += end + length(NAME_AT + 2)? + length(NAME_AT + 4)?;
    }
    if names.len() == archive.len() {
        Ok(())
    } else {
        Err(damaged())
    }
}

/// The name without folders; `None` for what operating systems add: `__MACOSX/`, `.DS_Store`, `Thumbs.db`.
///
/// # Errors
/// A path that begins at the root or a drive, or leads out of its folder.
fn name_of(path: &str) -> Result<Option<&str>, ReadFault> {
    let parts: Vec<&str> = path.split(['/', '\\']).collect();
    let is_outside = parts
        .first()
        .is_some_and(|first| first.is_empty() || first.ends_with(':'))
        || parts.contains(&"..")
        || path.get(1..2) == Some(":")
        || path.chars().any(char::is_control);
    let name = parts.last().copied().unwrap_or_default();
    if is_outside || name.chars().count() > MAX_NAME_CHARS {
        return Err(named("import_proofs_path", &path.replace(char::is_control, "?")));
    }
    let is_system = parts.contains(&"__MACOSX") || name.starts_with('.') || matches!(name, "Thumbs.db" | "desktop.ini");
    Ok((!is_system).then_some(name))
}

/// Names of the entries of a ZIP, by which rows find their proofs.
#[derive(Debug, Default)]
pub struct Names {
    by_name: HashMap<String, usize>,
    /// `None` where several names differ by their ending alone.
    by_stem: HashMap<String, Option<usize>>,
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

impl Names {
    #[must_use]
    pub fn new(names: &[String]) -> Self {
        let mut found = Self::default();
        for (entry, name) in names.iter().enumerate() {
            let name = name.to_lowercase();
            found
                .by_stem
                .entry(stem(&name).to_owned())
                .and_modify(|entry| *entry = None)
                .or_insert(Some(entry));
            found.by_name.insert(name, entry);
        }
        found
    }

    /// The entry that a cell names, with its ending or without.
    #[must_use]
    pub fn named(&self, cell: &str) -> Option<usize> {
        let name = cell
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or_default()
            .trim()
            .to_lowercase();
        let whole = self.by_name.get(&name).copied();
        whole.or_else(|| self.by_stem.get(&name).copied().flatten())
    }

    /// Entries whose names begin with a remittance's code, and no further digit: the signatures, and the others.
    #[must_use]
    pub fn of_code(&self, code: &str) -> [Vec<usize>; 2] {
        let code = code.to_lowercase();
        let (mut signatures, mut others) = (Vec::new(), Vec::new());
        for (name, entry) in &self.by_name {
            let Some(rest) = name.strip_prefix(&code) else { continue };
            if rest.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let mut words = rest.split(|c: char| !c.is_alphabetic());
            let is_signature = words.any(|word| SIGNATURE.iter().any(|beginning| word.starts_with(beginning)));
            if is_signature { &mut signatures } else { &mut others }.push(*entry);
        }
        [signatures, others]
    }
}

/// Beginnings of a word after the code by which an image is a signature: `firma`, `signature`, `signed`. Other words have
/// them inside, such as `confirmación` and `asignada`.
const SIGNATURE: [&str; 2] = ["firma", "sign"];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write as _;
    use zip::{ZipWriter, write::SimpleFileOptions};

    fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn code(content: &[u8]) -> &'static str {
        read(content).err().map_or("", |fault| fault.code)
    }

    /// `other` has the length of `name`, and takes its place in the archive.
    fn renamed(archive: &[u8], name: &str, other: &str) -> Vec<u8> {
        assert_eq!(name.len(), other.len());
        let mut content = archive.to_vec();
        for at in 0..content.len() - name.len() {
            if content[at..].starts_with(name.as_bytes()) {
                content[at..at + name.len()].copy_from_slice(other.as_bytes());
            }
        }
        content
    }

    #[test]
    fn entries_are_known_by_their_names_without_folders_and_what_systems_add_is_left_out() {
        let content = zipped(&[
            ("fotos/R-000001.jpg", b"one"),
            ("fotos\\R-000002.jpg", b"two"),
            ("__MACOSX/fotos/._R-000001.jpg", b"x"),
            ("fotos/.DS_Store", b"x"),
            ("Thumbs.db", b"x"),
        ]);
        let names: Vec<_> = read(&content).unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["R-000001.jpg", "R-000002.jpg"]);
    }

    #[test]
    fn paths_that_lead_elsewhere_doubled_names_and_archives_in_archives_are_refused_by_name() {
        for path in [
            "/etc/passwd",
            "../a.jpg",
            "a/../../b.jpg",
            "C:\\a.jpg",
            "\\\\host\\a.jpg",
        ] {
            let fault = read(&zipped(&[(path, b"x")])).unwrap_err();
            assert_eq!(
                (fault.code, fault.params["file"].as_str()),
                ("import_proofs_path", path)
            );
        }
        assert_eq!(
            code(&zipped(&[("a.jpg", b"x"), ("b/A.JPG", b"y")])),
            "import_proofs_doubled"
        );
        let twice = renamed(&zipped(&[("a.jpg", b"x"), ("b.jpg", b"y")]), "b.jpg", "a.jpg");
        assert_eq!(code(&twice), "import_proofs_doubled");
        let inner = zipped(&[("a.jpg", b"x")]);
        assert_eq!(code(&zipped(&[("inner.jpg", &inner)])), "import_proofs_nested");
    }

    #[test]
    fn an_archive_is_measured_while_it_is_unpacked() {
        let large = vec![0; MAX_FILE_BYTES + 1];
        assert_eq!(code(&zipped(&[("large.jpg", &large)])), "import_proof_too_large");
        let names: Vec<String> = (0..=MAX_ENTRIES).map(|entry| format!("{entry}.jpg")).collect();
        let many: Vec<_> = names.iter().map(|name| (name.as_str(), b"x".as_slice())).collect();
        assert_eq!(code(&zipped(&many)), "import_proofs_too_many");
        let zeros = vec![0; MAX_FILE_BYTES];
        let bomb: Vec<_> = names
            .iter()
            .take(20)
            .map(|name| (name.as_str(), zeros.as_slice()))
            .collect();
        let bomb = zipped(&bomb);
        assert!(bomb.len() < 1024 * 1024);
        assert_eq!(code(&bomb), "import_proofs_unpack_too_large");
        assert_eq!(code(b"\xff\xd8\xff\xe0"), "import_proofs_not_zip");
        assert_eq!(code(b"PK\x03\x04 cut off"), "import_proofs_damaged");
        assert_eq!(code(&zipped(&[(".DS_Store", b"x")])), "import_proofs_empty");
    }

    #[test]
    fn a_row_finds_its_entries_by_name_or_by_code() {
        let names = [
            "R-000001.jpg",
            "R-000001-firma.png",
            "R-0000012.jpg",
            "recibo 7.JPG",
            "a.jpg",
            "a.png",
        ];
        let names = Names::new(&names.map(str::to_owned));
        assert_eq!(names.of_code("R-000001"), [vec![1], vec![0]]);
        assert_eq!(names.of_code("R-000002"), [Vec::<usize>::new(), Vec::new()]);
        assert_eq!(names.named("RECIBO 7"), Some(3));
        assert_eq!(names.named("C:\\fotos\\Recibo 7.jpg"), Some(3));
        assert_eq!(names.named("a"), None, "of two endings");
        assert_eq!(names.named("a.png"), Some(5));
    }

    #[test]
    fn a_signature_has_a_word_that_begins_with_firma_or_sign() {
        for name in [
            "R-000001firma.png",
            "R-000001-firma.jpg",
            "R-000001_signature.png",
            "R-000001 Firmado.jpg",
            "R-000001-2firma.jpg",
            "R-000001-foto-signed.webp",
        ] {
            let found = Names::new(&[name.to_owned()]).of_code("R-000001");
            assert_eq!(found, [vec![0], Vec::new()], "{name}");
        }
        for name in [
            "R-000001.jpg",
            "R-000001-confirmacion.jpg",
            "R-000001 confirmación.jpg",
            "R-000001-asignada.jpg",
            "R-000001_design.png",
        ] {
            let found = Names::new(&[name.to_owned()]).of_code("R-000001");
            assert_eq!(found, [Vec::new(), vec![0]], "{name}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// No bytes make the reader panic or exceed its limits.
        #[test]
        fn a_changed_archive_is_read_within_the_limits_or_refused(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
            cut in any::<prop::sample::Index>(),
            is_cut in any::<bool>(),
        ) {
            let mut content = zipped(&[("R-000001.jpg", &[7; 300]), ("R-000002.jpg", b"two"), ("x/R-000003.png", b"")]);
            for (at, byte) in changes {
                let at = at.index(content.len());
                content[at] = byte;
            }
            if is_cut {
                content.truncate(cut.index(content.len()));
            }
            if let Ok(entries) = read(&content) {
                prop_assert!(entries.len() <= MAX_ENTRIES);
                prop_assert!(entries.iter().all(|entry| entry.content.len() <= MAX_FILE_BYTES));
                prop_assert!(entries.iter().all(|entry| !entry.name.contains(['/', '\\'])));
            }
        }

        #[test]
        fn any_bytes_are_refused_or_read(tail in prop::collection::vec(any::<u8>(), 0..600)) {
            let content = [b"PK\x03\x04".as_slice(), &tail].concat();
            let _ = read(&content);
        }
    }
}
