// Before each instruction: the program's requests, its memory operand, and the rule for the marks.

#include "secrets.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

bool kuaimi_follows_secrets = false;

namespace secrets {

Registers registers;
Bit8u *memory;
Bit64u address;

namespace {

bool any_secret = false; // until the first, there are no marks to move

const Bit64u RUNNING_ON_VALGRIND = 0x1001, COUNT_ERRORS = 0x1201;
const Bit64u MEMCHECK = 'M' << 24 | 'C' << 16, KUAIMI = 'K' << 24 | 'M' << 16;
const Bit64u MAKE_MEM_UNDEFINED = MEMCHECK + 1, MAKE_MEM_DEFINED = MEMCHECK + 2, GET_VBITS = MEMCHECK + 8;
const Bit64u REPORTS_TIMES = KUAIMI + 1;

bool inside(Bit64u from, Bit64u length) { return from < kuaimi_arena_length && length <= kuaimi_arena_length - from; }

// Four rotations of rdi by 128 bits in all, before an exchange of rbx with itself.
bool is_request(bxInstruction_c *i)
{
    static const Bit8u before[] = {
        0x48, 0xC1, 0xC7, 0x03, 0x48, 0xC1, 0xC7, 0x0D, 0x48, 0xC1, 0xC7, 0x3D, 0x48, 0xC1, 0xC7, 0x33, 0x48, 0x87, 0xDB,
    };
    Bit64u from = BX_CPU(0)->gen_reg[BX_64BIT_REG_RIP].rrx - 16;
    return i->getIaOpcode() == BX_IA_XCHG_EqGq && inside(from, sizeof before)
        && memcmp(kuaimi_arena + from, before, sizeof before) == 0;
}

void answer_request()
{
    bx_gen_reg_t *general = BX_CPU(0)->gen_reg;
    Bit64u request[6], at = general[BX_64BIT_REG_RAX].rrx, &answer = general[BX_64BIT_REG_RDX].rrx;
    if (!inside(at, sizeof request)) return;
    memcpy(request, kuaimi_arena + at, sizeof request);
    bool mark = request[0] == MAKE_MEM_UNDEFINED, unmark = request[0] == MAKE_MEM_DEFINED;
    if ((mark || unmark) && inside(request[1], request[2])) {
        memset(memory + request[1], mark ? 0xFF : 0, request[2]);
        any_secret |= mark;
        answer = 0;
    } else if (request[0] == GET_VBITS && inside(request[1], request[3]) && inside(request[2], request[3])) {
        memcpy(kuaimi_arena + request[2], memory + request[1], request[3]);
        clear(request[2], request[3]);
        answer = 1;
    } else if (request[0] == RUNNING_ON_VALGRIND || request[0] == REPORTS_TIMES) {
        answer = 1;
    } else if (request[0] == COUNT_ERRORS) {
        answer = reported();
    }
    registers.general[BX_64BIT_REG_RDX] = 0;
}

// Vectors of indices are the rule's to look at.
void find_address(bxInstruction_c *i, bool is_vector_index)
{
    bx_gen_reg_t *general = BX_CPU(0)->gen_reg;
    Bit64u marks = registers.general[i->sibBase()];
    address = general[i->sibBase()].rrx + i->displ32s();
    if (!is_vector_index && i->sibIndex() != 4) {
        marks |= registers.general[i->sibIndex()];
        address += general[i->sibIndex()].rrx << i->sibScale();
    }
    if (!i->as64L()) address = (Bit32u)address;
    if (i->seg() == BX_SEG_REG_FS || i->seg() == BX_SEG_REG_GS) address += BX_CPU(0)->sregs[i->seg()].cache.u.segment.base;
    if (marks && i->getIaOpcode() != BX_IA_LEA_GqM && i->getIaOpcode() != BX_IA_LEA_GdM && i->getIaOpcode() != BX_IA_LEA_GwM)
        report(i, "a memory address");
}

void unknown(bxInstruction_c *i)
{
    static bool said[BX_IA_LAST];
    if (!said[i->getIaOpcode()]) report(i, "perhaps this instruction, for which there is no rule: what it computes");
    said[i->getIaOpcode()] = true;
}

} // namespace

void begin()
{
    if (!getenv("KUAIMI_SECRETS")) return;
    void *marks = mmap(nullptr, kuaimi_arena_length + 64, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (marks == MAP_FAILED) {
        fprintf(stderr, "error: no memory for the marks of secrets\n");
        _exit(125);
    }
    memory = (Bit8u *)marks;
    make_rules();
    kuaimi_follows_secrets = true;
}

void clear(Bit64u from, Bit64u length)
{
    if (kuaimi_follows_secrets && inside(from, length)) memset(memory + from, 0, length);
}

void before_call(Bit64u number, const Bit64u *argument)
{
    if (!kuaimi_follows_secrets) return;
    std::vector<iovec> given;
    if (number == SYS_write || number == SYS_pwrite64) given.push_back({(void *)argument[1], argument[2]});
    if (number == SYS_writev && argument[2] <= 1024 && inside(argument[1], argument[2] * sizeof(iovec)))
        given.assign((iovec *)(kuaimi_arena + argument[1]), (iovec *)(kuaimi_arena + argument[1]) + argument[2]);
    for (const iovec &bytes : given) {
        Bit64u from = (Bit64u)bytes.iov_base;
        if (!inside(from, bytes.iov_len)) continue;
        for (Bit64u at = from; at < from + bytes.iov_len; at++)
            if (memory[at]) return report_handed_out(BX_CPU(0)->prev_rip);
    }
}

void after_call(Bit64u number, const Bit64u *argument, Bit64s result)
{
    Bit64u got = result > 0 ? result : 0;
    switch (number) {
        case SYS_read:
        case SYS_pread64:
        case SYS_getdents64: return clear(argument[1], got);
        case SYS_getrandom:
        case SYS_getcwd: return clear(argument[0], got);
        case SYS_stat:
        case SYS_lstat:
        case SYS_fstat: return clear(argument[1], sizeof(struct stat));
        case SYS_newfstatat: return clear(argument[2], sizeof(struct stat));
        case SYS_statx: return clear(argument[4], sizeof(struct statx));
        case SYS_clock_gettime: return clear(argument[1], sizeof(timespec));
        case SYS_sched_getaffinity: return clear(argument[2], got);
    }
}

} // namespace secrets

void kuaimi_instruction(bxInstruction_c *i)
{
    using namespace secrets;
    if (is_request(i)) return answer_request();
    if (!any_secret) return;
    const Rule &rule = rules[i->getIaOpcode()];
    Bit64u &rip = BX_CPU(0)->gen_reg[BX_64BIT_REG_RIP].rrx;
    rip += i->ilen(); // as addresses and calls need it
    address = 0;
    if (rule.memory && !i->modC0()) find_address(i, origin(i, 1) == BX_SRC_VSIB || origin(i, 0) == BX_SRC_VSIB);
    switch (rule.kind) {
        case UNKNOWN: unknown(i); break;
        case NOTHING: break;
        case GENERAL: pass_general(i, rule); break;
        case VECTOR: pass_vector(i, rule); break;
    }
    rip -= i->ilen();
}
