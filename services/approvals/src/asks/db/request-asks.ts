import type { Db } from '@hearth/db';
import { type Place, placeValues } from '../../shared/db/place.ts';

/** The viewer of a requests box. */
export interface AsksViewer {
  /** uuid of the person. */
  person: string;
  /** uuids of the lists that they see: the person's, and that of the AI that looks. */
  owners: readonly string[];
  /** Asks of their children show to the person themselves, and not to their AIs. */
  minors: boolean;
}

/** An ask that waits in a requests box. */
export interface RequestAskRow {
  /** uuid of the approval. */
  id: string;
  position: number;
  at: Date;
  request_kind: string;
  title: string;
  details: string | null;
  asker: string | null;
  asker_kind: string;
  asker_address: string;
  asker_name: string;
  asker_verified: boolean;
  asker_minor: boolean;
  expires_at: Date;
  /** uuid and address of the recipient. */
  recipient: string | null;
  address: string;
  minor: boolean;
  box: 'requests' | 'front_door';
  owner: string;
  passed_note: string | null;
}

const columns = `
  a.id, r.position, r.asked_at as at, r.request_kind, a.title, a.details, a.asker, a.asker_kind, a.asker_address,
  a.asker_name, a.asker_verified, a.asker_minor, a.expires_at, r.recipient, r.address, r.minor, r.box, r.owner,
  r.passed_note`;

/** Places in their lists; $1 is the person, $2 the lists, $3 whether places of their children count. */
const stands = `r.box in ('requests', 'front_door') and r.owner = any($2::uuid[])`;
/** Places of their AIs that are no front door. */
const reaches = `r.box = 'requests' and r.person = $1::uuid`;
const open = `r.decision = 'waiting' and r.status = 'waiting' and ($3::boolean or not r.minor)`;
/** Looked up for each, so that the order of the index is kept. */
const inTime = `(select a.expires_at from approvals.approvals a where a.id = r.approval) > $4::timestamptz`;

/** The newest of one kind and one owner or person, straight from an index. */
function newest(condition: string): string {
  return `
    select distinct r.asked_at as at, r.approval as id from approvals.recipients r
    where ${condition} and r.request_kind = k.kind and ${open} and ${inTime}
      and (r.asked_at, r.approval) < ($6::timestamptz, $7::uuid)
    order by r.asked_at desc, r.approval desc limit $8`;
}

export interface AsksPage {
  now: Date;
  /** The kinds of request that are wanted. */
  kinds: readonly string[];
  before: Place | null;
  limit: number;
}

/**
 * The newest first; an ask with several places of the viewer shows the first. Each kind of each owner is read from its own
 * part of an index, so that a page costs the same however much waits.
 */
export function listRequestAsks(
  db: Db,
  { person, owners, minors }: AsksViewer,
  { now, kinds, before, limit }: AsksPage,
): Promise<RequestAskRow[]> {
  return db.query<RequestAskRow>({
    name: 'approvals_list_request_asks',
    text: `
      with places as (
        select found.at, found.id
        from unnest($2::uuid[]) as o (owner) cross join unnest($5::text[]) as k (kind)
        cross join lateral (${newest(`r.box in ('requests', 'front_door') and r.owner = o.owner`)}) found
        union
        select found.at, found.id
        from unnest($5::text[]) as k (kind) cross join lateral (${newest(reaches)}) found)
      select ${columns}
      from (select at, id from places order by at desc, id desc limit $8) p
      join approvals.approvals a on a.id = p.id
      cross join lateral (
        select * from approvals.recipients r
        where r.approval = p.id and ((${stands}) or (${reaches})) and ${open} and r.request_kind = any($5::text[])
        order by r.position limit 1) r
      order by p.at desc, p.id desc`,
    values: [person, owners, minors, now, kinds, ...placeValues(before), limit],
  });
}

/** All places of that ask that wait in the viewer's requests. */
export function findRequestAsk(
  db: Db,
  { person, owners, minors }: AsksViewer,
  now: Date,
  id: string,
): Promise<RequestAskRow[]> {
  return db.query<RequestAskRow>({
    name: 'approvals_find_request_ask',
    text: `
      select ${columns}
      from approvals.recipients r join approvals.approvals a on a.id = r.approval
      where a.id = $5::uuid and a.expires_at > $4 and ((${stands}) or (${reaches})) and ${open}
      order by r.position`,
    values: [person, owners, minors, now, id],
  });
}
