//! SM3 compression for x86-64 with BMI2 and AVX: one `asm!` for all blocks.
//!
//! The message expansion is that of `sse2.rs`, three words a step in vector registers. It is faster
//! than compiled code in two ways:
//!
//! - *The order of the operations in a round.* A late round has 24 operations besides copies, which
//!   cost nothing. Seven of them are a chain of dependent operations, from `E` through `GG` to the
//!   next `E`. The CPU has four units for them, two of which can rotate. It assigns each operation
//!   to a unit before it knows when the unit will be free, so the order of the operations matters.
//!   The order here was found by experiment: 7.2 cycles a round on Zen 3, where compiled code took
//!   8.2. A chain of six is possible with three more operations, which cost more than it gains.
//!   `FF` is the sum of `B ∧ C` and `A ∧ (B ⊕ C)`, which have no bit in common; the first is added
//!   before `A` is ready.
//! - *The change of blocks.* The next block's words are loaded during the last three rounds, and
//!   the state stays in registers. (During the last block, the same block is loaded again.)
//!
//! No branch and no address depends on data. The registers are fixed, as they determine the lengths
//! of the instructions and with them the alignment of the code.
//!
//! | registers | contents |
//! | --- | --- |
//! | `eax ebx ecx edx` | `A` to `D`; after four rounds each has its own name again |
//! | `r8d r9d r10d r11d` | `E` to `H` |
//! | `r12d` | `A <<< 12`, then `SS2` |
//! | `r13d` | `SS1` |
//! | `r14d` | the parts of `FF` |
//! | `r15d` | `GG` of the next round |
//! | `rsi`, `rdi` | the addresses of the frame and of the constants |
//! | `xmm0` to `xmm3` | `V` of the last four steps |
//! | `xmm4` to `xmm7` | `C` of the last four steps |

#![allow(unsafe_code, reason = "assembly")]

use core::arch::asm;
use core::mem::offset_of;
use core::ptr;

use super::super::compress::T;
use super::super::{BLOCK_LEN, State};

/// The words that the vector registers pass to the rounds, and values without a register of their
/// own.
#[repr(C, align(64))]
struct Frame {
    /// `W_0` to `W_15`.
    first_w: [[u32; 4]; 4],
    /// `W'_0` to `W'_11`.
    first_x: [[u32; 4]; 3],
    /// `W_j` to `W_{j+2}` of the step for `j = 16 + 3i`, in the last three words of entry
    /// `i mod 4`.
    w: [[u32; 4]; 4],
    /// `W'_{j-4}` to `W'_{j-2}` of that step, in the same places.
    x: [[u32; 4]; 4],
    /// Swaps the bytes of each word.
    swap: [u8; 16],
    state: *mut State,
    block: *const [u8; BLOCK_LEN],
    /// The number of blocks left, with the current one.
    left: usize,
    /// The addresses of the constants of round 0, and of round 52.
    t: *const u32,
    t_last: *const u32,
    rbx: u64,
}

// The offsets that the assembly uses as numbers.
const _: () = {
    assert!(offset_of!(Frame, first_w) == 0);
    assert!(offset_of!(Frame, first_x) == 64);
    assert!(offset_of!(Frame, w) == 112);
    assert!(offset_of!(Frame, x) == 176);
    assert!(offset_of!(Frame, swap) == 240);
    assert!(offset_of!(Frame, state) == 256);
    assert!(offset_of!(Frame, block) == 264);
    assert!(offset_of!(Frame, left) == 272);
    assert!(offset_of!(Frame, t) == 280);
    assert!(offset_of!(Frame, t_last) == 288);
    assert!(offset_of!(Frame, rbx) == 296);
};

static CONSTANTS: [u32; 64] = T;

