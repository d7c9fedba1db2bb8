import { minute } from '@hearth/clock';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { GroupRow } from '../db/groups.ts';
import { listMembers, type MemberRow } from '../db/members.ts';
import { compare, type MemberPlace, placeOf } from '../domain/member-order.ts';

/** A caller's request for the members of a group, or only for one role. */
export interface Asked {
  group: GroupRow;
  role: MemberRow['role'] | null;
  caller: Caller;
}

/** The order of a group's members as one viewer sees it. */
export interface MemberPlaces {
  of(asked: Asked): Promise<readonly MemberPlace[]>;
  forget(asked: Asked): void;
}

/** Pages are cut from the whole order, which differs by viewer; the order of a large group is cached. */
const keptFrom = 100;
const mostKept = 64;
const keptMs = minute;

export function createMemberPlaces({
  database,
  people,
  clock,
}: Pick<Context, 'database' | 'people' | 'clock'>): MemberPlaces {
  const kept = new Map<string, { places: readonly MemberPlace[]; until: number }>();

  async function place({ group, role, caller }: Asked): Promise<MemberPlace[]> {
    const rows = await listMembers(database.db, group.id, role);
    const minors = rows.filter((row) => row.age_band !== 'adult').map(({ person }) => person);
    // Adults are never shielded, so their facts are not needed.
    const facts = await people.find(minors);
    const shielded = people.shieldedIds([...facts.values()], caller);
    return rows
      .map((row) => placeOf(row.joined_at, row.person, shielded.get(row.person) ?? null))
      .sort(compare);
  }

  return {
    async of(asked) {
      const name = nameOf(asked);
      const found = kept.get(name);
      if (found !== undefined && found.until > clock.now()) return found.places;
      const places = await place(asked);
      kept.delete(name);
      if (places.length >= keptFrom) kept.set(name, { places, until: clock.now() + keptMs });
      // Evicts the oldest entry.
      if (kept.size > mostKept) kept.delete(kept.keys().next().value as string);
      return places;
    },
    forget: (asked) => void kept.delete(nameOf(asked)),
  };
}

/** The cache key. It contains the group's seq, which every join or departure raises. */
function nameOf({ group, role, caller }: Asked): string {
  return [group.id, group.seq, role ?? '', caller.app, caller.person || caller.id].join(' ');
}
