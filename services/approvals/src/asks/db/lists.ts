import { type Db, named } from '@hearth/db';
import { mostOf, type PagePosition, placeValues } from '@hearth/paging';
import { type WholeApproval, type WholeRow, wholeColumns, wholeOf } from './whole-approvals.ts';

/** A page of asks, newest first. */
export interface Page {
  status: string | null;
  after: PagePosition | null;
  limit: number;
}

/**
 * The asks that wait for one of `owners` (people or AIs), and the asks they made; with a status, all their
 * asks and answers with that status. Each part is read from its own index, so a page costs the same at any
 * size.
 *
 * @param owners at most two uuids: an AI and its person
 */
export async function listForOwners(db: Db, owners: readonly string[], page: Page): Promise<WholeApproval[]> {
  const { status, after } = page;
  const values = [owners[0] ?? null, owners[1] ?? null, ...placeValues(after)];
  const most = mostOf(page.limit);
  const rows = await db.query<WholeRow>(
    status === null
      ? { name: `approvals_list_${most}`, text: listing(everything, most), values }
      : {
          name: `approvals_list_status_${most}`,
          text: listing(withStatus, most),
          values: [...values, status],
        },
  );
  return rows.slice(0, page.limit).map(wholeOf);
}

interface Conditions {
  asked: string;
  received: string;
}

const everything: Conditions = { asked: '', received: `and r.decision = 'waiting' and r.status = 'waiting'` };

const withStatus: Conditions = { asked: `and a.status = $5`, received: `and r.status = $5` };

/** The newest asks of each owner and asker, merged. */
function listing({ asked, received }: Conditions, most: number): string {
  const receivedBy = (owner: string) => `
    (select r.asked_at as at, r.approval as id from approvals.recipients r
    where r.owner = ${owner}::uuid ${received} and (r.asked_at, r.approval) < ($3::timestamptz, $4::uuid)
    order by r.asked_at desc, r.approval desc limit ${most})`;
  const askedBy = (owner: string) => `
    (select a.asked_at as at, a.id from approvals.approvals a
    where a.asker_key = ${owner}::uuid ${asked} and (a.asked_at, a.id) < ($3::timestamptz, $4::uuid)
    order by a.asked_at desc, a.id desc limit ${most})`;
  return `
    with places as (${[receivedBy('$1'), receivedBy('$2'), askedBy('$1'), askedBy('$2')].join(' union ')})
    select ${wholeColumns}
    from (select at, id from places order by at desc, id desc limit ${most}) p
    join approvals.approvals a on a.id = p.id
    order by p.at desc, p.id desc`;
}

/** Upper bound for the guardians who answer one ask for a child. */
const mostGuardians = 10;

/** The newest asks that guardians answered for or about a child. */
export async function listAnsweredFor(db: Db, child: string, most: number): Promise<WholeApproval[]> {
  const rows = await db.query<WholeRow>(named('approvals_list_answered_for')`
    with newest as (
      select r.approval, r.answered_at from approvals.recipients r
      where r.guards = ${child} and r.answered_at is not null
      order by r.answered_at desc limit ${most * mostGuardians}),
    answered as (
      select approval, max(answered_at) as at from newest
      group by approval order by at desc limit ${most})
    select ${wholeColumns} from answered join approvals.approvals a on a.id = answered.approval
    order by answered.at desc`);
  return rows.map(wholeOf);
}

/** The asks made through an app, for any person. */
export async function listForApp(db: Db, app: string, page: Page): Promise<WholeApproval[]> {
  const { status, after } = page;
  const values = [app, ...placeValues(after)];
  const most = mostOf(page.limit);
  const text = (more: string) => `
    select ${wholeColumns} from approvals.approvals a
    where a.asker_app = $1 ${more} and (a.asked_at, a.id) < ($2::timestamptz, $3::uuid)
    order by a.asked_at desc, a.id desc limit ${most}`;
  const rows = await db.query<WholeRow>(
    status === null
      ? { name: `approvals_list_app_${most}`, text: text(''), values }
      : {
          name: `approvals_list_app_status_${most}`,
          text: text('and a.status = $4'),
          values: [...values, status],
        },
  );
  return rows.slice(0, page.limit).map(wholeOf);
}

/** Asks of other homes that wait for one of `owners`, without an answer of theirs. */
export async function listElsewhere(
  db: Db,
  owners: readonly string[],
  { after, limit }: Pick<Page, 'after' | 'limit'>,
): Promise<WholeApproval[]> {
  const rows = await db.query<WholeRow>({
    name: 'approvals_list_elsewhere',
    text: `
      select ${wholeColumns} from approvals.approvals a
      where a.home is not null and a.status = 'waiting' and (a.asked_at, a.id) < ($2::timestamptz, $3::uuid)
        and a.id in (
          select r.approval from approvals.recipients r
          where r.owner = any($1::uuid[]) and r.decision = 'waiting' and r.status = 'waiting' and r.act is null)
      order by a.asked_at desc, a.id desc limit $4`,
    values: [owners, ...placeValues(after), limit],
  });
  return rows.map(wholeOf);
}
