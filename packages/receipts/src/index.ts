export { base62Of } from './base62.ts';
export { claimUnsigned, type Unsigned } from './claim-unsigned.ts';
export { digestOf, receiptLink } from './receipt.ts';
export { createSigning, type Signing, type SigningParts } from './signing.ts';
