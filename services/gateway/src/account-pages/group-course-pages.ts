import { t } from '@hearth/i18n';
import { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import { PlansService } from '@hearth/proto/decisions/v1/plans';
import { type Group as FoundGroup, GroupsService } from '@hearth/proto/groups/v1/groups';
import type { JsonRecord } from '@hearth/proto-json';
import {
  type Frame,
  groupSettledPage,
  type NewCourse,
  newDecisionPage,
  newPlanPage,
  newTimes,
  paths,
  readersZone,
} from '@hearth/web';
import {
  type Context,
  type FieldsOfPage,
  frameWithZone,
  lineOf,
  noticeOn,
  type Own,
  type OwnForm,
  type Page,
  type PageAnswer,
  type Refusal,
  shown,
  timesOf,
  unlessRefused,
} from '../pages/module.ts';
import { findCourses } from './group-courses.ts';
import { findGroup, groupView, handleOf } from './group-views.ts';

/** The most members that the form lists. */
const shownMembers = 100;

/** The request that a form describes; `wrong` if the page itself refuses it. */
interface Meant {
  wanted: JsonRecord;
  fields: FieldsOfPage;
  wrong?: Refusal;
}

/** The differences between the two kinds. */
interface Kind {
  page: typeof newPlanPage;
  read(request: OwnForm): Meant;
  /** Creates it, and returns the next page. */
  begin(context: Context, request: OwnForm, group: FoundGroup, wanted: JsonRecord): Promise<PageAnswer>;
}

const plan: Kind = {
  page: newPlanPage,
  read: readPlan,
  async begin({ send }, { person }, group, wanted) {
    const { id, approval } = await send(PlansService.method.proposePlan, wanted, person);
    return approval === undefined
      ? { goTo: paths.plan(id) }
      : noticeOn(paths.group(handleOf(group)), 'proposed');
  },
};

const decision: Kind = {
  page: newDecisionPage,
  read: readDecision,
  async begin({ send }, { person }, _, wanted) {
    return { goTo: paths.decision((await send(DecisionsService.method.decide, wanted, person)).id) };
  },
};

/** The past decisions and plans of a group, and the forms with which a member starts new ones. */
export function addGroupCoursePages(context: Context): void {
  const { addOwnPage } = context;
  addOwnPage('plan_new', '/g/:handle/plans/new', startPage(context, plan));
  addOwnPage('group_settled', '/g/:handle/settled', {
    async get(request) {
      const group = await findGroup(context, request);
      const courses = await findCourses(context, group.id, request.person, true);
      return { html: groupSettledPage(request.frame, { group: groupView(group), courses }) };
    },
  });
  addOwnPage('decision_new', '/g/:handle/decisions/new', startPage(context, decision));
}

const startPage = (context: Context, kind: Kind): Page<Own, OwnForm> => ({
  get: async (request) => await show(context, request, kind, await findGroup(context, request)),
  post: (request) => start(context, request, kind),
});

async function show(
  context: Context,
  request: Own,
  kind: Kind,
  group: FoundGroup,
  more: Partial<NewCourse> = {},
): Promise<PageAnswer> {
  const { handle, name, archived } = groupView(group);
  // Nothing can be started in an archived group, and its page says so.
  if (archived) return { goTo: paths.group(handle) };
  const { person } = request;
  const [frame, listed] = await Promise.all([
    frameWithZone(context, request),
    context.ask(GroupsService.method.listMembers, { id: group.id, limit: shownMembers }, person),
  ]);
  const members = listed.members.flatMap(({ person: member }) =>
    member === undefined || member.address === person.address ? [] : [{ id: member.id, name: member.name }],
  );
  const timeZone = zoneFor(context, group, frame);
  const html = kind.page(frame, {
    ...{ group: { handle, name }, timeZone, members, values: {}, asked: [], attempt: context.ids.uuid() },
    ...more,
  });
  return shown(html, more);
}

/** The time zone of typed times: the group's, or else the reader's. */
const zoneFor = ({ config }: Context, { timeZone }: FoundGroup, frame: Frame): string =>
  timeZone || readersZone(frame, config.timeZone);

async function start(context: Context, request: OwnForm, kind: Kind): Promise<PageAnswer> {
  const { field, form, given, values } = request;
  const group = await findGroup(context, request);
  const asked = form.getAll('with');
  const again = (wrong: Refusal) => show(context, request, kind, group, { values, asked, ...wrong });
  if (field('title') === '') return await again({ errors: { title: t('courses.title-missing') } });
  const { wanted, fields, wrong: known } = kind.read(request);
  if (known !== undefined) return await again(known);
  const frame = await frameWithZone(context, request);
  const whole = {
    ...{
      group: group.id,
      title: field('title'),
      time_zone: zoneFor(context, group, frame),
    },
    ...given('hidden_from', 'details', { request_id: 'attempt' }),
    ...(asked.length > 0 && { with: asked }),
    ...(field('hours') !== '' && { deadline_hours: Number(field('hours')) }),
    ...wanted,
  };
  const common = { title: 'title', details: 'details', deadline_hours: 'hours', hidden_from: 'hidden_from' };
  const named = asked.map((_, index) => [`with[${index}]`, 'with']);
  const fieldsOfPage = { ...common, ...Object.fromEntries(named), with: 'with', ...fields };
  return await unlessRefused(fieldsOfPage, () => kind.begin(context, request, group, whole), again);
}

function readPlan(request: OwnForm): Meant {
  const names = { starts_at: 'starts', ends_at: 'ends', date: 'date' };
  const { times: options, fields } = timesOf(request, 'options', names);
  const none = { errors: { 'starts-1': t('plans.new-missing') } };
  return {
    wanted: { ...request.given('where'), options },
    fields: { ...fields, where: 'where' },
    ...(options.length === 0 && { wrong: none }),
  };
}

function readDecision({ field }: OwnForm): Meant {
  const fields: Record<string, FieldsOfPage[string]> = { questions: 'questions' };
  const questions: JsonRecord[] = [];
  const add = (question: JsonRecord, at: string, optionsAt: readonly FieldsOfPage[string][] = []) => {
    const name = `questions[${questions.length}]`;
    fields[`${name}.prompt`] = at;
    fields[`${name}.options`] = at === 'choice' ? 'options' : at;
    for (const [index, of] of optionsAt.entries()) fields[`${name}.options[${index}]`] = of;
    questions.push(question);
  };
  const times = ['when', 'day'].flatMap((of) => newTimes.map((place) => `${of}-${place}`));
  const filled = times.filter((name) => field(name) !== '');
  if (filled.length > 0) add({ kind: 'when', options: filled.map(field) }, 'when', filled);
  const options = field('options')
    .split('\n')
    .map((line, index) => ({ text: line.trim(), number: index + 1 }))
    .filter(({ text }) => text !== '');
  if (options.length > 0 || field('choice') !== '') {
    const prompt = field('choice');
    const question = {
      kind: 'choice',
      options: options.map(({ text }) => text),
      ...(prompt !== '' && { prompt }),
    };
    add(
      question,
      'choice',
      options.map(({ text, number }) => lineOf('options', text, number)),
    );
  }
  if (field('bring') === 'yes') add({ kind: 'bring' }, 'what');
  if (field('words') !== '') add({ kind: 'text', prompt: field('words') }, 'words');
  const few = {
    ...(filled.length === 1 && { when: t('decisions.new-few-times') }),
    ...(options.length === 1 && { options: t('decisions.new-few-options') }),
    ...(questions.length < 2 && { questions: t('decisions.new-few-questions') }),
  };
  return { wanted: { questions }, fields, ...(Object.keys(few).length > 0 && { wrong: { errors: few } }) };
}
