import { notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { ApprovalStatusSchema } from '@hearth/proto/approvals/v1/approvals';
import { ProfileService } from '@hearth/proto/gateway/v1/profile';
import { type ChildJoin as FoundJoin, InvitesService } from '@hearth/proto/groups/v1/invites';
import {
  type Child as FoundChild,
  type GuardianViewResponse,
  PeopleService,
} from '@hearth/proto/identity/v1/people';
import type { AgeBand, Child, ChildJoin, Dealings } from '@hearth/web';
import { aiNameOf, type Context, ifThere, msOf, nameOf, type Own } from '../pages/module.ts';
import { ageBandOf, guardianshipOf } from './own-account.ts';

export async function listChildren(context: Context, request: Own): Promise<FoundChild[]> {
  return (await findFamily(context, request)).children;
}

/** The person's children, including grown-up children who still need a sign-in. */
export async function findFamily({ ask }: Context, { person }: Own) {
  return await ask(PeopleService.method.listChildren, {}, person);
}

/** The child, or grown-up child, that the person adds a sign-in for. @throws not_found */
export async function findForSignIn(
  context: Context,
  request: Own,
): Promise<{ id: string; name: string; grown: boolean }> {
  const { children, grown } = await findFamily(context, request);
  const isMeant = (person: { id: string }) => person.id === request.param('id');
  const found = [...children.flatMap(({ person }) => person ?? []), ...grown].find(isMeant);
  if (found === undefined) throw notFound();
  return { id: found.id, name: found.name, grown: grown.some(isMeant) };
}

/** The children's requests to join groups that wait for the guardian. */
export async function listJoins(
  { ask }: Context,
  { person }: Own,
  children: readonly FoundChild[],
): Promise<FoundJoin[]> {
  if (children.length === 0) return [];
  const ids = children.map(({ facts }) => facts!.id);
  const { listWaitingForGuardian } = InvitesService.method;
  return (await ask(listWaitingForGuardian, { children: ids }, person)).joins;
}

/** The child of this page. @throws not_found unless the person is their guardian */
export async function findChild(context: Context, request: Own): Promise<FoundChild> {
  const children = await listChildren(context, request);
  const found = children.find(({ person }) => person?.id === request.param('id'));
  if (found === undefined) throw notFound();
  return found;
}

const leastAge: Readonly<Record<AgeBand, number>> = { adult: 18, teen16: 16, teen13: 13, child: 0 };

/** A child as pages show them, with their contacts if these can be found out. */
export async function childOf({ ask }: Context, viewer: Own, found: FoundChild): Promise<Child> {
  const { facts, person, nextBand, guardians, appName } = found;
  const { id, name } = person!;
  const view = await ifThere(ask(ProfileService.method.guardianView, { id }, viewer.person));
  return {
    ...{ id, name },
    handle: facts!.handle,
    ageBand: ageBandOf(facts!.ageBand),
    next: nextBand && { ageBand: ageBandOf(nextBand.ageBand), month: nextBand.month },
    aiShare: facts!.aiShare,
    guardians: guardians.map((guardianship) => ({
      ...guardianshipOf(guardianship),
      viewer: guardianship.guardian?.id === printId('per', viewer.person.id),
    })),
    app: appName === '' ? undefined : appName,
    deletesAtMs: msOf(facts!.deletesAt),
    maySignIn: leastAge[ageBandOf(facts!.ageBand)] >= facts!.consentAge,
    signsIn: facts!.email !== '',
    dealings: view && dealingsOf(view),
  };
}

function dealingsOf({ groups, contacts, ais, approvals }: GuardianViewResponse): Dealings {
  return {
    groups: groups.map(({ name, address, archived, joinedAt }) => ({
      ...{ name, address, archived },
      atMs: msOf(joinedAt),
    })),
    contacts: contacts.map(({ name, address, lastAt }) => ({ name, address, atMs: msOf(lastAt) })),
    ais: ais.map(aiNameOf),
    answered: approvals.map(({ id, title, status, at, settledAt }) => ({
      id,
      title,
      status: nameOf(ApprovalStatusSchema, status, 'waiting'),
      atMs: msOf(settledAt ?? at),
    })),
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
