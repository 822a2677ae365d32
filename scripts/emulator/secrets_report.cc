// What is said about a fault: the instruction, what depends on a secret, and the functions that were called.

#include "secrets.h"

#include <map>

char *disasm(char *text, const bxInstruction_c *i, bx_address cs_base, bx_address rip, BxDisasmStyle style); // Bochs'

namespace secrets {

namespace {

Bit64u count = 0;
std::map<Bit64u, Bit64u> places; // of instructions that were reported: how often

const size_t SHOWN_CALLS = 12;

// The function, file and line of an address, or the address itself where it is not the program's.
void print_place(Bit64u at, const char *before)
{
    char command[4096], line[1024];
    bool said = false;
    if (kuaimi_program_base && at >= kuaimi_program_base) {
        snprintf(command, sizeof command, "exec addr2line -Cfip -e '%s' %#llx 2>/dev/null", kuaimi_program_path.c_str(),
            (unsigned long long)(at - kuaimi_program_base));
        if (FILE *answer = popen(command, "r")) {
            while (fgets(line, sizeof line, answer))
                if (!strstr(line, "??:")) fprintf(stderr, "   %s %s", said ? "     " : before, line), said = true;
            pclose(answer);
        }
    }
    if (!said) fprintf(stderr, "   %s %#llx\n", before, (unsigned long long)at);
}

void print(Bit64u at, const char *instruction, const char *what)
{
    fprintf(stderr, "secret: %s depends on a secret: %s\n", what, instruction);
    print_place(at, "at");
    size_t shown = 0;
    for (size_t n = registers.calls.size(); n-- > 0 && shown < SHOWN_CALLS; shown++) print_place(registers.calls[n].returns_to - 1, "by");
}

} // namespace

void report(bxInstruction_c *i, const char *what)
{
    char instruction[256];
    Bit64u rip = BX_CPU(0)->gen_reg[BX_64BIT_REG_RIP].rrx, at = rip - i->ilen();
    count++;
    if (places[at]++) return;
    disasm(instruction, i, 0, rip, BX_DISASM_INTEL);
    print(at, instruction, what);
}

Bit64u reported() { return count; }

void report_handed_out(Bit64u at)
{
    count++;
    if (!places[at]++) print(at, "syscall", "what the system is given");
}

void summarise()
{
    if (!kuaimi_follows_secrets) return;
    fflush(stdout);
    fprintf(stderr, "instructions       %llu, secrets followed through all of them; %llu reports at %zu places\n",
        (unsigned long long)BX_CPU(0)->icount, (unsigned long long)count, places.size());
}

} // namespace secrets
