import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { type Text, t } from '@hearth/i18n';
import { printId } from '@hearth/ids';
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
import type { GroupSnapshot, MemberLeft, PersonSnapshot } from '@hearth/proto/events/v1/events';
import type { KnownActor } from './actor.ts';
import { type AppDraft, appEvent, type Needs, type View } from './app-event.ts';
import type { ActivityDraft } from './draft.ts';
import { type Family, listed, quiet } from './family.ts';
import { byActor, fieldsOf, groupName, nameOf, whenOperator } from './words.ts';

export const groupEvents = {
  groupCreated: {
    activity: (value, by) => {
      const summary = t('events.group.created', { ...byActor(by), group: groupName(value.group) });
      return inGroup({ ...value, apps: [value.person, ...value.apps] }, 'group.created', summary);
    },
    app: (value, by) => created(value, value.person, by.person),
    ...quiet,
  },
  groupUpdated: {
    activity: (value, by) => {
      const of = { group: groupName(value.group), fields: fieldsOf(value.changed) };
      return inGroup(value, 'group.updated', t('events.group.updated', { ...byActor(by), ...of }));
    },
    app: (value, by) => {
      const needs = { groups: [value.group?.id ?? ''], people: [by.person ?? ''] };
      return ofGroup(GroupUpdatedSchema, value, needs, (common, view) => ({
        ...common,
        group: view.group(value.group!),
        changed: value.changed,
        ...byOf(view, by),
      }));
    },
    ...quiet,
  },
  groupArchived: {
    activity: (value, by) => {
      const why = endings.find((known) => known === value.why) ?? 'other';
      const summary = t('events.group.archived', { ...byActor(by), group: groupName(value.group), why });
      return inGroup(value, 'group.archived', summary);
    },
    app: (value) => ofGroup(GroupArchivedSchema, value, {}, (common) => ({ ...common, why: value.why })),
    ...quiet,
  },
  groupDeleted: {
    activity: (value) =>
      inGroup(value, 'group.deleted', t('events.group.deleted', { group: groupName(value.group) })),
    app: (value) => ofGroup(GroupDeletedSchema, value, {}, (common) => common),
    ...quiet,
    audit: whenOperator(({ group }) => ({
      action: 'group.deleted',
      about: group === undefined ? '' : printId('grp', group.id),
      summary: t('events.audit.group.deleted'),
      reason: '',
    })),
  },
  memberJoined: {
    activity(value) {
      const role = value.role === 'organizer' ? value.role : 'other';
      const summary = t('events.member.joined', { ...namesOf(value), role });
      return {
        ...inGroup(value, 'member.joined', summary, value.person),
        itemRef: value.itemRef,
        itemApp: value.itemApp,
      };
    },
    app: (value) => [
      created(value, '', null),
      ofMember(MemberJoinedSchema, value, null, (common, view) => {
        const { role, via, invite, itemRef, itemApp } = value;
        const person = view.person(value.person!);
        const own = itemApp === view.app;
        return {
          ...common,
          ...{ person, role, via },
          // Otherwise two apps could tell by the invite that they know the same child.
          ...(invite !== '' && (own || !person.shielded) && { invite: printId('inv', invite) }),
          ...(itemRef !== '' && own && { itemRef }),
        };
      }),
    ],
    ...quiet,
  },
  memberLeft: {
    activity(value) {
      const { person } = value;
      return [
        inGroup(value, 'member.left', t('events.member.left', namesOf(value)), person),
        reasonWhy(value, 'left', person),
      ];
    },
    app: (value) => ofMember(MemberLeftSchema, value, null, (common) => common),
    ...quiet,
  },
  memberRemoved: {
    activity(value, by) {
      const summary = t('events.member.removed', { ...byActor(by), ...namesOf(value) });
      return [
        inGroup(value, 'member.removed', summary, value.person),
        // Hidden from the removed person.
        reasonWhy(value, 'removed'),
      ];
    },
    app: (value, by) => ofMember(MemberRemovedSchema, value, by, (common) => common),
    ...quiet,
  },
  roleChanged: {
    activity(value) {
      const role = value.role === 'organizer' ? value.role : 'other';
      const summary = t('events.role.changed', { ...namesOf(value), role });
      return inGroup(value, 'role.changed', summary, value.person);
    },
    app: (value, by) => ofMember(RoleChangedSchema, value, by, (common) => ({ ...common, role: value.role })),
    ...quiet,
  },
  groupPosted: {
    activity: (value, by) => {
      const summary = t('events.group.posted', { ...byActor(by), group: groupName(value.group) });
      return inGroup(value, 'group.posted', summary);
    },
    ...listed,
  },
} satisfies Family;

