import { printId } from '@hearth/ids';
import type { Outbox, OutboxRow } from '@hearth/outbox';
import type { GroupFacts } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { actorOf, type Caller } from '@hearth/rpc';

/** Somebody posted to a group. It has no topics: a post wakes nobody. */
export function groupPosted(
  outbox: Pick<Outbox, 'row'>,
  post: string,
  { id, handle, name, app }: GroupFacts,
  author: PersonFacts | null,
  caller: Caller,
): OutboxRow {
  const apps = new Set([app, author?.app ?? '']);
  apps.delete('');
  const group = { id, handle, name, app };
  return outbox.row(
    { case: 'groupPosted', value: { group, message: printId('msg', post), apps: [...apps] } },
    [],
    actorOf(caller),
  );
}
