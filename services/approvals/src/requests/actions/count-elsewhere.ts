import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** No person has more open invites by name. */
const mostInvites = 1_000;

/**
 * Messages and invites that wait for a person, or at that AI of theirs; nothing waits for an AI without an owner.
 *
 * @param person of an AI; empty when the owner is a person
 */
export async function countElsewhere(
  { invitations, messages }: Context,
  { owner, person }: { owner: string; person: string },
  call: Call,
): Promise<{ count: number; oldest: Date | null }> {
  const viewer = { person: person || owner, holders: [owner] };
  const [waiting, { invitations: invites }] = await Promise.all([
    messages.countRequestMessages({ viewer }, { call }),
    invitations.listInvitations({ ...viewer, limit: mostInvites }, { call }),
  ]);
  const times = [waiting.oldest, ...invites.map(({ at }) => at)].flatMap((at) =>
    at === undefined ? [] : timestampDate(at).getTime(),
  );
  return {
    count: waiting.count + invites.length,
    oldest: times.length === 0 ? null : new Date(Math.min(...times)),
  };
}
