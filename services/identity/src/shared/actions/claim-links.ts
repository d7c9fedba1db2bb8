import { hash } from 'node:crypto';
import type { Sealer } from '@hearth/sealing';

/** The link by which a person claims an AI: the same one each time it is shown, and stored as a hash alone. */
export interface ClaimLinks {
  /** @param version rises when the AI gets a new link, which ends the old one */
  linkOf(ai: string, version: number): string;
  /** SHA-256 of the link's token, by which whoever opens the link finds the AI. */
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
