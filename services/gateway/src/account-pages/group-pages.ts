import { notFound } from '@hearth/errors';
import { t } from '@hearth/i18n';
import { sizeOf } from '@hearth/limits';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { type Group as FoundGroup, GroupsService, Role } from '@hearth/proto/groups/v1/groups';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import type { Caller } from '@hearth/rpc';
import {
  type GroupPage,
  type Groups,
  groupAges,
  groupPage,
  groupsPage,
  type LeaveGroup,
  leaveGroupPage,
  oneOf,
  type PostReport,
  paths,
  reportChoices,
  reportPostPage,
} from '@hearth/web';
import {
  type Context,
  doneOf,
  frameWithZone,
  ifThere,
  noticeOn,
  type Own,
  type OwnForm,
  type OwnRefusal,
  type PageAnswer,
  type Refusal,
  shown,
  submit,
  unlessRefused,
} from '../pages/module.ts';
import { begunBy, findCourses } from './group-courses.ts';
import { findGroup, groupView, handleOf, memberView, postView } from './group-views.ts';

const { createGroup, leaveGroup, listGroups, listMembers } = GroupsService.method;
const { listGroupPosts, postGroup } = GroupPostsService.method;

const groupsDone = {
  left: t('groups.done.left'),
  withdrawn: t('groups.done.withdrawn'),
  archived: t('groups.done.left-archived'),
};
const groupDone = {
  made: t('groups.done.created'),
  posted: t('groups.done.posted'),
  reported: t('groups.done.reported'),
  proposed: t('groups.done.proposed'),
  organizer: t('groups.done.organizer'),
  member: t('groups.done.member'),
  removed: t('groups.done.removed'),
  archived: t('groups.done.archived'),
  ended: t('groups.done.ended'),
  restored: t('groups.done.restored'),
};
const shownGroups = 50;
const shownMembers = 50;
const shownPosts = 20;

/** The person's groups, and each group's page: its members, posts, and open decisions and plans. */
export function addGroupPages(context: Context): void {
  const { addOwnPage } = context;
  addOwnPage('groups', paths.groups, {
    get: (request) => showGroups(context, request),
    post: (request) => make(context, request),
  });
  addOwnPage('group', '/g/:handle', {
    get: (request) => showGroup(context, request),
    post: (request) => post(context, request),
  });
  addOwnPage('group_leave', '/g/:handle/leave', {
    get: async (request) => await showLeaving(context, request, await findGroup(context, request)),
    post: (request) => leave(context, request),
  });
  addOwnPage('group_post_report', '/g/:handle/posts/:id/report', {
    get: async (request) => showReport(request, await findGroup(context, request)),
    post: (request) => report(context, request),
  });
}

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
    attempt: context.ids.uuid(),
    done: doneOf(request, groupsDone),
    ...more,
  });
  return shown(html, more);
}

async function make(context: Context, request: OwnForm): Promise<PageAnswer> {
  const values = { name: request.field('name'), minors: oneOf(groupAges, request.field('minors')) };
  const { name, minors } = values;
  if (name === '')
    return await showGroups(context, request, { values, errors: { name: t('groups.name-missing') } });
  const create = async () => {
    const settings = minors !== undefined && { settings: { minors } };
    const wanted = { name, ...settings, ...request.given({ request_id: 'attempt' }) };
    return noticeOn(paths.group(handleOf(await context.send(createGroup, wanted, request.person))), 'made');
  };
  const again = (wrong: Refusal) => showGroups(context, request, { values, ...wrong });
  return await unlessRefused({ name: 'name', 'settings.minors': 'minors' }, create, again);
}

