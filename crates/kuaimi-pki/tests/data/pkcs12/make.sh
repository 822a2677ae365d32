#!/usr/bin/env bash
# Makes the files of this folder which OpenSSL 3.0 and keytool (OpenJDK 17) write. The others are in README.md.
set -euo pipefail
cd "$(dirname "$0")"
id=(-sigopt distid:1234567812345678)
genkey() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:SM2 -out "$1.key"; }
issue() { # NAME SUBJECT USAGE CA
    genkey "$1"
    openssl req -new -key "$1.key" -sm3 "${id[@]}" -subj "$2" -out "$1.csr"
    openssl x509 -req -in "$1.csr" -vfyopt distid:1234567812345678 -sm3 "${id[@]}" -days 7300 -CA "$4.pem" -CAkey "$4.key" -CAcreateserial \
        -extfile <(printf 'keyUsage=critical,%s\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n%s' "$3" "${5:-}") -out "$1.pem"
    rm -f "$1.csr"
}
genkey root
openssl req -x509 -new -key root.key -sm3 "${id[@]}" -days 7300 -subj "/CN=root" -out root.pem
issue middle "/CN=middle" keyCertSign,cRLSign root basicConstraints=critical,CA:true
issue sign "/CN=holder/OU=sign" digitalSignature,nonRepudiation middle
issue encrypt "/CN=holder/OU=encrypt" keyEncipherment,dataEncipherment,keyAgreement middle
openssl req -x509 -newkey rsa:2048 -nodes -keyout rsa.key -days 7300 -subj "/CN=rsa" -out rsa.pem
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout p256.key -days 7300 -subj "/CN=p256" -out p256.pem
cat middle.pem root.pem >chain.pem

export_sign() { openssl pkcs12 -export -inkey sign.key -in sign.pem -certfile chain.pem -name 签名 -out "$@"; }
export_sign openssl-default.p12 -passout pass:密码
export_sign openssl-rc2-40.p12 -passout pass:密码 -legacy
export_sign openssl-rc2-128.p12 -passout pass:密码 -legacy -certpbe PBE-SHA1-RC2-128 -keypbe PBE-SHA1-2DES
export_sign openssl-3des.p12 -passout pass:密码 -legacy -certpbe PBE-SHA1-3DES -keypbe PBE-SHA1-3DES -iter 1
export_sign openssl-pbes2-3des.p12 -passout pass:密码 -certpbe DES-EDE3-CBC -keypbe DES-EDE3-CBC
export_sign openssl-sm4-sm3.p12 -passout pass:密码 -certpbe SM4-CBC -keypbe SM4-CBC -macalg sm3
export_sign openssl-sha512.p12 -passout pass:密码 -certpbe AES-128-CBC -keypbe AES-192-CBC -macalg sha512
export_sign openssl-sha384.p12 -passout pass:密码 -macalg sha384
export_sign openssl-clear.p12 -passout pass:密码 -certpbe NONE -keypbe NONE
export_sign openssl-no-mac.p12 -passout pass:密码 -nomac
export_sign openssl-empty.p12 -passout pass:
export_sign openssl-empty-3des.p12 -passout pass: -legacy
export_sign openssl-beyond-bmp.p12 -passout pass:🔑钥 -legacy
openssl pkcs12 -export -inkey rsa.key -in rsa.pem -name rsa -out openssl-rsa.p12 -passout pass:password
openssl pkcs12 -export -inkey p256.key -in p256.pem -name p256 -out openssl-p256.p12 -passout pass:password

rm -f keytool*.p12
keytool -importkeystore -noprompt -srckeystore openssl-rsa.p12 -srcstoretype PKCS12 -srcstorepass password -destkeystore keytool.p12 -deststoretype PKCS12 -deststorepass password
keytool -genseckey -alias secret -keyalg AES -keysize 128 -keystore keytool.p12 -storetype PKCS12 -storepass password
keytool -importcert -noprompt -alias trusted -file p256.pem -keystore keytool.p12 -storetype PKCS12 -storepass password
keytool -J-Dkeystore.pkcs12.legacy -importkeystore -noprompt -srckeystore openssl-rsa.p12 -srcstoretype PKCS12 -srcstorepass password -destkeystore keytool-legacy.p12 \
    -deststoretype PKCS12 -deststorepass password
