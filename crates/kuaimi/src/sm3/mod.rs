//! The SM3 hash function (GB/T 32905-2016).
