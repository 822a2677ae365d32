/* Children of a process whose other threads verify and encrypt, and read keys: each child does the same with the same keys, changes one, and
 * ends. One that waits for a thread that it does not have is ended by an alarm. The argument is the number of children.
 *
 * No object of libcrypto's is made and freed meanwhile that takes one of its own locks, which have this fault: EVP_PKEY. */
#define _POSIX_C_SOURCE 200809L
#include "sm2.h"
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 6
#define KEYS 40
#define SECONDS 60

static OSSL_LIB_CTX *library;
static EVP_PKEY *keys[KEYS];
static unsigned char signatures[KEYS][72];
static size_t lengths[KEYS];
static const unsigned char message[] = "message";
static volatile int ended, turn;

static void sign(int which)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    lengths[which] = sizeof signatures[which];
    CHECK(EVP_DigestSignInit_ex(context, NULL, "SM3", library, OURS, keys[which], NULL) == 1);
    CHECK(EVP_DigestSign(context, signatures[which], &lengths[which], message, sizeof message) == 1);
    EVP_MD_CTX_free(context);
}

static void verify(EVP_PKEY *key, int which)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    CHECK(EVP_DigestVerifyInit_ex(context, NULL, "SM3", library, OURS, key, NULL) == 1);
    CHECK(EVP_DigestVerify(context, signatures[which], lengths[which], message, sizeof message) == 1);
    EVP_MD_CTX_free(context);
}

static void encrypt(int which)
{
    unsigned char ciphertext[256];
    size_t written = sizeof ciphertext;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, keys[which], OURS);
    CHECK(EVP_PKEY_encrypt_init(context) == 1);
    CHECK(EVP_PKEY_encrypt(context, ciphertext, &written, message, sizeof message) == 1);
    EVP_PKEY_CTX_free(context);
}

/* Reads the key that the next child changes, again and again. */
static void *ask(void *nothing)
{
    char name[20];
    while (!ended)
        CHECK(EVP_PKEY_get_utf8_string_param(keys[turn], "group", name, sizeof name, NULL) == 1);
    return nothing;
}

static void *work(void *seed)
{
    unsigned int state = *(unsigned int *)seed;
    while (!ended) {
        int which = (int)((state = state * 1103515245u + 12345u) >> 16) % KEYS;
        if (state >> 31)
            verify(keys[which], which);
        else
            encrypt(which);
    }
    return NULL;
}

static void child(void)
{
    EVP_PKEY *key = keys[turn];
    /* Nobody else is there: the alarm ends what waits for ever. */
    signal(SIGALRM, SIG_DFL);
    alarm(SECONDS);
    for (int i = 0; i < 4; i++) {
        int which = (turn + 7 * i) % KEYS;
        verify(keys[which], which);
        encrypt(which);
        sign(which);
        verify(keys[which], which);
    }
    /* The only thread of the child may change a key that others have read. */
    CHECK(EVP_PKEY_set_utf8_string_param(key, "point-format", "compressed") == 1);
    verify(key, turn);
    _exit(0);
}

int main(int count, char **arguments)
{
    int children = count > 1 ? atoi(arguments[1]) : 600;
    pthread_t threads[THREADS];
    unsigned int seeds[THREADS];
    library = with_both();
    for (int i = 0; i < KEYS; i++) {
        keys[i] = generate(library, 0);
        sign(i);
        /* Once each before: libcrypto looks up its algorithms under locks of its own the first time. */
        encrypt(i);
    }
    for (int i = 0; i < THREADS; i++) {
        seeds[i] = (unsigned int)i + 1;
        CHECK(pthread_create(&threads[i], NULL, i < 2 ? ask : work, &seeds[i]) == 0);
    }
    int hung = 0, failed = 0;
    for (int i = 0; i < children && hung == 0; i++) {
        int status;
        turn = i % KEYS;
        pid_t process = fork();
        CHECK(process >= 0);
        if (process == 0)
            child();
        CHECK(waitpid(process, &status, 0) == process);
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
            hung = i + 1;
        else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            failed++;
    }
    ended = 1;
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < KEYS; i++)
        EVP_PKEY_free(keys[i]);
    free_both(library);
    if (hung != 0 || failed != 0) {
        fprintf(stderr, "child %d never ended, %d failed\n", hung, failed);
        return 1;
    }
    return 0;
}
