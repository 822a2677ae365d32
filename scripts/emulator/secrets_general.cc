// Marks through instructions on general registers and flags.

#include "secrets.h"
#include "secrets_general.h"

#include <algorithm>
#include <sys/syscall.h>

namespace secrets {

namespace {

const Bit64u ALL = ~(Bit64u)0;

Bit64u low(unsigned bytes) { return bytes == 8 ? ALL : ((Bit64u)1 << 8 * bytes) - 1; }
// From the lowest secret bit upwards: as far as a carry can go.
Bit64u upwards(Bit64u marks) { return marks | -marks; }
Bit64u all_if(Bit64u marks) { return marks ? ALL : 0; }
Bit64u sign_extended(Bit64u value, unsigned bytes) { return (Bit64u)((Bit64s)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes)); }
Bit64u real(unsigned number) { return BX_CPU(0)->gen_reg[number].rrx; }
Bit64u &marked(unsigned number) { return registers.general[number]; }

// An operand of up to eight bytes.
struct Place {
    enum { CONSTANT, REGISTER, MEMORY } kind;
    unsigned number, shift, bytes; // a register, and where in it the operand begins
    Bit64u at; // an address, or the constant itself

    Bit64u value() const
    {
        Bit64u value = at;
        if (kind == REGISTER) value = real(number) >> shift;
        if (kind == MEMORY) memcpy(&value, kuaimi_arena + at, bytes);
        return value & low(bytes);
    }
    Bit64u marks() const
    {
        Bit64u marks = 0;
        if (kind == REGISTER) marks = marked(number) >> shift;
        if (kind == MEMORY) memcpy(&marks, memory + at, bytes);
        return marks & low(bytes);
    }
    void mark(Bit64u marks) const
    {
        marks &= low(bytes);
        if (kind == MEMORY) memcpy(memory + at, &marks, bytes);
        if (kind != REGISTER) return;
        if (bytes >= 4) marked(number) = marks; // four bytes clear the upper ones
        else marked(number) = (marked(number) & ~(low(bytes) << shift)) | marks << shift;
    }
};

Place in_register(unsigned number, unsigned bytes) { return {Place::REGISTER, number, 0, bytes, 0}; }
Place at_address(Bit64u at, unsigned bytes) { return {Place::MEMORY, 0, 0, bytes, at}; }

Place constant(bxInstruction_c *i, unsigned type)
{
    switch (type) {
        case BX_IMM1: return {Place::CONSTANT, 0, 0, 8, 1};
        case BX_IMMB: return {Place::CONSTANT, 0, 0, 8, i->Ib()};
        case BX_IMMB2: return {Place::CONSTANT, 0, 0, 8, i->Ib2()};
        case BX_IMMW:
        case BX_IMMBW_SE: return {Place::CONSTANT, 0, 0, 8, (Bit64u)(Bit64s)(Bit16s)i->Iw()};
        case BX_IMMQ: return {Place::CONSTANT, 0, 0, 8, i->Iq()};
        default: return {Place::CONSTANT, 0, 0, 8, (Bit64u)(Bit64s)(Bit32s)i->Id()};
    }
}

Place place(bxInstruction_c *i, unsigned n)
{
    static const unsigned sizes[] = {8, 1, 2, 4, 8};
    unsigned kind = type(i, n), bytes = kind <= BX_GPR64 ? sizes[kind] : 8, number = i->getSrcReg(n);
    switch (origin(i, n)) {
        case BX_SRC_IMM:
        case BX_SRC_BRANCH_OFFSET: return constant(i, kind);
        case BX_SRC_IMPLICIT: return in_register(kind == BX_USECL ? BX_64BIT_REG_RCX : BX_64BIT_REG_RDX, 1);
        case BX_SRC_EAX: return in_register(BX_64BIT_REG_RAX, bytes);
        case BX_SRC_NONE: return {Place::CONSTANT, 0, 0, 8, 0};
        default: break;
    }
    if (in_memory(i, n)) return at_address(address, bytes);
    if (bytes == 1 && !i->extend8bitL() && number >= 4) return {Place::REGISTER, number - 4, 8, 1, 0}; // ah, ch, dh, bh
    return in_register(number, bytes);
}

void set_flags(unsigned written, unsigned marks) { registers.flags = (registers.flags & ~written) | (marks & written); }

// The marks of ZF, SF and PF: no secret can make a number zero that has a public one among its bits.
unsigned flags_of(Bit64u value, Bit64u marks, unsigned bytes)
{
    unsigned flags = 0;
    if (marks && !(value & ~marks & low(bytes))) flags |= ZF;
    if (marks >> (8 * bytes - 1) & 1) flags |= SF;
    if (marks & 0xFF) flags |= PF;
    return flags;
}

Bit64u and_marks(Bit64u a, Bit64u secret_a, Bit64u b, Bit64u secret_b) { return (secret_a & (b | secret_b)) | (secret_b & a); }

bool same_register(const Place &a, const Place &b)
{
    return a.kind == Place::REGISTER && b.kind == Place::REGISTER && a.number == b.number && a.shift == b.shift;
}

void arithmetic(bxInstruction_c *i, General what, unsigned flag, bool only_flag)
{
    Place to = place(i, 0), from = place(i, 1);
    Bit64u either = to.marks() | (from.marks() & low(to.bytes));
    bool same = same_register(to, from), subtracts = what == SUBTRACT || what == COMPARE || what == SUBTRACT_WITH;
    if (same && subtracts) either = 0;
    if (flag && (registers.flags & flag)) either |= 1;
    if (what != COMPARE) to.mark(upwards(either));
    unsigned flags = either ? ALL_FLAGS : 0;
    // Public bits that differ make numbers different.
    if ((what == SUBTRACT || what == COMPARE) && ((to.value() ^ from.value()) & ~either & low(to.bytes))) flags &= ~ZF;
    set_flags(only_flag ? flag : ALL_FLAGS, flags);
}

void logic(bxInstruction_c *i, General what)
{
    bool three = what == AND_NOT;
    Place to = place(i, 0), first = place(i, three ? 1 : 0), second = place(i, three ? 2 : 1);
    Bit64u mask = low(to.bytes), a = first.value(), b = second.value() & mask, secret_a = first.marks(), secret_b = second.marks() & mask;
    Bit64u marks, value;
    switch (what) {
        case OR: marks = and_marks(~a, secret_a, ~b, secret_b), value = a | b; break;
        case XOR: marks = same_register(first, second) ? 0 : secret_a | secret_b, value = a ^ b; break;
        case AND_NOT: marks = same_register(first, second) ? 0 : and_marks(~a, secret_a, b, secret_b), value = ~a & b; break;
        default: marks = and_marks(a, secret_a, b, secret_b), value = a & b;
    }
    marks &= mask;
    if (what != TEST) to.mark(marks);
    set_flags(ALL_FLAGS, flags_of(value & mask, marks, to.bytes) | (marks ? AF : 0));
}

Bit64u shifted(General what, Bit64u value, unsigned count, unsigned bytes)
{
    unsigned bits = 8 * bytes;
    if (what == ROTATE_LEFT || what == ROTATE_RIGHT || what == ROTATE_RIGHT_X) {
        count %= bits;
        if (what != ROTATE_LEFT) count = (bits - count) % bits;
        return count ? value << count | value >> (bits - count) : value;
    }
    switch (what) {
        case SHIFT_LEFT:
        case SHIFT_LEFT_X: return count < bits ? value << count : 0;
        case SHIFT_RIGHT:
        case SHIFT_RIGHT_X: return count < bits ? value >> count : 0;
        default: return sign_extended(value, bytes) >> 63 ? ~(~sign_extended(value, bytes) >> std::min(count, 63u)) : value >> std::min(count, 63u);
    }
}

void shift(bxInstruction_c *i, General what)
{
    bool three = what >= SHIFT_LEFT_X && what <= ROTATE_RIGHT_X;
    Place to = place(i, 0), from = place(i, three ? 1 : 0), by = place(i, three ? 2 : 1);
    unsigned limit = to.bytes == 8 ? 63 : 31, count = by.value() & limit;
    Bit64u marks = from.marks();
    if (by.marks() & limit) {
        to.mark(ALL);
        if (!three) set_flags(ALL_FLAGS, ALL_FLAGS);
        return;
    }
    if (what == ROTATE_CARRY) {
        Bit64u all = all_if(marks | (registers.flags & CF));
        if (count == 0) return;
        to.mark(all);
        return set_flags(CF | OF, (unsigned)all);
    }
    Bit64u result = shifted(what, marks, count, to.bytes);
    Bit64u value = shifted(what, from.value(), count, to.bytes) & low(to.bytes);
    to.mark(result);
    if (three || count == 0) return;
    if (what == ROTATE_LEFT || what == ROTATE_RIGHT) return set_flags(CF | OF, marks ? ALL_FLAGS : 0);
    // The last bit that is shifted out.
    unsigned bits = 8 * to.bytes;
    Bit64u out = what == SHIFT_LEFT ? (count <= bits ? marks >> (bits - count) : 0)
                                    : shifted(what, marks, count - 1, to.bytes);
    set_flags(ALL_FLAGS, flags_of(value, result & low(to.bytes), to.bytes) | (out & 1 ? CF : 0) | (marks ? OF | AF : 0));
}

void shift_two(bxInstruction_c *i, General what)
{
    Place to = place(i, 0), from = place(i, 1), by = place(i, 2);
    unsigned bits = 8 * to.bytes, limit = to.bytes == 8 ? 63 : 31, count = by.value() & limit;
    Bit64u a = to.marks(), b = from.marks(), either = a | b;
    if (by.marks() & limit || count >= bits) {
        Bit64u all = all_if(either | (by.marks() & limit));
        to.mark(all);
        return set_flags(ALL_FLAGS, (unsigned)all);
    }
    if (count == 0) return;
    to.mark(what == SHIFT_TWO_LEFT ? a << count | b >> (bits - count) : a >> count | b << (bits - count));
    set_flags(ALL_FLAGS, either ? ALL_FLAGS : 0);
}

void multiply(bxInstruction_c *i, General what)
{
    if (what == MULTIPLY_X) { // the second register gets the low half, the first, last, the high one
        Place high = place(i, 0), lower = place(i, 1), by = place(i, 2);
        Bit64u either = by.marks() | in_register(BX_64BIT_REG_RDX, by.bytes).marks();
        lower.mark(upwards(either));
        return high.mark(all_if(either));
    }
    Place to = place(i, 0), by = place(i, 1);
    bool explicit_target = origin(i, 0) == BX_SRC_NNN;
    Bit64u either = by.marks();
    if (!explicit_target || origin(i, 2) == BX_SRC_NONE) either |= to.marks();
    if (!explicit_target && to.bytes == 1) in_register(BX_64BIT_REG_RAX, 2).mark(upwards(either) | (either ? 0xFF00 : 0));
    else to.mark(upwards(either));
    if (!explicit_target && to.bytes != 1) in_register(BX_64BIT_REG_RDX, to.bytes).mark(all_if(either));
    set_flags(ALL_FLAGS, either ? ALL_FLAGS : 0);
}

void divide(bxInstruction_c *i)
{
    Place by = place(i, 1);
    Place first = in_register(BX_64BIT_REG_RAX, by.bytes == 1 ? 2 : by.bytes);
    Place second = in_register(BX_64BIT_REG_RDX, by.bytes);
    Bit64u either = by.marks() | first.marks() | (by.bytes == 1 ? 0 : second.marks());
    if (either) report(i, "a division");
    first.mark(all_if(either));
    if (by.bytes != 1) second.mark(all_if(either));
    set_flags(ALL_FLAGS, either ? ALL_FLAGS : 0);
}

void bit(bxInstruction_c *i, General what, bool becomes_public)
{
    Place in = place(i, 0), which = place(i, 1);
    Bit64u index = which.value();
    if (in.kind == Place::MEMORY && which.kind == Place::REGISTER) {
        if (which.marks()) report(i, "a memory address");
        in.at += sign_extended(index, which.bytes) >> 3 & -(Bit64u)in.bytes;
    }
    index &= 8 * in.bytes - 1;
    Bit64u marks = in.marks(), secret = which.marks();
    set_flags(CF, secret || marks >> index & 1 ? CF : 0);
    if (what == SET_BIT) in.mark(secret ? ALL : becomes_public ? marks & ~((Bit64u)1 << index) : marks);
}

// Whether secret bits change where the first or last one is: not if a public one comes before them.
bool place_is_secret(const Place &from, bool from_below)
{
    Bit64u marks = from.marks(), ones = from.value() & ~marks;
    if (!marks || !ones) return marks != 0;
    return from_below ? __builtin_ctzll(marks) < __builtin_ctzll(ones) : __builtin_clzll(marks) < __builtin_clzll(ones);
}

// A result all of which depends on all of the sources.
void of_all(bxInstruction_c *i, General what, unsigned element)
{
    Place to = place(i, 0);
    unsigned last = origin(i, 2) == BX_SRC_NONE ? 1 : 2;
    Bit64u either = 0;
    for (unsigned n = 1; n <= last; n++) either |= place(i, n).marks();
    if (what == FIND_BIT) either = place_is_secret(place(i, 1), element == 1);
    if (what == SCATTER_BITS && either) report(i, "PDEP or PEXT, which are slow code on some processors: an operand");
    if (what == LOWEST_BIT) to.mark(upwards(either));
    else if (what == LOW_BITS && !place(i, 2).marks()) {
        unsigned index = place(i, 2).value() & 0xFF;
        Bit64u kept = index < 8 * to.bytes ? ((Bit64u)1 << index) - 1 : ALL;
        Bit64u value = place(i, 1).value() & kept, marks = place(i, 1).marks() & kept;
        to.mark(marks);
        return set_flags(ALL_FLAGS, flags_of(value, marks, to.bytes));
    } else to.mark(all_if(either));
    if (what != SCATTER_BITS) set_flags(ALL_FLAGS, either ? ALL_FLAGS : 0);
}

bool holds(unsigned opcode_condition)
{
    Bit32u f = BX_CPU(0)->read_eflags();
    bool cf = f & 1, pf = f >> 2 & 1, zf = f >> 6 & 1, sf = f >> 7 & 1, of = f >> 11 & 1;
    switch (opcode_condition) {
        case OF: return of;
        case CF: return cf;
        case ZF: return zf;
        case CF | ZF: return cf || zf;
        case SF: return sf;
        case PF: return pf;
        case SF | OF: return sf != of;
        default: return zf || sf != of;
    }
}

// Element: the flags, and 64 for the opposite condition.
void move_if(bxInstruction_c *i, unsigned condition)
{
    Place to = place(i, 0), from = place(i, 1);
    unsigned flags = condition & ALL_FLAGS;
    if (registers.flags & flags) to.mark(ALL);
    else to.mark(holds(flags) != (condition >> 6 & 1) ? from.marks() : to.marks());
}

void call(bxInstruction_c *i)
{
    if (place(i, 0).marks()) report(i, "the target of a call");
    Bit64u stack = real(BX_64BIT_REG_RSP) - 8;
    clear(stack, 8);
    registers.calls.push_back({stack, real(BX_64BIT_REG_RIP)});
}

void return_from_call(bxInstruction_c *i)
{
    Bit64u stack = real(BX_64BIT_REG_RSP);
    if (at_address(stack, 8).marks()) report(i, "the target of a return");
    while (!registers.calls.empty() && registers.calls.back().stack <= stack) registers.calls.pop_back();
}

void string(bxInstruction_c *i, General what, unsigned bytes)
{
    bool repeats = i->repUsedL();
    Bit64u count = repeats ? real(BX_64BIT_REG_RCX) : 1, from = real(BX_64BIT_REG_RSI), to = real(BX_64BIT_REG_RDI);
    bool reads = what == STRING_MOVE || what == STRING_LOAD || what == STRING_COMPARE, writes = what != STRING_LOAD;
    if (repeats && marked(BX_64BIT_REG_RCX)) report(i, "the length of a repeated instruction");
    if ((reads && marked(BX_64BIT_REG_RSI)) || (writes && marked(BX_64BIT_REG_RDI))) report(i, "a memory address");
    Bit64s step = BX_CPU(0)->read_eflags() & 0x400 ? -(Bit64s)bytes : bytes;
    Bit64u a = in_register(BX_64BIT_REG_RAX, bytes).marks(), seen = 0;
    for (; count; count--, from += step, to += step) {
        if (what == STRING_MOVE) at_address(to, bytes).mark(at_address(from, bytes).marks());
        if (what == STRING_STORE) at_address(to, bytes).mark(a);
        if (what == STRING_LOAD) in_register(BX_64BIT_REG_RAX, bytes).mark(at_address(from, bytes).marks());
        if (what == STRING_COMPARE) seen |= at_address(from, bytes).marks() | at_address(to, bytes).marks();
        if (what == STRING_SCAN) seen |= at_address(to, bytes).marks() | a;
    }
    if (what < STRING_COMPARE) return;
    if (repeats && seen) report(i, "where a repeated comparison ends");
    set_flags(ALL_FLAGS, seen ? ALL_FLAGS : 0);
}

void system_call(bxInstruction_c *i)
{
    Bit64u number = real(BX_64BIT_REG_RAX);
    bool has_argument = number != SYS_getpid && number != SYS_gettid && number != SYS_sched_yield;
    if (marked(BX_64BIT_REG_RAX) || (has_argument && marked(BX_64BIT_REG_RDI))) report(i, "what is asked of the system");
    for (unsigned changed : {BX_64BIT_REG_RAX, BX_64BIT_REG_RCX, BX_64BIT_REG_R11}) marked(changed) = 0;
    registers.flags = 0;
}

} // namespace

