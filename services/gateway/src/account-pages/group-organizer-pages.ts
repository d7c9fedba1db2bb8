import { instantOf, isDay, nextDay } from '@hearth/calendar';
import { zoneNamed } from '@hearth/calendar/time-zone';
import { forbidden } from '@hearth/errors';
import { t } from '@hearth/i18n';
import { sizeOf } from '@hearth/limits';
import {
  type Group as FoundGroup,
  GroupsService,
  JoinReviewSchema,
  PlansSchema,
  Role,
} from '@hearth/proto/groups/v1/groups';
import type { JsonRecord } from '@hearth/proto-json';
import {
  type ArchiveGroup,
  archiveGroupPage,
  type GroupSettings,
  type GroupSettingsValues,
  groupAges,
  groupSettingsPage,
  joinReviews,
  oneOf,
  paths,
  planRules,
} from '@hearth/web';
import {
  type Context,
  doneOf,
  frameWithZone,
  nameOf,
  noticeOn,
  type Own,
  type OwnForm,
  type OwnRefusal,
  type PageAnswer,
  type Refusal,
  shown,
  unlessRefused,
} from '../pages/module.ts';
import { showGroup } from './group-pages.ts';
import { findGroup, groupView, handleOf } from './group-views.ts';

const { archiveGroup, endGroup, removeMember, restoreGroup, setRole, updateGroup } = GroupsService.method;

/** The acts of organizers on a group: changing roles, removing members, changing its settings, archiving it. */
export function addGroupOrganizerPages(context: Context): void {
  const { addOwnPage } = context;
  addOwnPage('group_members', '/g/:handle/members', { post: (request) => changeMember(context, request) });
  addOwnPage('group_settings', '/g/:handle/settings', {
    get: async (request) => await showSettings(context, request, await findOrganized(context, request)),
    post: (request) => changeSettings(context, request),
  });
  addOwnPage('group_archive', '/g/:handle/archive', {
    get: async (request) => showArchiving(context, request, await findOrganized(context, request)),
    post: (request) => archive(context, request),
  });
  addOwnPage('group_restore', '/g/:handle/restore', { post: (request) => restore(context, request) });
}

/** @throws forbidden unless the person is an organizer */
async function findOrganized(context: Context, request: Own): Promise<FoundGroup> {
  const group = await findGroup(context, request);
  if (group.yourRole !== Role.ORGANIZER)
    throw forbidden('only an organizer of the group can do this', { rule: 'only_organizers' });
  return group;
}

const gone: OwnRefusal = ({ kind }) =>
  kind === 'not_found' ? { refused: t('groups.member-gone') } : undefined;

async function changeMember(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { field, given, person } = request;
  const group = await findOrganized(context, request);
  const about = { id: group.id, person: field('person') };
  const acts = {
    organizer: () => context.send(setRole, { ...about, role: 'organizer' }, person),
    member: () => context.send(setRole, { ...about, role: 'member' }, person),
    remove: () => context.send(removeMember, { ...about, ...given('reason') }, person),
  };
  const name = oneOf(['organizer', 'member', 'remove'] as const, field('do'));
  const again = (wrong: Refusal) => showGroup(context, request, wrong);
  if (name === undefined) return await again({ refused: t('groups.unknown-act') });
  const act = async () => {
    await acts[name]();
    return noticeOn(paths.group(handleOf(group)), name === 'remove' ? 'removed' : name);
  };
  return await unlessRefused({}, act, again, gone);
}

async function showSettings(
  context: Context,
  request: Own,
  group: FoundGroup,
  more: Partial<GroupSettings> = {},
): Promise<PageAnswer> {
  const { handle, name, archived } = groupView(group);
  // The group's page shows that it is archived, and offers what is still possible.
  if (archived) return { goTo: paths.group(handle) };
  const frame = await frameWithZone(context, request);
  const html = groupSettingsPage(frame, {
    ...{ handle, name, values: valuesOf(context, group), hasEnd: group.endsAt !== undefined },
    nameLength: sizeOf(context.limits, 'group_name_characters'),
    done: doneOf(request, { saved: t('groups.done.saved') }),
    ...more,
  });
  return shown(html, more);
}

/** The form's values; a group without a time zone shows the home's. */
function valuesOf({ config }: Pick<Context, 'config'>, group: FoundGroup): GroupSettingsValues {
  const { name, minors, consentAge = 16, endsAtMs } = groupView(group);
  const { settings } = group;
  const timeZone = group.timeZone || config.timeZone;
  return {
    ...{ name, minors, consent_age: String(consentAge), time_zone: timeZone },
    join_review: nameOf(JoinReviewSchema, settings?.joinReview ?? 0, 'minors'),
    plans: nameOf(PlansSchema, settings?.plans ?? 0, 'allow'),
    group_ai: settings?.groupAi ?? true,
    last_day: endsAtMs === undefined ? '' : lastDayBefore(endsAtMs, timeZone),
  };
}

