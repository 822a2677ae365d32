// SM2 from C++17: handles in unique_ptr, errors as exceptions, buffers as vectors.
#include <kuaimi.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace {

void check(kuaimi_error error)
{
    if (error != KUAIMI_OK)
        throw std::runtime_error(kuaimi_error_message(error));
}

template <auto Free> struct Deleter {
    template <typename T> void operator()(T *handle) const { Free(handle); }
};

template <typename T, auto Free> using Handle = std::unique_ptr<T, Deleter<Free>>;

using PrivateKey = Handle<kuaimi_sm2_private_key, kuaimi_sm2_private_key_free>;
using PublicKey = Handle<kuaimi_sm2_public_key, kuaimi_sm2_public_key_free>;
using SigningKey = Handle<kuaimi_sm2_signing_key, kuaimi_sm2_signing_key_free>;
using VerifyingKey = Handle<kuaimi_sm2_verifying_key, kuaimi_sm2_verifying_key_free>;

// Calls a function that makes a handle.
template <typename H, typename Function, typename... Arguments> H make(Function function, Arguments... arguments)
{
    typename H::pointer handle = nullptr;
    check(function(arguments..., &handle));
    return H(handle);
}

// Calls a function that writes bytes: asks for the size first.
template <typename Function> std::vector<std::uint8_t> bytes(Function write)
{
    std::size_t size = 0;
    check(write(nullptr, &size));
    std::vector<std::uint8_t> out(size);
    check(write(out.data(), &size));
    out.resize(size);
    return out;
}

const std::uint8_t *data(std::string_view text) { return reinterpret_cast<const std::uint8_t *>(text.data()); }

} // namespace

int main()
try {
    constexpr std::string_view id = "alice@example.com", message = "a message";
    auto key = make<PrivateKey>(kuaimi_sm2_private_key_generate);
    auto public_key = make<PublicKey>(kuaimi_sm2_private_key_public_key, key.get());
    auto signer = make<SigningKey>(kuaimi_sm2_signing_key_new, key.get(), data(id), id.size());
    auto verifier = make<VerifyingKey>(kuaimi_sm2_verifying_key_new, public_key.get(), data(id), id.size());

    auto signature = bytes([&](std::uint8_t *out, std::size_t *size) {
        return kuaimi_sm2_sign(signer.get(), data(message), message.size(), KUAIMI_SIGNATURE_DER, out, size);
    });
    check(kuaimi_sm2_verify(verifier.get(), data(message), message.size(), signature.data(), signature.size(),
                            KUAIMI_SIGNATURE_DER));
    std::puts("the signature is valid");
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
