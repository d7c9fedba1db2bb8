import pg from 'pg';
import { type Ai, signUpCrowd } from './crowd.ts';
import type { BenchHome } from './home.ts';

/** A person of the home, on whose behalf an AI asks and answers. */
export interface Friend {
  /** uuid */
  id: string;
  /** @handle */
  address: string;
  ai: Ai;
}

/** Signs up that many AIs and gives each an adult owner; each pair of owners shares a group. */
export async function makeFriends(home: BenchHome, count: number): Promise<Friend[]> {
  const ais = await signUpCrowd(home.ports, count);
  const client = new pg.Client({ connectionString: home.databaseUrl! });
  await client.connect();
  try {
    await client.query(
      `with made as (
         insert into identity.people (id, handle, name, age_band, age_source, guest, time_zone, created_at)
         select md5('friend' || n)::uuid, 'friend-' || n, 'Friend ' || n, 'adult', 'self', true, 'UTC', now()
         from generate_series(0, $1::int - 1) n returning id, handle)
       insert into identity.addresses (address, person, since) select '@' || handle, id, now() from made`,
      [count],
    );
    await client.query(
      `update identity.ais set owner = md5('friend' || n - 1)::uuid, status = 'claimed',
         permissions = '{read,message,approve}'
       from unnest($1::text[]) with ordinality as q (named, n) where address = named`,
      [ais.map(({ address }) => address)],
    );
    await client.query(
      `insert into groups.groups (id, handle, name, group_ai, created_by, app, minors, consent_age, join_review,
         group_ai_runs, plans, time_zone, created_at)
       select md5('pair' || n)::uuid, 'pair-' || n, 'Pair ' || n, md5('pairai' || n)::uuid, md5('friend' || 2 * n)::uuid,
         md5('app')::uuid, 'no', 16, 'none', true, 'allow', 'UTC', now()
       from generate_series(0, $1::int / 2 - 1) n`,
      [count],
    );
    await client.query(
      `insert into groups.members ("group", person, role, joined_at, via, age_band)
       select md5('pair' || n / 2)::uuid, md5('friend' || n)::uuid, 'organizer', now(), 'link', 'adult'
       from generate_series(0, $1::int - 1) n`,
      [count],
    );
    const people = await client.query<{ id: string; handle: string; address: string }>(
      `select p.id, p.handle, a.address from identity.people p join identity.ais a on a.owner = p.id`,
    );
    // Only for tables with rows: plans for empty tables would scan whole tables.
    await client.query(
      'analyze identity.people, identity.addresses, identity.ais, groups.groups, groups.members',
    );
    const byAi = new Map(people.rows.map((row) => [row.address, row]));
    return ais.map((ai) => {
      const { id, handle } = byAi.get(ai.address)!;
      return { id, address: `@${handle}`, ai };
    });
  } finally {
    await client.end();
  }
}
