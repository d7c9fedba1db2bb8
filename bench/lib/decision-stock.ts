import pg from 'pg';
import type { Friend } from './friends.ts';

export const clubSize = 5;

/** Analyzes the tables, as Postgres does by itself every minute; until then it plans for empty tables. */
export async function countRows(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) => client.query('analyze'));
}

/** Puts every five friends into a group; returns the groups' ids in order. */
export async function makeClubs(databaseUrl: string, friends: readonly Friend[]): Promise<string[]> {
  return await withClient(databaseUrl, async (client) => {
    const people = friends.map(({ id }) => id);
    await client.query(
      `insert into groups.groups (id, handle, name, group_ai, created_by, app, minors, consent_age, join_review,
         group_ai_runs, plans, time_zone, created_at)
       select md5('club' || n)::uuid, 'club-' || n, 'Club ' || n, md5('clubai' || n)::uuid, ($1::uuid[])[n * $2 + 1],
         md5('app')::uuid, 'no', 16, 'none', true, 'allow', 'UTC', now()
       from generate_series(0, cardinality($1::uuid[]) / $2 - 1) n`,
      [people, clubSize],
    );
    await client.query(
      `insert into groups.members ("group", person, role, joined_at, via, age_band)
       select md5('club' || (n - 1) / $2)::uuid, person, case when n % $2 = 1 then 'organizer' else 'member' end, now(),
         'link', 'adult'
       from unnest($1::uuid[]) with ordinality as q (person, n)
       where (n - 1) / $2 < cardinality($1::uuid[]) / $2`,
      [people, clubSize],
    );
    await client.query(
      `update identity.ais set permissions = permissions || '{group}' where owner = any($1)`,
      [people],
    );
    await client.query('analyze identity.ais, groups.groups, groups.members');
    const { rows } = await client.query<{ id: string }>(
      `select md5('club' || n)::uuid as id from generate_series(0, $1::int - 1) n`,
      [Math.floor(friends.length / clubSize)],
    );
    return rows.map(({ id }) => `grp_${id.replaceAll('-', '')}`);
  });
}

/** The decisions stored in a home, besides those that the bench starts. */
export interface DecisionStock {
  /** uuid of the person who takes part in `own` of them, of which `waiting` wait for them. */
  busy: string;
  own: number;
  waiting: number;
  /** How many others there are, between pairs of a thousand other people; a tenth of them waits. */
  others: number;
}

const chunk = 100_000;
const strangers = 1_000;

export async function stockDecisions(databaseUrl: string, stock: DecisionStock): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { busy, own, waiting, others } = stock;
    const all = own + others;
    // Spread evenly over the years, the busy person's among the others.
    const every = Math.max(1, Math.floor(all / own));
    for (let first = 1; first <= all; first += chunk)
      await client.query(insertStock, [
        first,
        Math.min(all, first + chunk - 1),
        every,
        busy,
        own,
        waiting,
        strangers,
        record,
        questions,
      ]);
    await client.query('vacuum analyze decisions.decisions, decisions.participants, decisions.seats');
    await client.query('checkpoint');
  });
}

/**
 * Stores open decisions of groups of five of these people, with deadlines in the same second; in every other
 * one, the first person has answered.
 *
 * @param at milliseconds since 1970
 */
export async function stockDeadlines(
  databaseUrl: string,
  { people, count, at }: { people: readonly string[]; count: number; at: number },
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(insertDeadlines, [count, people, clubSize, new Date(at), questions]);
    await client.query('vacuum analyze decisions.decisions, decisions.participants, decisions.seats');
  });
}

