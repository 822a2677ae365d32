//! Tongsuo.
