import type { Db } from '@hearth/db';
import { type ApprovalRow, approvalColumns } from './approvals.ts';

/** What one page holds, in order of asking, the newest first. */
export interface Page {
  status: string | null;
  /** The place after which it goes on. */
  after: { at: Date; id: string } | null;
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
  page: Page,
): Promise<ApprovalRow[]> {
  const { status, after, limit } = page;
  const values = [owners, askers, after?.at ?? null, after?.id ?? null, limit];
  if (status === null) {
    return await db.query<ApprovalRow>({
      name: 'approvals_list',
      text: listing({
        asked: `a.asker_key = k.key`,
        received: `r.owner = k.key and r.decision = 'waiting' and r.status = 'waiting'`,
      }),
      values,
    });
  }
  return await db.query<ApprovalRow>({
    name: 'approvals_list_status',
    text: listing({
      asked: `a.asker_key = k.key and a.status = $6`,
      received: `r.owner = k.key and r.status = $6`,
    }),
    values: [...values, status],
  });
}

/** Of each owner and asker the newest, and of all these the newest. */
function listing({ asked, received }: { asked: string; received: string }): string {
  const older = (at: string, id: string) =>
    `($3::timestamptz is null or (${at}, ${id}) < ($3::timestamptz, $4::uuid))`;
  return `
    with places as (
      select found.at, found.id
      from unnest($1::uuid[]) as k(key)
      cross join lateral (
        select r.asked_at as at, r.approval as id from approvals.recipients r
        where ${received} and ${older('r.asked_at', 'r.approval')}
        order by r.asked_at desc, r.approval desc limit $5) found
      union
      select found.at, found.id
      from unnest($2::uuid[]) as k(key)
      cross join lateral (
        select a.asked_at as at, a.id from approvals.approvals a
        where ${asked} and ${older('a.asked_at', 'a.id')}
        order by a.asked_at desc, a.id desc limit $5) found)
    select ${approvalColumns}
    from (select at, id from places order by at desc, id desc limit $5) p
    join approvals.approvals a on a.id = p.id
    order by p.at desc, p.id desc`;
}

/** What was asked through an app, whomever it acted for. */
export async function listForApp(db: Db, app: string, page: Page): Promise<ApprovalRow[]> {
  const { status, after, limit } = page;
  return await db.query<ApprovalRow>({
    name: status === null ? 'approvals_list_app' : 'approvals_list_app_status',
    text: `
      select ${approvalColumns} from approvals.approvals a
      where a.asker_app = $1 and ${status === null ? '$5::text is null' : 'a.status = $5'}
        and ($2::timestamptz is null or (a.asked_at, a.id) < ($2::timestamptz, $3::uuid))
      order by a.asked_at desc, a.id desc limit $4`,
    values: [app, after?.at ?? null, after?.id ?? null, limit, status],
  });
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
