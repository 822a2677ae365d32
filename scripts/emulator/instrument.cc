// Runs one Linux program on Bochs' processor, without an operating system: instead of the firmware, the reset starts the
// program in 64-bit user mode, and its system calls are handed to the system that the emulator itself runs on.
//
// The machine's memory is one arena that the program sees at the same addresses as the processor does (page tables of 2 MiB
// pages, identical mapping); a pointer that goes to the real system gets the arena's own address added. Enough of Linux for
// Rust's test programs: no processes and no signals; a fault ends the program with the status that its signal would have
// given. Threads take turns on the one processor, and only where they wait or yield.

#include "bochs.h"
#include "cpu/cpu.h"
#include "memory/memory-bochs.h"
#include "secrets.h"

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include <asm/prctl.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

Bit8u *kuaimi_arena;
Bit64u kuaimi_program_base;
std::string kuaimi_program_path;

namespace {

const Bit64u MIB = 1 << 20;
const Bit64u PAGE = 4096;
const Bit64u ARENA = 1024 * MIB; // must be what the configuration file says
const Bit64u PAGE_TABLES = 0x1000; // three pages
const Bit64u LOWEST = 2 * MIB; // below, nothing is mapped: null pointers fault, and the page tables are out of reach
const Bit64u PROGRAM = 128 * MIB; // where a position-independent program is put
const Bit64u MAPPINGS = 256 * MIB; // where mappings without a wish begin
const Bit64u STACK_SIZE = 64 * MIB;
const Bit64u STACK_TOP = ARENA - MIB;
const Bit64u RETURN_STUB = ARENA - PAGE; // the SYSRET that ends every system call

Bit8u *&arena = kuaimi_arena;
std::vector<bool> taken(ARENA / PAGE);
std::string &program_path = kuaimi_program_path;

[[noreturn]] void give_up(const char *what, const char *detail = "")
{
    fprintf(stderr, "error: emulated program: %s%s\n", what, detail);
    _exit(125);
}

Bit64u page_up(Bit64u length) { return (length + PAGE - 1) & ~(PAGE - 1); }

bool inside(Bit64u address, Bit64u length) { return address < ARENA && length <= ARENA - address; }

void take(Bit64u address, Bit64u length, bool value)
{
    std::fill(taken.begin() + address / PAGE, taken.begin() + (address + length) / PAGE, value);
}

// The first gap of `length` bytes among the mappings, or 0.
Bit64u find_gap(Bit64u length)
{
    Bit64u begin = MAPPINGS / PAGE, end = (STACK_TOP - STACK_SIZE) / PAGE, wanted = length / PAGE;
    for (Bit64u page = begin; page + wanted <= end;) {
        Bit64u run = 0;
        while (run < wanted && !taken[page + run]) run++;
        if (run == wanted) return page * PAGE;
        page += run + 1;
    }
    return 0;
}

Bit64s map(Bit64u address, Bit64u length, Bit64u flags, int file, Bit64u offset)
{
    length = page_up(length);
    if (length == 0 || length >= ARENA) return length ? -ENOMEM : -EINVAL;
    if (flags & MAP_FIXED) {
        if (address < LOWEST || !inside(address, length)) return -ENOMEM;
    } else if ((address = find_gap(length)) == 0) {
        return -ENOMEM;
    }
    take(address, length, true);
    secrets::clear(address, length);
    // Fresh pages are zero, and cost nothing until they are touched.
    if (mmap(arena + address, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
        return -errno;
    if (!(flags & MAP_ANONYMOUS)) {
        if ((flags & MAP_SHARED) && pread(file, arena + address, 0, 0) < 0) return -errno;
        for (Bit64u done = 0; done < length;) {
            ssize_t count = pread(file, arena + address + done, length - done, offset + done);
            if (count < 0) return -errno;
            if (count == 0) break;
            done += count;
        }
    }
    flushICaches(); // what was code here before is so no longer
    return address;
}

Bit64s remap(Bit64u address, Bit64u old_length, Bit64u new_length, Bit64u flags)
{
    old_length = page_up(old_length);
    new_length = page_up(new_length);
    if (!inside(address, old_length) || new_length == 0) return -EINVAL;
    if (new_length > old_length) {
        if (!(flags & MREMAP_MAYMOVE)) return -ENOMEM;
        Bit64s moved = map(0, new_length, MAP_ANONYMOUS, -1, 0);
        if (moved < 0) return moved;
        memcpy(arena + moved, arena + address, old_length);
        if (kuaimi_follows_secrets) memcpy(secrets::memory + moved, secrets::memory + address, old_length);
        take(address, old_length, false);
        return moved;
    }
    take(address + new_length, old_length - new_length, false);
    return address;
}

struct Loaded {
    Bit64u base, entry, headers;
    Elf64_Ehdr header;
    std::string interpreter;
};

Loaded load(const char *path, Bit64u wish)
{
    Loaded loaded = {};
    int file = open(path, O_RDONLY);
    if (file < 0) give_up("cannot open ", path);
    Elf64_Ehdr &header = loaded.header;
    if (pread(file, &header, sizeof header, 0) != sizeof header || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0
        || header.e_machine != EM_X86_64 || header.e_phentsize != sizeof(Elf64_Phdr))
        give_up("not a 64-bit x86 program: ", path);
    std::vector<Elf64_Phdr> segments(header.e_phnum);
    ssize_t size = segments.size() * sizeof(Elf64_Phdr);
    if (pread(file, segments.data(), size, header.e_phoff) != size) give_up("cannot read ", path);
    loaded.base = header.e_type == ET_DYN ? wish : 0;
    loaded.entry = loaded.base + header.e_entry;
    for (const Elf64_Phdr &segment : segments) {
        Bit64u at = loaded.base + segment.p_vaddr;
        if (segment.p_type == PT_INTERP) {
            loaded.interpreter.resize(segment.p_filesz);
            if (pread(file, &loaded.interpreter[0], segment.p_filesz, segment.p_offset) < 0) give_up("cannot read ", path);
            loaded.interpreter.resize(strlen(loaded.interpreter.c_str()));
        }
        if (segment.p_type != PT_LOAD || segment.p_memsz == 0) continue;
        if (at < LOWEST || !inside(at, segment.p_memsz)) give_up("does not fit in the emulator's memory: ", path);
        take(at & ~(PAGE - 1), page_up((at & (PAGE - 1)) + segment.p_memsz), true);
        if (pread(file, arena + at, segment.p_filesz, segment.p_offset) != (ssize_t)segment.p_filesz)
            give_up("cannot read ", path);
        if (header.e_phoff >= segment.p_offset && header.e_phoff < segment.p_offset + segment.p_filesz)
            loaded.headers = at + header.e_phoff - segment.p_offset;
    }
    close(file);
    return loaded;
}

// The stack that a Linux program starts with: count, arguments, environment, auxiliary vector; strings above. KUAIMI_EMULATED
// holds the arguments, one after the other, each ended by a line feed; it is not handed on.
Bit64u build_stack(const Loaded &program, Bit64u interpreter_base, const std::vector<std::string> &arguments)
{
    Bit64u top = STACK_TOP;
    auto push_bytes = [&](const void *bytes, Bit64u length) {
        top -= length;
        memcpy(arena + top, bytes, length);
        return top;
    };
    std::vector<Bit64u> words;
    words.push_back(arguments.size());
    for (const std::string &argument : arguments) words.push_back(push_bytes(argument.c_str(), argument.size() + 1));
    words.push_back(0);
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, "KUAIMI_EMULATED=", 16) != 0 && strncmp(*variable, "BXSHARE=", 8) != 0)
            words.push_back(push_bytes(*variable, strlen(*variable) + 1));
    words.push_back(0);
    Bit64u name = push_bytes(program_path.c_str(), program_path.size() + 1);
    Bit8u noise[16];
    if (getentropy(noise, sizeof noise) != 0) give_up("no random numbers");
    Bit64u random = push_bytes(noise, sizeof noise);
    const Bit64u auxiliary[] = {
        AT_PHDR, program.headers, AT_PHENT, sizeof(Elf64_Phdr), AT_PHNUM, program.header.e_phnum, AT_PAGESZ, PAGE,
        AT_BASE, interpreter_base, AT_ENTRY, program.entry, AT_UID, getuid(), AT_EUID, geteuid(), AT_GID, getgid(),
        AT_EGID, getegid(), AT_SECURE, 0, AT_CLKTCK, 100, AT_HWCAP2, 2 /* FSGSBASE */, AT_RANDOM, random, AT_EXECFN, name,
        AT_NULL, 0,
    };
    words.insert(words.end(), std::begin(auxiliary), std::end(auxiliary));
    top &= ~(Bit64u)15;
    if (words.size() & 1) top -= 8;
    return push_bytes(words.data(), words.size() * 8);
}

void set_segment(unsigned which, unsigned selector, bool code)
{
    bx_segment_reg_t &segment = BX_CPU(0)->sregs[which];
    parse_selector(selector, &segment.selector);
    segment.cache.valid = SegValidCache | SegAccessROK | SegAccessWOK | SegAccessROK4G | SegAccessWOK4G;
    segment.cache.p = 1;
    segment.cache.dpl = 3;
    segment.cache.segment = 1;
    segment.cache.type = code ? BX_CODE_EXEC_READ_ACCESSED : BX_DATA_READ_WRITE_ACCESSED;
    segment.cache.u.segment.base = 0;
    segment.cache.u.segment.limit_scaled = 0xFFFFFFFF;
    segment.cache.u.segment.g = 1;
    segment.cache.u.segment.d_b = !code;
    segment.cache.u.segment.l = code;
    segment.cache.u.segment.avl = 0;
}

// 64-bit user mode with all the vector state that the processor has.
void start(Bit64u entry, Bit64u stack)
{
    BX_CPU_C *cpu = BX_CPU(0);
    cpu->cr0.set32(0x80010033); // PG WP NE ET MP PE
    cpu->cr4.set32(0x00050620); // OSXSAVE FSGSBASE OSXMMEXCPT OSFXSR PAE
    cpu->cr3 = PAGE_TABLES;
    cpu->efer.set32(0x00000D01); // NXE LMA LME SCE
    cpu->xcr0.set32(cpu->xcr0_suppmask & 0xE7); // x87, SSE, AVX, AVX-512
    cpu->msr.star = (Bit64u)0x00230010 << 32; // user selectors 0x2B and 0x33 when SYSRET returns
    cpu->msr.lstar = RETURN_STUB;
    cpu->msr.fmask = 0;
    set_segment(BX_SEG_REG_CS, 0x33, true);
    for (unsigned which : {BX_SEG_REG_SS, BX_SEG_REG_DS, BX_SEG_REG_ES, BX_SEG_REG_FS, BX_SEG_REG_GS})
        set_segment(which, 0x2B, false);
    cpu->the_i387.init();
    cpu->gen_reg[BX_64BIT_REG_RSP].rrx = stack;
    cpu->gen_reg[BX_64BIT_REG_RIP].rrx = cpu->prev_rip = entry;
    cpu->handleCpuContextChange();
}

// Passes the call on; bit n of `pointers` says that argument n is a pointer.
Bit64s forward(Bit64u number, const Bit64u *argument, unsigned pointers)
{
    Bit64u real[6];
    for (unsigned i = 0; i < 6; i++) {
        real[i] = argument[i];
        if ((pointers >> i & 1) && argument[i] != 0) {
            if (argument[i] >= ARENA) return -EFAULT;
            real[i] += (Bit64u)arena;
        }
    }
    long result = syscall(number, real[0], real[1], real[2], real[3], real[4], real[5]);
    return result < 0 ? -errno : result;
}

Bit64s forward_vectors(Bit64u number, const Bit64u *argument)
{
    if (argument[2] > 1024 || !inside(argument[1], argument[2] * sizeof(iovec))) return -EFAULT;
    std::vector<iovec> vectors(argument[2]);
    if (!vectors.empty()) memcpy(vectors.data(), arena + argument[1], vectors.size() * sizeof(iovec));
    for (iovec &vector : vectors) {
        if (!inside((Bit64u)vector.iov_base, vector.iov_len)) return -EFAULT;
        vector.iov_base = arena + (Bit64u)vector.iov_base;
    }
    long result = syscall(number, argument[0], vectors.data(), vectors.size());
    return result < 0 ? -errno : result;
}

Bit64s set_thread_base(Bit64u code, Bit64u address)
{
    BX_CPU_C *cpu = BX_CPU(0);
    switch (code) {
        case ARCH_SET_FS: cpu->sregs[BX_SEG_REG_FS].cache.u.segment.base = address; return 0;
        case ARCH_SET_GS: cpu->sregs[BX_SEG_REG_GS].cache.u.segment.base = address; return 0;
        case ARCH_GET_FS:
            if (!inside(address, 8)) return -EFAULT;
            memcpy(arena + address, &cpu->sregs[BX_SEG_REG_FS].cache.u.segment.base, 8);
            return 0;
        default: return -EINVAL;
    }
}

// A thread and, while another one runs, its registers. System calls may change RAX, RCX and R11 only.
struct Thread {
    Bit64s id = 0;
    Bit64u cleared_at_end = 0; // where a zero is written, and waiters are woken, at its end
    Bit64u waits_for = 0; // the futex, or 0
    Bit64u deadline = 0; // of its waiting, in nanoseconds of the monotonic clock, or 0
    bx_gen_reg_t general[BX_GENERAL_REGISTERS + 4];
    bx_zmm_reg_t vectors[BX_XMM_REGISTERS + 1];
    bx_gen_reg_t masks[8];
    bx_mxcsr_t mxcsr;
    i387_t x87;
    Bit64u fs, gs;
    secrets::Registers secret;

