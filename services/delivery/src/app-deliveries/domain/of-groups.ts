import { printId } from '@hearth/ids';
import type { Actor } from '@hearth/proto/common/v1/caller';
import {
  GroupArchivedSchema,
  GroupCreatedSchema,
  GroupDeletedSchema,
  GroupUpdatedSchema,
  MemberJoinedSchema,
  MemberLeftSchema,
  MemberRemovedSchema,
  RoleChangedSchema,
} from '@hearth/proto/delivery/v1/app_events';
import type { GroupSnapshot, PersonSnapshot } from '@hearth/proto/events/v1/events';
import { type Draft, draft, personOf, type Selectors, type View } from './draft.ts';

/** Fields of every event of a group. */
interface OfGroup {
  group?: GroupSnapshot | undefined;
  apps: string[];
  seq: bigint;
}

export const groupEvents: Selectors = {
  groupCreated: (value, by) => created(value, value.person, by),
  groupUpdated: (value, by) =>
    of(value, (common) =>
      draft(GroupUpdatedSchema, {
        ...common,
        needs: { groups: [common.orderKey], people: actors(by) },
        data: (view) => ({
          group: view.group(common.group),
          changed: value.changed,
          ...byOf(view, by),
          seq: value.seq,
        }),
      }),
    ),
  groupArchived: (value) =>
    of(value, (common) =>
      draft(GroupArchivedSchema, {
        ...common,
        data: () => ({ group: common.groupId, why: value.why, seq: value.seq }),
      }),
    ),
  groupDeleted: (value) =>
    of(value, (common) =>
      draft(GroupDeletedSchema, { ...common, data: () => ({ group: common.groupId, seq: value.seq }) }),
    ),
  memberJoined: (value) => [
    ...created(value, '', undefined),
    ...ofMember(value, ({ person, ...common }) =>
      draft(MemberJoinedSchema, {
        ...common,
        data: (view) => ({
          group: common.groupId,
          person: view.person(person),
          role: value.role,
          via: value.via,
          ...(value.invite !== '' && { invite: printId('inv', value.invite) }),
          ...(value.itemRef !== '' && { itemRef: value.itemRef }),
          seq: value.seq,
        }),
      }),
    ),
  ],
  memberLeft: (value) =>
    ofMember(value, ({ person, ...common }) =>
      draft(MemberLeftSchema, {
        ...common,
        data: (view) => ({ group: common.groupId, person: view.personId(person), seq: value.seq }),
      }),
    ),
  memberRemoved: (value, by) =>
    ofMember(value, ({ person, ...common }) =>
      draft(MemberRemovedSchema, {
        ...common,
        needs: { people: [person.id, ...actors(by)] },
        data: (view) => ({
          group: common.groupId,
          person: view.personId(person),
          ...byOf(view, by),
          seq: value.seq,
        }),
      }),
    ),
  roleChanged: (value, by) =>
    ofMember(value, ({ person, ...common }) =>
      draft(RoleChangedSchema, {
        ...common,
        needs: { people: [person.id, ...actors(by)] },
        data: (view) => ({
          group: common.groupId,
          person: view.personId(person),
          role: value.role,
          ...byOf(view, by),
          seq: value.seq,
        }),
      }),
    ),
};

/**
 * For apps other than the one that made the group, once for each: when it is made, or when the first of their people
 * comes into it.
 */
function created(value: OfGroup, maker: string, by: Actor | undefined): Draft[] {
  return of(value, (common) =>
    draft(GroupCreatedSchema, {
      ...common,
      apps: value.apps.filter((app) => app !== common.group.app),
      oncePerGroup: true,
      needs: { groups: [common.orderKey], people: [maker, ...actors(by)] },
      data(view) {
        const group = view.group(common.group);
        const made = maker === '' ? group.createdBy : view.personId({ id: maker, minor: false });
        return { group, ...(made !== undefined && { by: made }), seq: value.seq };
      },
    }),
  );
}

interface Common {
  apps: readonly string[];
  orderKey: string;
  group: GroupSnapshot;
  /** Printed. */
  groupId: string;
  needs: Draft['needs'];
}

/** None of an event that does not say which group it is about. */
function of({ group, apps }: OfGroup, make: (common: Common) => Draft): Draft[] {
  if (group === undefined) return [];
  return [make({ apps, orderKey: group.id, group, groupId: printId('grp', group.id), needs: {} })];
}

function ofMember(
  value: OfGroup & { person?: PersonSnapshot | undefined },
  make: (common: Common & { person: PersonSnapshot }) => Draft,
): Draft[] {
  const { person } = value;
  if (person === undefined) return [];
  return of(value, (common) => make({ ...common, needs: { people: [person.id] }, person }));
}

const actors = (by: Actor | undefined) => [personOf(by)?.id ?? ''];

function byOf(view: View, by: Actor | undefined): { by?: string } {
  const person = personOf(by);
  return person === null ? {} : { by: view.personId(person) };
}
