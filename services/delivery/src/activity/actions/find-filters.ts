import { parseAddress, parseReference, printAddress } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Call, Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** The actor to filter by. */
export interface By {
  /** uuid */
  actor: string | null;
  /** Or the address that the actor had at the time. */
  actorAddress: string | null;
}

const anyActor: By = { actor: null, actorAddress: null };

/**
 * Returns the actor that `by` names: a person by id or handle as the caller may know them, an AI or app by
 * id, an AI or group by address. Null if the caller cannot know the actor.
 *
 * @throws bad_field if it is neither an id nor an address
 */
export async function findBy(
  { people, homeNames }: Pick<Context, 'people' | 'homeNames'>,
  text: string | undefined,
  caller: Caller,
): Promise<By | null> {
  if (text === undefined) return anyActor;
  if (/^(?:per|shp)_/.test(text)) return byPerson(await people.everywhere.resolve(text, caller));
  const id = parseId('ai', text) ?? parseId('app', text);
  if (id !== null) return { ...anyActor, actor: id };
  const address = parseAddress(text, homeNames);
  if (address === null)
    throw badField('by', 'must be an id, or an address such as @handle or @handle.ai-name');
  if (address.home !== undefined) return { ...anyActor, actorAddress: printAddress(address) };
  if (address.kind === 'person') return byPerson(await people.resolve(`@${address.handle}`, caller));
  const sigil = address.kind === 'group' || address.ofGroup ? '&' : '@';
  const name = address.kind === 'ai' ? `.ai-${address.name}` : '';
  return { ...anyActor, actorAddress: `${sigil}${address.handle}${name}` };
}

const byPerson = (facts: { id: string } | null) => (facts === null ? null : { ...anyActor, actor: facts.id });

/** Returns the group's uuid; null if it does not exist. @throws bad_field unless it is a group id or address */
export async function findGroup(
  { groups, homeNames }: Pick<Context, 'groups' | 'homeNames'>,
  text: string,
  call: Call,
): Promise<string | null> {
  const id = parseId('grp', text);
  if (id !== null) return id;
  // Activity of a remote group is kept by its own home.
  if (parseReference(text, homeNames) !== null) return null;
  const address = parseAddress(text, homeNames);
  if (address?.kind !== 'group')
    throw badField('group', 'must be the id of a group, or its address such as &handle');
  if (address.home !== undefined) return null;
  const { results } = await groups.findGroups({ handles: [address.handle] }, { call });
  return results[0]?.group?.id ?? null;
}