/** The last day before that moment, as YYYY-MM-DD. */
function lastDayBefore(endsAtMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(endsAtMs - 1);
}

const fieldsOfPage = {
  name: 'name',
  'settings.minors': 'minors',
  'settings.join_review': 'join_review',
  'settings.plans': 'plans',
  time_zone: 'time_zone',
  ends_at: 'last_day',
};

/** The operation's own message is for programs and operators. */
const tooYoung: OwnRefusal = ({ details }) =>
  details.field === 'settings.consent_age'
    ? { errors: { consent_age: t('groups.consent-age-law') } }
    : undefined;

async function changeSettings(context: Context, request: OwnForm): Promise<PageAnswer> {
  const group = await findOrganized(context, request);
  const before = valuesOf(context, group);
  const values = readValues(request, before);
  const again = (more: Partial<GroupSettings>) => showSettings(context, request, group, { values, ...more });
  if (values.name === '') return await again({ errors: { name: t('groups.name-missing') } });
  if (values.time_zone !== before.time_zone && zoneNamed(values.time_zone) === null)
    return await again({ errors: { time_zone: t('time-zones.missing') } });
  if (values.last_day === '' && before.last_day !== '')
    return await again({ errors: { last_day: t('groups.last-day-kept') } });
  if (values.last_day !== '' && !isDay(values.last_day))
    return await again({ errors: { last_day: t('groups.last-day-invalid') } });
  const save = async () => {
    const wanted = { id: group.id, ...changesOf(before, values) };
    const { noLongerFit: left } = await context.send(updateGroup, wanted, request.person);
    if (left.length === 0) return noticeOn(paths.groupSettings(handleOf(group)), 'saved');
    const noLongerFit = left.map(({ person }) => person?.name ?? '');
    const after = await findGroup(context, request);
    return await showSettings(context, request, after, { noLongerFit, done: t('groups.done.saved') });
  };
  return await unlessRefused(fieldsOfPage, save, again, tooYoung);
}

/** The form's values; an invalid choice keeps its previous value. */
function readValues({ field }: OwnForm, before: GroupSettingsValues): GroupSettingsValues {
  return {
    name: field('name'),
    minors: oneOf(groupAges, field('minors')) ?? before.minors,
    consent_age: oneOf(['13', '16'], field('consent_age')) ?? before.consent_age,
    join_review: oneOf(joinReviews, field('join_review')) ?? before.join_review,
    plans: oneOf(planRules, field('plans')) ?? before.plans,
    group_ai: field('group_ai') === 'yes',
    time_zone: field('time_zone'),
    last_day: field('last_day'),
  };
}

/** Only the changed values, because unchanged ones must not be validated again. */
function changesOf(before: GroupSettingsValues, values: GroupSettingsValues): JsonRecord {
  const changed = (name: keyof GroupSettingsValues) => before[name] !== values[name];
  const { name, minors, join_review, plans, group_ai, time_zone, last_day } = values;
  const settings = {
    ...(changed('minors') && { minors }),
    ...(changed('consent_age') && { consent_age: Number(values.consent_age) }),
    ...(changed('join_review') && { join_review }),
    ...(changed('plans') && { plans }),
    ...(changed('group_ai') && { group_ai }),
  };
  return {
    ...(changed('name') && { name }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(changed('time_zone') && { time_zone }),
    ...(changed('last_day') && {
      ends_at: instantOf(`${nextDay(last_day)}T00:00`, time_zone, 'ends_at'),
    }),
  };
}

function showArchiving(
  { limits }: Context,
  { frame }: Own,
  group: FoundGroup,
  more: Partial<ArchiveGroup> = {},
): PageAnswer {
  const { handle, name, archived } = groupView(group);
  if (archived) return { goTo: paths.group(handle) };
  const restoreDays = sizeOf(limits, 'restore_group_days');
  return shown(archiveGroupPage(frame, { handle, name, restoreDays, ...more }), more);
}

async function archive(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { field, person } = request;
  const group = await findOrganized(context, request);
  const ends = field('do') === 'end';
  if (ends && field('for_good') !== 'yes')
    return showArchiving(context, request, group, { errors: { for_good: t('groups.end-not-ticked') } });
  const work = async () => {
    await context.ask(ends ? endGroup : archiveGroup, { id: group.id }, person);
    return noticeOn(paths.group(handleOf(group)), ends ? 'ended' : 'archived');
  };
  return await unlessRefused({}, work, (wrong) => showArchiving(context, request, group, wrong));
}

async function restore(context: Context, request: OwnForm): Promise<PageAnswer> {
  const group = await findOrganized(context, request);
  const work = async () => {
    await context.ask(restoreGroup, { id: group.id }, request.person);
    return noticeOn(paths.group(handleOf(group)), 'restored');
  };
  return await unlessRefused({}, work, (wrong) => showGroup(context, request, wrong));
}
