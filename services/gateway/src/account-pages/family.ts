import { notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { ChildJoin as FoundJoin } from '@hearth/proto/groups/v1/invites';
import type { Child as FoundChild, GuardianViewResponse } from '@hearth/proto/identity/v1/people';
import type { Child, ChildJoin, Dealings } from '@hearth/web';
import { type Asked, aiNameOf, ifThere, msOf } from '../pages/module.ts';
import type { PeopleContext } from './context.ts';
import { ageBandOf, guardianshipOf } from './own-account.ts';

export async function listChildren({ peers }: PeopleContext, { person }: Asked): Promise<FoundChild[]> {
  return (await peers.people.listChildren({}, { caller: person })).children;
}

/** What waits for the guardian's word about these children. */
export async function listJoins(
  { peers }: PeopleContext,
  { person }: Asked,
  children: readonly FoundChild[],
): Promise<FoundJoin[]> {
  if (children.length === 0) return [];
  const ids = children.map(({ facts }) => facts!.id);
  const { joins } = await peers.invites.listWaitingForGuardian({ children: ids }, { caller: person });
  return joins;
}

/** The child whose page it is. @throws not_found for somebody whom the person does not guard */
export async function findChild(context: PeopleContext, asked: Asked): Promise<FoundChild> {
  const children = await listChildren(context, asked);
  const found = children.find(({ person }) => person?.id === asked.request.params['id']);
  if (found === undefined) throw notFound();
  return found;
}

/** A child as pages show them, with whom they deal as far as that can be found out. */
export async function childOf({ peers }: PeopleContext, asked: Asked, found: FoundChild): Promise<Child> {
  const { facts, person, nextBand, guardians, appName } = found;
  const view = await ifThere(peers.people.guardianView({ id: person!.id }, { caller: asked.person }));
  return {
    ...nameOf(found),
    handle: facts!.handle,
    ageBand: ageBandOf(facts!.ageBand),
    next: nextBand && { ageBand: ageBandOf(nextBand.ageBand), month: nextBand.month },
    aiShare: facts!.aiShare,
    guardians: guardians.map((guardianship) => ({
      ...guardianshipOf(guardianship),
      viewer: guardianship.guardian?.id === printId('per', asked.person.id),
    })),
    app: appName === '' ? undefined : appName,
    deletesAtMs: msOf(facts!.deletesAt),
    dealings: view && dealingsOf(view),
  };
}

function nameOf({ person }: FoundChild): Pick<Child, 'id' | 'name'> {
  return { id: person!.id, name: person!.name };
}

function dealingsOf({ groups, contacts, ais }: GuardianViewResponse): Dealings {
  return {
    groups: groups.map(({ name, address, joinedAt }) => ({ name, address, atMs: msOf(joinedAt) })),
    contacts: contacts.map(({ name, address, lastAt }) => ({ name, address, atMs: msOf(lastAt) })),
    ais: ais.map(aiNameOf),
  };
}

export function joinOf({ invite, groupName, join }: FoundJoin): ChildJoin[] {
  const { person, note, at, waitingFor } = join!;
  if (person === undefined) return [];
  return [
    {
      invite,
      child: { id: person.id, name: person.name },
      groupName,
      note,
      askedAtMs: msOf(at) ?? 0,
      organizersToo: waitingFor.includes('organizer'),
    },
  ];
}
