// Tests the rules of emulator/secrets_*.cc: each case marks bytes as secret, executes a few instructions, and says which bytes of the
// result must then be secret, and how many faults must have been reported. Runs on the emulator with KUAIMI_SECRETS=1.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t request(uint64_t number, uint64_t a, uint64_t b, uint64_t c)
{
    volatile uint64_t words[6] = {number, a, b, c};
    uint64_t answer = 0;
    __asm__ volatile("rol $3, %%rdi; rol $13, %%rdi; rol $61, %%rdi; rol $51, %%rdi; xchg %%rbx, %%rbx"
                     : "+d"(answer) : "a"(words) : "memory", "cc");
    return answer;
}

enum { COUNT_ERRORS = 0x1201, SECRET = 0x4D430001, PUBLIC, GET_MARKS = 0x4D430008, REPORTS_TIMES = 0x4B4D0001 };

// Three operands of 64 bytes, at rdi, rdi + 64 and rdi + 128, and the result at rsi. `secret` and `expected` are ranges of
// bytes, such as "0-7 64-127"; `expected` are those of the result, or bits of a byte, such as "3:f0".
typedef void Code(uint8_t *in, uint8_t *out);

static unsigned cases, failures;

static void ranges(const char *text, uint8_t *bytes)
{
    while (*text) {
        char *end;
        unsigned long from = strtoul(text, &end, 10), to = from, value = 0xFF;
        if (*end == '-') to = strtoul(end + 1, &end, 10);
        if (*end == ':') value = strtoul(end + 1, &end, 16);
        for (; from <= to; from++) bytes[from] = value;
        for (text = end; *text == ' '; text++) {}
    }
}

static void check(const char *name, Code *code, const char *secret, const char *expected, unsigned faults)
{
    static uint8_t in[192] __attribute__((aligned(64))), out[64] __attribute__((aligned(64)));
    uint8_t marks[192] = {0}, wanted[64] = {0}, got[64];
    for (unsigned n = 0; n < sizeof in; n++) in[n] = n * 7 + 1;
    memset(out, 0, sizeof out);
    ranges(secret, marks);
    ranges(expected, wanted);
    for (unsigned n = 0; n < sizeof in; n++)
        if (marks[n]) request(SECRET, (uint64_t)(in + n), 1, 0);
    uint64_t before = request(COUNT_ERRORS, 0, 0, 0);
    code(in, out);
    uint64_t found = request(COUNT_ERRORS, 0, 0, 0) - before;
    request(GET_MARKS, (uint64_t)out, (uint64_t)got, 64);
    request(PUBLIC, (uint64_t)in, sizeof in, 0);
    request(PUBLIC, (uint64_t)out, sizeof out, 0);
    cases++;
    if (found == faults && memcmp(got, wanted, sizeof got) == 0) return;
    failures++;
    printf("WRONG: %s: %lu faults, expected %u\n", name, (unsigned long)found, faults);
    for (unsigned n = 0; n < 64; n++)
        if (got[n] != wanted[n]) printf("   byte %u: marks %02x, expected %02x\n", n, got[n], wanted[n]);
}