    void keep()
    {
        const BX_CPU_C *cpu = BX_CPU(0);
        static_assert(sizeof general == sizeof cpu->gen_reg && sizeof vectors == sizeof cpu->vmm, "Bochs' registers");
        memcpy(general, cpu->gen_reg, sizeof general);
        memcpy(vectors, cpu->vmm, sizeof vectors);
        memcpy(masks, cpu->opmask, sizeof masks);
        mxcsr = cpu->mxcsr;
        x87 = cpu->the_i387;
        fs = cpu->sregs[BX_SEG_REG_FS].cache.u.segment.base;
        gs = cpu->sregs[BX_SEG_REG_GS].cache.u.segment.base;
        secret = secrets::registers;
    }

    void resume() const
    {
        BX_CPU_C *cpu = BX_CPU(0);
        memcpy(cpu->gen_reg, general, sizeof general);
        memcpy(cpu->vmm, vectors, sizeof vectors);
        memcpy(cpu->opmask, masks, sizeof masks);
        cpu->mxcsr = mxcsr;
        cpu->the_i387 = x87;
        cpu->sregs[BX_SEG_REG_FS].cache.u.segment.base = fs;
        cpu->sregs[BX_SEG_REG_GS].cache.u.segment.base = gs;
        secrets::registers = secret;
    }

