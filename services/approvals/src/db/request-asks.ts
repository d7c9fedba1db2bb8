import type { Db } from '@hearth/db';

/** Whose requests are looked at. */
export interface AsksViewer {
  /** uuid of the person. */
  person: string;
  /** uuids in whose lists things stand: the person, and the AI that looks. */
  owners: readonly string[];
  /** What guards somebody under 18 is for the person's own eyes. */
  minors: boolean;
}

/** An ask that waits in somebody's requests. */
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
  /** uuid of who is asked, and their address. */
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

/** Theirs, and of their AIs what is no front door; $3 whether what they guard counts. */
const waits = `
  r.decision = 'waiting' and r.status = 'waiting' and a.expires_at > $4
  and ((r.box in ('requests', 'front_door') and r.owner = any($2::uuid[]))
    or (r.box = 'requests' and r.person = $1))
  and ($3 or not r.minor)`;

/** The newest first; of an ask that several of theirs are asked, the first place. */
export function listRequestAsks(
  db: Db,
  { person, owners, minors }: AsksViewer,
  page: { now: Date; kind: string | null; before: { at: Date; id: string } | null; limit: number },
): Promise<RequestAskRow[]> {
  const { now, kind, before, limit } = page;
  return db.query<RequestAskRow>({
    name: 'approvals_list_request_asks',
    text: `
      select distinct on (r.asked_at, a.id) ${columns}
      from approvals.recipients r join approvals.approvals a on a.id = r.approval
      where ${waits} and ($5::text is null or r.request_kind = $5)
        and ($6::timestamptz is null or (r.asked_at, a.id) < ($6, $7::uuid))
      order by r.asked_at desc, a.id desc, r.position limit $8`,
    values: [person, owners, minors, now, kind, before?.at ?? null, before?.id ?? null, limit],
  });
}

/** Every place of that ask that waits for the viewer in requests. */
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
      where ${waits} and a.id = $5 order by r.position`,
    values: [person, owners, minors, now, id],
  });
}
