import type { Sealer } from '@hearth/sealing';
import { Provider } from 'oidc-provider';

type Keys = Pick<Sealer, 'derive'>;

/** The refresh token that takes the place of a used one. */
export function successorOf(sealer: Keys, used: string): string {
  return derived(sealer, [used, 'RefreshToken']);
}

/**
 * A refresh gives tokens derived from the one that was used: asked again because an answer was lost, or by two processes
 * at once, any gateway gives the same. Identity decides whether it may be asked again.
 */
export function deriveSuccessors(provider: Provider, sealer: Keys): void {
  for (const { prototype } of [provider.RefreshToken, provider.AccessToken]) {
    const { generateTokenId } = prototype;
    prototype.generateTokenId = function derive() {
      // Called in any case: it settles the token's format too.
      const byChance = generateTokenId.call(this);
      const used = Provider.ctx?.oidc?.entities['RotatedRefreshToken']?.jti;
      if (used === undefined) return byChance;
      const { kind, scope, aud } = this;
      // A refresh that asks for less, or for another resource, gets another token.
      return kind === 'RefreshToken' ? successorOf(sealer, used) : derived(sealer, [used, kind, scope, aud]);
    };
  }
}

const derived = (sealer: Keys, parts: unknown[]) =>
  sealer.derive('oauth.successor', JSON.stringify(parts)).toString('base64url');
