//! The formulas of SM2's curve that machines have in one piece. The arithmetic of the field is in
//! [`arith::backend`](crate::arith::backend).
//!
//! | module | what it does |
//! | --- | --- |
//! | `adx` | doublings and mixed additions in assembly for x86-64 with MULX, ADCX and ADOX |

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod adx;

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
impl<B: crate::arith::Backend> crate::curve::Formulas for super::curve::Sm2<B> {}

#[cfg(test)]
mod tests;