/** The page of a group. @param more the error of a refused act */
export async function showGroup(
  context: Context,
  request: Own,
  more: Partial<GroupPage> = {},
): Promise<PageAnswer> {
  const { clock, limits } = context;
  const { person, query } = request;
  const found = await findGroup(context, request);
  const group = withEnd(groupView(found), clock.now());
  if (group.handle !== request.param('handle')) return { goTo: paths.group(group.handle) };
  const [members, older] = [query.get('members') ?? '', query.get('older') ?? ''];
  const part = members !== '' ? 'members' : older !== '' ? 'posts' : undefined;
  const [ofMembers, ofPosts, open, frame] = await Promise.all([
    part === 'posts' ? undefined : findMembers(context, found.id, person, members),
    part === 'members' ? undefined : findPosts(context, found.id, person, older),
    part === undefined ? findCourses(context, found.id, person) : undefined,
    frameWithZone(context, request),
  ]);
  const html = groupPage(frame, {
    ...{ group, part, open, begins: begunBy(found, frame) },
    members: ofMembers?.members,
    moreMembers: ofMembers?.next,
    posts: ofPosts?.posts,
    olderPosts: ofPosts?.next,
    restoreDays: mayRestore(group) ? sizeOf(limits, 'restore_group_days') : undefined,
    postLength: sizeOf(limits, 'group_post_characters'),
    attempt: context.ids.uuid(),
    done: doneOf(request, groupDone),
    ...more,
  });
  return shown(html, more);
}

const withEnd = (group: GroupPage['group'], now: number): GroupPage['group'] => ({
  ...group,
  ended: group.archived && group.endsAtMs !== undefined && group.endsAtMs <= now,
});

const mayRestore = ({ role, archived, ended }: GroupPage['group']) =>
  archived && role === 'organizer' && !ended;

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
      posts: listed.messages.map((message) => postView(message, person, authors)),
      next: listed.nextCursor || undefined,
    }
  );
}

async function post(context: Context, request: OwnForm): Promise<PageAnswer> {
  const group = await findGroup(context, request);
  const text = request.field('text');
  if (text === '') return await showGroup(context, request, { errors: { text: t('groups.post-missing') } });
  const work = async () => {
    const wanted = { id: group.id, text, ...request.given({ request_id: 'attempt' }) };
    await context.send(postGroup, wanted, request.person);
    return noticeOn(paths.group(handleOf(group)), 'posted');
  };
  const again = (wrong: Refusal) => showGroup(context, request, { text, ...wrong });
  return await unlessRefused({ text: 'text' }, work, again);
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
  return shown(html, more);
}

async function leave(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { field, person } = request;
  const group = await findGroup(context, request);
  const wanted = { id: group.id, confirm_archive: field('archive') === 'yes' };
  const work = async () => {
    const { archived } = await context.send(leaveGroup, wanted, person);
    return noticeOn(paths.groups, archived ? 'archived' : 'left');
  };
  const again = (wrong: Refusal) => showLeaving(context, request, group, wrong);
  return await unlessRefused({}, work, again, archivesFirst);
}

/** The operation's own message names its field. */
const archivesFirst: OwnRefusal = ({ details }) =>
  details.field === 'confirm_archive'
    ? { errors: { archive: t('groups.leave-archive-missing') } }
    : undefined;

function showReport(
  { frame, param }: Own,
  { name, address }: FoundGroup,
  more: Partial<PostReport> = {},
): PageAnswer {
  const handle = handleOf({ address });
  return shown(reportPostPage(frame, { id: param('id'), handle, name, ...more }), more);
}

async function report(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { field, given, param, person } = request;
  const group = await findGroup(context, request);
  const values = { reason: field('reason'), text: field('text') };
  const reason = oneOf(reportChoices, values.reason);
  if (reason === undefined)
    return showReport(request, group, { values, errors: { reason: t('report.reason-missing') } });
  // This page reports only messages.
  if (!param('id').startsWith('msg_')) throw notFound();
  const wanted = { about: param('id'), reason, ...given('text') };
  return await submit(
    { text: 'text' },
    async () => {
      await context.send(RequestsService.method.report, wanted, person);
      return noticeOn(paths.group(handleOf(group)), 'reported');
    },
    (errors) => showReport(request, group, { values, errors }),
  );
}
