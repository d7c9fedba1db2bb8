import { parseAddress } from '@hearth/addresses';
import { notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { GroupFacts } from '@hearth/proto/groups/v1/groups';
import { actingPerson, type Call } from '@hearth/rpc';
import type { Context } from '../context.ts';

/**
 * Returns the named group if the caller is a member, an AI of a member, or the group's AI.
 *
 * @throws not_found otherwise
 */
export async function groupOf(context: Context, reference: string, call: Call): Promise<GroupFacts> {
  const { caller } = call;
  const group =
    caller.group === ''
      ? (await context.groups.findMembership({ group: reference, person: actingPerson(caller) }, { call }))
          .group
      : await groupRunBy(context, reference, call);
  if (group === undefined) throw notFound();
  return group;
}

/** A group's AI can only name its own group. */
async function groupRunBy(
  { groups, homeNames }: Context,
  reference: string,
  call: Call,
): Promise<GroupFacts | undefined> {
  const { results } = await groups.findGroups({ ids: [call.caller.group] }, { call });
  const own = results[0]?.group;
  if (own === undefined) return undefined;
  const address = parseAddress(reference, homeNames);
  const isAddress = address?.kind === 'group' && address.home === undefined && address.handle === own.handle;
  return isAddress || reference === printId('grp', own.id) ? own : undefined;
}
