import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
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
import { changeOf, groupName, nameOf, sentence, whenOperator } from './words.ts';

export const groupEvents = {
  groupCreated: {
    activity: (value, { who }) => {
      const name = groupName(value.group);
      const summary = sentence(who, `made the group ${name}`, `The group ${name} was made`);
      return inGroup({ ...value, apps: [value.person, ...value.apps] }, 'group.created', summary);
    },
    app: (value, by) => created(value, value.person, by.person),
    ...quiet,
  },
  groupUpdated: {
    activity: (value, { who }) =>
      inGroup(value, 'group.updated', changeOf(groupName(value.group), value.changed, who)),
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
    activity: (value, { who }) => {
      const name = groupName(value.group);
      const archived = sentence(who, `archived ${name}`, `${name} was archived`);
      return inGroup(value, 'group.archived', endings.get(value.why)?.(name) ?? archived);
    },
    app: (value) => ofGroup(GroupArchivedSchema, value, {}, (common) => ({ ...common, why: value.why })),
    ...quiet,
  },
  groupDeleted: {
    activity: (value) => inGroup(value, 'group.deleted', `The group ${groupName(value.group)} was deleted`),
    app: (value) => ofGroup(GroupDeletedSchema, value, {}, (common) => common),
    ...quiet,
    audit: whenOperator(({ group }) => ({
      action: 'group.deleted',
      about: group === undefined ? '' : printId('grp', group.id),
      summary: 'A group without members was deleted',
      reason: '',
    })),
  },
  memberJoined: {
    activity(value) {
      const as = value.role === 'organizer' ? ' as an organizer' : '';
      const summary = `${nameOf(value.person)} joined ${groupName(value.group)}${as}`;
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
          // Two apps do not find by it that they know the same child.
          ...(invite !== '' && (own || !person.shielded) && { invite: printId('inv', invite) }),
          ...(itemRef !== '' && own && { itemRef }),
        };
      }),
    ],
    ...quiet,
  },
  memberLeft: {
    activity(value) {
      const { group, person } = value;
      const summary = `${nameOf(person)} left ${groupName(group)}`;
      return [
        inGroup(value, 'member.left', summary, person),
        reasonWhy(value, 'member.left', summary, person),
      ];
    },
    app: (value) => ofMember(MemberLeftSchema, value, null, (common) => common),
    ...quiet,
  },
  memberRemoved: {
    activity(value, { who }) {
      const { group, person } = value;
      const [name, place] = [nameOf(person), groupName(group)];
      const summary = sentence(who, `removed ${name} from ${place}`, `${name} was removed from ${place}`);
      return [
        inGroup(value, 'member.removed', summary, person),
        // The one who was removed does not read it.
        reasonWhy(value, 'member.removed', `${name} was removed from ${place}`),
      ];
    },
    app: (value, by) => ofMember(MemberRemovedSchema, value, by, (common) => common),
    ...quiet,
  },
  roleChanged: {
    activity(value) {
      const words = `${value.role === 'organizer' ? 'now' : 'no longer'} an organizer of`;
      const summary = `${nameOf(value.person)} is ${words} ${groupName(value.group)}`;
      return inGroup(value, 'role.changed', summary, value.person);
    },
    app: (value, by) => ofMember(RoleChangedSchema, value, by, (common) => ({ ...common, role: value.role })),
    ...quiet,
  },
  groupPosted: {
    activity: (value, { who }) =>
      inGroup(value, 'group.posted', `${who ?? 'A member'} posted to ${groupName(value.group)}`),
    ...listed,
  },
} satisfies Family;

/** Fields of every event of a group. */
interface OfGroup {
  group?: GroupSnapshot | undefined;
  apps: string[];
}

/** The field of every app event of a group: its id as it is printed. */
interface Common {
  group: string;
}

/** In the lists of all members, and of the apps that get the event. */
function inGroup(
  { group, apps }: OfGroup,
  action: string,
  summary: string,
  about?: PersonSnapshot,
): ActivityDraft {
  const id = group?.id ?? '';
  return { action, summary, group: id, about, subjects: [id, group?.app ?? '', ...apps] };
}

/** In the lists of the organizers, and of the one whom it is about: null where no reason was given. */
function reasonWhy(
  { group, organizers, reason }: Pick<MemberLeft, 'group' | 'organizers' | 'reason'>,
  action: string,
  what: string,
  about?: PersonSnapshot,
): ActivityDraft | null {
  if (reason === '') return null;
  const summary = `The reason why ${what}: “${reason}”`;
  return { action, summary, group: group?.id ?? '', about, subjects: organizers };
}

const endings = new Map([
  ['ended', (name: string) => `${name} reached its end and was archived`],
  ['organizer_left', (name: string) => `${name} was archived, as its last organizer left`],
]);

/** None of an event that does not say which group it is about. */
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

/** @param by an actor who is shown; null for none */
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
 * For apps other than the one that made the group, once for each: when it is made, or when the first of their people
 * comes into it.
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
