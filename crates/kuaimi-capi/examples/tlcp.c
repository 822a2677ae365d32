/* TLCP over a socket: a client and a server, which are two processes here. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A connection and its socket, which is a blocking one. */
struct channel {
    kuaimi_tlcp_connection *connection;
    int socket;
};

/* Sends what waits for the network. */
static void flush(const struct channel *channel)
{
    uint8_t bytes[4096];
    for (;;) {
        size_t len = sizeof bytes, sent = 0;
        CHECK(kuaimi_tlcp_send(channel->connection, bytes, &len));
        if (len == 0)
            return;
        while (sent < len) {
            ssize_t count = send(channel->socket, bytes + sent, len - sent, MSG_NOSIGNAL);
            if (count <= 0)
                return; /* The peer is gone: receiving will tell why. */
            sent += (size_t)count;
        }
    }
}

/* Waits for bytes from the network once. A connection that fails says why, and tells the peer. */
static void fill(const struct channel *channel)
{
    uint8_t bytes[4096];
    size_t done = 0, taken;
    ssize_t count = recv(channel->socket, bytes, sizeof bytes, 0);
    if (count < 0)
        count = 0;
    do {
        kuaimi_error error =
            kuaimi_tlcp_receive(channel->connection, bytes + done, (size_t)count - done, &taken);
        if (error != KUAIMI_OK) {
            uint8_t why[KUAIMI_TLCP_REASON_MAX_LEN];
            size_t why_len = sizeof why;
            CHECK(kuaimi_tlcp_explain(channel->connection, why, &why_len));
            fprintf(stderr, "%.*s\n", (int)why_len, (const char *)why);
            flush(channel);
            exit(1);
        }
        done += taken;
    } while (done < (size_t)count && taken > 0);
}

/* Sends data of the application, and the handshake before it. */
static void write_all(const struct channel *channel, const void *data, size_t len)
{
    const uint8_t *next = data;
    while (len > 0) {
        size_t taken;
        CHECK(kuaimi_tlcp_write(channel->connection, next, len, &taken));
        next += taken;
        len -= taken;
        flush(channel);
    }
}

/* Waits for data of the application; returns its length, 0 once the peer has closed. */
static size_t read_some(const struct channel *channel, uint8_t *out, size_t capacity)
{
    for (;;) {
        kuaimi_tlcp_state state;
        size_t len = capacity;
        CHECK(kuaimi_tlcp_read(channel->connection, out, &len));
        CHECK(kuaimi_tlcp_get_state(channel->connection, &state));
        if (len > 0 || state.peer_has_closed)
            return len;
        flush(channel);
        fill(channel);
    }
}

static void close_channel(const struct channel *channel)
{
    CHECK(kuaimi_tlcp_close(channel->connection));
    flush(channel);
    kuaimi_tlcp_connection_free(channel->connection);
    close(channel->socket);
}

/* An authority and a pair for bank.example. In your program they come from files. */
struct identity {
    kuaimi_sm2_private_key *root_key, *sign_key, *encrypt_key;
    kuaimi_certificate *root, *sign, *encrypt;
};

static kuaimi_certificate *issue(const struct identity *issuer, const kuaimi_sm2_private_key *key,
                                 const char *subject, kuaimi_issue_purpose purpose)
{
    const uint64_t now = (uint64_t)time(NULL);
    kuaimi_bytes host = {(const uint8_t *)"bank.example", 12};
    kuaimi_certificate_template template = {0};
    kuaimi_sm2_public_key *public_key;
    kuaimi_certificate *certificate;
    template.subject.data = (const uint8_t *)subject;
    template.subject.len = strlen(subject);
    template.names = &host;
    template.name_count = issuer == NULL ? 0 : 1;
    template.not_before = now - 60;
    template.not_after = now + 86400;
    template.purpose = purpose;
    if (issuer == NULL) {
        CHECK(kuaimi_certificate_self_sign(key, &template, &certificate));
        return certificate;
    }
    CHECK(kuaimi_sm2_private_key_public_key(key, &public_key));
    CHECK(kuaimi_certificate_issue(issuer->root_key, issuer->root, public_key, &template, &certificate));
    kuaimi_sm2_public_key_free(public_key);
    return certificate;
}

static struct identity make_identity(void)
{
    struct identity made = {0};
    CHECK(kuaimi_sm2_private_key_generate(&made.root_key));
    CHECK(kuaimi_sm2_private_key_generate(&made.sign_key));
    CHECK(kuaimi_sm2_private_key_generate(&made.encrypt_key));
    made.root = issue(NULL, made.root_key, "CN=Root", KUAIMI_ISSUE_AUTHORITY);
    made.sign = issue(&made, made.sign_key, "CN=bank", KUAIMI_ISSUE_SIGNING);
    made.encrypt = issue(&made, made.encrypt_key, "CN=bank", KUAIMI_ISSUE_ENCRYPTION);
    return made;
}

static void serve(const struct identity *identity, int socket)
{
    struct channel channel = {NULL, socket};
    kuaimi_tlcp_config *config;
    uint8_t data[64];
    size_t len;
    CHECK(kuaimi_tlcp_config_new(&config));
    CHECK(kuaimi_tlcp_config_set_pair(config, identity->sign, identity->sign_key, identity->encrypt,
                                      identity->encrypt_key, NULL, 0));
    CHECK(kuaimi_tlcp_server_new(config, &channel.connection));
    while ((len = read_some(&channel, data, sizeof data)) > 0)
        write_all(&channel, data, len);
    close_channel(&channel);
    kuaimi_tlcp_config_free(config);
}

static void ask(const struct identity *identity, int socket)
{
    static const char question[] = "a payment", host[] = "bank.example";
    struct channel channel = {NULL, socket};
    kuaimi_tlcp_config *config;
    uint8_t answer[64];
    size_t len;
    CHECK(kuaimi_tlcp_config_new(&config));
    CHECK(kuaimi_tlcp_config_add_anchor(config, identity->root));
    CHECK(kuaimi_tlcp_client_new(config, (const uint8_t *)host, sizeof host - 1, &channel.connection));
    write_all(&channel, question, sizeof question);
    len = read_some(&channel, answer, sizeof answer);
    if (len != sizeof question || memcmp(answer, question, len) != 0)
        exit(1);
    puts("the server answered");
    close_channel(&channel);
    kuaimi_tlcp_config_free(config);
}

int main(void)
{
    int sockets[2], status;
    struct identity identity = make_identity();
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return 1;
    /* Connections are made after the fork: none may be in two processes. */
    pid_t server = fork();
    if (server < 0)
        return 1;
    close(sockets[server == 0 ? 0 : 1]);
    if (server == 0)
        serve(&identity, sockets[1]);
    else
        ask(&identity, sockets[0]);
    kuaimi_certificate_free(identity.root);
    kuaimi_certificate_free(identity.sign);
    kuaimi_certificate_free(identity.encrypt);
    kuaimi_sm2_private_key_free(identity.root_key);
    kuaimi_sm2_private_key_free(identity.sign_key);
    kuaimi_sm2_private_key_free(identity.encrypt_key);
    if (server == 0)
        return 0;
    if (waitpid(server, &status, 0) != server || status != 0)
        return 1;
    return 0;
}
