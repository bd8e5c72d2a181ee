//! The HTTP API and the caudal command.
