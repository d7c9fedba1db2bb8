import { create } from '@bufbuild/protobuf';
import { type Caller, CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import type { Event } from '@hearth/proto/events/v1/events';
import type { Group } from '@hearth/proto/groups/v1/groups';
import type { Invite } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { CallerKind } from '@hearth/proto/options';
import { as, type TestGroups, uuidOf } from './start-groups.ts';

/** A caller without a sign-in. */
export function anyoneFrom(network: string): Caller {
  return create(CallerSchema, { kind: CallerKind.ANONYMOUS, network, via: Via.API });
}

/** A person on the home's own pages. */
export function onPages(person: PersonFacts, network = '198.51.100.0/24'): Caller {
  return create(CallerSchema, { ...as(person, ''), network });
}

/** The most frequent calls of the tests of invites. */
export function invitesOf(home: TestGroups) {
  return {
    invite: (organizer: PersonFacts, group: Group, fields: object = {}): Promise<Invite> =>
      home.invites.createInvite({ id: group.id, ...fields }, { caller: as(organizer) }),
    accept: (person: PersonFacts, code: string, fields: object = {}) =>
      home.invites.acceptInvite({ code, ...fields }, { caller: onPages(person) }),
    peek: (code: string, caller: Caller = anyoneFrom('192.0.2.0/24')) =>
      home.invites.peekInvite({ code }, { caller }),
    review: (by: PersonFacts, code: string, decision: number, fields: object = {}) =>
      home.invites.reviewInvite({ code, decision, ...fields }, { caller: onPages(by) }),
    /** Answers an invite (uuid) that waits in requests. */
    acceptItem: (caller: Caller, id: string, note = '') =>
      home.source.acceptItem({ keys: home.keysOf(id), note }, { caller }),
    declineItem: (caller: Caller, id: string, fields: { note?: string; silent?: boolean } = {}) =>
      home.source.declineItem({ keys: home.keysOf(id), ...fields }, { caller }),
    passItem: (caller: Caller, id: string, note = '') =>
      home.source.passItem({ keys: home.keysOf(id), note }, { caller }),
    list: (organizer: PersonFacts, group: Group, fields: object = {}) =>
      home.invites.listInvites({ id: group.id, ...fields }, { caller: as(organizer) }),
    /** The cases of the group's events. */
    async happened(group: Group): Promise<string[]> {
      return (await home.events(group)).map(({ data }) => data.case as string);
    },
    /** The notices with that text in their title, newest last. */
    async notices(about: string): Promise<{ person: string; kind: string; title: string; about: string }[]> {
      const all: Event[] = await home.events();
      return all.flatMap(({ data }) => {
        if (data.case !== 'personNotified' || !data.value.title.includes(about)) return [];
        const { person, kind, title, about: child } = data.value;
        return [{ person, kind, title, about: child }];
      });
    },
    async membersOf(group: Group): Promise<string[]> {
      const rows = await home.database.db.query<{ person: string }>({
        text: 'select person from groups.members where "group" = $1 order by joined_at, person',
        values: [uuidOf(group.id)],
      });
      return rows.map(({ person }) => person);
    },
  };
}

/** The failure of a call in brief: kind, code and field. */
export async function failure(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'none';
  } catch (error) {
    const { kind, details } = error as { kind: string; details: { code?: string; field?: string } };
    return [kind, details?.code, details?.field].filter((word) => word !== undefined).join(' ');
  }
}