#define CASE(name, secret, expected, faults, text) \
    do { \
        extern Code code_##name; \
        __asm__(".pushsection .text.cases, \"ax\"\ncode_" #name ":\n.intel_syntax noprefix\n" text "\nvzeroupper\nxor eax, eax\nxor ecx, ecx\nxor edx, edx\n" \
                "xor r8d, r8d\nret\n.att_syntax\n.popsection"); \
        check(#name, code_##name, secret, expected, faults); \
    } while (0)

int main(void)
{
    if (!request(REPORTS_TIMES, 0, 0, 0)) return fprintf(stderr, "error: nothing follows secrets here\n"), 2;

    // Moves.
    CASE(move_8, "0-7", "0-7", 0, "mov rax, [rdi]; mov [rsi], rax");
    CASE(move_4_clears, "0-7", "0-3", 0, "mov rax, [rdi]; mov eax, eax; mov [rsi], rax");
    CASE(move_1_keeps, "0-7", "1-7", 0, "mov rax, [rdi]; mov al, [rdi + 64]; mov [rsi], rax");
    CASE(move_high_byte, "0", "1", 0, "xor eax, eax; mov ah, [rdi]; mov [rsi], rax");
    CASE(move_zero_extended, "0-7", "0", 0, "movzx eax, byte ptr [rdi]; mov [rsi], rax");
    CASE(move_sign_extended, "1", "1-7", 0, "movsx rax, word ptr [rdi]; mov [rsi], rax");
    CASE(swap_bytes, "0", "7", 0, "mov rax, [rdi]; bswap rax; mov [rsi], rax");
    CASE(push_pop, "0-7", "8-15", 0, "push [rdi]; pop [rsi + 8]");
    CASE(exchange, "0-7", "8-15", 0, "mov rax, [rdi]; mov rdx, [rdi + 8]; xchg rax, rdx; mov [rsi], rax; mov [rsi + 8], rdx");
    CASE(repeated_move, "3-9", "3-9", 0, "xchg rdi, rsi; mov ecx, 32; rep movsb");
    CASE(repeated_store, "0", "0-31", 0, "mov r8, rsi; mov al, [rdi]; mov rdi, rsi; mov ecx, 32; rep stosb");
    CASE(repeated_length, "0", "0", 1, "movzx ecx, byte ptr [rdi]; and ecx, 1; xchg rdi, rsi; rep movsb");

    // Arithmetic.
    CASE(xor_self, "0-7", "", 0, "mov rax, [rdi]; xor rax, rax; mov [rsi], rax");
    CASE(sub_self, "0-7", "", 0, "mov rax, [rdi]; sub rax, rax; mov [rsi], rax");
    CASE(xor_two, "3", "3", 0, "mov rax, [rdi]; xor rax, [rdi + 64]; mov [rsi], rax");
    CASE(and_zero, "0-7", "0:0f 1-7", 0, "mov rax, [rdi]; mov rdx, -241; and rax, rdx; mov [rsi], rax");
    CASE(or_ones, "0", "0:f0", 0, "mov al, [rdi]; or al, 15; mov [rsi], al");
    CASE(and_not, "0", "0:f0", 0, "mov eax, 15; mov edx, [rdi]; andn eax, eax, edx; mov [rsi], al");
    CASE(add_carries_up, "2", "2-7", 0, "mov rax, [rdi]; add rax, [rdi + 64]; mov [rsi], rax");
    CASE(add_carry, "0-7", "8-15", 0, "mov rax, [rdi]; add rax, rax; mov rdx, [rdi + 64]; adc rdx, 0; mov [rsi + 8], rdx");
    CASE(adcx_adox, "0-7", "8-23", 0,
        "mov rax, [rdi]; add rax, rax; mov rdx, [rdi + 64]; mov r8, rdx; adcx rdx, rdx; mov [rsi + 8], rdx; adox r8, r8; mov [rsi + 16], r8");
    CASE(carry_flag_alone, "0-7", "", 0, "mov rax, [rdi]; xor r8d, r8d; adox rax, rax; mov edx, 0; adcx r8, rdx; mov [rsi], r8");
    CASE(sbb_self, "0-7", "0-7", 0, "mov rax, [rdi]; add rax, rax; sbb rdx, rdx; mov [rsi], rdx");
    CASE(multiply, "3", "3-15", 0, "mov rax, [rdi]; mul qword ptr [rdi + 64]; mov [rsi], rax; mov [rsi + 8], rdx");
    CASE(multiply_x, "72", "0-15", 0, "mov rdx, [rdi]; mulx rax, r8, [rdi + 72]; mov [rsi], rax; mov [rsi + 8], r8");
    CASE(shift_left, "0", "2", 0, "mov rax, [rdi]; shl rax, 16; mov [rsi], rax");
    CASE(shift_signed, "7", "6-7", 0, "mov rax, [rdi]; sar rax, 8; mov [rsi], rax");
    CASE(rotate, "0", "7", 0, "mov rax, [rdi]; ror rax, 8; mov [rsi], rax");
    CASE(rotate_x, "0", "7", 0, "rorx rax, [rdi], 8; mov [rsi], rax");
    CASE(shift_by_secret, "0", "0-7", 0, "mov cl, [rdi]; mov rax, [rdi + 64]; shl rax, cl; mov [rsi], rax");
    CASE(shift_two, "64", "7", 0, "mov rax, [rdi]; mov rdx, [rdi + 64]; shrd rax, rdx, 8; mov [rsi], rax");
    CASE(shift_carry, "7", "0:01", 0, "mov rax, [rdi]; shl rax, 1; setc [rsi]");
    CASE(count_zeros, "5", "0-7", 0, "mov rax, [rdi]; shr rax, 40; shl rax, 40; tzcnt rax, rax; mov [rsi], rax");
    CASE(count_zeros_before_public_one, "5", "", 0, "mov rax, [rdi]; or al, 8; tzcnt rax, rax; mov [rsi], rax");
    CASE(count_zeros_above, "5", "", 0, "mov rax, [rdi]; bts rax, 60; bsr rax, rax; mov [rsi], rax");
    CASE(count_zeros_above_secret, "5", "0-7", 0, "mov rax, [rdi]; shl rax, 16; mov ax, 1; bsr rax, rax; mov [rsi], rax");
    CASE(low_bits, "0 5", "0", 0, "mov eax, 32; bzhi rax, [rdi], rax; mov [rsi], rax");
    CASE(branch_on_public_low_bits, "5", "", 0, "mov eax, 32; bzhi rax, [rdi], rax; jz 1f; nop; 1:");
    CASE(bit_test_secret_bit, "0", "0:01", 0, "mov rax, [rdi]; bt rax, 3; setc [rsi]");
    CASE(bit_test_public_bit, "0", "", 0, "mov rax, [rdi]; bt rax, 9; setc [rsi]");
    CASE(move_if_secret, "0", "0-7", 0, "mov rax, [rdi + 64]; mov rdx, [rdi + 72]; test byte ptr [rdi], 1; cmovz rax, rdx; mov [rsi], rax");
    CASE(move_if_public, "0-7", "", 0, "mov rax, [rdi]; mov rdx, [rdi + 72]; cmp rdx, rdx; cmovz rax, rdx; mov [rsi], rax");
    CASE(set_if, "0", "0:01", 0, "cmp byte ptr [rdi], 3; setb [rsi]");
    CASE(load_address, "1", "1-7", 0, "mov rax, [rdi]; mov rdx, [rdi + 64]; lea rax, [rax + 2 * rdx]; mov [rsi], rax");
    CASE(sign_to_d, "7", "0-7", 0, "mov rax, [rdi]; cqo; mov [rsi], rdx");

    // Faults.
    CASE(branch, "0", "", 1, "test byte ptr [rdi], 1; jz 1f; nop; 1:");
    CASE(branch_on_public_bit, "0", "", 0, "mov al, [rdi]; and al, 0; jz 1f; nop; 1:");
    CASE(branch_on_public_difference, "0", "", 0, "mov eax, [rdi]; cmp eax, [rdi + 64]; jz 1f; nop; 1:");
    CASE(branch_on_carry, "0", "", 1, "mov eax, [rdi]; cmp eax, [rdi + 64]; jc 1f; nop; 1:");
    CASE(index, "0", "", 1, "movzx eax, byte ptr [rdi]; mov al, [rdi + rax]; xor eax, eax; mov [rsi], al");
    CASE(store_index, "0", "", 1, "movzx eax, byte ptr [rdi]; and eax, 7; mov byte ptr [rsi + rax], 3");
    CASE(jump, "0", "", 1, "lea rdx, 1f[rip]; movzx eax, byte ptr [rdi]; and eax, 1; sub eax, 1; add rdx, rax; jmp rdx; 1: nop; nop");
    CASE(divide, "0", "0-7", 1, "xor edx, edx; mov rax, 77; mov r8, [rdi]; div r8; mov [rsi], rax");
    CASE(divide_public, "0", "", 0, "xor edx, edx; mov rax, 77; mov r8, [rdi + 64]; div r8; mov [rsi], rax");
    CASE(extract_bits, "0", "0-7", 1, "mov rax, [rdi]; pext rax, rax, [rdi + 64]; mov [rsi], rax");
    CASE(float_multiply, "0", "0-7", 1, "movq xmm0, [rdi]; mulsd xmm0, [rdi + 64]; movq [rsi], xmm0");

    CASE(float_upper_half, "24", "", 1, "vmovdqu ymm0, [rdi]; vmulpd ymm0, ymm0, [rdi + 64]");
    CASE(float_of_integer, "6", "", 1, "pxor xmm0, xmm0; mov rax, [rdi]; cvtsi2ss xmm0, rax");
    CASE(float_beside_secret, "8-15", "", 0, "movdqu xmm0, [rdi]; mulsd xmm0, xmm0");
    CASE(without_a_rule, "", "", 1, "crc32 eax, byte ptr [rdi]");

    // Vectors.
    CASE(vector_move, "5 40", "5 40", 0, "vmovdqu64 zmm0, [rdi]; vmovdqa64 zmm1, zmm0; vmovdqu64 [rsi], zmm1");
    CASE(sse_keeps_upper, "5 40", "40", 0, "vmovdqu64 zmm0, [rdi]; movdqa xmm0, [rdi + 64]; vmovdqu64 [rsi], zmm0");
    CASE(vex_clears_upper, "5 40", "5", 0, "vmovdqu64 zmm0, [rdi]; vmovdqa xmm0, xmm0; vmovdqu64 [rsi], zmm0");
    CASE(vex_add_clears_upper, "5 40", "0-7", 0, "vmovdqu64 zmm0, [rdi]; vpaddq xmm0, xmm0, xmm0; vmovdqu64 [rsi], zmm0");
    CASE(vector_xor_self, "0-63", "", 0, "vmovdqu64 zmm0, [rdi]; vpxorq zmm0, zmm0, zmm0; vmovdqu64 [rsi], zmm0");
    CASE(sse_xor_self, "0-15", "", 0, "movdqu xmm0, [rdi]; pxor xmm0, xmm0; movdqu [rsi], xmm0");
    CASE(vector_and_zero, "0-63", "", 0, "vpxor xmm1, xmm1, xmm1; vpandq zmm0, zmm1, [rdi]; vmovdqu64 [rsi], zmm0");
    CASE(ternary_ones, "0-63", "", 0, "vmovdqu64 zmm0, [rdi]; vpternlogd zmm0, zmm0, zmm0, 0xFF; vmovdqu64 [rsi], zmm0");
    CASE(ternary_chosen, "64", "0", 0, "vmovdqu64 zmm1, [rdi + 64]; vpxor xmm0, xmm0, xmm0; vpternlogq zmm0, zmm1, [rdi + 128], 0xAC; vmovdqu64 [rsi], zmm0");
    CASE(ternary_not_chosen, "128", "", 0, "vmovdqu64 zmm1, [rdi + 64]; vpxor xmm0, xmm0, xmm0; vpternlogq zmm0, zmm1, [rdi + 128], 0xAC; vmovdqu64 [rsi], zmm0");
    CASE(ternary_xor, "64 130", "0 2", 0, "vmovdqu64 zmm0, [rdi]; vmovdqu64 zmm1, [rdi + 64]; vpternlogq zmm0, zmm1, [rdi + 128], 0x96; vmovdqu64 [rsi], zmm0");
    CASE(vector_add, "3 17", "0-7 16-23", 0, "vmovdqu64 zmm0, [rdi]; vpaddq zmm0, zmm0, [rdi + 64]; vmovdqu64 [rsi], zmm0");
    CASE(broadcast_operand, "64", "0-63", 0, "vmovdqu64 zmm0, [rdi]; vpaddq zmm0, zmm0, qword ptr [rdi + 64]{1to8}; vmovdqu64 [rsi], zmm0");
    CASE(multiply_add, "0 72 144", "0-23", 0,
        "vmovdqu64 zmm0, [rdi]; vmovdqu64 zmm1, [rdi + 64]; vpmadd52luq zmm0, zmm1, [rdi + 128]; vmovdqu64 [rsi], zmm0");
    CASE(vector_compare_self, "0-31", "", 0, "vmovdqu ymm0, [rdi]; vpcmpeqd ymm0, ymm0, ymm0; vmovdqu [rsi], ymm0");
    CASE(shuffle_constant, "0-3", "12-15", 0, "vpshufd xmm0, [rdi], 0x39; vmovdqu [rsi], xmm0");
    CASE(shuffle_secret_index, "64", "0", 0, "vmovdqu xmm0, [rdi]; vpshufb xmm0, xmm0, [rdi + 64]; vmovdqu [rsi], xmm0");
    CASE(shuffle_public_index, "1", "0-15", 0, "vmovdqu xmm0, [rdi]; mov eax, 0x01010101; vmovd xmm1, eax; vpbroadcastd xmm1, xmm1; vpshufb xmm0, xmm0, xmm1; vmovdqu [rsi], xmm0");
    CASE(permute_by_register, "8-15", "0-7", 0, "mov eax, 1; vmovq xmm1, rax; vpermq zmm0, zmm1, [rdi]; vmovq [rsi], xmm0");
    CASE(permute_secret_index, "64", "0-7", 0, "vmovdqu64 zmm1, [rdi + 64]; vpermq zmm0, zmm1, [rdi]; vmovdqu64 [rsi], zmm0");
    CASE(permute_two, "128-135", "0-7", 0,
        "mov eax, 8; vmovq xmm1, rax; vmovdqu64 zmm0, [rdi]; vpermt2q zmm0, zmm1, [rdi + 128]; vmovq [rsi], xmm0");
    CASE(align_lanes, "0-7", "56-63", 0, "vmovdqu64 zmm0, [rdi]; valignq zmm0, zmm0, zmm0, 1; vmovdqu64 [rsi], zmm0");
    CASE(insert_half, "0-7", "32-39", 0, "vmovdqu64 zmm1, [rdi + 64]; vinserti64x4 zmm0, zmm1, [rdi], 1; vmovdqu64 [rsi], zmm0");
    CASE(extract_quarter, "48-51", "0-3", 0, "vmovdqu64 zmm0, [rdi]; vextracti32x4 [rsi], zmm0, 3");
    CASE(insert_general, "0-7", "8-15", 0, "mov rax, [rdi]; vpxor xmm0, xmm0, xmm0; vpinsrq xmm0, xmm0, rax, 1; vmovdqu [rsi], xmm0");
    CASE(extract_general, "8-15", "0-7", 0, "vmovdqu xmm0, [rdi]; vpextrq rax, xmm0, 1; mov [rsi], rax");
    CASE(broadcast, "0", "0 8 16 24 32 40 48 56", 0, "vpbroadcastq zmm0, [rdi]; vmovdqu64 [rsi], zmm0");
    CASE(vector_shift, "0", "1", 0, "vmovdqu xmm0, [rdi]; vpsllq xmm0, xmm0, 8; vmovdqu [rsi], xmm0");
    CASE(vector_shift_by_secret, "64", "0-15", 0, "vmovdqu xmm0, [rdi]; vpsllq xmm0, xmm0, [rdi + 64]; vmovdqu [rsi], xmm0");
    CASE(vector_shift_by_public, "0", "1", 0,
        "mov eax, 8; vmovd xmm1, eax; vmovdqu xmm0, [rdi]; vpsllq xmm0, xmm0, xmm1; vmovdqu [rsi], xmm0");
    CASE(widen, "1", "2", 0, "vpmovzxbw xmm0, [rdi]; vmovdqu [rsi], xmm0");
    CASE(narrow, "8", "4", 0, "vmovdqu64 zmm0, [rdi]; vpmovqd [rsi], zmm0");
    CASE(pack, "0", "0-15", 0, "movdqu xmm0, [rdi]; packuswb xmm0, [rdi + 64]; movdqu [rsi], xmm0");
    CASE(aes, "17", "16-31", 0, "vmovdqu64 zmm0, [rdi]; vaesenc zmm0, zmm0, [rdi + 64]; vmovdqu64 [rsi], zmm0");
    CASE(affine, "9", "8-15", 0, "vmovdqu64 zmm0, [rdi]; vgf2p8affineqb zmm0, zmm0, [rdi + 64], 0; vmovdqu64 [rsi], zmm0");
    CASE(carryless, "64", "0-15", 0, "vmovdqu xmm0, [rdi]; vpclmulqdq xmm0, xmm0, [rdi + 64], 0; vmovdqu [rsi], xmm0");
    CASE(sign_bits, "3", "0:08", 0, "vmovdqu xmm0, [rdi]; vpmovmskb eax, xmm0; mov [rsi], rax");
    CASE(vector_test, "3", "", 1, "vmovdqu xmm0, [rdi]; vptest xmm0, xmm0; jz 1f; nop; 1:");
    CASE(clear_upper, "5 40", "5", 0, "vmovdqu64 zmm0, [rdi]; vzeroupper; vmovdqu64 [rsi], zmm0");

    // Masks.
    CASE(compare_to_mask, "8", "0:02", 0, "vmovdqu64 zmm0, [rdi]; vpcmpuq k1, zmm0, [rdi + 64], 1; kmovb eax, k1; mov [rsi], rax");
    CASE(masked_compare, "0-63", "0:06", 0, "mov eax, 6; kmovb k2, eax; vmovdqu64 zmm0, [rdi]; vpcmpuq k1{k2}, zmm0, [rdi + 64], 1; kmovb eax, k1; mov [rsi], rax");
    CASE(merge_public_mask, "64-127", "0-7", 0, "mov eax, 1; kmovb k1, eax; vmovdqu64 zmm0, [rdi]; vmovdqu64 zmm0{k1}, [rdi + 64]; vmovdqu64 [rsi], zmm0");
    CASE(zero_public_mask, "0-63", "8-15", 0, "mov eax, 2; kmovb k1, eax; vmovdqu64 zmm0, [rdi]; vpaddq zmm0{k1}{z}, zmm0, zmm0; vmovdqu64 [rsi], zmm0");
    CASE(merge_secret_mask, "8", "8-15", 0,
        "vmovdqu64 zmm0, [rdi]; vpcmpuq k1, zmm0, [rdi + 64], 1; vmovdqu64 zmm1, [rdi + 64]; vpaddq zmm2{k1}{z}, zmm1, zmm1; vmovdqu64 [rsi], zmm2");
    CASE(blend_secret_mask, "8", "8-15", 0,
        "vmovdqu64 zmm0, [rdi]; vpcmpuq k1, zmm0, [rdi + 64], 1; vmovdqu64 zmm1, [rdi + 64]; vmovdqu64 zmm2, [rdi + 128]; vpblendmq zmm2{k1}, zmm1, zmm2; vmovdqu64 [rsi], zmm2");
    CASE(mask_and_zero, "0-7", "0:03", 0, "kmovq k1, [rdi]; mov eax, 3; kmovq k2, rax; kandq k1, k1, k2; kmovq [rsi], k1");
    CASE(mask_shift, "0", "1", 0, "kmovq k1, [rdi]; kshiftlq k1, k1, 8; kmovq [rsi], k1");
    CASE(mask_to_vector, "0", "0-63", 0, "kmovb k1, [rdi]; vpmovm2q zmm0, k1; vmovdqu64 [rsi], zmm0");
    CASE(mask_branch, "8", "", 1, "vmovdqu64 zmm0, [rdi]; vpcmpuq k1, zmm0, [rdi + 64], 1; kortestb k1, k1; jz 1f; nop; 1:");
    CASE(masked_load, "8", "8-15", 1,
        "vmovdqu64 zmm0, [rdi]; vpcmpuq k1, zmm0, [rdi + 64], 1; vmovdqu64 zmm2{k1}{z}, [rdi + 128]; vmovdqu64 [rsi], zmm2");
    CASE(masked_load_public_bits, "1", "", 0, "mov eax, [rdi]; kmovd k1, eax; vmovdqu64 zmm2{k1}{z}, [rdi + 128]; vmovdqu64 [rsi], zmm2");
    CASE(gather, "7", "", 1, "vmovdqu64 zmm0, [rdi]; vpsrlq zmm0, zmm0, 60; kxnorb k1, k1, k1; vpgatherqq zmm1{k1}, [rdi + 8 * zmm0]; vpxor xmm1, xmm1, xmm1; vmovdqu [rsi], xmm1");
    CASE(gather_public, "", "0-63", 0, "vpxor xmm0, xmm0, xmm0; kxnorb k1, k1, k1; vpgatherqq zmm1{k1}, [rdi + 8 * zmm0]; vmovdqu64 [rsi], zmm1");

    printf("%u cases, %u wrong\n", cases, failures);
    return failures != 0;
}
