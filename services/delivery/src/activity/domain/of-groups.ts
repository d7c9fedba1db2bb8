import type { GroupSnapshot } from '@hearth/proto/events/v1/events';
import { type Draft, fieldsInWords, groupName, type Mappers, nameOf, sentence } from './draft.ts';

/** In the lists of all members, and of the apps that get the event. */
function inGroup(
  group: GroupSnapshot | undefined,
  apps: readonly string[],
): Pick<Draft, 'group' | 'subjects'> {
  const id = group?.id ?? '';
  return { group: id, subjects: [id, group?.app ?? '', ...apps] };
}

const endings: Record<string, (name: string, who: string | null) => string> = {
  ended: (name) => `${name} reached its end and was archived`,
  organizer_left: (name) => `${name} was archived, as its last organizer left`,
};

export const groupEvents: Mappers = {
  groupCreated: ({ group, person, apps }, who) => ({
    action: 'group.created',
    summary: sentence(who, `made the group ${groupName(group)}`, `The group ${groupName(group)} was made`),
    ...inGroup(group, [person, ...apps]),
  }),
  groupUpdated: ({ group, changed, apps }, who) => {
    const what = `${fieldsInWords(changed)} of ${groupName(group)}`;
    return {
      action: 'group.updated',
      summary: sentence(who, `changed ${what}`, `Changed: ${what}`),
      ...inGroup(group, apps),
    };
  },
  groupArchived: ({ group, why, apps }, who) => {
    const name = groupName(group);
    return {
      action: 'group.archived',
      summary: endings[why]?.(name, who) ?? sentence(who, `archived ${name}`, `${name} was archived`),
      ...inGroup(group, apps),
    };
  },
  groupDeleted: ({ group, apps }) => ({
    action: 'group.deleted',
    summary: `The group ${groupName(group)} was deleted`,
    ...inGroup(group, apps),
  }),
  memberJoined: ({ group, person, role, itemRef, apps }) => ({
    action: 'member.joined',
    summary: `${nameOf(person)} joined ${groupName(group)}${role === 'organizer' ? ' as an organizer' : ''}`,
    about: person,
    itemRef,
    ...inGroup(group, apps),
  }),
  memberLeft: ({ group, person, apps }) => ({
    action: 'member.left',
    summary: `${nameOf(person)} left ${groupName(group)}`,
    about: person,
    ...inGroup(group, apps),
  }),
  // The reason is for the organizers, and stays out.
  memberRemoved: ({ group, person, apps }, who) => {
    const [name, place] = [nameOf(person), groupName(group)];
    return {
      action: 'member.removed',
      summary: sentence(who, `removed ${name} from ${place}`, `${name} was removed from ${place}`),
      about: person,
      ...inGroup(group, apps),
    };
  },
  roleChanged: ({ group, person, role, apps }) => ({
    action: 'role.changed',
    summary: `${nameOf(person)} is ${role === 'organizer' ? 'now' : 'no longer'} an organizer of ${groupName(group)}`,
    about: person,
    ...inGroup(group, apps),
  }),
  groupPosted: ({ group, apps }, who) => ({
    action: 'group.posted',
    summary: `${who ?? 'Somebody'} posted to ${groupName(group)}`,
    ...inGroup(group, apps),
  }),
};