    void result(Bit64s value) { general[BX_64BIT_REG_RAX].rrx = value; }
};

std::deque<Thread> threads(1); // the running one is the first

Bit64u now(clockid_t clock)
{
    timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000ull + time.tv_nsec;
}

// Lets the next thread run whose waiting is over; the first one's registers are kept already.
void let_another_run()
{
    for (;;) {
        Bit64u earliest = 0;
        for (size_t i = 0; i < threads.size(); i++) {
            std::rotate(threads.begin(), threads.begin() + 1, threads.end());
            Thread &next = threads[0];
            if (next.waits_for && next.deadline && now(CLOCK_MONOTONIC) >= next.deadline) {
                next.waits_for = 0;
                next.result(-ETIMEDOUT);
            }
            if (!next.waits_for) return next.resume();
            if (next.deadline && (!earliest || next.deadline < earliest)) earliest = next.deadline;
        }
        if (!earliest) give_up("all threads wait for each other");
        usleep(1000);
    }
}

Bit64s wake(Bit64u address, Bit64u most)
{
    Bit64u woken = 0;
    for (Thread &thread : threads) {
        if (woken >= most) break;
        if (thread.waits_for != address) continue;
        thread.waits_for = 0;
        woken++;
    }
    return woken;
}

Bit64s futex(const Bit64u *a)
{
    unsigned operation = a[1] & FUTEX_CMD_MASK;
    if (!inside(a[0], 4)) return -EFAULT;
    if (operation == FUTEX_WAKE || operation == FUTEX_WAKE_BITSET) return wake(a[0], (Bit32u)a[2]);
    if (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET) return -ENOSYS;
    Bit32u value;
    memcpy(&value, arena + a[0], 4);
    if (value != (Bit32u)a[2]) return -EAGAIN;
    Thread &thread = threads[0];
    thread.keep();
    thread.result(0);
    thread.waits_for = a[0];
    thread.deadline = 0;
    if (a[3]) {
        timespec time;
        if (!inside(a[3], sizeof time)) return -EFAULT;
        memcpy(&time, arena + a[3], sizeof time);
        Bit64u span = time.tv_sec * 1000000000ull + time.tv_nsec, monotonic = now(CLOCK_MONOTONIC);
        if (operation == FUTEX_WAIT) thread.deadline = monotonic + span;
        else if (a[1] & FUTEX_CLOCK_REALTIME) thread.deadline = monotonic + span - std::min(span, now(CLOCK_REALTIME));
        else thread.deadline = std::max<Bit64u>(span, 1);
    }
    let_another_run();
    return BX_CPU(0)->gen_reg[BX_64BIT_REG_RAX].rrx;
}

Bit64s new_thread(Bit64u address, Bit64u size)
{
    static Bit64s last_id = getpid();
    clone_args wish = {};
    if (!inside(address, size)) return -EFAULT;
    memcpy(&wish, arena + address, std::min<Bit64u>(size, sizeof wish));
    if (!(wish.flags & CLONE_VM) || !(wish.flags & CLONE_THREAD)) return -EAGAIN; // a process
    Thread thread;
    thread.keep();
    thread.id = ++last_id;
    thread.result(0);
    thread.general[BX_64BIT_REG_RSP].rrx = wish.stack + wish.stack_size;
    if (wish.flags & CLONE_SETTLS) thread.fs = wish.tls;
    if (wish.flags & CLONE_CHILD_CLEARTID) thread.cleared_at_end = wish.child_tid;
    Bit32s id = thread.id;
    if (wish.flags & CLONE_PARENT_SETTID && inside(wish.parent_tid, 4)) memcpy(arena + wish.parent_tid, &id, 4);
    if (wish.flags & CLONE_CHILD_SETTID && inside(wish.child_tid, 4)) memcpy(arena + wish.child_tid, &id, 4);
    threads.push_back(thread);
    return id;
}

[[noreturn]] void end(int status)
{
    secrets::summarise();
    _exit(status);
}

Bit64s end_thread(Bit64u status)
{
    if (threads.size() == 1) end(status);
    Bit64u address = threads[0].cleared_at_end;
    threads.pop_front();
    if (address && inside(address, 4)) {
        memset(arena + address, 0, 4);
        wake(address, 1);
    }
    std::rotate(threads.begin(), threads.end() - 1, threads.end());
    let_another_run();
    return BX_CPU(0)->gen_reg[BX_64BIT_REG_RAX].rrx;
}

Bit64s yield()
{
    threads[0].keep();
    threads[0].result(0);
    let_another_run();
    return BX_CPU(0)->gen_reg[BX_64BIT_REG_RAX].rrx;
}

Bit64s call(Bit64u number, const Bit64u *argument)
{
    const Bit64u *a = argument;
    switch (number) {
        case SYS_exit: return end_thread(a[0]);
        case SYS_exit_group: end(a[0]);
        case SYS_kill:
        case SYS_tkill: _exit(128 + a[1]);
        case SYS_tgkill: _exit(128 + a[2]);

        case SYS_mmap: return map(a[0], a[1], a[3], a[4], a[5]);
        case SYS_munmap:
            if (!inside(a[0], page_up(a[1]))) return -EINVAL;
            take(a[0], page_up(a[1]), false);
            return 0;
        case SYS_mremap: return remap(a[0], a[1], a[2], a[3]);
        case SYS_brk: return 0; // does not grow; the C library then maps
        case SYS_arch_prctl: return set_thread_base(a[0], a[1]);

        case SYS_clone3: return new_thread(a[0], a[1]);
        case SYS_futex: return futex(a);
        case SYS_sched_yield: return yield();
        case SYS_gettid: return threads[0].id;
        case SYS_set_tid_address: threads[0].cleared_at_end = a[0]; return threads[0].id;
        case SYS_clone:
        case SYS_fork:
        case SYS_vfork: return -EAGAIN; // as at the limit of processes

        // No signals, no protection.
        case SYS_mprotect:
        case SYS_madvise:
        case SYS_rt_sigaction:
        case SYS_rt_sigprocmask:
        case SYS_sigaltstack:
        case SYS_set_robust_list:
        case SYS_prctl: return 0; // the name of a thread

        case SYS_readv:
        case SYS_writev: return forward_vectors(number, a);

        case SYS_readlink:
            if (inside(a[0], 1) && strcmp((char *)arena + a[0], "/proc/self/exe") == 0 && inside(a[1], a[2])) {
                Bit64u length = std::min<Bit64u>(a[2], program_path.size());
                memcpy(arena + a[1], program_path.data(), length);
                return length;
            }
            return forward(number, a, 0b11);
        case SYS_openat: // the memory map would be the emulator's
            if (inside(a[1], 1) && strcmp((char *)arena + a[1], "/proc/self/maps") == 0) return -ENOENT;
            return forward(number, a, 0b10);

        case SYS_close:
        case SYS_lseek:
        case SYS_getpid:
        case SYS_getppid:
        case SYS_getuid:
        case SYS_geteuid:
        case SYS_getgid:
        case SYS_getegid:
        case SYS_fsync:
        case SYS_ftruncate:
        case SYS_umask: return forward(number, a, 0);
        case SYS_dup:
        case SYS_fcntl: return forward(number, a, 0);
        case SYS_open:
        case SYS_access:
        case SYS_unlink:
        case SYS_rmdir:
        case SYS_mkdir:
        case SYS_poll:
        case SYS_time:
        case SYS_uname:
        case SYS_getcwd:
        case SYS_getrandom: return forward(number, a, 0b1);
        case SYS_stat:
        case SYS_lstat:
        case SYS_rename:
        case SYS_gettimeofday:
        case SYS_nanosleep: return forward(number, a, 0b11);
        case SYS_read:
        case SYS_write:
        case SYS_pread64:
        case SYS_pwrite64:
        case SYS_fstat:
        case SYS_getrlimit:
        case SYS_getdents64:
        case SYS_clock_gettime:
        case SYS_clock_getres:
        case SYS_mkdirat:
        case SYS_unlinkat:
        case SYS_faccessat: return forward(number, a, 0b10);
        case SYS_newfstatat:
        case SYS_readlinkat: return forward(number, a, 0b110);
        case SYS_ioctl:
        case SYS_sched_getaffinity: return forward(number, a, 0b100);
        case SYS_clock_nanosleep:
        case SYS_prlimit64: return forward(number, a, 0b1100);
        case SYS_statx: return forward(number, a, 0b10010);

        case SYS_rseq: return -ENOSYS; // the C library does without
        default: fprintf(stderr, "note: the emulator does not know system call %lu\n", (unsigned long)number); return -ENOSYS;
    }
}

} // namespace

