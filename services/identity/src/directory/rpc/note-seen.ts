import { nowDate } from '@hearth/clock';
import type { IdentityService, Sighting } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import { utcDay } from '../../shared/domain/description.ts';
import type { Context } from '../context.ts';
import { type LastSeen, upsertLastSeen } from '../db/last-seen.ts';
import { type CredentialUse, updateLastUsed } from '../db/last-used.ts';

/** Records when AIs were last seen, for their cards, and the last use of credentials. Announces nothing. */
export const noteSeen =
  ({ clock, database }: Context): UnaryHandler<typeof IdentityService.method.noteSeen> =>
  async ({ sightings }) => {
    const seen = latestOfEach(sightings);
    const used = usesOf(sightings, utcDay(nowDate(clock)));
    if (seen.length > 0) await database.statement((tx) => upsertLastSeen(tx, seen));
    if (used.length > 0) await database.statement((tx) => updateLastUsed(tx, used));
    return {};
  };

/** One row an AI: a statement cannot update a row twice. */
function latestOfEach(given: readonly Sighting[]): LastSeen[] {
  const byAi = Map.groupBy(
    given.filter(({ ai, waitedAt, checkedAt }) => ai !== '' && (waitedAt > 0n || checkedAt > 0n)),
    ({ ai }) => ai,
  );
  return [...byAi].map(([ai, sightings]) => ({
    ai,
    waitedAt: latest(sightings.map(({ waitedAt }) => Number(waitedAt))),
    checkedAt: latest(sightings.map(({ checkedAt }) => Number(checkedAt))),
  }));
}

function latest(times: readonly number[]): Date | null {
  const time = Math.max(...times);
  return time === 0 ? null : new Date(time);
}

function usesOf(given: readonly Sighting[], day: string): CredentialUse[] {
  const uses = new Map<string, CredentialUse>();
  for (const { credentialHash, device, network } of given) {
    const hash = Buffer.from(credentialHash);
    if (hash.length > 0) uses.set(hash.toString('base64'), { hash, day, device, network });
  }
  return [...uses.values()];
}
