import { t, verbatim } from '@hearth/i18n';
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
  const none: web.Groups = { groups: [], isOlder: false, nameLength: 80, attempt: 'a' };
  const group: web.Group = { ...own, minors: 'teens', consentAge: 16, hasMinors: true };
  const child = 'shp_0f9d7c3e5a1b4d6f8091a2b3c4d5e6f7';
  const member: web.GroupMember = {
    id: 'per_01',
    name: theirs('Ada Lovelace'),
    address: '@ada',
    role: 'organizer',
    isViewer: true,
    isGuest: false,
    isAdult: true,
    joinedAtMs: now - 40 * day,
  };
  const grace: web.GroupMember = {
    ...member,
    ...{ id: 'per_03', name: theirs('Grace'), address: '@grace', role: 'member', isViewer: false },
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
  const model: web.GroupPage = {
    group,
    members: [member],
    posts: [],
    open: [],
    begins: ['plan', 'decision'],
    postLength: 4000,
    attempt: 'a',
  };
  const whole: web.GroupPage = {
    ...model,
    members: [
      member,
      { ...member, id: 'per_02', name: theirs('Ben'), address: '@ben', isViewer: false },
      { ...grace, isGuest: true },
      { ...grace, id: 'per_04', name: theirs('Eve'), address: 'eve@far.example', home: 'far.example' },
      { ...grace, id: child, name: theirs('K.'), address: child, isAdult: false },
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
  const course: web.NewCourse = {
    ...{ group, timeZone: 'Europe/Zurich', values: {}, asked: [], attempt: 'attempt-1' },
    members: [
      { id: 'per_02', name: theirs('Ben') },
      { id: child, name: theirs('K.') },
    ],
  };
  const wrong: web.NewCourse = {
    ...course,
    asked: ['per_02'],
    values: { title: theirs('Summer'), details: theirs('A day\non the lake'), hidden_from: child },
  };
  const settings: web.GroupSettings = {
    ...{ handle: 'rowing', name: theirs('Rowing club'), hasEnd: false, nameLength: 80 },
    values: {
      ...{ name: theirs('Rowing club'), minors: 'teens', consent_age: '16', join_review: 'minors' },
      ...{ plans: 'allow', group_ai: true, time_zone: 'Europe/Zurich', last_day: '' },
    },
  };
  const archiving: web.ArchiveGroup = { handle: 'rowing', name: theirs('Rowing club'), restoreDays: 30 };
  const report: web.PostReport = { id: 'msg_01', handle: 'rowing', name: theirs('Rowing club') };
  return {
    'groups-none': web.groupsPage(ada, none),
    groups: web.groupsPage(ada, {
      ...none,
      groups: [own, { ...own, handle: 'choir', role: 'member' }, { ...own, handle: 'old', archived: true }],
      olderCursor: 'cursor',
      done: t('groups.done.left'),
    }),
    'groups-older': web.groupsPage(ada, { ...none, isOlder: true }),
    'groups-errors': web.groupsPage(ada, {
      ...none,
      values: { name: theirs('Chess'), minors: 'teens' },
      errors: {
        name: verbatim('This must have at most 80 characters.'),
        minors: verbatim('This must be one of those.'),
      },
    }),
    'groups-refused': web.groupsPage(ada, {
      ...none,
      groups: [own],
      values: { name: theirs('Chess') },
      refused: 'You are in as many groups as one can be.',
    }),
    'groups-guest': web.groupsPage(guest, { ...none, groups: [{ ...own, role: 'member' }] }),
    'groups-minor': web.groupsPage(kit, none),
    group: web.groupPage(ada, { ...whole, done: t('groups.done.posted') }),
    'group-new': web.groupPage(ada, { ...model, group: { ...group, minors: 'no', hasMinors: false } }),
    'group-member': web.groupPage(guest, {
      ...whole,
      group: { ...group, role: 'member', minors: 'guardian', endsAtMs: now + 7 * day },
    }),
    'group-archived': web.groupPage(ada, {
      ...whole,
      group: { ...group, archived: true, ended: true, endsAtMs: now },
      open: [],
    }),
    'group-archived-own': web.groupPage(ada, {
      ...whole,
      group: { ...group, archived: true },
      open: [],
      restoreDays: 30,
      refused: 'A group can be restored for 30 days; this one was archived before.',
    }),
    'group-part': web.groupPage(ada, { ...model, members: undefined, posts: undefined, open: undefined }),
    'group-older': web.groupPage(ada, { ...whole, part: 'posts' }),
    'group-older-none': web.groupPage(ada, { ...model, part: 'posts' }),
    'group-members': web.groupPage(ada, { ...whole, part: 'members' }),
    'group-errors': web.groupPage(ada, {
      ...model,
      text: theirs('Too long'),
      errors: { text: verbatim('This must have at most 4000 characters.') },
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
      errors: { archive: t('groups.leave-archive-missing') },
    }),
    'group-leave-refused': web.leaveGroupPage(kit, {
      ...leaving,
      refused: 'Your parent or guardian has to do this for you.',
    }),
    'group-settled-none': web.groupSettledPage(ada, { group, courses: [] }),
    'group-settled-away': web.groupSettledPage(ada, { group, courses: undefined }),
    'group-settled': web.groupSettledPage(ada, {
      group,
      courses: [
        { kind: 'decision', title: theirs('Which boat do we buy?'), href: '/d/1', state: 'agreed' },
        { kind: 'plan', title: theirs('A day on the lake'), href: '/p/pln_1', state: 'settled' },
        { kind: 'plan', title: theirs('A night on the lake'), href: '/p/pln_2', state: 'cancelled' },
      ],
    }),
    'plan-new': web.newPlanPage(ada, course),
    'plan-new-errors': web.newPlanPage(ada, {
      ...wrong,
      refused: 'This group takes no plans; an organizer can change that in its settings.',
      errors: {
        title: t('courses.title-missing'),
        'starts-1': verbatim('This must be in the future.'),
        'time-3': verbatim('This is there twice.'),
        with: verbatim('This must be a member of the group.'),
      },
    }),
    'decision-new': web.newDecisionPage(ada, { ...course, members: [] }),
    'decision-new-errors': web.newDecisionPage(ada, {
      ...wrong,
      values: {
        ...wrong.values,
        choice: theirs('Which cake?'),
        options: theirs('Nut'),
        'day-1': '2026-05-09',
      },
      errors: {
        questions: t('decisions.new-few-questions'),
        when: verbatim('This must have 2 to 12 items; it has 1.'),
        'when-4': verbatim('This must be in the future.'),
        options: verbatim('This must have 2 to 12 items; it has 1.'),
        hidden_from: verbatim('This is the person who starts it.'),
      },
    }),
    'group-settings': web.groupSettingsPage(ada, settings),
    'group-settings-saved': web.groupSettingsPage(ada, {
      ...settings,
      values: { ...settings.values, minors: 'no', plans: 'ask', last_day: '2026-06-30' },
      hasEnd: true,
      noLongerFit: [theirs('K.'), theirs('L.')],
      done: t('groups.done.saved'),
    }),
    'group-settings-errors': web.groupSettingsPage(ada, {
      ...settings,
      refused: 'This group is archived.',
      errors: {
        name: t('groups.name-missing'),
        minors: verbatim('This must be one of those.'),
        consent_age: verbatim('This must be 16.'),
        plans: verbatim('This must be one of those.'),
        time_zone: verbatim('This must be an IANA time zone.'),
        last_day: verbatim('This must be in the future.'),
      },
    }),
    'group-archive': web.archiveGroupPage(ada, archiving),
    'group-archive-errors': web.archiveGroupPage(ada, {
      ...archiving,
      errors: { for_good: t('groups.end-not-ticked') },
    }),
    'group-post-report': web.reportPostPage(ada, report),
    'group-post-report-errors': web.reportPostPage(ada, {
      ...report,
      values: { text: theirs('It is not true.') },
      errors: { reason: t('report.reason-missing') },
    }),
  };
}
