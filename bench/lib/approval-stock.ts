import pg from 'pg';

/** The asks stored in a home, besides those that the bench sends. */
export interface ApprovalStock {
  /** uuids of the person with the most asks, and of their sender; `waiting` of the asks wait. */
  busy: { asked: string; asker: string };
  /** How many asks they have received and sent. */
  own: number;
  /** How many of those wait; the rest is approved. */
  waiting: number;
  /** How many wait in the requests of a third person (uuid), from strangers. */
  requests: { of: string; count: number };
  /** How many others there are, between a thousand other people; a tenth of them waits. */
  others: number;
}

const chunk = 100_000;
const strangers = 1_000;

/** About as long as the record of a short ask. */
const record = JSON.stringify({
  v: 1,
  type: 'approval.answer',
  id: `rec_${'0'.repeat(32)}`,
  home: 'localhost',
  ask: { title: 'May I book the 9:30 train?', kind: 'ask', digest: `sha-256:${'A'.repeat(43)}` },
  answers: [{ to: '@friend-0', name: 'Friend 0', decision: 'approved', note: 'Yes.'.repeat(60) }],
  signature: { protected: 'A'.repeat(120), signature: 'A'.repeat(86) },
});

/** Fills the tables of asks directly, as years of use would have, oldest first. */
export async function stockApprovals(url: string, stock: ApprovalStock): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { busy, own, waiting, others, requests } = stock;
    const all = own + others;
    for (let first = 1; first <= all; first += chunk) {
      const last = Math.min(all, first + chunk - 1);
      // Spread evenly over the years, the busy person's among the others.
      const every = Math.max(1, Math.floor(all / own));
      await client.query(insert, [
        first,
        last,
        every,
        busy.asked,
        busy.asker,
        own,
        waiting,
        strangers,
        record,
      ]);
    }
    await client.query(insertRequests, [requests.count, requests.of, strangers]);
    await client.query(insertItems);
    await client.query('vacuum analyze approvals.approvals, approvals.recipients, approvals.items');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

const insert = `
  with numbers as (
    select n, n % $3 = 0 and n / $3 <= $6::bigint as mine, n / $3 > $6::bigint - $7::bigint as late,
      now() - interval '400 days' + n * interval '20 seconds' as at
    from generate_series($1::bigint, $2::bigint) n),
  named as (
    select n, at, md5('ask' || n)::uuid as id,
      case when (mine and late) or (not mine and n % 10 = 0) then 'waiting' else 'approved' end as status,
      case when mine then $4::uuid else md5('stranger' || n % $8)::uuid end as asked,
      case when mine then $5::uuid else md5('stranger' || (n * 7 + 1) % $8)::uuid end as asker
    from numbers),
  asks as (
    insert into approvals.approvals (id, kind, request_kind, title, details, needs, asker_kind, asker, asker_person,
      asker_address, asker_name, asker_verified, digest, status, asked_at, expires_at, settled_at, settled_by, record,
      signed_answer, signed_at)
    select id, 'ask', 'personal', 'May I book the 9:30 train?', repeat('It stops at the lake. ', 5), 'any', 'person',
      asker, asker, '@friend-1', 'Friend 1', true, 'sha-256:' || repeat('A', 43), status, at,
      now() + interval '30 days', case when status <> 'waiting' then at end,
      case when status <> 'waiting' then asked end,
      case when status <> 'waiting' then md5('record' || n)::uuid end, case when status <> 'waiting' then $9 end,
      case when status <> 'waiting' then at end
    from named)
  insert into approvals.recipients (approval, position, kind, recipient, person, address, name, handling, owner, box,
    asked_at, request_kind, status, decision, answered_at, answered_by, answered_as, via, proof)
  select id, 0, 'person', asked, asked, '@friend-0', 'Friend 0', 'delivered', asked, 'inbox', at, 'personal', status,
    status, case when status <> 'waiting' then at end, case when status <> 'waiting' then asked end,
    case when status <> 'waiting' then 'person' end, case when status <> 'waiting' then 'app' end,
    case when status <> 'waiting' then 'tap' end
  from named`;

const insertRequests = `
  with asks as (
    insert into approvals.approvals (id, kind, request_kind, title, details, needs, asker_kind, asker, asker_person,
      asker_address, asker_name, asker_verified, digest, status, asked_at, expires_at)
    select md5('request' || n)::uuid, 'ask', (array['personal', 'sales', 'other'])[1 + n % 3], 'May I write to you?',
      repeat('We met at the lake. ', 5), 'any', 'person', md5('stranger' || n % $3)::uuid,
      md5('stranger' || n % $3)::uuid, '@stranger', 'Stranger', true, 'sha-256:' || repeat('A', 43), 'waiting',
      now() - n * interval '1 minute', now() + interval '30 days'
    from generate_series(1, $1::bigint) n
    returning *)
  insert into approvals.recipients (approval, position, kind, recipient, person, address, name, handling, owner, box,
    asked_at, request_kind, status, decision)
  select id, 0, 'person', $2::uuid, $2::uuid, '@friend-2', 'Friend 2', 'delivered', $2::uuid, 'requests', asked_at,
    request_kind, 'waiting', 'waiting'
  from asks`;

const insertItems = `
  insert into approvals.items (kind, id, part, owner, box, label, since, expires, senders)
  select 'approval', r.approval, r.position, r.owner, r.box, r.request_kind, r.asked_at, a.expires_at, array[a.asker]
  from approvals.recipients r join approvals.approvals a on a.id = r.approval where r.status = 'waiting'
  on conflict do nothing`;
