import type { Clock } from '@hearth/clock';
import { heldKeys, isHeld, type ListedKey } from '@hearth/signing';
import type { HomeRow } from '../db/homes.ts';
import type { Policy } from '../domain/policy.ts';
import type { KnownHomes, Looked } from './known-homes.ts';

/** The keys of a home for verifying its records, as far as they are available. */
export interface RecordKeys {
  keys: readonly ListedKey[];
  /** Why a key missing from `keys` may still belong to that home. */
  unknown?: string | undefined;
  /** When the document that lists them expired; given only if it did. */
  lapsed?: string | undefined;
}

export interface Deps {
  clock: Clock;
  known: Pick<KnownHomes, 'find' | 'look'>;
  isOther(home: string): boolean;
  policyOf(home: string): Promise<Policy>;
}

/** Creates the lookup of other homes' keys for records. */
export function createRecordKeys({ clock, known, isOther, policyOf }: Deps) {
  function keysOf(row: HomeRow | null, unknown?: string): RecordKeys {
    const kept = row?.kept ?? null;
    if (kept === null) return { keys: [], unknown };
    const { valid_until: until } = kept.document;
    return { keys: heldKeys(kept), unknown, lapsed: isHeld(kept, clock.now()) ? undefined : until };
  }

  return async (home: string, kid: string, network: string): Promise<RecordKeys> => {
    if (!isOther(home)) return { keys: [] };
    const held = await known.find(home);
    if ((await policyOf(home)) === 'blocked') return keysOf(held, `this home does not talk with ${home}`);
    const row = await known.look(home, 'use', network);
    if (isRefused(row))
      return keysOf(held, 'too many homes that are new here are asked for; try again in a minute');
    if (row?.kept == null || lists(row, kid)) return keysOf(row, missing(home, row));
    const newer = await known.look(home, 'unknown_key', network);
    const latest = isRefused(newer) ? row : newer;
    return keysOf(latest, missing(home, latest));
  };
}

const isRefused = (row: Looked) => typeof row === 'string';

const lists = ({ kept }: HomeRow, kid: string) =>
  kept !== null && heldKeys(kept).some((key) => key.kid === kid);

/** Returns why keys of that home may be missing; undefined if its document is current. */
function missing(home: string, row: HomeRow | null): string | undefined {
  if (row?.kept?.waiting?.cause === 'another_home')
    return `other keys came under the name ${home}, and none of its known keys signed them`;
  if (row?.kept != null && row.failure === null) return undefined;
  return `the keys of ${home} cannot be had now: ${row?.failure ?? 'it was not reached'}`;
}
