import pg from 'pg';

export interface GroupStock {
  /** Ids of groups, as callers see them. */
  groups: string[];
  /** Ids of people in groups, as callers see them. */
  people: string[];
}

const peopleCount = 5_000;

/** Gives the AI an owner who is in `groups` groups of `members` members each, all adults. */
export async function stockGroups(
  url: string,
  { ai, groups, members }: { ai: string; groups: number; members: number },
): Promise<GroupStock> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      insert into identity.people (id, handle, name, age_band, age_source, guest, time_zone, created_at)
      select md5('person' || n)::uuid, 'stock-' || n, 'Stock ' || n, 'adult', 'self', true, 'UTC', now()
      from generate_series(1, ${peopleCount}) n`);
    await client.query(
      `update identity.ais set owner = md5('person1')::uuid, status = 'claimed',
         permissions = '{read,message,group}' where address = $1`,
      [ai],
    );
    await client.query(
      `insert into groups.groups (id, handle, name, group_ai, created_by, app, minors, consent_age, join_review,
         group_ai_runs, plans, time_zone, created_at)
       select md5('group' || n)::uuid, 'stock-' || n, 'Stock ' || n, md5('groupai' || n)::uuid, md5('person1')::uuid,
         md5('app')::uuid, 'no', 16, 'none', true, 'allow', 'UTC', now()
       from generate_series(1, $1::int) n`,
      [groups],
    );
    await client.query(
      `insert into groups.members ("group", person, role, joined_at, via, age_band)
       select md5('group' || g)::uuid, md5('person' || case when m = 1 then 1 else 2 + (g * 7 + m) % $3 end)::uuid,
         case when m = 1 then 'organizer' else 'member' end, now() - m * interval '1 minute' - g * interval '1 hour',
         'link', 'adult'
       from generate_series(1, $1::int) g, generate_series(1, $2::int) m`,
      [groups, members, peopleCount - 2],
    );
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    const ids = async (prefix: string, sql: string) =>
      (await client.query<{ id: string }>(sql)).rows.map(({ id }) => `${prefix}_${id.replaceAll('-', '')}`);
    return {
      groups: await ids('grp', 'select id from groups.groups'),
      people: await ids('per', 'select id from identity.people limit 1000'),
    };
  } finally {
    await client.end();
  }
}
