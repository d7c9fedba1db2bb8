import { minute } from '@hearth/clock';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { GroupRow } from '../db/groups.ts';
import { listMembers, type MemberRow } from '../db/members.ts';
import { compare, type MemberPlace, placeOf } from '../domain/member-order.ts';

/** The list of a group's members, or of those of one role, that a caller asks for. */
export interface Asked {
  group: GroupRow;
  role: MemberRow['role'] | null;
  caller: Caller;
}

/** The places of a group's members in the list that one viewer sees, in order. */
export interface MemberPlaces {
  of(asked: Asked): Promise<readonly MemberPlace[]>;
  forget(asked: Asked): void;
}

/** Each page is cut out of the whole order, which differs from viewer to viewer: that of a large group is kept. */
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
    // The facts of adults are not needed for it.
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
      // The oldest makes room.
      if (kept.size > mostKept) kept.delete(kept.keys().next().value as string);
      return places;
    },
    forget: (asked) => void kept.delete(nameOf(asked)),
  };
}

/** Whoever joins or leaves raises the group's number. */
function nameOf({ group, role, caller }: Asked): string {
  return [group.id, group.seq, role ?? '', caller.app, caller.person || caller.id].join(' ');
}
