import type { Db } from '@hearth/db';
import { type Place, placeValues } from './place.ts';
import { type WholeApproval, type WholeRow, wholeColumns, wholeOf } from './whole-approvals.ts';

/** What one page holds, in order of asking, the newest first. */
export interface Page {
  status: string | null;
  after: Place | null;
  limit: number;
}

/**
 * What waits for one of `owners` (people or AIs) and what was asked by one of `askers`; with a status, what they were
 * asked and has that status as well. Each part is read from its own index, so that a page costs the same however much
 * there is.
 */
export async function listForOwners(
  db: Db,
  owners: readonly string[],
  askers: readonly string[],
  { status, after, limit }: Page,
): Promise<WholeApproval[]> {
  const values = [owners, askers, ...placeValues(after), limit];
  const rows = await db.query<WholeRow>(
    status === null
      ? { name: 'approvals_list', text: listing(everything), values }
      : { name: 'approvals_list_status', text: listing(withStatus), values: [...values, status] },
  );
  return rows.map(wholeOf);
}

interface Conditions {
  asked: string;
  received: string;
}

const everything: Conditions = {
  asked: `a.asker_key = k.key`,
  received: `r.owner = k.key and r.decision = 'waiting' and r.status = 'waiting'`,
};

const withStatus: Conditions = {
  asked: `a.asker_key = k.key and a.status = $6`,
  received: `r.owner = k.key and r.status = $6`,
};

/** Of each owner and asker the newest, and of all these the newest. */
function listing({ asked, received }: Conditions): string {
  return `
    with places as (
      select found.at, found.id
      from unnest($1::uuid[]) as k(key)
      cross join lateral (
        select r.asked_at as at, r.approval as id from approvals.recipients r
        where ${received} and (r.asked_at, r.approval) < ($3::timestamptz, $4::uuid)
        order by r.asked_at desc, r.approval desc limit $5) found
      union
      select found.at, found.id
      from unnest($2::uuid[]) as k(key)
      cross join lateral (
        select a.asked_at as at, a.id from approvals.approvals a
        where ${asked} and (a.asked_at, a.id) < ($3::timestamptz, $4::uuid)
        order by a.asked_at desc, a.id desc limit $5) found)
    select ${wholeColumns}
    from (select at, id from places order by at desc, id desc limit $5) p
    join approvals.approvals a on a.id = p.id
    order by p.at desc, p.id desc`;
}

/** What was asked through an app, whomever it acted for. */
export async function listForApp(
  db: Db,
  app: string,
  { status, after, limit }: Page,
): Promise<WholeApproval[]> {
  const values = [app, ...placeValues(after), limit];
  const text = (more: string) => `
    select ${wholeColumns} from approvals.approvals a
    where a.asker_app = $1 ${more} and (a.asked_at, a.id) < ($2::timestamptz, $3::uuid)
    order by a.asked_at desc, a.id desc limit $4`;
  const rows = await db.query<WholeRow>(
    status === null
      ? { name: 'approvals_list_app', text: text(''), values }
      : { name: 'approvals_list_app_status', text: text('and a.status = $5'), values: [...values, status] },
  );
  return rows.map(wholeOf);
}

export interface WaitingCount {
  /** Whether it stands among the requests of strangers. */
  requests: boolean;
  count: number;
  oldest: Date | null;
}

/** How much waits for these owners, counted up to `most` of each. */
export async function countOpen(
  db: Db,
  owners: readonly string[],
  now: Date,
  most: number,
): Promise<WaitingCount[]> {
  return await db.query<WaitingCount>({
    name: 'approvals_count_open',
    text: `
      select c.requests, count(*)::int as count, min(c.asked_at) as oldest
      from unnest($1::uuid[]) as k(key)
      cross join lateral (
        select r.box in ('requests', 'front_door') as requests, r.asked_at
        from approvals.recipients r join approvals.approvals a on a.id = r.approval
        where r.owner = k.key and r.decision = 'waiting' and r.status = 'waiting' and a.expires_at > $2
        limit $3) c
      group by c.requests`,
    values: [owners, now, most],
  });
}
