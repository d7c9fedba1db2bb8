export { decodeBase64url, encodeBase64url } from './base64url.ts';
export { canonicalize, type CanonicalizeOptions } from './canonicalize.ts';
export { digest } from './digest.ts';
export { signBytes, verifyBytes } from './ed25519.ts';
export {
  exportPrivateJwk,
  exportPublicJwk,
  generateKeyPair,
  importPrivateJwk,
  importPublicKey,
  isKid,
  keyPairFromSeed,
  readPublicJwk,
  thumbprint,
  type KeyPair,
  type PrivateJwk,
  type PublicJwk,
  type PublicKey,
} from './keys.ts';
export { keyProblemAt, parseInstant, type KeyStatus, type ListedKey } from './key-validity.ts';
export { publicKeyProblem } from './point-check.ts';
export { isJsonObject, maxSignedDepth, type JsonObject, type JsonValue } from './profile.ts';
export {
  maxSignatures,
  memberFor,
  recordTypes,
  type DetachedSignature,
  type RecordType,
  type SignatureMember,
} from './record-types.ts';
export {
  attachCoSignature,
  attachSignature,
  signingInput,
  signRecord,
  type Signed,
  type SignedByAll,
  type SigningInput,
  type SigningOptions,
  type SignOptions,
} from './sign-record.ts';
export { parseStrictJson, type StrictJsonLimits } from './strict-json.ts';
export {
  claimedKids,
  verifyCoSignatures,
  verifyRecord,
  type Verification,
  type VerifyOptions,
} from './verify-record.ts';
