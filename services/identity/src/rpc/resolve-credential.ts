import type { Clock } from '@hearth/clock';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { CredentialRow } from '../db/keys.ts';
import { toCaller } from './to-proto.ts';

/** The caller behind a credential. */
export function resolveCredential({
  clock,
  lookups,
}: Context): UnaryHandler<typeof IdentityService.method.resolveCredential> {
  return async ({ hash }) => {
    const credential = await lookups.credential(hash);
    if (credential === null) return {};
    if (!works(credential, clock)) return { refusal: 'key_revoked' };
    return { caller: toCaller(credential), endsAt: BigInt(credential.endsAt?.getTime() ?? 0) };
  };
}

function works({ endsAt, revokedAt }: CredentialRow, clock: Clock): boolean {
  return revokedAt === null && (endsAt === null || endsAt.getTime() > clock.now());
}
