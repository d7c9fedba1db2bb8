import { createHash } from 'node:crypto';
import pg from 'pg';

/** Fills a home's tables directly, as years of use would have. */
export interface Stock {
  /** Stores messages for the owner of that address from 100 others; every other one is unread. */
  messages(address: string, count: number): Promise<void>;
  /** Stores AIs, each with an address and a key. */
  ais(count: number): Promise<void>;
  close(): Promise<void>;
}

const senders = 100;
const chunk = 100_000;

export async function openStock(url: string): Promise<Stock> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();

  async function messagesFrom(
    owner: string,
    address: string,
    first: number,
    last: number,
    base: number,
  ): Promise<void> {
    await client.query(
      `insert into messages.messages (
         id, thread, sender, recipient, sender_seq, recipient_seq, thread_seq, sender_address, sender_name,
         sender_status, recipient_address, body, request_kind, via, box, at, read_at)
       select gen_random_uuid(), md5('thread' || n % $5)::uuid, md5('sender' || n % $5)::uuid, $1, n / $5, $6 + n, $6 + n,
         '@free-stock' || n % $5 || '.ai-robin', 'Robin', 3, $2, repeat('A message of some length. ', 4), 1, 1, 1,
         now() - interval '1 day' + n * interval '1 millisecond', case when n % 2 = 0 then now() end
       from generate_series($3::bigint, $4::bigint) n`,
      [owner, address, first, last, senders, base],
    );
  }

  async function vacuum(): Promise<void> {
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  }

  return {
    async messages(address, count) {
      const found = await client.query('select id from identity.ais where address = $1', [address]);
      const owner = found.rows[0].id as string;
      // Numbers the messages from the owner's next number on.
      const box = await client.query(
        `insert into messages.mailboxes (owner, last_seq, unread) values ($1, $2, $3)
         on conflict (owner) do update set
           last_seq = mailboxes.last_seq + excluded.last_seq, unread = mailboxes.unread + excluded.unread
         returning last_seq - $2 as base`,
        [owner, count, Math.ceil(count / 2)],
      );
      const base = Number(box.rows[0].base);
      for (let first = 1; first <= count; first += chunk) {
        await messagesFrom(owner, address, first, Math.min(count, first + chunk - 1), base);
      }
      await client.query(
        `insert into messages.threads (owner, id, other, other_address, last_seq, last_at, box)
         select $1, md5('thread' || n)::uuid, md5('sender' || n)::uuid, '@free-stock' || n || '.ai-robin', $2 + n, now(), 1
         from generate_series(0, $3::int - 1) n`,
        [owner, base, Math.min(senders, count)],
      );
      await vacuum();
    },
    async ais(count) {
      const digest = createHash('sha256').update('stock').digest();
      await client.query(
        `with made as (
           insert into identity.ais (id, address, name, platform, status, permissions, created_at)
           select gen_random_uuid(), '@free-stock' || n || '.ai-robin', 'Robin', 'other', 'unclaimed', '{read,message}', now()
           from generate_series(1, $1::int) n
           returning id, address),
         addressed as (insert into identity.addresses (address, ai, since) select address, id, now() from made)
         insert into identity.keys (id, ai, hash, prefix, created_at)
         select gen_random_uuid(), id, sha256($2::bytea || uuid_send(id)), 'hearth_ai_abcd', now() from made`,
        [count, digest],
      );
      await vacuum();
    },
    close: () => client.end(),
  };
}
