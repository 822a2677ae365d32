// Marks through instructions on vector and mask registers.

#include "secrets.h"
#include "secrets_vectors.h"

#include <algorithm>

namespace secrets {

namespace {

struct Wide {
    alignas(64) Bit64u words[8] = {};

    Bit8u *bytes() { return (Bit8u *)words; }
    bool any() const
    {
        Bit64u all = 0;
        for (Bit64u word : words) all |= word;
        return all != 0;
    }
    bool any_of(unsigned from, unsigned length) const
    {
        for (unsigned n = from; n < from + length; n++)
            if (((const Bit8u *)words)[n]) return true;
        return false;
    }
    Wide &operator|=(const Wide &other)
    {
        for (unsigned n = 0; n < 8; n++) words[n] |= other.words[n];
        return *this;
    }
};

bool is_evex(bxInstruction_c *i) { return BxOpcodesTable[i->getIaOpcode()].opflags & BX_PREPARE_EVEX; }
bool is_sse(bxInstruction_c *i) { return !(BxOpcodesTable[i->getIaOpcode()].opflags & (BX_PREPARE_EVEX | BX_PREPARE_AVX)); }
unsigned length(bxInstruction_c *i) { return is_sse(i) ? 16 : 16 * std::max(1u, i->getVL()); }

enum Place { ELSEWHERE, VECTOR_REGISTER, MASK_REGISTER, GENERAL_REGISTER, MEMORY };

Place place(bxInstruction_c *i, unsigned n)
{
    unsigned from = origin(i, n), kind = type(i, n);
    if (from == BX_SRC_NONE || from == BX_SRC_IMM || from == BX_SRC_IMPLICIT || from == BX_SRC_VSIB) return ELSEWHERE;
    if (in_memory(i, n)) return MEMORY;
    if (from == BX_SRC_VECTOR_RM || kind == BX_VMM_REG) return VECTOR_REGISTER;
    if (kind == BX_KMASK_REG) return MASK_REGISTER;
    return kind <= BX_GPR64 ? GENERAL_REGISTER : ELSEWHERE;
}

unsigned bytes_in_memory(bxInstruction_c *i, unsigned n)
{
    unsigned whole = length(i), kind = type(i, n);
    if (origin(i, n) != BX_SRC_VECTOR_RM) return kind >= BX_GPR8 && kind <= BX_GPR64 ? 1 << (kind - 1) : 8;
    switch (kind) {
        case BX_VMM_SCALAR_BYTE: return 1;
        case BX_VMM_SCALAR_WORD: return 2;
        case BX_VMM_SCALAR_DWORD: return 4;
        case BX_VMM_SCALAR_QWORD: return 8;
        case BX_VMM_HALF_VECTOR: return whole / 2;
        case BX_VMM_QUARTER_VECTOR: return whole / 4;
        case BX_VMM_EIGHTH_VECTOR: return whole / 8;
        case BX_VMM_VEC128: return 16;
        case BX_VMM_VEC256: return 32;
        default: return whole;
    }
}

// The operand's marks, or its value.
Wide read(bxInstruction_c *i, unsigned n, bool value)
{
    Wide wide;
    unsigned number = i->getSrcReg(n);
    switch (place(i, n)) {
        case VECTOR_REGISTER: memcpy(wide.words, value ? (const void *)&BX_CPU(0)->vmm[number] : registers.vectors[number], 64); break;
        case MASK_REGISTER: wide.words[0] = value ? BX_CPU(0)->opmask[number].rrx : registers.masks[number]; break;
        case GENERAL_REGISTER: wide.words[0] = value ? BX_CPU(0)->gen_reg[number].rrx : registers.general[number]; break;
        case MEMORY: {
            const Bit8u *from = (value ? kuaimi_arena : memory) + address;
            unsigned piece = i->getVexW() ? 8 : 4, size = bytes_in_memory(i, n);
            if (is_evex(i) && i->getEvexb())
                for (unsigned at = 0; at < size; at += piece) memcpy(wide.bytes() + at, from, piece);
            else memcpy(wide.words, from, size);
            break;
        }
        case ELSEWHERE: break;
    }
    return wide;
}

Bit64u bits(unsigned count) { return count >= 64 ? ~(Bit64u)0 : ((Bit64u)1 << count) - 1; }

Bit64u mask_marks(bxInstruction_c *i) { return has_mask(i) ? registers.masks[i->opmask()] : 0; }

// Writes marks to the result's register, as the instruction does: by its mask, and with what it does to the rest of the register.
void write(bxInstruction_c *i, const Wide &marks, unsigned element)
{
    unsigned whole = length(i), number = i->getSrcReg(0);
    if (place(i, 0) == MASK_REGISTER) { // a bit for each element that was compared
        Bit64u result = 0, chosen = has_mask(i) ? BX_CPU(0)->opmask[i->opmask()].rrx : ~(Bit64u)0, doubtful = mask_marks(i);
        for (unsigned n = 0; n < whole / element; n++)
            if ((marks.any_of(n * element, element) && (chosen >> n & 1)) || (doubtful >> n & 1)) result |= (Bit64u)1 << n;
        registers.masks[number] = result;
        return;
    }
    Bit8u *to = registers.vectors[number];
    const Bit8u *from = (const Bit8u *)marks.words;
    if (!has_mask(i)) {
        memcpy(to, from, whole);
    } else {
        Bit64u chosen = BX_CPU(0)->opmask[i->opmask()].rrx, doubtful = mask_marks(i);
        for (unsigned n = 0; n < whole / element; n++) {
            if (doubtful >> n & 1) memset(to + n * element, 0xFF, element);
            else if (chosen >> n & 1) memcpy(to + n * element, from + n * element, element);
            else if (i->isZeroMasking()) memset(to + n * element, 0, element);
        }
    }
    if (!is_sse(i)) memset(to + whole, 0, 64 - whole);
}

// Whether any secret is in the operands from `first` on, in the result's register or in the mask.
bool touches_secret(bxInstruction_c *i)
{
    if (mask_marks(i)) return true;
    for (unsigned n = 0; n < 4; n++) {
        if (place(i, n) == MEMORY) {
            const Bit64u *marks = (const Bit64u *)(memory + address);
            for (unsigned word = 0; word < 8; word++)
                if (marks[word]) return true;
        } else if (place(i, n) != ELSEWHERE && read(i, n, false).any()) {
            return true;
        }
    }
    return false;
}

// Puts marks into the places of values, lets the processor do the instruction on them, takes the marks back and restores the values.
// `control` is the operand that says what goes where, and keeps its value.
void do_on_marks(bxInstruction_c *i, int control)
{
    BX_CPU_C *cpu = BX_CPU(0);
    struct Kept {
        Place place;
        Wide value;
    } kept[4];
    Bit8u memory_value[64];
    bool swap_memory = false;
    Bit64u window = std::min<Bit64u>(64, kuaimi_arena_length - address);
    for (unsigned n = 0; n < 4; n++) {
        kept[n].place = place(i, n);
        if (kept[n].place == MEMORY) {
            swap_memory = (int)n != control;
            kept[n].place = ELSEWHERE;
        } else {
            kept[n].value = read(i, n, true);
        }
    }
    for (unsigned n = 0; n < 4; n++) {
        unsigned number = i->getSrcReg(n);
        if ((int)n == control) continue;
        if (kept[n].place == VECTOR_REGISTER) memcpy(&cpu->vmm[number], registers.vectors[number], 64);
        if (kept[n].place == MASK_REGISTER) cpu->opmask[number].rrx = registers.masks[number];
        if (kept[n].place == GENERAL_REGISTER) cpu->gen_reg[number].rrx = registers.general[number];
    }
    if (swap_memory) {
        memcpy(memory_value, kuaimi_arena + address, window);
        memcpy(kuaimi_arena + address, memory + address, window);
    }

    Bit64u rip = cpu->prev_rip, count = cpu->icount;
    Bit32u event = cpu->async_event;
    cpu->async_event = event | BX_ASYNC_EVENT_STOP_TRACE; // else the next instruction follows
    BX_CPU_CALL_METHOD(i->execute1, (i));
    cpu->async_event = event;
    cpu->prev_rip = rip;
    cpu->icount = count;

    if (swap_memory) {
        memcpy(memory + address, kuaimi_arena + address, window);
        memcpy(kuaimi_arena + address, memory_value, window);
    }
    unsigned number = i->getSrcReg(0);
    if (kept[0].place == VECTOR_REGISTER) memcpy(registers.vectors[number], &cpu->vmm[number], 64);
    if (kept[0].place == MASK_REGISTER) registers.masks[number] = cpu->opmask[number].rrx;
    if (kept[0].place == GENERAL_REGISTER) registers.general[number] = cpu->gen_reg[number].rrx;
    for (unsigned n = 0; n < 4; n++) {
        unsigned number = i->getSrcReg(n);
        if (kept[n].place == VECTOR_REGISTER) memcpy(&cpu->vmm[number], kept[n].value.words, 64);
        if (kept[n].place == MASK_REGISTER) cpu->opmask[number].rrx = kept[n].value.words[0];
        if (kept[n].place == GENERAL_REGISTER) cpu->gen_reg[number].rrx = kept[n].value.words[0];
    }
}

void mark_all_of_result(bxInstruction_c *i)
{
    Wide all;
    memset(all.words, 0xFF, 64);
    write(i, all, 8);
}

bool is_same_register(bxInstruction_c *i, unsigned a, unsigned b)
{
    return place(i, a) == VECTOR_REGISTER && place(i, b) == VECTOR_REGISTER && i->getSrcReg(a) == i->getSrcReg(b);
}

void carry(bxInstruction_c *i, Vector what, unsigned element)
{
    if (!touches_secret(i)) return;
    int control = -1;
    for (unsigned n = 1; n < 4; n++)
        if (origin(i, n) == BX_SRC_IMM) what = CARRY;
    if (what == CARRY_BY_LAST || what == SHIFT_BY_LAST)
        for (control = 3; place(i, control) == ELSEWHERE;) control--;
    if (what == CARRY_BY_FIRST) control = 1;
    if (what == CARRY_BY_RESULT) control = 0;
    Wide by;
    if (control >= 0) by = read(i, control, false);
    if (what == SHIFT_BY_LAST) by.words[1] = by.words[2] = by.words[3] = by.words[4] = by.words[5] = by.words[6] = by.words[7] = 0;
    for (unsigned n = 0; n < 4; n++)
        if (control >= 0 && (int)n != control && is_same_register(i, n, control) && (by.any() || n != 0)) return mark_all_of_result(i);
    if (what == SHIFT_BY_LAST && by.any()) return mark_all_of_result(i);
    Bit64u doubtful = mask_marks(i) & bits(length(i) / element); // a mask may have more bits than there are elements
    if (doubtful && !i->modC0() && rules[i->getIaOpcode()].memory) report(i, "which bytes of memory are accessed");
    do_on_marks(i, control);
    if (place(i, 0) != VECTOR_REGISTER) return;
    Bit8u *to = registers.vectors[i->getSrcReg(0)];
    for (unsigned n = 0; n < length(i) / element; n++)
        if (by.any_of(n * element, element) || (doubtful >> n & 1)) memset(to + n * element, 0xFF, element);
}

// A bit of the result is secret where some choice of the secret bits of the operands changes it.
void bitwise(bxInstruction_c *i, Vector what, unsigned element)
{
    if (!touches_secret(i)) return;
    bool three = what == BITS, sse = is_sse(i);
    unsigned first = three || sse ? 0 : 1, table;
    switch (what) {
        case BITS: table = i->Ib(); break;
        case BITS_AND: table = 0xC0; break;
        case BITS_AND_NOT: table = 0x0C; break;
        case BITS_OR: table = 0xFC; break;
        default: table = 0x3C;
    }
    Wide value[3], marks[3], result;
    for (unsigned n = 0; n < (three ? 3 : 2); n++) value[n] = read(i, first + n, true), marks[n] = read(i, first + n, false);
    bool constant = !three && (what == BITS_XOR || what == BITS_AND_NOT) && is_same_register(i, first, first + 1);
    auto compute = [&](unsigned word, unsigned flips) {
        Bit64u operand[3], sum = 0;
        for (unsigned n = 0; n < 3; n++) operand[n] = value[n].words[word] ^ (flips >> n & 1 ? marks[n].words[word] : 0);
        for (unsigned row = 0; row < 8; row++)
            if (table >> row & 1)
                sum |= (row & 4 ? operand[0] : ~operand[0]) & (row & 2 ? operand[1] : ~operand[1]) & (row & 1 ? operand[2] : ~operand[2]);
        return sum;
    };
    for (unsigned word = 0; word < length(i) / 8 && !constant; word++) {
        if (!(marks[0].words[word] | marks[1].words[word] | marks[2].words[word])) continue;
        for (unsigned flips = 1; flips < 8; flips++) result.words[word] |= compute(word, 0) ^ compute(word, flips);
    }
    write(i, result, element);
}

void elements(bxInstruction_c *i, Vector what, unsigned element)
{
    if (!touches_secret(i) && what != WITH_XMM0) return;
    unsigned reads_result = what == ELEMENTS || what == WITH_XMM0 || (is_sse(i) && what != ELEMENTS_OF_OTHERS);
    Wide either;
    bool constant = what == ELEMENTS_SAME_IS_CONSTANT && is_same_register(i, reads_result ? 0 : 1, reads_result ? 1 : 2);
    for (unsigned n = reads_result ? 0 : 1; n < 4 && !constant; n++)
        if (place(i, n) != GENERAL_REGISTER && place(i, n) != MASK_REGISTER) either |= read(i, n, false);
    if (what == WITH_XMM0)
        for (unsigned n = 0; n < 16; n++) either.bytes()[n] |= registers.vectors[0][n];
    for (unsigned n = 0; n < 64 / element; n++)
        if (either.any_of(n * element, element)) memset(either.bytes() + n * element, 0xFF, element);
    write(i, either, element > 8 ? 8 : element);
}

void floating(bxInstruction_c *i, unsigned element)
{
    const char *name = get_intel_disasm_opcode_name(i->getIaOpcode());
    bool flags = strstr(name, "comis"), secret = false;
    bool reads_result = flags || strncmp(name, "vfm", 3) == 0 || strncmp(name, "vfnm", 4) == 0
        || (is_sse(i) && strncmp(name, "cvt", 3) != 0 && strncmp(name, "sqrt", 4) != 0);
    bool one = element < 16; // of the elements of a register
    for (unsigned n = reads_result ? 0 : 1; n < 4; n++)
        secret |= read(i, n, false).any_of(0, one && place(i, n) == VECTOR_REGISTER ? element : length(i));
    if (secret) report(i, "floating-point arithmetic, which takes longer for some numbers: an operand");
    if (flags) registers.flags = secret ? ALL_FLAGS : 0;
    else if (place(i, 0) == GENERAL_REGISTER) registers.general[i->getSrcReg(0)] = secret ? ~(Bit64u)0 : 0;
    else if (place(i, 0) == VECTOR_REGISTER) memset(registers.vectors[i->getSrcReg(0)], secret ? 0xFF : 0, secret ? 64 : element);
    else if (place(i, 0) == MASK_REGISTER) registers.masks[i->getSrcReg(0)] = secret ? ~(Bit64u)0 : 0;
}

void on_mask(bxInstruction_c *i, Vector what, unsigned bytes)
{
    bool test = what == MASK_TEST, one = what == MASK_NOT;
    // Tests have no result, and their operands may be listed from the first or the second place on.
    unsigned first = 1, second = one ? 1 : 2;
    Bit64u a = read(i, first, true).words[0], b = read(i, second, true).words[0];
    Bit64u secret_a = read(i, first, false).words[0], secret_b = read(i, second, false).words[0], width = bits(8 * bytes), marks;
    bool same = i->getSrcReg(first) == i->getSrcReg(second);
    switch (what) {
        case MASK_AND: marks = (secret_a & (b | secret_b)) | (secret_b & a); break;
        case MASK_AND_NOT: marks = same ? 0 : (secret_a & (b | secret_b)) | (secret_b & ~a); break;
        case MASK_OR: marks = (secret_a & (~b | secret_b)) | (secret_b & ~a); break;
        case MASK_XOR: marks = same ? 0 : secret_a | secret_b; break;
        case MASK_ADD: marks = (secret_a | secret_b) & width, marks |= -marks; break;
        default: marks = secret_a | secret_b;
    }
    if (test) registers.flags = marks & width ? ZF | CF : 0;
    else registers.masks[i->getSrcReg(0)] = marks & width;
}

void test_vector(bxInstruction_c *i)
{
    Wide either = read(i, 0, false);
    either |= read(i, 1, false);
    registers.flags = either.any_of(0, length(i)) ? ZF | CF : 0;
}

// The addresses come from a vector of indices; all bytes that are read may be in all of the result.
void gather(bxInstruction_c *i, bool reads)
{
    Wide index;
    memcpy(index.words, registers.vectors[i->sibIndex()], 64);
    if (index.any_of(0, length(i))) report(i, "a memory address in a vector of indices");
    if (mask_marks(i)) report(i, "which bytes of memory are accessed");
    if (!reads) return report(i, "perhaps a scattered store, for which there is no rule: what it stores");
    memset(registers.vectors[i->getSrcReg(0)], 0xFF, 64);
}

// The highest bits of a vector choose elements in memory.
void masked_move(bxInstruction_c *i)
{
    if (!touches_secret(i)) return;
    if (read(i, 1, false).any_of(0, length(i))) report(i, "which bytes of memory are accessed");
    do_on_marks(i, 1);
}

} // namespace

void pass_vector(bxInstruction_c *i, const Rule &rule)
{
    Vector what = (Vector)rule.what;
    switch (what) {
        case CARRY:
        case CARRY_BY_LAST:
        case CARRY_BY_FIRST:
        case CARRY_BY_RESULT:
        case SHIFT_BY_LAST: return carry(i, what, rule.element);
        case BITS:
        case BITS_AND:
        case BITS_AND_NOT:
        case BITS_OR:
        case BITS_XOR: return bitwise(i, what, rule.element);
        case ELEMENTS:
        case ELEMENTS_OF_OTHERS:
        case ELEMENTS_SAME_IS_CONSTANT:
        case WITH_XMM0: return elements(i, what, rule.element);
        case FLOATING: return floating(i, rule.element);
        case TEST_VECTOR: return test_vector(i);
        case MASK_NOT:
        case MASK_AND:
        case MASK_AND_NOT:
        case MASK_OR:
        case MASK_XOR:
        case MASK_ADD:
        case MASK_TEST: return on_mask(i, what, rule.element);
        case GATHER:
        case SCATTER: return gather(i, what == GATHER);
        case MASKED_MOVE: return masked_move(i);
        case CLEAR_UPPER:
        case CLEAR_VECTORS:
            for (unsigned n = 0; n < 16; n++) memset(registers.vectors[n] + (what == CLEAR_UPPER ? 16 : 0), 0, what == CLEAR_UPPER ? 48 : 64);
            return;
    }
}

} // namespace secrets
