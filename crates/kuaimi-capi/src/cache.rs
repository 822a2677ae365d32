//! What the caches of SM2 and SM9 tell of themselves.

use kuaimi::sm2::CacheStats;

/// What a cache holds and has done.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct kuaimi_cache_stats {
    /// Keys, or identities, with a table.
    pub entries: usize,
    /// Bytes that these take.
    pub bytes: usize,
    /// Uses that found a table.
    pub hits: u64,
    /// Uses that found none.
    pub misses: u64,
    /// Tables dropped to make room.
    pub evictions: u64,
}

impl From<CacheStats> for kuaimi_cache_stats {
    fn from(stats: CacheStats) -> Self {
        Self {
            entries: stats.entries,
            bytes: stats.bytes,
            hits: stats.hits,
            misses: stats.misses,
            evictions: stats.evictions,
        }
    }
}
