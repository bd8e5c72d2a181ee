//! Recursive copy of folders.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Copies a folder with permissions and symbolic links, filtered by `wanted`. The target must not exist. `each` is
/// called with every copied path.
pub(super) fn copy_folder(
    from: &Path,
    to: &Path,
    wanted: &dyn Fn(&Path) -> bool,
    each: &dyn Fn(&Path) -> io::Result<()>,
) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let source = entry?.path();
        let Some(name) = source.file_name() else { continue };
        if !wanted(&source) {
            continue;
        }
        let target = to.join(name);
        let kind = fs::symlink_metadata(&source)?.file_type();
        if kind.is_dir() {
            copy_folder(&source, &target, wanted, each)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(&source)?, &target)?;
        } else {
            fs::copy(&source, &target)?;
            each(&target)?;
        }
    }
    fs::set_permissions(to, fs::metadata(from)?.permissions())?;
    each(to)
}
