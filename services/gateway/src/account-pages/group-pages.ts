import { isHearthError, notFound } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { DecisionStatus, DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import { PlanStatus, PlansService } from '@hearth/proto/decisions/v1/plans';
import {
  type Group as FoundGroup,
  GroupsService,
  type Member,
  MinorsSchema,
  Role,
} from '@hearth/proto/groups/v1/groups';
import { GroupPostsService, type GroupPost as Posted } from '@hearth/proto/messages/v1/group_posts';
import type { Caller } from '@hearth/rpc';
import {
  type Group,
  type GroupAges,
  type GroupMember,
  type GroupPage,
  type GroupPost,
  type GroupRole,
  type Groups,
  groupAges,
  groupPage,
  groupsPage,
  type LeaveGroup,
  leaveGroupPage,
  type OpenCourse,
  oneOf,
  type PostReport,
  paths,
  reportChoices,
  reportPostPage,
} from '@hearth/web';
import {
  type Context,
  doneOf,
  fieldErrors,
  frameWithZone,
  ifThere,
  msOf,
  nameOf,
  noticeOn,
  type Own,
  type OwnForm,
  type PageAnswer,
  sentence,
  shown,
  signedIn,
} from '../pages/module.ts';

const { createGroup, getGroup, leaveGroup, listGroups, listMembers } = GroupsService.method;
const { listGroupPosts, postGroup } = GroupPostsService.method;

const groupsDone = {
  left: 'You left the group.',
  archived: 'You left the group, and it is archived.',
};
const groupDone = {
  made: 'The group is made. Invite those whom you want in it.',
  posted: 'It is posted.',
  reported: 'Your report is in. The people who run this home read it.',
};
const shownGroups = 50;
const shownMembers = 50;
const shownPosts = 20;
/** So many of the newest are looked through for those that are open. */
const newestCourses = 100;

/** The groups that a person is in, and each of them: its members, posts, and what is open in it. */
export function addGroupPages(context: Context): void {
  const { addPage } = context;
  const list = signedIn({
    get: (request) => showGroups(context, request),
    post: (request) => make(context, request),
  });
  const group = signedIn({
    get: (request) => showGroup(context, request),
    post: (request) => post(context, request),
  });
  const leaving = signedIn({
    get: async (request) => await showLeaving(context, request, await findGroup(context, request)),
    post: (request) => leave(context, request),
  });
  const reporting = signedIn({
    get: async (request) => showReport(request, await findGroup(context, request)),
    post: (request) => report(context, request),
  });
  addPage('groups', paths.groups, list);
  addPage('group', '/g/:handle', group);
  addPage('group_leave', '/g/:handle/leave', leaving);
  addPage('group_post_report', '/g/:handle/posts/:id/report', reporting);
}

/** Words at the fields, or above the page. */
interface Refused {
  errors?: ReturnType<typeof fieldErrors>;
  refused?: string;
}

/** Why a form was not taken. @throws every other failure */
function refusalOf(error: unknown, fieldsOfPage: Readonly<Record<string, string>>): Refused {
  const errors = fieldErrors(error, fieldsOfPage);
  if (errors !== undefined) return { errors };
  if (!isHearthError(error) || !['bad_request', 'forbidden'].includes(error.kind)) throw error;
  return { refused: sentence(error.message) };
}

/** The page once more, with the words and 400. */
const again = (answer: PageAnswer): PageAnswer => ({ ...answer, status: 400 });

async function showGroups(context: Context, request: Own, more: Partial<Groups> = {}): Promise<PageAnswer> {
  const { ask, limits } = context;
  const older = request.query.get('older') ?? '';
  const wanted = { archived: true, limit: shownGroups, ...(older !== '' && { cursor: older }) };
  const { groups, nextCursor } = await ask(listGroups, wanted, request.person);
  const html = groupsPage(request.frame, {
    groups: groups.map(groupView),
    olderCursor: nextCursor || undefined,
    isOlder: older !== '',
    nameLength: sizeOf(limits, 'group_name_characters'),
    done: doneOf(request, groupsDone),
    ...more,
  });
  return { html };
}

async function make(context: Context, request: OwnForm): Promise<PageAnswer> {
  const values = { name: request.field('name'), minors: oneOf(groupAges, request.field('minors')) };
  const { name, minors } = values;
  if (name === '')
    return again(await showGroups(context, request, { values, errors: { name: 'Give it a name.' } }));
  try {
    const wanted = { name, ...(minors !== undefined && { settings: { minors } }) };
    const made = await context.send(createGroup, wanted, request.person);
    return noticeOn(paths.group(handleOf(made)), 'made');
  } catch (error) {
    const refusal = refusalOf(error, { name: 'name', 'settings.minors': 'minors' });
    return again(await showGroups(context, request, { values, ...refusal }));
  }
}

/** By its handle, or by its id, which an invite tells of. @throws not_found for one that they are not in */
async function findGroup({ ask }: Context, request: Own): Promise<FoundGroup> {
  const named = request.param('handle');
  const id = named.startsWith('grp_') ? named : `&${named}`;
  const group = await ask(getGroup, { id }, request.person);
  if (group.yourRole === undefined) throw notFound();
  return group;
}

async function showGroup(context: Context, request: Own, more: Partial<GroupPage> = {}): Promise<PageAnswer> {
  const { limits } = context;
  const { person, query } = request;
  const found = await findGroup(context, request);
  const group = groupView(found);
  if (group.handle !== request.param('handle')) return { goTo: paths.group(group.handle) };
  const [members, older] = [query.get('members') ?? '', query.get('older') ?? ''];
  const part = members !== '' ? 'members' : older !== '' ? 'posts' : undefined;
  const [ofMembers, ofPosts, open, frame] = await Promise.all([
    part === 'posts' ? undefined : findMembers(context, found.id, person, members),
    part === 'members' ? undefined : findPosts(context, found.id, person, older),
    part === undefined ? findOpen(context, found.id, person) : undefined,
    frameWithZone(context, request),
  ]);
  const html = groupPage(frame, {
    ...{ group, part, open },
    members: ofMembers?.members,
    moreMembers: ofMembers?.next,
    posts: ofPosts?.posts,
    olderPosts: ofPosts?.next,
    postLength: sizeOf(limits, 'group_post_characters'),
    done: doneOf(request, groupDone),
    ...more,
  });
  return { html };
}

async function findMembers({ ask }: Context, id: string, person: Caller, cursor: string) {
  const wanted = { id, limit: shownMembers, ...(cursor !== '' && { cursor }) };
  const listed = await ifThere(ask(listMembers, wanted, person));
  return (
    listed && {
      members: listed.members.map((member) => memberView(member, person)),
      next: listed.nextCursor || undefined,
    }
  );
}

async function findPosts({ ask }: Context, id: string, person: Caller, cursor: string) {
  const wanted = { id, limit: shownPosts, ...(cursor !== '' && { cursor }) };
  const listed = await ifThere(ask(listGroupPosts, wanted, person));
  const authors = new Map(listed?.messages.map(({ id: post, fromName }) => [post, fromName]));
  return (
    listed && {
      posts: listed.messages.map((one) => postView(one, person, authors)),
      next: listed.nextCursor || undefined,
    }
  );
}

const openStatuses = new Set([
  DecisionStatus.OPEN,
  DecisionStatus.CLASH,
  DecisionStatus.PROPOSED,
  DecisionStatus.REVIEW,
]);

async function findOpen({ ask }: Context, group: string, person: Caller): Promise<GroupPage['open']> {
  const [decided, planned] = await Promise.all([
    ifThere(ask(DecisionsService.method.listDecisions, { group, limit: newestCourses }, person)),
    ifThere(
      ask(PlansService.method.listPlans, { group, status: PlanStatus.OPEN, limit: newestCourses }, person),
    ),
  ]);
  if (decided === undefined || planned === undefined) return undefined;
  const decisions = decided.decisions
    .filter(({ status }) => openStatuses.has(status))
    .map(({ id, title }): OpenCourse => ({ kind: 'decision', title, href: paths.decision(id) }));
  const plans = planned.plans.map(
    ({ id, title }): OpenCourse => ({ kind: 'plan', title, href: paths.plan(id) }),
  );
  return [...decisions, ...plans];
}

async function post(context: Context, request: OwnForm): Promise<PageAnswer> {
  const group = await findGroup(context, request);
  const text = request.field('text').replaceAll('\r\n', '\n');
  if (text === '')
    return again(await showGroup(context, request, { errors: { text: 'Write what you want to post.' } }));
  try {
    await context.send(postGroup, { id: group.id, text }, request.person);
    return noticeOn(paths.group(handleOf(group)), 'posted');
  } catch (error) {
    return again(await showGroup(context, request, { text, ...refusalOf(error, { text: 'text' }) }));
  }
}

async function showLeaving(
  { ask }: Context,
  { frame, person }: Own,
  group: FoundGroup,
  more: Partial<LeaveGroup> = {},
): Promise<PageAnswer> {
  const organizers = await ask(listMembers, { id: group.id, role: Role.ORGANIZER, limit: 2 }, person);
  const html = leaveGroupPage(frame, {
    ...groupView(group),
    isLastOrganizer: group.yourRole === Role.ORGANIZER && organizers.members.length < 2,
    ...more,
  });
  return { html };
}

async function leave(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { field, person } = request;
  const group = await findGroup(context, request);
  const wanted = { id: group.id, ...(field('archive') === 'yes' && { confirm_archive: true }) };
  try {
    const { archived } = await context.send(leaveGroup, wanted, person);
    return noticeOn(paths.groups, archived ? 'archived' : 'left');
  } catch (error) {
    const { errors, refused } = refusalOf(error, { confirm_archive: 'archive' });
    const more = errors === undefined ? { refused } : { errors: archivesFirst };
    return again(await showLeaving(context, request, group, more));
  }
}

/** The operation's own words name its field. */
const archivesFirst = { archive: 'Tick that the group shall be archived by it.' };

function showReport(
  { frame, param }: Own,
  { name, address }: FoundGroup,
  more: Partial<PostReport> = {},
): PageAnswer {
  const handle = handleOf({ address });
  return shown(reportPostPage(frame, { id: param('id'), handle, name, ...more }), more);
}

const reasons = Object.keys(reportChoices) as (keyof typeof reportChoices)[];

async function report(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { field, param, person } = request;
  const group = await findGroup(context, request);
  const values = { reason: field('reason'), text: field('text').replaceAll('\r\n', '\n') };
  const reason = oneOf(reasons, values.reason);
  if (reason === undefined)
    return showReport(request, group, { values, errors: { reason: 'Say what is wrong with it.' } });
  // Other ids are those of other things, which this page does not report.
  if (!param('id').startsWith('msg_')) throw notFound();
  try {
    const wanted = { about: param('id'), reason, ...(values.text !== '' && { text: values.text }) };
    await context.send(RequestsService.method.report, wanted, person);
    return noticeOn(paths.group(handleOf(group)), 'reported');
  } catch (error) {
    const errors = fieldErrors(error, { text: 'text' });
    if (errors === undefined) throw error;
    return showReport(request, group, { values, errors });
  }
}

const handleOf = ({ address }: Pick<FoundGroup, 'address'>) => address.replace(/^&/, '');
const roleOf = (role: Role | undefined): GroupRole => (role === Role.ORGANIZER ? 'organizer' : 'member');

function groupView(group: FoundGroup): Group {
  const { name, archived, endsAt, hasMinors, settings, yourRole } = group;
  return {
    ...{ name, archived, hasMinors },
    handle: handleOf(group),
    role: roleOf(yourRole),
    endsAtMs: msOf(endsAt),
    minors: oneOf(groupAges, nameOf<GroupAges>(MinorsSchema, settings?.minors ?? 0, 'no')) ?? 'no',
    consentAge: settings?.consentAge,
  };
}

function memberView({ person, role, joinedAt }: Member, viewer: Caller): GroupMember {
  const { name = '', address = '', guest = false } = person ?? {};
  return {
    ...{ name, address },
    role: roleOf(role),
    isViewer: address === viewer.address,
    isGuest: guest,
    joinedAtMs: msOf(joinedAt) ?? 0,
  };
}

function postView(
  { id, from, fromName, byAi, text, at, replyTo = '' }: Posted,
  viewer: Caller,
  authors: ReadonlyMap<string, string>,
): GroupPost {
  const answered = authors.get(replyTo);
  return {
    ...{ id, from, fromName, byAi, text },
    isViewers: from === viewer.address,
    atMs: msOf(at) ?? 0,
    isDay: from.startsWith('shp_'),
    answers: answered === undefined ? undefined : { id: replyTo, name: answered },
  };
}
