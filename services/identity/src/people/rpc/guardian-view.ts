import type { MessageInitShape } from '@bufbuild/protobuf';
import { badRequest, forbidden } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { ChildContactSchema, PeopleService, PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Contact } from '@hearth/proto/messages/v1/messages';
import { type Call, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { type AiRow, findAis, listLiveAis } from '../../shared/db/ais.ts';
import { requireStanding } from '../../shared/domain/standing.ts';
import { toAi } from '../../shared/domain/to-proto.ts';
import { visiblePerson } from '../actions/visible-person.ts';
import type { Context } from '../context.ts';

const mostAis = 100;
const mostContacts = 200;

/** For a guardian: the groups, contacts and AIs of their child. Never a word of what was written. */
export const guardianView =
  (context: Context): UnaryHandler<typeof PeopleService.method.guardianView> =>
  async (request, call) => {
    const { database, groups, people, messages } = context;
    const child = await visiblePerson(context, request.id, call);
    mayView(call, child);
    const ais = await listLiveAis(database.db, { owner: child.id }, null, mostAis);
    const [belonging, ...lists] = await Promise.all([
      groups.listGroupIds({ person: child.id }, { call }),
      ...[child, ...ais].map(({ id }) => messages.listContacts({ owner: id }, { call })),
    ]);
    return {
      person: people.show(child, call.caller),
      groups: belonging.groups
        .filter(({ archived }) => !archived)
        .map(({ id, address, name, joinedAt }) => ({
          id: printId('grp', id),
          address,
          name,
          ...(joinedAt !== undefined && { joinedAt }),
        })),
      contacts: await shown(context, newestOfEach(lists.flatMap(({ contacts }) => contacts)), child, call),
      ais: ais.map((ai) => toAi(ai)),
    };
  };

/** @throws forbidden for everyone but the guardian; bad_request for an adult */
function mayView({ caller }: Call, child: PersonFacts): void {
  if (caller.kind !== callerKinds.PERSON) {
    throw forbidden('only a guardian can see this; act for the guardian', { needsPerson: true });
  }
  requireStanding(caller, child, ['guardian'], 'only a guardian of the child can see this');
  if (child.ageBand === AgeBand.ADULT) {
    throw badRequest('id: somebody of 18 or more has no guardian', { code: 'bad_field', field: 'id' });
  }
}

/** A child and their AIs may write with the same. */
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

/** As the guardian may see them: other people's children stay shielded, and so do the AIs that bear their handles. */
async function shown(
  { database, people: lookup }: Context,
  contacts: readonly Contact[],
  child: PersonFacts,
  { caller }: Call,
): Promise<MessageInitShape<typeof ChildContactSchema>[]> {
  const ids = contacts.map(({ id }) => id);
  const people = await Promise.all(ids.map((id) => lookup.find(id)));
  const ais = new Map((await findAis(database.db, ids)).map((ai) => [ai.id, ai]));
  return contacts.flatMap(({ id, address, name, lastAt }, index) => {
    const person = people[index];
    const ai = ais.get(id);
    if (ai?.owner === child.id) return [];
    const seen =
      person != null
        ? lookup.show(person, caller)
        : { address: ai === undefined ? address : shownAddress(ai), name: ai?.name ?? name };
    return [{ address: seen.address, name: seen.name, ...(lastAt !== undefined && { lastAt }) }];
  });
}

/** The address of a child's AI holds the child's handle. */
function shownAddress({ id, address, ownerMinor }: AiRow): string {
  return ownerMinor ? printId('ai', id) : address;
}
