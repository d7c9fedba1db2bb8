import * as web from '@hearth/web';

type Theirs = (text: string) => string;

const now = Date.UTC(2026, 4, 3, 14, 5);
const day = 24 * 3_600_000;

/** The pages of groups, in every state. */
export function groupSamples(ada: web.Frame, guest: web.Frame, theirs: Theirs): Record<string, string> {
  const kit: web.Frame = { ...ada, person: { name: theirs('Kit'), handle: 'kit', minor: true } };
  const own: web.OwnGroup = {
    name: theirs('Rowing club'),
    handle: 'rowing',
    role: 'organizer',
    archived: false,
  };
  const none: web.Groups = { groups: [], isOlder: false, nameLength: 80 };
  const group: web.Group = { ...own, minors: 'teens', consentAge: 16, hasMinors: true };
  const child = 'shp_0f9d7c3e5a1b4d6f8091a2b3c4d5e6f7';
  const member: web.GroupMember = {
    name: theirs('Ada Lovelace'),
    address: '@ada',
    role: 'organizer',
    isViewer: true,
    isGuest: false,
    joinedAtMs: now - 40 * day,
  };
  const post: web.GroupPost = {
    id: 'msg_01',
    from: '@grace',
    fromName: theirs('Grace'),
    byAi: false,
    isViewers: false,
    text: theirs('The boats are back.\nBring the blue oars on Friday.'),
    atMs: now - day,
    isDay: false,
  };
  const model: web.GroupPage = { group, members: [member], posts: [], open: [], postLength: 4000 };
  const whole: web.GroupPage = {
    ...model,
    members: [
      member,
      { ...member, name: theirs('Grace'), address: '@grace', role: 'member', isViewer: false, isGuest: true },
      { ...member, name: theirs('K.'), address: child, role: 'member', isViewer: false },
    ],
    moreMembers: 'cursor',
    posts: [
      { ...post, id: 'msg_03', answers: { id: 'msg_01', name: theirs('Grace') }, isViewers: true },
      { ...post, id: 'msg_02', from: child, fromName: theirs('K.'), isDay: true },
      { ...post, from: '@grace.ai-robin', byAi: true },
      { ...post, id: 'msg_00', text: '' },
    ],
    olderPosts: 'cursor',
    open: [
      { kind: 'decision', title: theirs('Which boat do we buy?'), href: '/d/d_1' },
      { kind: 'plan', title: theirs('A day on the lake'), href: '/p/pln_1' },
    ],
  };
  const leaving: web.LeaveGroup = { ...group, isLastOrganizer: false };
  const report: web.PostReport = { id: 'msg_01', handle: 'rowing', name: theirs('Rowing club') };
  return {
    'groups-none': web.groupsPage(ada, none),
    groups: web.groupsPage(ada, {
      ...none,
      groups: [own, { ...own, handle: 'choir', role: 'member' }, { ...own, handle: 'old', archived: true }],
      olderCursor: 'cursor',
      done: 'You left the group.',
    }),
    'groups-older': web.groupsPage(ada, { ...none, isOlder: true }),
    'groups-errors': web.groupsPage(ada, {
      ...none,
      values: { name: theirs('Chess'), minors: 'teens' },
      errors: { name: 'This must have at most 80 characters.', minors: 'This must be one of those.' },
    }),
    'groups-refused': web.groupsPage(ada, {
      ...none,
      groups: [own],
      values: { name: theirs('Chess') },
      refused: 'You are in as many groups as one can be.',
    }),
    'groups-guest': web.groupsPage(guest, { ...none, groups: [{ ...own, role: 'member' }] }),
    'groups-minor': web.groupsPage(kit, none),
    group: web.groupPage(ada, { ...whole, done: 'It is posted.' }),
    'group-new': web.groupPage(ada, { ...model, group: { ...group, minors: 'no', hasMinors: false } }),
    'group-member': web.groupPage(guest, {
      ...whole,
      group: { ...group, role: 'member', minors: 'guardian', endsAtMs: now + 7 * day },
    }),
    'group-archived': web.groupPage(ada, {
      ...whole,
      group: { ...group, archived: true, endsAtMs: now },
      open: [],
    }),
    'group-part': web.groupPage(ada, { ...model, members: undefined, posts: undefined, open: undefined }),
    'group-older': web.groupPage(ada, { ...whole, part: 'posts' }),
    'group-older-none': web.groupPage(ada, { ...model, part: 'posts' }),
    'group-members': web.groupPage(ada, { ...whole, part: 'members' }),
    'group-errors': web.groupPage(ada, {
      ...model,
      text: theirs('Too long'),
      errors: { text: 'This must have at most 4000 characters.' },
    }),
    'group-refused': web.groupPage(ada, {
      ...model,
      text: theirs('Hello'),
      refused: 'This group is archived: what was posted can be read, and nothing more is posted.',
    }),
    'group-leave': web.leaveGroupPage(ada, leaving),
    'group-leave-last': web.leaveGroupPage(ada, {
      ...leaving,
      isLastOrganizer: true,
      errors: { archive: 'Tick that the group shall be archived by it.' },
    }),
    'group-leave-refused': web.leaveGroupPage(kit, {
      ...leaving,
      refused: 'Your parent or guardian has to do this for you.',
    }),
    'group-post-report': web.reportPostPage(ada, report),
    'group-post-report-errors': web.reportPostPage(ada, {
      ...report,
      values: { text: theirs('It is not true.') },
      errors: { reason: 'Say what is wrong with it.' },
    }),
  };
}
