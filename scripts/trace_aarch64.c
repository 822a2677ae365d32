/* A plugin for QEMU's user emulation. It follows the calls of the functions that are named traced_… in the program: every instruction
 * executed from their entry until the function drive_…, which called them, goes on, and the address of every load and store. The first
 * call of a function is left out, since it chooses implementations and fills caches; the second is kept, and later ones are compared with it.
 *
 * At the end it writes a line for each function to the file OUT (-plugin file=…,out=OUT): its symbol, the numbers of calls and of
 * instructions, the first kind of difference (instructions, addresses, or none), the function where it is, and the functions that have divided.
 *
 * The declarations are those of QEMU's interface for plugins, version 1, as Debian's packages lack the header. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info_t;
enum { NO_REGISTERS = 0, READS_AND_WRITES = 3 };

int qemu_plugin_version = 1;
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned, void *), int, void *);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, void (*)(unsigned, uint32_t, uint64_t, void *), int, int, void *);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *);
char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *);

/* An address of data has this bit, which addresses of programs lack; those of instructions do not have it. */
#define DATA (UINT64_C(1) << 63)

struct division {
    struct division *next;
    const char *symbol;
};

struct function {
    struct function *next;
    const char *symbol;
    uint64_t calls, instructions;
    /* What the second call did: addresses of instructions and of data, in order. */
    uint64_t *events;
    size_t length, room;
    const char *difference, *where;
    struct division *divisions;
};

struct instruction {
    uint64_t address;
    const char *symbol;
    struct function *starts;
    bool ends, divides;
};

static struct function *functions, *running;
static struct instruction *current;
static size_t position;
static const char *out;

/* A result that must not be missing. */
static void *checked(void *result) {
    if (!result) {
        perror("error: the plugin");
        abort();
    }
    return result;
}

/* Whether the symbol is that of a Rust function whose own name begins with the prefix. A symbol is _ZN and the names of the path, each after its
 * length; the last is a digest, and the one before it the function's own. */
static bool named(const char *symbol, const char *prefix) {
    const char *own = NULL, *last = NULL;
    if (!symbol || strncmp(symbol, "_ZN", 3)) {
        return false;
    }
    for (const char *at = symbol + 3; isdigit((unsigned char)*at);) {
        char *name;
        size_t length = strtoul(at, &name, 10);
        if (length > strlen(name)) {
            return false;
        }
        own = last;
        last = name;
        at = name + length;
    }
    return own && !strncmp(own, prefix, strlen(prefix));
}

static struct function *function_of(const char *symbol) {
    struct function **found = &functions;
    while (*found && strcmp((*found)->symbol, symbol)) {
        found = &(*found)->next;
    }
    if (!*found) {
        *found = checked(calloc(1, sizeof **found));
        (*found)->symbol = symbol;
    }
    return *found;
}

static const char *place(void) {
    return current && current->symbol ? current->symbol : "?";
}

static void divided(void) {
    struct division **found = &running->divisions;
    while (*found && strcmp((*found)->symbol, place())) {
        found = &(*found)->next;
    }
    if (!*found) {
        *found = checked(calloc(1, sizeof **found));
        (*found)->symbol = place();
    }
}

static void differ(const char *kind) {
    if (!running->difference) {
        running->difference = kind;
        running->where = place();
    }
}

static void event(uint64_t value) {
    struct function *f = running;
    if (f->calls == 2) {
        if (f->length == f->room) {
            f->room = f->room ? 2 * f->room : 1024;
            f->events = checked(realloc(f->events, f->room * sizeof *f->events));
        }
        f->events[f->length++] = value;
    } else if (f->calls > 2) {
        if (position >= f->length || (f->events[position] ^ value) & DATA) {
            differ("instructions");
        } else if (f->events[position] != value) {
            differ(value & DATA ? "addresses" : "instructions");
        }
        position++;
    }
}

static void executed(unsigned cpu, void *data) {
    struct instruction *instruction = data;
    if (cpu) {
        return;
    }
    if (running && instruction->ends) {
        if (running->calls > 2 && position != running->length) {
            differ("instructions");
        }
        running = NULL;
    }
    if (!running && instruction->starts) {
        running = instruction->starts;
        running->calls++;
        position = 0;
    }
    current = instruction;
    if (running) {
        running->instructions += running->calls == 2;
        event(instruction->address);
        if (instruction->divides) {
            divided();
        }
    }
}

static void accessed(unsigned cpu, uint32_t info, uint64_t address, void *data) {
    (void)info, (void)data;
    if (!cpu && running) {
        event(address | DATA);
    }
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
        struct instruction *instruction = checked(calloc(1, sizeof *instruction));
        instruction->address = qemu_plugin_insn_vaddr(insn);
        instruction->symbol = qemu_plugin_insn_symbol(insn);
        if (named(instruction->symbol, "traced_")) {
            instruction->starts = function_of(instruction->symbol);
        }
        instruction->ends = named(instruction->symbol, "drive_");
        char *text = qemu_plugin_insn_disas(insn);
        instruction->divides = text && (!strncmp(text, "udiv", 4) || !strncmp(text, "sdiv", 4));
        free(text);
        qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, NO_REGISTERS, instruction);
        qemu_plugin_register_vcpu_mem_cb(insn, accessed, NO_REGISTERS, READS_AND_WRITES, NULL);
    }
}

static void ended(qemu_plugin_id_t id, void *data) {
    (void)id, (void)data;
    FILE *file = checked(fopen(out, "w"));
    for (struct function *f = functions; f; f = f->next) {
        fprintf(file, "%s %llu %llu %s %s", f->symbol, (unsigned long long)f->calls, (unsigned long long)f->instructions,
                f->difference ? f->difference : "none", f->where ? f->where : "-");
        for (struct division *d = f->divisions; d; d = d->next) {
            fprintf(file, " %s", d->symbol);
        }
        fputs("\n", file);
    }
    fclose(file);
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv) {
    (void)info;
    if (argc != 1 || strncmp(argv[0], "out=", 4)) {
        fputs("error: the plugin needs out=FILE\n", stderr);
        return 1;
    }
    out = strdup(argv[0] + 4);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
