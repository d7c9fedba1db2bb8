import type { MessageInitShape } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { isMinor } from '@hearth/people';
import type { ProfileService } from '@hearth/proto/gateway/v1/profile';
import type { ChildContactSchema } from '@hearth/proto/identity/v1/people';
import type { Contact } from '@hearth/proto/messages/v1/messages';
import type { Call, UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';

const mostContacts = 200;

/**
 * For a guardian: their child's groups, contacts and AIs, and the answers given for the child; nothing from
 * their messages.
 */
export const guardianView =
  (context: Context): UnaryHandler<typeof ProfileService.method.guardianView> =>
  async (request, call) => {
    const { approvals, groups, identityPeople, messages } = context;
    const child = await identityPeople.findWard({ id: request.id }, { call });
    const [belonging, answered, ...lists] = await Promise.all([
      groups.listGroupIds({ person: child.id }, { call }),
      approvals.listAnsweredFor({ child: child.id }, { call }),
      ...[child.id, ...child.aiIds].map((owner) => messages.listContacts({ owner }, { call })),
    ]);
    return {
      person: child.person!,
      groups: belonging.groups.map(({ id, address, archived, name, joinedAt }) => ({
        ...{ id: printId('grp', id), address, archived, name },
        ...(joinedAt !== undefined && { joinedAt }),
      })),
      contacts: await shieldContacts(
        context,
        newestOfEach(lists.flatMap(({ contacts }) => contacts)),
        child.id,
        call,
      ),
      ais: child.ais,
      approvals: answered.approvals,
    };
  };

/** A child and their AIs may share contacts. */
function newestOfEach(contacts: readonly Contact[]): Contact[] {
  const newest = new Map<string, Contact>();
  for (const contact of [...contacts].sort((one, other) => secondsOf(other) - secondsOf(one))) {
    if (!newest.has(contact.id)) newest.set(contact.id, contact);
  }
  return [...newest.values()].slice(0, mostContacts);
}

function secondsOf({ lastAt }: Contact): number {
  return lastAt === undefined ? 0 : Number(lastAt.seconds) + lastAt.nanos / 1e9;
}

/**
 * The contacts as the guardian may see them: other people's children stay shielded, and so do AIs whose
 * address contains such a child's handle.
 */
async function shieldContacts(
  { ais, people }: Context,
  contacts: readonly Contact[],
  child: string,
  call: Call,
): Promise<MessageInitShape<typeof ChildContactSchema>[]> {
  const ids = contacts.map(({ id }) => id);
  const [persons, { results }] = await Promise.all([people.find(ids), ais.findAis({ ids }, { call })]);
  const owners = await people.find(results.flatMap(({ facts }) => facts?.owner || []));
  return contacts.flatMap(({ id, address, name, lastAt }, index) => {
    const person = persons.get(id);
    const ai = results[index]?.facts;
    if (ai?.owner === child) return [];
    const owner = owners.get(ai?.owner ?? '');
    // The address of a child's AI contains the child's handle.
    const hidden = owner !== undefined && isMinor(owner);
    const seen =
      person !== undefined
        ? people.show(person, call.caller)
        : { address: hidden ? printId('ai', id) : (ai?.address ?? address), name: ai?.name ?? name };
    return [{ address: seen.address, name: seen.name, ...(lastAt !== undefined && { lastAt }) }];
  });
}
