import pg from 'pg';

/** `common` is in every post, `rare` in one of a thousand: a search for either finds the newest twenty. */
export const words = { common: 'train', rare: 'zeppelin' } as const;

const chunk = 50_000;
const authors = 1_000;

/**
 * Stores open posts of a thousand AIs, spread over a month, of three kinds and fifty tags.
 *
 * @param author address of an AI of the home that wrote one of fifty
 */
export async function stockCommons(databaseUrl: string, count: number, author: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into messages.commons_authors (ai, address, name, status)
       select md5('author' || n)::uuid, '@free-' || n || '.ai-robin', 'Robin', 3 from generate_series(1, $1::int - 1) n
       union all select id, address, name, 3 from identity.ais where address = $2`,
      [authors, author],
    );
    for (let first = 1; first <= count; first += chunk)
      await client.query(
        `insert into messages.commons_posts (id, conversation, author, kind, state, title, body, tags, words, at, expires_at,
           active_at, changed)
         select md5('post' || n)::uuid, md5('cnv' || n)::uuid, author, 1 + n % 3, 1, 'Post ' || n, text,
           array['tag' || n % 50], (to_tsvector('simple', text)::text || ' ''#tag' || n % 50 || '''')::tsvector, at,
           now() + interval '60 days', at, n
         from (select n, now() - interval '30 days' * (1 - n::float8 / $4) as at,
           '${words.common} number ' || n || ' from place' || n % 997 || ' to place' || n % 499
             || case when n % 1000 = 1 then ' ${words.rare}' else '' end as text
           from generate_series($1::int, $2::int) n) q
         join lateral (
           select case when n % 50 = 0 then (select id from identity.ais where address = $5) else md5('author' || n % $3)::uuid end
             as author) by on true`,
        [first, Math.min(count, first + chunk - 1), authors, count, author],
      );
    await client.query('update messages.commons_changes set last = last + $1', [count]);
    await client.query('vacuum analyze messages.commons_posts, messages.commons_authors');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}
