# What the distribution's own configuration gives: extensions, subjects, a CA, time stamps. Prints what is the same in every run.
set -eu
show() { # certificate
    openssl x509 -in "$1" -noout -subject -issuer
    openssl x509 -in "$1" -noout -text | grep -E '^ +X509v3|CA:(TRUE|FALSE)|Public Key Algorithm|Signature Algorithm|Digital'
}
printf 'a document\n' >document
mkdir -p demoCA/newcerts demoCA/private
: >demoCA/index.txt
echo 01 >demoCA/serial
echo 01 >demoCA/tsaserial

for kind in "RSA rsa_keygen_bits:2048 sha256" "EC ec_paramgen_curve:P-256 sha256" "SM2 - sm3"; do
    # shellcheck disable=SC2086  # three words
    set -- $kind
    echo "== $1"
    if [ "$2" = - ]; then
        openssl genpkey -algorithm "$1" -out demoCA/private/cakey.pem 2>/dev/null
    else
        openssl genpkey -algorithm "$1" -pkeyopt "$2" -out demoCA/private/cakey.pem 2>/dev/null
    fi
    openssl req -x509 -"$3" -key demoCA/private/cakey.pem -subj /C=CN/ST=Beijing/O=Test/CN=root -out demoCA/cacert.pem
    show demoCA/cacert.pem
    # The subject's fields and their defaults come from the configuration.
    printf 'CN\nBeijing\n\nTest\n\nserver\n\n\n\n' | openssl req -new -"$3" -key demoCA/private/cakey.pem -out server.req 2>/dev/null
    openssl req -in server.req -noout -subject -verify 2>&1 | grep -v WARNING
    : >demoCA/index.txt
    openssl ca -batch -md "$3" -in server.req -notext -out server.pem 2>/dev/null
    show server.pem
    openssl verify -CAfile demoCA/cacert.pem server.pem
    openssl pkcs12 -export -inkey demoCA/private/cakey.pem -in server.pem -passout pass:word -out server.p12
    openssl pkcs12 -in server.p12 -passin pass:word -nodes 2>/dev/null | grep BEGIN
done

echo "== documents"
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out demoCA/private/tsakey.pem 2>/dev/null
cp demoCA/private/tsakey.pem key.pem
openssl req -x509 -key key.pem -subj /CN=stamps -addext extendedKeyUsage=critical,timeStamping -addext basicConstraints=CA:false -out demoCA/tsacert.pem
cp demoCA/tsacert.pem demoCA/cacert.pem
openssl cms -sign -in document -signer demoCA/tsacert.pem -inkey key.pem -out signed
openssl cms -verify -in signed -CAfile demoCA/tsacert.pem -purpose any 2>&1
openssl cms -encrypt -aes256 -in document -out hidden demoCA/tsacert.pem
openssl cms -decrypt -in hidden -inkey key.pem
# The policy is a name that the configuration defines.
openssl ts -query -data document -sha256 -tspolicy tsa_policy1 -cert -out query 2>/dev/null
openssl ts -reply -queryfile query -out reply 2>/dev/null
openssl ts -reply -in reply -text 2>/dev/null | grep -E 'Status:|Policy OID|Hash Algorithm'