/** The number of open decisions. */
export async function countOpen(databaseUrl: string): Promise<number> {
  return await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from decisions.decisions where status = 'open' and closing_told`,
    );
    return rows[0]!.count;
  });
}

async function withClient<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const questions = JSON.stringify([
  { id: 1, kind: 'choice', prompt: 'What do we eat?', options: ['Pizza', 'Soup'] },
  { id: 2, kind: 'bring', prompt: 'What do you bring?', options: [] },
]);

/** About as long as the record of a decision of five people. */
const record = JSON.stringify({
  v: 1,
  type: 'decision.outcome',
  decision: { title: 'Dinner' },
  filler: 'x'.repeat(1_500),
});

const insertStock = `
  with numbers as (
    select n, n % $3 = 0 and n / $3 <= $5::bigint as mine, n / $3 > $5::bigint - $6::bigint as late,
      now() - interval '400 days' + n * interval '20 seconds' as at
    from generate_series($1::bigint, $2::bigint) n),
  named as (
    select n, at, md5('decision' || n)::uuid as id, (mine and late) or (not mine and n % 10 = 0) as open,
      case when mine then $4::uuid else md5('stranger' || n % $7)::uuid end as one,
      md5('stranger' || (n * 7 + 1) % $7)::uuid as other, md5('theirs' || n % $7)::uuid as "group"
    from numbers),
  made as (
    insert into decisions.decisions (id, number, title, "group", group_handle, group_name, group_ai, starter_kind, starter,
      starter_person, starter_address, starter_name, starter_minor, questions, needs, status, revision, started_at,
      opened_at, deadline_at, closing_told, due_at, settled_at, record, signed_record)
    select id, n, 'Dinner', "group", 'theirs', 'Theirs', md5('ai')::uuid, 'person', other, other, '@other', 'Other', false,
      $9::jsonb, 'answered', case when open then 'open' else 'agreed' end, 1, at, at, now() + interval '30 days', true,
      case when open then now() + interval '30 days' end, case when not open then at end,
      case when not open then md5('record' || n)::uuid end, case when not open then $8 end
    from named),
  seated as (
    insert into decisions.seats (kind, item, viewer, "group", started_at, status, waiting)
    select 'decision', id, viewer, "group", at, case when open then 'open' else 'agreed' end, open
    from named, unnest(array[one, other]) as viewer where one <> other or viewer = one
    on conflict do nothing)
  insert into decisions.participants (decision, person, position, guardians, ai_share, organizer, asked)
  select id, person, position, '{}', true, position = 1, true
  from named, unnest(array[one, other]) with ordinality as of (person, position)
  on conflict do nothing`;

const insertDeadlines = `
  with numbers as (
    select n, md5('deadline' || n)::uuid as id, (n * $3) % (cardinality($2::uuid[]) / $3 * $3) as first,
      now() - n * interval '1 millisecond' as at
    from generate_series(1, $1::int) n),
  people as (
    select n, id, at, ($2::uuid[])[first + place] as person, place, n % 2 = 0 as heard
    from numbers, generate_series(1, $3) place),
  made as (
    insert into decisions.decisions (id, number, title, "group", group_handle, group_name, group_ai, starter_kind, starter,
      starter_person, starter_address, starter_name, starter_minor, questions, needs, status, revision, started_at,
      opened_at, deadline_at, closing_told, due_at)
    select id, 1000000000 + n, 'Dinner', md5('club' || n % 10)::uuid, 'club', 'Club', md5('ai')::uuid, 'person', person,
      person, '@friend', 'Friend', false, $5::jsonb, 'answered', 'open', 1, at, at, $4, true, $4
    from people where place = 1),
  seated as (
    insert into decisions.seats (kind, item, viewer, "group", started_at, status, waiting)
    select 'decision', id, person, md5('club' || n % 10)::uuid, at, 'open', not heard or place > 1 from people)
  insert into decisions.participants (decision, person, position, guardians, ai_share, organizer, asked, answers)
  select id, person, place, '{}', true, place = 1, true,
    case when heard and place = 1 then jsonb_build_array(
      jsonb_build_object('question', 1, 'answer', 'Soup', 'firm', false, 'note', '', 'by', person, 'as', 'person',
        'assumed', false, 'at', 1700000000000),
      jsonb_build_object('question', 2, 'answer', 'Wine', 'firm', false, 'note', '', 'by', person, 'as', 'person',
        'assumed', false, 'at', 1700000000000))
    else '[]' end
  from people`;
