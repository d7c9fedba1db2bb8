export { decodeBase64url, encodeBase64url } from './base64url.ts';
export { canonicalize } from './canonicalize.ts';
export { digest } from './digest.ts';
export { signBytes, verifyBytes } from './ed25519.ts';
export { type Fault, faults } from './faults.ts';
export { type HomeDocument, mostDocumentKeys, type ReadDocument, readHomeDocument } from './home-document.ts';
export { instantOf, parseInstant } from './instant.ts';
export {
  acceptWaiting,
  anewAfterMs,
  heldKeys,
  type KeptDocument,
  type Received,
  type Reception,
  receiveDocument,
} from './kept-document.ts';
export type { KeyStatus, ListedKey } from './key-validity.ts';
export {
  exportPrivateJwk,
  exportPublicJwk,
  generateKeyPair,
  importPrivateJwk,
  importPublicKey,
  isKid,
  type KeyPair,
  keyPairFromSeed,
  type PublicJwk,
  type PublicKey,
  readPublicJwk,
  thumbprint,
} from './keys.ts';
export { publicKeyProblem } from './point-check.ts';
export { isJsonObject, type JsonObject, type JsonValue, maxSignedDepth } from './profile.ts';
export { readClaimedKid } from './read-signature.ts';
export {
  type DetachedSignature,
  maxRecordBytes,
  maxRecordValues,
  maxSignatures,
  maxUnsignedBytes,
  memberFor,
  type RecordType,
  recordTypes,
  type SignatureMember,
} from './record-types.ts';
export {
  attachSignature,
  type Signed,
  type SigningOptions,
  signingInput,
  signRecord,
} from './sign-record.ts';
export { parseStrictJson, readStrictObject, type StrictJsonLimits } from './strict-json.ts';
export { isHeld, keyFrom, type UsableKey } from './usable-key.ts';
export {
  claimedKids,
  goodCoSignatures,
  type Verification,
  verifyRecord,
} from './verify-record.ts';
