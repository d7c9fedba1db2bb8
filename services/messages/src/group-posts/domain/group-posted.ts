import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { GroupFacts } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';

/** Has no topics, because posts wake no one. */
export function groupPosted(
  post: string,
  { id, handle, name, app }: GroupFacts,
  author: PersonFacts | null,
  by: Caller,
): Announcement {
  const apps = new Set([app, author?.app ?? '']);
  apps.delete('');
  const group = { id, handle, name, app };
  return {
    data: { case: 'groupPosted', value: { group, message: printId('msg', post), apps: [...apps] } },
    by,
  };
}