void pass_general(bxInstruction_c *i, const Rule &rule)
{
    General what = (General)rule.what;
    switch (what) {
        case MOVE: return place(i, 0).mark(place(i, 1).marks());
        case MOVE_SIGNED: return place(i, 0).mark(sign_extended(place(i, 1).marks(), place(i, 1).bytes));
        case SWAP_BYTES: {
            Place to = place(i, 0), from = origin(i, 1) == BX_SRC_NONE ? to : place(i, 1);
            return to.mark(__builtin_bswap64(from.marks()) >> (64 - 8 * to.bytes));
        }
        case EXCHANGE: {
            Place a = place(i, 0), b = place(i, 1);
            Bit64u marks = a.marks();
            a.mark(b.marks());
            return b.mark(marks);
        }
        case EXCHANGE_ADD: {
            Place a = place(i, 0), b = place(i, 1);
            Bit64u marks = a.marks(), sum = upwards(marks | b.marks());
            b.mark(marks);
            a.mark(sum);
            return set_flags(ALL_FLAGS, sum ? ALL_FLAGS : 0);
        }
        case COMPARE_EXCHANGE: {
            Place in = place(i, 0), with = place(i, 1), a = in_register(BX_64BIT_REG_RAX, in.bytes);
            Bit64u all = all_if(in.marks() | a.marks()), either = all | in.marks() | with.marks();
            in.mark(either);
            a.mark(a.marks() | all);
            return set_flags(ALL_FLAGS, (unsigned)all);
        }
        case LOAD_ADDRESS: {
            Bit64u marks = marked(i->sibBase());
            if (i->sibIndex() != 4) marks |= marked(i->sibIndex()) << i->sibScale();
            return place(i, 0).mark(upwards(marks));
        }
        case PUSH: return at_address(real(BX_64BIT_REG_RSP) - 8, 8).mark(place(i, 0).marks());
        case POP: return place(i, 0).mark(at_address(real(BX_64BIT_REG_RSP), 8).marks());
        case LEAVE: return (void)(marked(BX_64BIT_REG_RBP) = at_address(real(BX_64BIT_REG_RBP), 8).marks());
        case CALL: return call(i);
        case RETURN: return return_from_call(i);
        case JUMP:
            if (place(i, 0).marks()) report(i, "the target of a jump");
            return;
        case JUMP_IF:
            if (registers.flags & rule.element & ALL_FLAGS) report(i, "a branch");
            return;
        case JUMP_IF_COUNT:
            if (marked(BX_64BIT_REG_RCX) || (registers.flags & rule.element)) report(i, "a branch");
            return;
        case MOVE_IF: return move_if(i, rule.element);
        case SET_IF: return place(i, 0).mark(registers.flags & rule.element & ALL_FLAGS ? 1 : 0);
        case ADD:
        case SUBTRACT:
        case COMPARE: return arithmetic(i, what, 0, false);
        case ADD_WITH:
        case SUBTRACT_WITH: return arithmetic(i, what, rule.element & ALL_FLAGS, rule.element & 64);
        case INCREMENT:
        case NEGATE: {
            Place to = place(i, 0);
            Bit64u marks = upwards(to.marks());
            to.mark(marks);
            return set_flags(what == NEGATE ? ALL_FLAGS : ALL_FLAGS & ~CF, marks ? ALL_FLAGS : 0);
        }
        case AND:
        case AND_NOT:
        case OR:
        case XOR:
        case TEST: return logic(i, what);
        case NOT: return;
        case SHIFT_LEFT:
        case SHIFT_RIGHT:
        case SHIFT_SIGNED:
        case ROTATE_LEFT:
        case ROTATE_RIGHT:
        case ROTATE_CARRY:
        case SHIFT_LEFT_X:
        case SHIFT_RIGHT_X:
        case SHIFT_SIGNED_X:
        case ROTATE_RIGHT_X: return shift(i, what);
        case SHIFT_TWO_LEFT:
        case SHIFT_TWO_RIGHT: return shift_two(i, what);
        case MULTIPLY:
        case MULTIPLY_LOW:
        case MULTIPLY_X: return multiply(i, what);
        case DIVIDE: return divide(i);
        case TEST_BIT:
        case SET_BIT: return bit(i, what, rule.element);
        case COUNT_BITS:
        case FIND_BIT:
        case LOWEST_BIT:
        case LOW_BITS:
        case EXTRACT_BITS:
        case SCATTER_BITS: return of_all(i, what, rule.element);
        case EXTEND_A:
            return in_register(BX_64BIT_REG_RAX, 2 * rule.element).mark(sign_extended(in_register(BX_64BIT_REG_RAX, rule.element).marks(), rule.element));
        case EXTEND_A_TO_D:
            return in_register(BX_64BIT_REG_RDX, rule.element).mark(sign_extended(in_register(BX_64BIT_REG_RAX, rule.element).marks(), rule.element) >> 63 ? ALL : 0);
        case PUBLIC:
            for (unsigned number : {BX_64BIT_REG_RAX, BX_64BIT_REG_RBX, BX_64BIT_REG_RCX, BX_64BIT_REG_RDX})
                if (rule.element >> number & 1) marked(number) = 0;
            return;
        case PUBLIC_RESULT: place(i, 0).mark(0); return set_flags(ALL_FLAGS, 0);
        case SET_CARRY: return set_flags(CF, 0);
        case SYSTEM_CALL: return system_call(i);
        case STRING_MOVE:
        case STRING_STORE:
        case STRING_LOAD:
        case STRING_COMPARE:
        case STRING_SCAN: return string(i, what, rule.element);
    }
}

} // namespace secrets
