// What is said about a fault: the instruction, what depends on a secret, and the functions that were called.

#include "secrets.h"

#include <map>

char *disasm(char *text, const bxInstruction_c *i, bx_address cs_base, bx_address rip, BxDisasmStyle style); // Bochs'

namespace secrets {

namespace {

Bit64u count = 0;
std::map<Bit64u, Bit64u> places; // of instructions that were reported: how often

const size_t SHOWN_CALLS = 10;

// The functions, files and lines of addresses, or the addresses themselves where they are not the program's.
void print_places(const std::vector<Bit64u> &all)
{
    char text[1024];
    std::string command = "exec addr2line -Capfi -e '" + kuaimi_program_path + "'";
    for (Bit64u at : all) {
        snprintf(text, sizeof text, " %#llx", (unsigned long long)(at >= kuaimi_program_base ? at - kuaimi_program_base : at));
        command += text;
    }
    FILE *answer = popen((command + " 2>/dev/null").c_str(), "r");
    while (answer && fgets(text, sizeof text, answer)) fprintf(stderr, "   %s", text);
    if (answer) pclose(answer);
    else for (Bit64u at : all) fprintf(stderr, "   %#llx\n", (unsigned long long)at);
}

void print(Bit64u at, const char *instruction, const char *what)
{
    fprintf(stderr, "secret: %s depends on a secret: %s\n", what, instruction);
    std::vector<Bit64u> all = {at};
    for (size_t n = registers.calls.size(); n-- > 0 && all.size() < SHOWN_CALLS;) all.push_back(registers.calls[n].returns_to - 1);
    print_places(all);
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
