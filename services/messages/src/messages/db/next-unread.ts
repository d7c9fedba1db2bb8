import { createCoalescer } from '@hearth/coalesce';
import { type Database, named } from '@hearth/db';
import { type MessageRow, messageColumns } from '../../shared/db/message-row.ts';

export interface UnreadQuestion {
  owner: string;
  /** Only messages after this one of the owner's; null for all. */
  after: string | null;
  limit: number;
}

export interface UnreadAnswer {
  /** At most `limit`, oldest first. */
  rows: MessageRow[];
  /** The owner's total number of unread messages, at most 1,000. */
  unread: number;
  /** False if `after` is not a message that the owner sent or received. */
  afterFound: boolean;
}

export interface NextUnread {
  find(question: UnreadQuestion): Promise<UnreadAnswer>;
}

type Row = { n: number; unread: number | null; after_found: boolean } & (MessageRow | { id: null });

/** The query behind every held poll: the oldest unread messages. One statement serves many polls. */
export function createNextUnread(database: Database): NextUnread {
  const coalescer = createCoalescer<UnreadQuestion, UnreadAnswer>({
    maxInFlight: 1,
    spacingMs: 1,
    maxBatch: 200,
    name: 'batch of unread questions',
    run: async (questions) => {
      const rows = await database.db.query<Row>(named('messages_next_unread')`
        select q.n, least(coalesce(b.unread, 0), 1000) as unread, q.after is null
          or a.seq is not null as after_found, ${messageColumns}
        from unnest(${questions.map((_, n) => n)}::int[],
          ${questions.map((question) => question.owner)}::uuid[],
          ${questions.map((question) => question.after)}::uuid[],
          ${questions.map((question) => question.limit)}::int[]) as q(n, owner, after, row_limit)
        left join lateral (
          select case when p.recipient = q.owner then p.recipient_seq else p.sender_seq end as seq
          from messages.messages p
          where p.id = q.after and q.owner in (p.recipient, p.sender)) a on true
        left join messages.mailboxes b on b.owner = q.owner
        left join lateral (
          select * from messages.messages m
          where m.recipient = q.owner and m.recipient_seq > coalesce(a.seq, 0)
            and m.read_at is null and m.retracted_at is null and m.recipient_deleted_at is null
            and m.holder is null
          order by m.recipient_seq limit q.row_limit) m on true
        order by q.n, m.recipient_seq`);
      const answers = questions.map((): UnreadAnswer => ({ rows: [], unread: 0, afterFound: true }));
      for (const row of rows) {
        const answer = answers[row.n]!;
        answer.unread = row.unread ?? 0;
        answer.afterFound = row.after_found;
        if (row.id !== null) answer.rows.push(row);
      }
      return answers;
    },
  });
  return { find: coalescer.add };
}
