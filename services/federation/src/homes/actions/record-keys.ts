import type { Clock } from '@hearth/clock';
import { heldKeys, isHeld, type ListedKey } from '@hearth/signing';
import type { HomeRow } from '../db/homes.ts';
import type { Policy } from '../domain/policy.ts';
import type { KnownHomes, Looked } from './known-homes.ts';

/** The keys of a home for records, as far as they can be had. */
export interface RecordKeys {
  keys: readonly ListedKey[];
  /** Why a key that is not among them may still be one of that home's. */
  unknown?: string | undefined;
  /** Until when the document counted that lists them; given when it has passed. */
  lapsed?: string | undefined;
}

export interface Deps {
  clock: Clock;
  known: Pick<KnownHomes, 'find' | 'look'>;
  isOther(home: string): boolean;
  policyOf(home: string): Promise<Policy>;
}

/** Finds the keys of other homes by which records of theirs are verified. */
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

/** Why keys of that home may be missing; undefined when its document is known as it is now. */
function missing(home: string, row: HomeRow | null): string | undefined {
  if (row?.kept?.waiting?.cause === 'another_home')
    return `other keys came under the name ${home}, and none of its known keys signed them`;
  if (row?.kept != null && row.failure === null) return undefined;
  return `the keys of ${home} cannot be had now: ${row?.failure ?? 'it was not reached'}`;
}