const Bit64u kuaimi_arena_length = ARENA;

void kuaimi_reset()
{
    static bool started = false;
    if (started) return;
    started = true;

    const char *list = getenv("KUAIMI_EMULATED");
    if (!list) give_up("no program named");
    std::vector<std::string> arguments;
    for (const char *end; (end = strchr(list, '\n')); list = end + 1) arguments.emplace_back(list, end);
    if (arguments.empty()) give_up("no program named");
    program_path = arguments[0];

    // Bochs gives out its memory block by block as it is first asked for; asked for in order, it lies in order.
    arena = BX_MEM(0)->get_vector(0);
    for (Bit64u at = 0; at < ARENA; at += PAGE)
        if (BX_MEM(0)->get_vector(at) != arena + at) give_up("the emulator's memory is not in one piece");

    Bit64u *table = (Bit64u *)(arena + PAGE_TABLES);
    memset(table, 0, 3 * PAGE);
    table[0] = (PAGE_TABLES + PAGE) | 0x27; // present, writable, user, accessed
    table[512] = (PAGE_TABLES + 2 * PAGE) | 0x27;
    for (Bit64u i = LOWEST / (2 * MIB); i < 512; i++) table[1024 + i] = i * 2 * MIB | 0xE7; // and dirty, large
    memcpy(arena + RETURN_STUB, "\x48\x0F\x07", 3);

    secrets::begin();
    Loaded program = load(program_path.c_str(), PROGRAM);
    kuaimi_program_base = program.base;
    Bit64u entry = program.entry, interpreter_base = 0;
    if (!program.interpreter.empty()) {
        Loaded interpreter = load(program.interpreter.c_str(), MAPPINGS);
        entry = interpreter.entry;
        interpreter_base = interpreter.base;
    }
    threads[0].id = getpid();
    start(entry, build_stack(program, interpreter_base, arguments));
}

