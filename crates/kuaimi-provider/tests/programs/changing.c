/* The caller's memory changes during a call, as memory does that processes share: what is computed is right for one of its contents, or
 * refused. The argument is the number of rounds. */
#define _GNU_SOURCE
#include "sm2.h"
#include <pthread.h>

#define MAX_LENGTH 256

/* The memory that changes, and its contents in turn. */
static volatile unsigned char *place;
static unsigned char contents[2][MAX_LENGTH];
static size_t length;

/* Writes what differs. */
static void write_contents(int side)
{
    for (size_t i = 0; i < length; i++)
        if (contents[0][i] != contents[1][i])
            place[i] = contents[side][i];
}

/* Whether the memory changes after the first instruction that reads its first byte, and how often it did. Else a thread changes it all the time. */
static int after_first_read;
static volatile long steps;

#if defined(__x86_64__) && defined(__linux__)
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#define PAGE 4096
#define SINGLE_STEP 0x100

static volatile int reads_start;

/* A read of the page: it is allowed, and the processor stops after one instruction. */
static void on_read(int number, siginfo_t *info, void *context)
{
    (void)number;
    reads_start = info->si_addr == (void *)place;
    mprotect((void *)place, PAGE, PROT_READ | PROT_WRITE);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= SINGLE_STEP;
}

static void on_step(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    if (reads_start) {
        write_contents(1);
        steps++;
    } else {
        mprotect((void *)place, PAGE, PROT_NONE);
    }
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~SINGLE_STEP;
}

static void make_place(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = on_read;
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    action.sa_sigaction = on_step;
    CHECK(sigaction(SIGTRAP, &action, NULL) == 0);
    place = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(place != MAP_FAILED);
}

static void set_access(int access)
{
    CHECK(mprotect((void *)place, PAGE, access) == 0);
}
#define CAN_STEP 1
#define ALL (PROT_READ | PROT_WRITE)
#define NONE PROT_NONE
#else
static unsigned char memory[MAX_LENGTH];

static void make_place(void)
{
    place = memory;
}

static void set_access(int access)
{
    (void)access;
}
#define CAN_STEP 0
#define ALL 0
#define NONE 0
#endif

static volatile int stopped;
static pthread_t writer;

static void *write_in_turn(void *unused)
{
    (void)unused;
    while (!stopped) {
        write_contents(0);
        write_contents(1);
    }
    return NULL;
}

static void start(const unsigned char *one, const unsigned char *other, size_t size)
{
    memcpy(contents[0], one, size);
    memcpy(contents[1], other, size);
    memcpy((unsigned char *)place, one, size);
    length = size;
    stopped = 0;
    steps = 0;
    if (!after_first_read)
        CHECK(pthread_create(&writer, NULL, write_in_turn, NULL) == 0);
}

static void stop(void)
{
    stopped = 1;
    set_access(ALL);
    if (after_first_read)
        CHECK(steps > 0);
    else
        CHECK(pthread_join(writer, NULL) == 0);
}

/* The memory, for one call. */
static const unsigned char *changing(void)
{
    if (after_first_read) {
        set_access(ALL);
        write_contents(0);
        set_access(NONE);
    }
    return (const unsigned char *)place;
}

/* That a call failed for a reason that has to do with its input: 1 is an internal error, such as a panic. */
static void check_reason(void)
{
    if (left_error())
        CHECK_RESULT(ERR_GET_REASON(ERR_peek_error()) != 1);
    ERR_clear_error();
}

static EVP_PKEY_CTX *context_of(OSSL_LIB_CTX *library, EVP_PKEY *key)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, OURS);
    CHECK(context != NULL);
    return context;
}

/* Signatures of a digest one of whose bytes changes are signatures of one of the two digests: of the first that is read. */
static void digests(OSSL_LIB_CTX *library, EVP_PKEY *key, long rounds)
{
    unsigned char digest[2][32], signature[72];
    EVP_PKEY_CTX *signer = context_of(library, key), *verifier = context_of(library, key);
    random_bytes(digest[0], 32);
    memcpy(digest[1], digest[0], 32);
    digest[1][0] ^= 1;
    CHECK(EVP_PKEY_sign_init(signer) == 1 && EVP_PKEY_verify_init(verifier) == 1);
    start(digest[0], digest[1], 32);
    for (long i = 0; i < rounds; i++) {
        size_t size = sizeof signature;
        CHECK(EVP_PKEY_sign(signer, signature, &size, changing(), 32) == 1);
        int first = EVP_PKEY_verify(verifier, signature, size, digest[0], 32) == 1;
        int second = EVP_PKEY_verify(verifier, signature, size, digest[1], 32) == 1;
        CHECK_RESULT(after_first_read ? first : first != second);
        /* And it verifies or not, while the digest changes. */
        if (EVP_PKEY_verify(verifier, signature, size, changing(), 32) != 1)
            check_reason();
    }
    stop();
    EVP_PKEY_CTX_free(signer);
    EVP_PKEY_CTX_free(verifier);
}