/** The fields that every event of a group has. */
interface OfGroup {
  group?: GroupSnapshot | undefined;
  apps: string[];
}

/** The field that every app event of a group has: the group's printed id. */
interface Common {
  group: string;
}

/** In the lists of all members, and of the receiving apps. */
function inGroup(
  { group, apps }: OfGroup,
  action: string,
  summary: Text,
  about?: PersonSnapshot,
): ActivityDraft {
  const id = group?.id ?? '';
  return { action, summary, group: id, about, subjects: [id, group?.app ?? '', ...apps] };
}

/** In the lists of the organizers and of the person it is about; null if no reason was given. */
function reasonWhy(
  value: Pick<MemberLeft, 'group' | 'organizers' | 'person' | 'reason'>,
  end: 'left' | 'removed',
  about?: PersonSnapshot,
): ActivityDraft | null {
  const { group, organizers, reason } = value;
  if (reason === '') return null;
  const summary = t(`events.member.${end}-why`, { ...namesOf(value), reason });
  return { action: `member.${end}`, summary, group: group?.id ?? '', about, subjects: organizers };
}

/** Why groups are archived without a member's act. */
const endings = ['ended', 'organizer_left'] as const;

const namesOf = ({ group, person }: Pick<MemberLeft, 'group' | 'person'>) => ({
  group: groupName(group),
  person: nameOf(person),
});

/** Returns null for an event that names no group. */
function ofGroup<Message extends DescMessage>(
  message: Message,
  { group, apps }: OfGroup,
  needs: Needs,
  data: (common: Common, view: View) => MessageInitShape<Message>,
): AppDraft | null {
  if (group === undefined) return null;
  const common = { group: printId('grp', group.id) };
  return appEvent(message, { apps, orderKey: group.id, needs, data: (view) => data(common, view) });
}

/** @param by the actor to show; null to show none */
function ofMember<Message extends DescMessage>(
  message: Message,
  value: OfGroup & { person?: PersonSnapshot | undefined },
  by: KnownActor | null,
  data: (common: Common & { person: string; by?: string }, view: View) => MessageInitShape<Message>,
): AppDraft | null {
  const { person } = value;
  if (person === undefined) return null;
  return ofGroup(message, value, { people: [person.id, by?.person ?? ''] }, (common, view) =>
    data({ ...common, person: view.personId(person), ...(by !== null && byOf(view, by)) }, view),
  );
}

/**
 * For apps other than the one that created the group, once per app: when it is created, or when the app's
 * first person joins.
 */
function created(value: OfGroup, maker: string, by: string | null): AppDraft | null {
  const { group, apps } = value;
  if (group === undefined) return null;
  return appEvent(GroupCreatedSchema, {
    apps: apps.filter((app) => app !== group.app),
    orderKey: group.id,
    oncePerGroup: true,
    needs: { groups: [group.id], people: [maker, by ?? ''] },
    data(view) {
      const shown = view.group(group);
      const made = maker === '' ? shown.createdBy : view.personId({ id: maker, minor: false });
      return { group: shown, ...(made !== undefined && { by: made }) };
    },
  });
}

function byOf(view: View, { person, minor }: KnownActor): { by?: string } {
  return person === null ? {} : { by: view.personId({ id: person, minor }) };
}
