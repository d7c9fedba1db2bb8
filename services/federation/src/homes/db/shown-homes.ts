import type { Db } from '@hearth/db';
import type { KeptDocument } from '@hearth/signing';
import type { Policy } from '../domain/policy.ts';

/** A home, as the operator sees it. */
export interface ShownHome {
  home: string;
  policy: Policy | null;
  /** The policy that applies: its own, or that of the nearest domain above it. */
  word: Policy | null;
  kept: KeptDocument | null;
  goodAt: Date | null;
  triedAt: Date | null;
  failure: string | null;
  /** Named as in `OtherHomeState`. */
  state: string;
  beganAnewAt: Date | null;
  /** State of the log with this home. */
  unsent: number;
  failingSince: Date | null;
  lastError: string | null;
  restored: string | null;
  restoredAt: Date | null;
}

export interface WhichHomes {
  /** Only this home. */
  home?: string;
  /** Only homes in this state. */
  state?: string;
  /** Only homes after this name. */
  after?: string;
  now: Date;
  limit: number;
}

/** A condition that every home of a state meets, phrased to use an index. */
const amongOf = (state = '') =>
  ({
    unknown: 'and kept is null',
    key_change: `and kept->'waiting' is not null`,
    key_revoked: `and kept->'waiting' is not null`,
    failing: 'and failure is not null',
    // Compares texts, which an index can hold: all times are UTC. The state itself compares times.
    lapsed: `and kept->'document'->>'valid_until' collate "C"
      <= to_char(($1::timestamptz + interval '1 second') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  })[state] ?? '';

/** Lists homes by name. */
export async function listHomes(
  db: Db,
  { home, state, after, now, limit }: WhichHomes,
): Promise<ShownHome[]> {
  return await db.query<ShownHome>({
    name: ['federation_list_homes', state ?? 'all'].join('_'),
    text: `
      select shown.*, l.failing_since as "failingSince", l.last_error as "lastError", l.restored, l.restored_at as "restoredAt",
        coalesce(l.last_seq - l.settled_seq, 0)::int as unsent
      from (
        select home, policy, coalesce(policy, (
            select above.policy from federation.homes above
            where above.policy in ('limited', 'blocked')
              and right(h.home, length(above.home) + 1) = '.' || above.home
            order by length(above.home) desc limit 1)) as word, kept, good_at as "goodAt", tried_at as "triedAt", failure, case
          when kept is null then 'unknown'
          when kept->'waiting'->>'cause' = 'another_home' then 'key_change'
          when kept->'waiting'->>'cause' = 'key_revoked' then 'key_revoked'
          when (kept->'document'->>'valid_until')::timestamptz <= $1 then 'lapsed'
          when failure is not null then 'failing'
          else 'good' end as state, began_anew_at as "beganAnewAt"
        from federation.homes h
        where ($2::text is null or home = $2) and ($3::text is null or home > $3) ${amongOf(state)}) shown
      left join federation.logs l on l.home = shown.home
      where $4::text is null or state = $4
      order by shown.home
      limit $5`,
    values: [now, home ?? null, after ?? null, state ?? null, limit],
  });
}
