//! How many new connections an address may open: a token bucket for each.

use std::net::IpAddr;
use std::num::NonZeroUsize;

use lru::LruCache;
use tokio::time::Instant;

use crate::config::Limits;

/// Addresses that are remembered. An attacker with more of them is not held up by this limit.
const ADDRESSES: NonZeroUsize = NonZeroUsize::new(1 << 16).unwrap();

/// The buckets of a listener.
pub(crate) struct Rate(LruCache<IpAddr, Bucket>);

struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl Rate {
    pub(crate) fn new() -> Self {
        Self(LruCache::new(ADDRESSES))
    }

    /// Whether another connection from `address` is permitted.
    pub(crate) fn permits(&mut self, address: IpAddr, limits: &Limits) -> bool {
        if limits.rate_per_address == 0 {
            return true;
        }
        let now = Instant::now();
        let most = f64::from(limits.rate_burst);
        let bucket = self.0.get_or_insert_mut(network(address), || Bucket {
            tokens: most,
            filled: now,
        });
        let since = now.duration_since(bucket.filled).as_secs_f64();
        bucket.tokens = (bucket.tokens + since * f64::from(limits.rate_per_address)).min(most);
        bucket.filled = now;
        if bucket.tokens < 1.0 {
            return false;
        }
        bucket.tokens -= 1.0;
        true
    }
}

/// What one client has: an address of IPv4, or the 64 bits that a network of IPv6 is given by.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let mut segments = address.segments();
            segments[4..].fill(0);
            IpAddr::from(segments)
        }
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_bucket_empties_and_fills() {
        let limits = Limits {
            rate_per_address: 2,
            rate_burst: 3,
            ..Limits::default()
        };
        let mut rate = Rate::new();
        let one: IpAddr = [192, 0, 2, 1].into();
        let count =
            |rate: &mut Rate, address| (0..100).filter(|_| rate.permits(address, &limits)).count();
        assert_eq!(count(&mut rate, one), 3);
        assert_eq!(count(&mut rate, [192, 0, 2, 2].into()), 3);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(count(&mut rate, one), 2);
        tokio::time::advance(Duration::from_secs(1000)).await;
        assert_eq!(count(&mut rate, one), 3);
        // Another address of the same network of IPv6.
        let v6 = |text: &str| text.parse::<IpAddr>().unwrap();
        assert_eq!(count(&mut rate, v6("2001:db8::1")), 3);
        assert_eq!(count(&mut rate, v6("2001:db8::2")), 0);
        assert_eq!(count(&mut rate, v6("2001:db8:0:1::2")), 3);
    }
}
