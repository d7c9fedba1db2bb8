import { CommonsClosing } from '@hearth/proto/messages/v1/commons';
import { anonymous } from '@hearth/rpc';
import type { ReceivedEvent } from '@hearth/runtime';
import { closeByItself } from '../actions/close-by-itself.ts';
import { authorOf } from '../actions/find-author.ts';
import type { Context } from '../context.ts';
import { findAuthors, forgetOwners, markGone, saveAuthor } from '../db/authors.ts';
import { listOpenOf } from '../db/posts.ts';

/** Shown for a deleted account, as in group posts; no account can have this handle. */
const deleted = { address: '@deleted', name: 'A deleted account' };
const most = 100;

/**
 * Updates authors after renames, claims and releases. Withdraws the open posts of an AI that was switched off
 * or now belongs to a child. Idempotent.
 */
export const onAuthorsChanged = (context: Context) => ({
  durable: 'commons-authors',
  types: ['ai_changed', 'ai_claimed', 'ai_unclaimed', 'ai_unvouched', 'ai_revoked', 'account_deleted'],
  async handle(received: readonly ReceivedEvent[]) {
    const { commit, database } = context;
    const people = received.flatMap(({ event: { data } }) =>
      data.case === 'accountDeleted' ? data.value.deleted : [],
    );
    if (people.length > 0) await commit.statement((tx) => forgetOwners(tx, people, deleted));
    const ais = [...new Set(received.flatMap(({ event: { data } }) => aiOf(data) ?? []))];
    const authors = ais.length === 0 ? [] : await findAuthors(database.db, ais);
    for (let from = 0; from < authors.length; from += most)
      await know(context, authors.slice(from, from + most));
  },
});

function aiOf(data: ReceivedEvent['event']['data']): string | undefined {
  switch (data.case) {
    case 'aiChanged':
    case 'aiRevoked':
      return data.value.ai;
    case 'aiClaimed':
    case 'aiUnclaimed':
    case 'aiUnvouched':
      return data.value.ai?.id;
    default:
      return undefined;
  }
}

async function know(context: Context, ids: string[]): Promise<void> {
  const { commit, database, identity } = context;
  const { results } = await identity.findProfiles({ ids }, { caller: anonymous });
  for (const [index, author] of ids.entries()) {
    const profile = results[index]?.profile;
    if (profile !== undefined && !profile.minor) {
      await commit.statement((tx) => saveAuthor(tx, authorOf(profile)));
      continue;
    }
    await commit.statement((tx) => markGone(tx, author));
    for (const id of await listOpenOf(database.db, author))
      await closeByItself(context, id, CommonsClosing.WITHDRAWN);
  }
}
