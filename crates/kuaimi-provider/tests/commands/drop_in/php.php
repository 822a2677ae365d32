<?php
// PHP's functions for keys, requests, signatures and encryption. Prints what is the same in every run, and every error that a function which
// succeeds leaves in the queue, as the next function that fails would show it.
function say(string $what, $result): void
{
    echo $what, ': ', json_encode($result), "\n";
    while ($error = openssl_error_string()) {
        // OpenSSL's own code leaves some, too.
        if ($result !== false && strpos($error, 'kuaimi')) {
            echo "  left in the queue: $error\n";
        }
    }
}

$kinds = [
    'RSA' => ['private_key_type' => OPENSSL_KEYTYPE_RSA, 'private_key_bits' => 2048],
    'P-256' => ['private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => 'prime256v1'],
    'SM2' => ['private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => 'SM2'],
];
foreach ($kinds as $name => $options) {
    echo "== $name\n";
    $new = openssl_pkey_new($options);
    say('new', $new !== false);
    say('export', openssl_pkey_export($new, $pem));
    $key = openssl_pkey_get_private($pem);
    say('private', $key !== false);
    $details = openssl_pkey_get_details($key);
    say('details', array_keys($details));
    $public = openssl_pkey_get_public($details['key']);
    say('public', $public !== false);
    say('details of the public key', array_keys(openssl_pkey_get_details($public)));
    foreach (['sha256', 'sm3'] as $digest) {
        $signed = @openssl_sign('message', $signature, $key, $digest);
        say("sign with $digest", $signed);
        if ($signed) {
            say('verify', openssl_verify('message', $signature, $public, $digest));
            say('another message', openssl_verify('other', $signature, $public, $digest));
        }
    }
    $digest = ['digest_alg' => $name === 'SM2' ? 'sm3' : 'sha256'];
    $request = openssl_csr_new(['commonName' => 'root'], $key, $digest);
    say('request', $request !== false);
    say('subject', openssl_csr_get_subject($request));
    $certificate = openssl_csr_sign($request, null, $key, 30, $digest);
    say('certificate', $certificate !== false);
    say('its signature', openssl_x509_verify($certificate, $public));
    say('its extensions', array_keys(openssl_x509_parse($certificate)['extensions']));
    say('export', openssl_pkcs12_export($certificate, $store, $key, 'word'));
    say('read', openssl_pkcs12_read($store, $contents, 'word'));
    $encrypted = @openssl_public_encrypt('secret', $ciphertext, $public);
    say('encrypt', $encrypted);
    if ($encrypted) {
        say('decrypt', [openssl_private_decrypt($ciphertext, $plain, $key), $plain]);
    }
}
echo "== others\n";
foreach (['sha256', 'sm3'] as $digest) {
    say($digest, openssl_digest('abc', $digest));
}
foreach (['aes-128-gcm', 'aes-128-cbc', 'sm4-cbc', 'sm4-ctr', 'sm4-ecb'] as $cipher) {
    $tag = '';
    $iv = substr('0123456789abcdef', 0, openssl_cipher_iv_length($cipher));
    $ciphertext = strpos($cipher, 'gcm')
        ? openssl_encrypt('message', $cipher, '0123456789abcdef', 0, $iv, $tag)
        : openssl_encrypt('message', $cipher, '0123456789abcdef', 0, $iv);
    say($cipher, $ciphertext . $tag === '' ? false : $ciphertext);
}
