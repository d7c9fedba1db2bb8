import { hash } from 'node:crypto';
import type { Sealer } from '@hearth/sealing';

/** The link for claiming an AI. It is derived, so it can be shown again, and only its hash is stored. */
export interface ClaimLinks {
  /** @param version raised with each new link, which ends the old one */
  linkOf(ai: string, version: number): string;
  /** SHA-256 of the link's token, which finds the AI when the link is opened. */
  hashOf(ai: string, version: number): Buffer;
}

export function createClaimLinks(sealer: Pick<Sealer, 'derive'>, siteUrl: string): ClaimLinks {
  const tokenOf = (ai: string, version: number) =>
    sealer.derive('claim', `${ai}:${version}`).toString('base64url');
  return {
    linkOf: (ai, version) => `${siteUrl}/claim/${tokenOf(ai, version)}`,
    hashOf: (ai, version) => hash('sha256', tokenOf(ai, version), 'buffer'),
  };
}
