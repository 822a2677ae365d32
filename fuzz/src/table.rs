//! Of the program's files of rows, what reads them.

#[path = "../../crates/kuaimi-cli/src/table/columns.rs"]
pub mod columns;
#[path = "../../crates/kuaimi-cli/src/table/read/mod.rs"]
pub mod read;
#[path = "../../crates/kuaimi-cli/src/table/rows.rs"]
pub mod rows;
