//! Read models, their queries, reports and exports.
