import { badField, badRequest } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import { isMinor } from '@hearth/people';
import { Role } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Call, Caller } from '@hearth/rpc';
import type { Member } from '../domain/member.ts';
import type { Deps } from './deps.ts';
import type { FoundGroup } from './find-group.ts';

export interface Wanted {
  /** References as the caller gave them; empty: everyone. */
  with: readonly string[];
  hiddenFrom: string | undefined;
  /** uuid of the person who starts it, or of the owner of the AI that does; null for the group AI. */
  starter: string | null;
}

/**
 * The people of a new decision or plan: the members it asks, and the organizers.
 *
 * @throws bad_field for a person who isn't a member, and for hiding it from its starter or someone it asks;
 * bad_request if it asks no one, or too many
 */
export async function gatherPeople(
  context: Deps,
  { group, members: told }: FoundGroup,
  wanted: Wanted,
  call: Call,
): Promise<{ people: Member[]; hiddenFrom: string | null }> {
  const { caller } = call;
  const most = sizeOf(context.limits, 'decision_people');
  const limit = sizeOf(context.limits, 'group_members');
  const members =
    told.length > 0
      ? told
      : (await context.peers.groups.listRoster({ group: group.id, limit }, { call })).members;
  const roles = new Map(members.map(({ person, role }) => [person, role]));
  const hiddenFrom =
    wanted.hiddenFrom === undefined
      ? null
      : await memberNamed(context, wanted.hiddenFrom, roles, caller, 'hidden_from');
  if (hiddenFrom !== null && hiddenFrom === wanted.starter)
    throw badField('hidden_from', 'is the person who starts it');
  const named = await Promise.all(
    wanted.with.map((reference, index) => memberNamed(context, reference, roles, caller, `with[${index}]`)),
  );
  const hidden = hiddenFrom === null ? -1 : named.indexOf(hiddenFrom);
  if (hidden >= 0) throw badField(`with[${hidden}]`, 'is the person from whom it is hidden');
  const chosen = wanted.with.length === 0 ? [...roles.keys()] : [wanted.starter, ...named];
  const asked = new Set(
    chosen.filter((person) => person !== null && person !== hiddenFrom && roles.has(person)),
  );
  if (asked.size > most)
    throw badRequest(
      `with: at most ${most} people are asked, and this group has ${asked.size}; name some of them`,
      {
        code: 'bad_field',
        field: 'with',
      },
    );
  const organizers = new Set(
    [...roles].flatMap(([person, role]) => (role === Role.ORGANIZER ? [person] : [])),
  );
  const facts = await context.people.everywhere.find([...asked, ...organizers].filter((one) => one !== null));
  const people = [...facts.values()].flatMap((person) =>
    person.id === hiddenFrom
      ? []
      : (memberOf(person, asked.has(person.id), organizers.has(person.id), hiddenFrom) ?? []),
  );
  if (!people.some((person) => person.asked)) throw badField('group', 'has no one who could be asked');
  return { people, hiddenFrom };
}

/** Null for a person who is neither asked nor an organizer, and for a child no one can answer for. */
export function memberOf(
  facts: PersonFacts,
  asked: boolean,
  organizer: boolean,
  hiddenFrom: string | null,
): Member | null {
  const guardians = isMinor(facts) ? facts.guardians.filter((id) => id !== hiddenFrom) : [];
  // Teenagers without a guardian joined on their own, and answer for themselves.
  const silent = facts.ageBand === AgeBand.CHILD || facts.guardians.length > 0;
  const answered = !isMinor(facts) || guardians.length > 0 || !silent;
  if (!(asked && answered) && !organizer) return null;
  return {
    person: facts.id,
    guardians,
    aiShare: !isMinor(facts) || facts.aiShare,
    organizer,
    asked: asked && answered,
    home: facts.home || null,
    acts: {},
  };
}

async function memberNamed(
  { people }: Deps,
  reference: string,
  roles: ReadonlyMap<string, Role>,
  caller: Caller,
  field: string,
): Promise<string> {
  const person = await people.everywhere.resolve(reference, caller);
  if (person === null || !roles.has(person.id))
    throw badField(
      field,
      `must be a member of the group: @handle, handle@home, per_ or shp_; got ${reference}`,
    );
  return person.id;
}
