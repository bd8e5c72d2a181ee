//! The allocator of every program. With the C library's, hashing a password left 19 MiB behind in whichever thread it was
//! done by, since blocks that have to be aligned were not used again: some 300 MiB after a few dozen logins.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;