/* A signature that changes, with its length, from one that is valid to another is valid or refused, and nothing goes wrong. */
static void signatures(OSSL_LIB_CTX *library, EVP_PKEY *key, long rounds)
{
    unsigned char digest[32] = {7}, signature[2][72];
    size_t size[2] = {0, 0};
    EVP_PKEY_CTX *context = context_of(library, key);
    memset(signature, 0, sizeof signature);
    CHECK(EVP_PKEY_sign_init(context) == 1);
    while (size[0] == size[1])
        for (int side = 0; side < 2; side++) {
            size[side] = sizeof signature[side];
            CHECK(EVP_PKEY_sign(context, signature[side], &size[side], digest, 32) == 1);
        }
    CHECK(EVP_PKEY_verify_init(context) == 1);
    start(signature[0], signature[1], sizeof signature[0]);
    for (long i = 0; i < rounds; i++)
        if (EVP_PKEY_verify(context, changing(), size[i % 2], digest, 32) != 1)
            check_reason();
    stop();
    EVP_PKEY_CTX_free(context);
}

/* A ciphertext that changes from one to another is decrypted to the message of one of them, or refused. */
static void ciphertexts(OSSL_LIB_CTX *library, EVP_PKEY *key, long rounds)
{
    static const unsigned char messages[2][16] = {"the one message", "another message"};
    unsigned char ciphertext[2][MAX_LENGTH], message[MAX_LENGTH];
    size_t size[2] = {0, 1};
    EVP_PKEY_CTX *context = context_of(library, key);
    CHECK(EVP_PKEY_encrypt_init(context) == 1);
    while (size[0] != size[1])
        for (int side = 0; side < 2; side++) {
            size[side] = MAX_LENGTH;
            CHECK(EVP_PKEY_encrypt(context, ciphertext[side], &size[side], messages[side], 16) == 1);
        }
    CHECK(EVP_PKEY_decrypt_init(context) == 1);
    start(ciphertext[0], ciphertext[1], size[0]);
    for (long i = 0; i < rounds; i++) {
        size_t written = sizeof message;
        if (EVP_PKEY_decrypt(context, message, &written, changing(), size[0]) != 1)
            check_reason();
        else
            CHECK(written == 16 && (memcmp(message, messages[0], 16) == 0
                                    || memcmp(message, messages[1], 16) == 0));
    }
    stop();
    EVP_PKEY_CTX_free(context);
}

static void encrypt(EVP_CIPHER_CTX *context, EVP_CIPHER *cipher, const unsigned char *iv,
                    unsigned char out[32])
{
    static const unsigned char key[32] = "one half, and the other half ...", message[16] = "sixteen letters";
    int written;
    CHECK(EVP_EncryptInit_ex2(context, cipher, key, iv, NULL));
    CHECK(EVP_EncryptUpdate(context, out, &written, message, 16));
}

/* What a program is told of the IV of a message is what the message was encrypted with. */
static void ivs(OSSL_LIB_CTX *library, const char *name, long rounds)
{
    unsigned char iv[2][16], shown[16], expected[2][32] = {{0}}, out[32] = {0};
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, name, OURS);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    CHECK(cipher != NULL && context != NULL);
    random_bytes(iv[0], 16);
    memcpy(iv[1], iv[0], 16);
    iv[1][0] ^= 1;
    for (int side = 0; side < 2; side++)
        encrypt(context, cipher, iv[side], expected[side]);
    size_t iv_length = (size_t)EVP_CIPHER_CTX_get_iv_length(context);
    start(iv[0], iv[1], 16);
    for (long i = 0; i < rounds; i++) {
        encrypt(context, cipher, changing(), out);
        CHECK(EVP_CIPHER_CTX_get_original_iv(context, shown, iv_length));
        int side = !after_first_read && memcmp(shown, iv[0], iv_length) != 0;
        CHECK(memcmp(shown, iv[side], iv_length) == 0 && memcmp(out, expected[side], 16) == 0);
    }
    stop();
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(cipher);
}

int main(int count, char **arguments)
{
    static const char *const modes[] = {"SM4-CBC", "SM4-CTR", "SM4-CFB", "SM4-OFB",
                                        "SM4-GCM", "SM4-CCM", "SM4-XTS"};
    long rounds = count > 1 ? atol(arguments[1]) : 2000;
    OSSL_LIB_CTX *library = with_both();
    EVP_PKEY *key = generate(library, 0);
    make_place();
    for (after_first_read = 0; after_first_read <= CAN_STEP; after_first_read++) {
        long times = after_first_read ? 20 : rounds;
        digests(library, key, times);
        signatures(library, key, times);
        ciphertexts(library, key, times);
        for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
            ivs(library, modes[i], times);
    }
    EVP_PKEY_free(key);
    free_both(library);
    return 0;
}