#[inline(never)]
#[target_feature(enable = "avx,bmi2")]
pub(super) fn compress_blocks(state: &mut State, blocks: &[[u8; BLOCK_LEN]]) {
    if blocks.is_empty() {
        return;
    }
    let mut frame = Frame {
        first_w: [[0; 4]; 4],
        first_x: [[0; 4]; 3],
        w: [[0; 4]; 4],
        x: [[0; 4]; 4],
        swap: [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12],
        state: ptr::from_mut(state),
        block: blocks.as_ptr(),
        left: blocks.len(),
        t: CONSTANTS.as_ptr(),
        t_last: &raw const CONSTANTS[52],
        rbx: 0,
    };
    // SAFETY: AVX and BMI2 are enabled for this function. The assembly writes to the frame and to
    // the state, and reads from these, from the constants and from the blocks: the pointer to a
    // block advances only if another block is left. All registers that change are named, except
    // `rbx`, which is restored.
    unsafe {
        asm!(
            // A round j < 16 in two halves, with W_j at w, W'_j at x, T_j at t. `next` computes GG
            // of the next round, whose E, F, G are called h, e, f here.
            ".macro kuaimi_sm3_early1 a, b, c, d, e, f, g, h, t, w, x",
            r"add \h, dword ptr [rsi + \w]",
            r"rorx r12d, \a, 20",
            r"rorx \f, \f, 13",
            r"add \d, dword ptr [rsi + \x]",
            r"mov r13d, dword ptr [rdi + \t]",
            "add r13d, r12d",
            r"add r13d, \e",
            r"mov r14d, \b",
            r"xor r14d, \c",
            r"xor r14d, \a",
            r"rorx \b, \b, 23",
            r"add \h, r15d",
            ".endm",
            ".macro kuaimi_sm3_early2 a, b, c, d, e, f, g, h, next",
            r"mov r15d, \e",
            r"xor r15d, \f",
            "rorx r13d, r13d, 25",
            "xor r12d, r13d",
            r"add \h, r13d",
            r"add \d, r14d",
            r"add \d, r12d",
            r"rorx r13d, \h, 23",
            r"rorx r12d, \h, 15",
            r"xor \h, r13d",
            r"xor \h, r12d",
            r"\next \f, \h",
            ".endm",
            // The same for j ≥ 16.
            ".macro kuaimi_sm3_late1 a, b, c, d, e, f, g, h, t, w, x",
            r"add \d, dword ptr [rsi + \x]",
            r"mov r13d, dword ptr [rdi + \t]",
            r"mov r14d, \b",
            r"and r14d, \c",
            r"add \h, dword ptr [rsi + \w]",
            r"add \h, r15d",
            r"rorx r12d, \a, 20",
            "add r13d, r12d",
            r"add r13d, \e",
            r"add \d, r14d",
            r"mov r14d, \b",
            r"xor r14d, \c",
            r"rorx \b, \b, 23",
            r"rorx \f, \f, 13",
            ".endm",
            ".macro kuaimi_sm3_late2 a, b, c, d, e, f, g, h, next",
            r"and r14d, \a",
            r"add \d, r14d",
            "rorx r13d, r13d, 25",
            r"add \h, r13d",
            "xor r12d, r13d",
            r"add \d, r12d",
            r"rorx r12d, \h, 15",
            r"rorx r13d, \h, 23",
            r"xor \h, r13d",
            r"xor \h, r12d",
            r"mov r15d, \e",
            r"xor r15d, \f",
            r"\next \f, \h",
            ".endm",
            // E ⊕ (F ⊕ G), and G ⊕ (E ∧ (F ⊕ G)), with F ⊕ G in r15d.
            ".macro kuaimi_sm3_parity g, e",
            r"xor r15d, \e",
            ".endm",
            ".macro kuaimi_sm3_choose g, e",
            r"and r15d, \e",
            r"xor r15d, \g",
            ".endm",
            // A step of the expansion in six parts. `c` is c4 before it and C after it, that is
            // lanes 2, 3 of v2 and 1, 2 of v1.
            ".macro kuaimi_sm3_step1 v, v1, v2, v3, c, c3, at",
            r"vpsrld xmm8, \v1, 17",
            r"vpslld xmm9, \v1, 15",
            r"vpxor xmm10, \c, \v3",
            "vpxor xmm8, xmm8, xmm9",
            ".endm",
            ".macro kuaimi_sm3_step2 v, v1, v2, v3, c, c3, at",
            "vpxor xmm10, xmm10, xmm8",
            r"vpsrld \v, \c3, 25",
            r"vpslld xmm9, \c3, 7",
            r"vpxor \v, \v, \v2",
            ".endm",
            ".macro kuaimi_sm3_step3 v, v1, v2, v3, c, c3, at",
            r"vpxor \v, \v, xmm9",
            r"vshufps \c, \v2, \v1, 0x9e",
            r"vpxor \v, \v, xmm10",
            ".endm",
            ".macro kuaimi_sm3_step4 v, v1, v2, v3, c, c3, at",
            "vpsrld xmm8, xmm10, 17",
            "vpslld xmm9, xmm10, 15",
            r"vpxor \v, \v, xmm8",
            r"vpxor \v, \v, xmm9",
            ".endm",
            ".macro kuaimi_sm3_step5 v, v1, v2, v3, c, c3, at",
            "vpsrld xmm8, xmm10, 9",
            "vpslld xmm9, xmm10, 23",
            r"vpxor \v, \v, xmm8",
            r"vpxor \v, \v, xmm9",
            ".endm",
            ".macro kuaimi_sm3_step6 v, v1, v2, v3, c, c3, at",
            r"vmovdqa xmmword ptr [rsi + 112 + \at], \v",
            r"vpxor xmm8, \v, \c",
            r"vmovdqa xmmword ptr [rsi + 176 + \at], xmm8",
            ".endm",
            // The beginning of a block, whose address is in r13, also in six parts. It leaves V and
            // C as steps for j = 13, 10, 7 and so on would leave them.
            ".macro kuaimi_sm3_begin1",
            "vmovdqu xmm8, xmmword ptr [r13 + 0]",
            "vmovdqu xmm9, xmmword ptr [r13 + 16]",
            "vmovdqu xmm10, xmmword ptr [r13 + 32]",
            "vmovdqu xmm11, xmmword ptr [r13 + 48]",
            ".endm",
            ".macro kuaimi_sm3_begin2",
            "vpshufb xmm8, xmm8, xmmword ptr [rsi + 240]",
            "vpshufb xmm9, xmm9, xmmword ptr [rsi + 240]",
            "vpshufb xmm10, xmm10, xmmword ptr [rsi + 240]",
            "vpshufb xmm11, xmm11, xmmword ptr [rsi + 240]",
            ".endm",
            ".macro kuaimi_sm3_begin3",
            "vmovdqa xmmword ptr [rsi + 0], xmm8",
            "vmovdqa xmmword ptr [rsi + 16], xmm9",
            "vmovdqa xmmword ptr [rsi + 32], xmm10",
            "vmovdqa xmmword ptr [rsi + 48], xmm11",
            ".endm",
            ".macro kuaimi_sm3_begin4",
            "vpxor xmm0, xmm8, xmm9",
            "vmovdqa xmmword ptr [rsi + 64], xmm0",
            "vpxor xmm0, xmm9, xmm10",
            "vmovdqa xmmword ptr [rsi + 80], xmm0",
            "vpxor xmm0, xmm10, xmm11",
            "vmovdqa xmmword ptr [rsi + 96], xmm0",
            ".endm",
            ".macro kuaimi_sm3_begin5",
            "vpalignr xmm2, xmm11, xmm10, 4",
            "vpalignr xmm1, xmm10, xmm9, 8",
            "vpalignr xmm6, xmm10, xmm9, 4",
            "vpalignr xmm5, xmm9, xmm8, 8",
            ".endm",
            ".macro kuaimi_sm3_begin6",
            "vpslldq xmm4, xmm8, 4",
            "vmovdqa xmm3, xmm11",
            "vmovdqa xmm7, xmm10",
            ".endm",
            // Three rounds, interleaved with the six parts of `vector`. `gg` computes GG of the
            // round after them, `gg0` GG of the second and third of them.
            ".macro kuaimi_sm3_three j, gg0, gg, t, w, x0, x1, x2, a, b, c, d, e, f, g, h, vector, parts:vararg",
            r"kuaimi_sm3_\vector\()1 \parts",
            r"kuaimi_sm3_\j\()1 \a, \b, \c, \d, \e, \f, \g, \h, \t + 0, \w + 0, \x0",
            r"kuaimi_sm3_\vector\()2 \parts",
            r"kuaimi_sm3_\j\()2 \a, \b, \c, \d, \e, \f, \g, \h, kuaimi_sm3_\gg0",
            r"kuaimi_sm3_\vector\()3 \parts",
            r"kuaimi_sm3_\j\()1 \d, \a, \b, \c, \h, \e, \f, \g, \t + 4, \w + 4, \x1",
            r"kuaimi_sm3_\vector\()4 \parts",
            r"kuaimi_sm3_\j\()2 \d, \a, \b, \c, \h, \e, \f, \g, kuaimi_sm3_\gg0",
            r"kuaimi_sm3_\vector\()5 \parts",
            r"kuaimi_sm3_\j\()1 \c, \d, \a, \b, \g, \h, \e, \f, \t + 8, \w + 8, \x2",
            r"kuaimi_sm3_\vector\()6 \parts",
            r"kuaimi_sm3_\j\()2 \c, \d, \a, \b, \g, \h, \e, \f, kuaimi_sm3_\gg",
            ".endm",
            // Rounds 16 to 24, and those a multiple of twelve later: after twelve rounds, names and
            // places are the same again.
            ".macro kuaimi_sm3_nine",
            "kuaimi_sm3_three late, choose, choose, 0, 116, 200, 204, 212, eax, ebx, ecx, edx, r8d, r9d, r10d, r11d, step, xmm3, xmm2, xmm1, xmm0, xmm7, xmm4, 48",
            "kuaimi_sm3_three late, choose, choose, 12, 132, 216, 220, 228, ebx, ecx, edx, eax, r9d, r10d, r11d, r8d, step, xmm0, xmm3, xmm2, xmm1, xmm4, xmm5, 0",
            "kuaimi_sm3_three late, choose, choose, 24, 148, 232, 236, 180, ecx, edx, eax, ebx, r10d, r11d, r8d, r9d, step, xmm1, xmm0, xmm3, xmm2, xmm5, xmm6, 16",
            ".endm",

            "mov qword ptr [rsi + 296], rbx",
            "mov r13, qword ptr [rsi + 264]",
            "kuaimi_sm3_begin1",
            "kuaimi_sm3_begin2",
            "kuaimi_sm3_begin3",
            "kuaimi_sm3_begin4",
            "kuaimi_sm3_begin5",
            "kuaimi_sm3_begin6",
            "mov rdi, qword ptr [rsi + 256]",
            "mov eax, dword ptr [rdi]",
            "mov ebx, dword ptr [rdi + 4]",
            "mov ecx, dword ptr [rdi + 8]",
            "mov edx, dword ptr [rdi + 12]",
            "mov r8d, dword ptr [rdi + 16]",
            "mov r9d, dword ptr [rdi + 20]",
            "mov r10d, dword ptr [rdi + 24]",
            "mov r11d, dword ptr [rdi + 28]",

            // A block.
            ".p2align 6",
            "3:",
            "mov rdi, qword ptr [rsi + 280]",
            "mov r15d, r8d",
            "xor r15d, r9d",
            "xor r15d, r10d",
            "kuaimi_sm3_early1 eax, ebx, ecx, edx, r8d, r9d, r10d, r11d, 0, 0, 64",
            "kuaimi_sm3_early2 eax, ebx, ecx, edx, r8d, r9d, r10d, r11d, kuaimi_sm3_parity",
            "kuaimi_sm3_early1 edx, eax, ebx, ecx, r11d, r8d, r9d, r10d, 4, 4, 68",
            "kuaimi_sm3_early2 edx, eax, ebx, ecx, r11d, r8d, r9d, r10d, kuaimi_sm3_parity",
            "kuaimi_sm3_early1 ecx, edx, eax, ebx, r10d, r11d, r8d, r9d, 8, 8, 72",
            "kuaimi_sm3_early2 ecx, edx, eax, ebx, r10d, r11d, r8d, r9d, kuaimi_sm3_parity",
            "kuaimi_sm3_early1 ebx, ecx, edx, eax, r9d, r10d, r11d, r8d, 12, 12, 76",
            "kuaimi_sm3_early2 ebx, ecx, edx, eax, r9d, r10d, r11d, r8d, kuaimi_sm3_parity",
            "kuaimi_sm3_early1 eax, ebx, ecx, edx, r8d, r9d, r10d, r11d, 16, 16, 80",
            "kuaimi_sm3_early2 eax, ebx, ecx, edx, r8d, r9d, r10d, r11d, kuaimi_sm3_parity",
            "kuaimi_sm3_early1 edx, eax, ebx, ecx, r11d, r8d, r9d, r10d, 20, 20, 84",
            "kuaimi_sm3_early2 edx, eax, ebx, ecx, r11d, r8d, r9d, r10d, kuaimi_sm3_parity",
            "kuaimi_sm3_early1 ecx, edx, eax, ebx, r10d, r11d, r8d, r9d, 24, 24, 88",
            "kuaimi_sm3_early2 ecx, edx, eax, ebx, r10d, r11d, r8d, r9d, kuaimi_sm3_parity",
            "kuaimi_sm3_three early, parity, parity, 28, 28, 92, 96, 100, ebx, ecx, edx, eax, r9d, r10d, r11d, r8d, step, xmm0, xmm3, xmm2, xmm1, xmm4, xmm5, 0",
            "kuaimi_sm3_three early, parity, parity, 40, 40, 104, 108, 180, ecx, edx, eax, ebx, r10d, r11d, r8d, r9d, step, xmm1, xmm0, xmm3, xmm2, xmm5, xmm6, 16",
            "kuaimi_sm3_three early, parity, choose, 52, 52, 184, 188, 196, edx, eax, ebx, ecx, r11d, r8d, r9d, r10d, step, xmm2, xmm1, xmm0, xmm3, xmm6, xmm7, 32",
            "add rdi, 64",

            // Twelve rounds, three times.
            ".p2align 6",
            "2:",
            "kuaimi_sm3_nine",
            "kuaimi_sm3_three late, choose, choose, 36, 164, 184, 188, 196, edx, eax, ebx, ecx, r11d, r8d, r9d, r10d, step, xmm2, xmm1, xmm0, xmm3, xmm6, xmm7, 32",
            "add rdi, 48",
            "cmp rdi, qword ptr [rsi + 288]",
            "jne 2b",

            // The last twelve. The expansion ends before the last three.
            "kuaimi_sm3_nine",
            "mov r13, qword ptr [rsi + 264]",
            "lea r14, [r13 + 64]",
            "cmp qword ptr [rsi + 272], 1",
            "cmovne r13, r14",
            "mov qword ptr [rsi + 264], r13",
            "kuaimi_sm3_three late, choose, choose, 36, 164, 184, 188, 196, edx, eax, ebx, ecx, r11d, r8d, r9d, r10d, begin",

            // V(i+1) = ABCDEFGH ⊕ V(i).
            "mov rdi, qword ptr [rsi + 256]",
            "xor eax, dword ptr [rdi]",
            "mov dword ptr [rdi], eax",
            "xor ebx, dword ptr [rdi + 4]",
            "mov dword ptr [rdi + 4], ebx",
            "xor ecx, dword ptr [rdi + 8]",
            "mov dword ptr [rdi + 8], ecx",
            "xor edx, dword ptr [rdi + 12]",
            "mov dword ptr [rdi + 12], edx",
            "xor r8d, dword ptr [rdi + 16]",
            "mov dword ptr [rdi + 16], r8d",
            "xor r9d, dword ptr [rdi + 20]",
            "mov dword ptr [rdi + 20], r9d",
            "xor r10d, dword ptr [rdi + 24]",
            "mov dword ptr [rdi + 24], r10d",
            "xor r11d, dword ptr [rdi + 28]",
            "mov dword ptr [rdi + 28], r11d",
            "dec qword ptr [rsi + 272]",
            "jne 3b",
            "mov rbx, qword ptr [rsi + 296]",

            // Otherwise the macros would be defined in all assembly after this.
            ".purgem kuaimi_sm3_early1",
            ".purgem kuaimi_sm3_early2",
            ".purgem kuaimi_sm3_late1",
            ".purgem kuaimi_sm3_late2",
            ".purgem kuaimi_sm3_parity",
            ".purgem kuaimi_sm3_choose",
            ".purgem kuaimi_sm3_step1",
            ".purgem kuaimi_sm3_step2",
            ".purgem kuaimi_sm3_step3",
            ".purgem kuaimi_sm3_step4",
            ".purgem kuaimi_sm3_step5",
            ".purgem kuaimi_sm3_step6",
            ".purgem kuaimi_sm3_begin1",
            ".purgem kuaimi_sm3_begin2",
            ".purgem kuaimi_sm3_begin3",
            ".purgem kuaimi_sm3_begin4",
            ".purgem kuaimi_sm3_begin5",
            ".purgem kuaimi_sm3_begin6",
            ".purgem kuaimi_sm3_three",
            ".purgem kuaimi_sm3_nine",
            in("rsi") &raw mut frame,
            out("rdi") _, out("eax") _, out("ecx") _, out("edx") _,
            out("r8") _, out("r9") _, out("r10") _, out("r11") _,
            out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            options(nostack),
        );
    }
}
