//! The PostgreSQL that Caudal runs on - embedded or given - with its roles and migrations.
