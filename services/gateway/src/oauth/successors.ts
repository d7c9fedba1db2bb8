import type { Sealer } from '@hearth/sealing';
import { Provider } from 'oidc-provider';

type Keys = Pick<Sealer, 'derive'>;

/** The refresh token that replaces a used one. */
export function successorOf(sealer: Keys, used: string): string {
  return derived(sealer, [used, 'RefreshToken']);
}

/**
 * Derives the new tokens of a refresh from the used one: if the answer was lost, or two processes refresh at once,
 * any gateway returns the same tokens. Identity decides whether a used token may be used again.
 */
export function deriveSuccessors(provider: Provider, sealer: Keys): void {
  for (const { prototype } of [provider.RefreshToken, provider.AccessToken]) {
    const { generateTokenId } = prototype;
    prototype.generateTokenId = function derive() {
      // Always called, because it also sets the token's format.
      const byChance = generateTokenId.call(this);
      const used = Provider.ctx?.oidc?.entities['RotatedRefreshToken']?.jti;
      if (used === undefined) return byChance;
      const { kind, scope, aud } = this;
      // A refresh for fewer scopes or another resource gets another token.
      return kind === 'RefreshToken' ? successorOf(sealer, used) : derived(sealer, [used, kind, scope, aud]);
    };
  }
}

const derived = (sealer: Keys, parts: unknown[]) =>
  sealer.derive('oauth.successor', JSON.stringify(parts)).toString('base64url');
