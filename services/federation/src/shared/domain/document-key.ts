import type { KeyStatus } from '@hearth/signing';

export interface DocumentKey {
  kid: string;
  x: string;
  uses: readonly string[];
  status: KeyStatus;
  notBefore: Date;
  notAfter: Date | null;
  revokedAt: Date | null;
}

/** Returns a key in the form of the home document. */
export function documentKey(key: DocumentKey) {
  return {
    kid: key.kid,
    kty: 'OKP' as const,
    crv: 'Ed25519' as const,
    x: key.x,
    uses: [...key.uses],
    status: key.status,
    not_before: key.notBefore.toISOString(),
    ...(key.notAfter !== null && { not_after: key.notAfter.toISOString() }),
    ...(key.revokedAt !== null && { revoked_at: key.revokedAt.toISOString() }),
  };
}
