// Certificates, requests, lists of revoked certificates, and chains (GM/T 0015, RFC 5280).

export { Certificate, CertificateRequest } from './certificate.js';
export { CertificateRefusedError, ChainVerifier, verifyChain } from './chain.js';
export { CertificateRevocationList } from './crl.js';
export {
  UnsignedDocument,
  createCertificate,
  createCrl,
  createRequest,
  createSelfSigned,
  prepareCertificate,
  prepareCrl,
  prepareRequest,
  prepareSelfSigned,
} from './make.js';
