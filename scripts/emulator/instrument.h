// What Bochs' processor tells us: resets, system calls and exceptions, and where secrets are followed each instruction, before
// it is executed; nothing else, so that everything else runs at full speed. Takes the place of Bochs'
// instrument/stubs/instrument.h, which is kept as no_instrument.h.

#undef BX_INSTRUMENTATION
#define BX_INSTRUMENTATION 0
#include "no_instrument.h"
#undef BX_INSTRUMENTATION
#define BX_INSTRUMENTATION 1

class bxInstruction_c;

extern bool kuaimi_follows_secrets;
void kuaimi_instruction(bxInstruction_c *instruction);
void kuaimi_reset();
void kuaimi_system_call();
void kuaimi_exception(unsigned vector, unsigned error_code);

#undef BX_INSTR_RESET
#define BX_INSTR_RESET(cpu_id, type) kuaimi_reset()

#undef BX_INSTR_FAR_BRANCH
#define BX_INSTR_FAR_BRANCH(cpu_id, what, previous_cs, previous_rip, cs, rip) \
    ((what) == BX_INSTR_IS_SYSCALL ? (void)((void)(previous_cs), (void)(previous_rip), kuaimi_system_call()) : (void)0)

#undef BX_INSTR_EXCEPTION
#define BX_INSTR_EXCEPTION(cpu_id, vector, error_code) kuaimi_exception(vector, error_code)

#undef BX_INSTR_BEFORE_EXECUTION
#define BX_INSTR_BEFORE_EXECUTION(cpu_id, instruction) (kuaimi_follows_secrets ? kuaimi_instruction(instruction) : (void)0)
