// Follows secrets through a program: every bit of a register or of memory that was declared secret, or that was computed from
// such a bit, is marked. The requests that mark and unmark memory are valgrind's, so one program serves both tools.
//
// A mark is a bit that says that the bit at its place is secret. Rules move the marks before an instruction is executed. What
// is a result of secrets is marked too often rather than too rarely; where that would give false reports, the rules are exact.

#ifndef KUAIMI_SECRETS_H
#define KUAIMI_SECRETS_H

#include "bochs.h"
#include "cpu/cpu.h"
#include "cpu/decoder/fetchdecode.h"

#include <string>
#include <vector>

extern struct bxIAOpcodeTable BxOpcodesTable[];

// The program's memory, its length, and where the program was loaded.
extern Bit8u *kuaimi_arena;
extern const Bit64u kuaimi_arena_length;
extern Bit64u kuaimi_program_base;
extern std::string kuaimi_program_path;

namespace secrets {

enum Flag : unsigned { CF = 1, PF = 2, AF = 4, ZF = 8, SF = 16, OF = 32, ALL_FLAGS = 63 };

// A call that has not returned yet.
struct Frame {
    Bit64u stack, returns_to;
};

// The marks of a thread's registers.
struct Registers {
    Bit64u general[BX_GENERAL_REGISTERS + 4] = {};
    alignas(64) Bit8u vectors[BX_XMM_REGISTERS + 1][64] = {};
    Bit64u masks[8] = {};
    unsigned flags = 0;
    std::vector<Frame> calls;
};

extern Registers registers; // of the thread that runs
extern Bit8u *memory; // a byte of marks for each byte of the arena

// How marks pass through an instruction; secrets_rules.cc says which instruction is of which kind.
enum Kind : Bit8u {
    UNKNOWN,
    NOTHING, // changes neither registers nor memory, or only such as are public
    GENERAL, // from here on: secrets_general.cc
    VECTOR, // secrets_vectors.cc
};

struct Rule {
    Kind kind;
    Bit8u what; // General or Vector
    Bit8u element; // bytes of the pieces that an instruction on vectors works on
    bool memory; // has an operand that may be in memory
};

extern Rule rules[BX_IA_LAST];
void make_rules();

// The instruction's operand in memory; 0 where it has none.
extern Bit64u address;

inline unsigned origin(const bxInstruction_c *i, unsigned n) { return BX_DISASM_SRC_ORIGIN(BxOpcodesTable[i->getIaOpcode()].src[n]); }
inline unsigned type(const bxInstruction_c *i, unsigned n) { return BX_DISASM_SRC_TYPE(BxOpcodesTable[i->getIaOpcode()].src[n]); }
inline bool has_mask(const bxInstruction_c *i)
{
    return (BxOpcodesTable[i->getIaOpcode()].opflags & BX_PREPARE_EVEX) && i->opmask() != 0;
}
inline bool in_memory(const bxInstruction_c *i, unsigned n)
{
    return !i->modC0() && (origin(i, n) == BX_SRC_RM || origin(i, n) == BX_SRC_VECTOR_RM);
}

void pass_general(bxInstruction_c *i, const Rule &rule);
void pass_vector(bxInstruction_c *i, const Rule &rule);

// A fault in the program: `what` says what depends on a secret.
void report(bxInstruction_c *i, const char *what);
Bit64u reported();
void report_handed_out(Bit64u at);
// These bytes are public.
void clear(Bit64u from, Bit64u length);
// Reports secrets among the bytes that the system is given; what it has written is public.
void before_call(Bit64u number, const Bit64u *argument);
void after_call(Bit64u number, const Bit64u *argument, Bit64s result);
void summarise();

// Reads KUAIMI_SECRETS, which says whether secrets are followed at all.
void begin();

} // namespace secrets

#endif