void kuaimi_system_call()
{
    bx_gen_reg_t *reg = BX_CPU(0)->gen_reg;
    const Bit64u argument[6] = {
        reg[BX_64BIT_REG_RDI].rrx, reg[BX_64BIT_REG_RSI].rrx, reg[BX_64BIT_REG_RDX].rrx,
        reg[BX_64BIT_REG_R10].rrx, reg[BX_64BIT_REG_R8].rrx, reg[BX_64BIT_REG_R9].rrx,
    };
    Bit64u number = reg[BX_64BIT_REG_RAX].rrx;
    secrets::before_call(number, argument);
    reg[BX_64BIT_REG_RAX].rrx = call(number, argument);
    secrets::after_call(number, argument, reg[BX_64BIT_REG_RAX].rrx);
}

void kuaimi_exception(unsigned vector, unsigned error_code)
{
    static const char *const names[] = {
        "division error", "debug", "NMI", "breakpoint", "overflow", "bound", "illegal instruction", "no device",
        "double fault", "?", "invalid TSS", "segment not present", "stack fault", "protection fault", "page fault", "?",
        "x87 error", "misaligned access", "machine check", "SIMD error",
    };
    fprintf(stderr, "error: emulated program: %s at %#lx (address %#lx, code %#x)\n", vector < 20 ? names[vector] : "?",
        (unsigned long)BX_CPU(0)->prev_rip, (unsigned long)BX_CPU(0)->cr2, error_code);
    _exit(128 + (vector == BX_UD_EXCEPTION ? 4 : vector == BX_DE_EXCEPTION || vector == BX_XM_EXCEPTION ? 8 : vector == BX_BP_EXCEPTION ? 5 : 11));
}
