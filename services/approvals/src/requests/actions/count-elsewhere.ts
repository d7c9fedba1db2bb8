import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Call } from '@hearth/rpc';
import type { RequestsContext } from '../context.ts';

/** Nobody has more open invites by name. */
const mostInvites = 1_000;

/**
 * Messages and invites that wait for a person, or at that AI of theirs; nothing waits for an AI that nobody owns.
 *
 * @param person of an AI; empty when the owner is a person
 */
export async function countElsewhere(
  { invitations, messages }: Pick<RequestsContext, 'invitations' | 'messages'>,
  { owner, person }: { owner: string; person: string },
  call: Call,
): Promise<{ count: number; oldest: Date | null }> {
  const whose = person || owner;
  const [waiting, { invitations: invites }] = await Promise.all([
    messages.countRequestMessages({ viewer: { person: whose, holders: [owner] } }, { call }),
    invitations.listInvitations({ person: whose, holders: [owner], limit: mostInvites }, { call }),
  ]);
  const moments = [waiting.oldest, ...invites.map(({ at }) => at)]
    .filter((at) => at !== undefined)
    .map((at) => timestampDate(at).getTime());
  return {
    count: waiting.count + invites.length,
    oldest: moments.length === 0 ? null : new Date(Math.min(...moments)),
  };
}
