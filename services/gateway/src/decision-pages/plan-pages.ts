import { t } from '@hearth/i18n';
import { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { JsonRecord } from '@hearth/proto-json';
import { type Plan, paths, planPage } from '@hearth/web';
import type { Context, OwnForm } from '../pages/module.ts';
import { addCoursePages } from './course-pages.ts';
import { planView, valuesOf } from './plan-view.ts';
import { tryAct } from './refusal.ts';

const {
  addOption,
  cancelPlan,
  chooseOption,
  extendPlan,
  getPlan,
  getPlanIcs,
  listPlanPeople,
  settlePlan,
  takeStance,
} = PlansService.method;

const doneWords = {
  say: t('courses.done.answers'),
  choose: t('courses.done.choice'),
  settle: t('plans.done.settle'),
  add: t('plans.done.add'),
  extend: t('courses.done.extend'),
  cancel: t('plans.done.cancel'),
};

/** The page's field for each field of the request. */
const ownFields = Object.fromEntries(
  ['starts_at', 'ends_at', 'date', 'label', 'reason'].map((field) => [field, field]),
);

export function addPlanPages(context: Context): void {
  const { ask, config, held } = context;
  addCoursePages(context, {
    name: 'plan',
    path: '/p/:id',
    pathOf: paths.plan,
    done: doneWords,
    async find(id, person) {
      const asked = [ask(getPlan, { id }, person), ask(listPlanPeople, { id }, person)] as const;
      return planView(...(await Promise.all(asked)), config.siteUrl);
    },
    page: (frame, plan, more) => planPage(frame, { plan, ...more }),
    valuesOf,
    calendar: (id, person) => ask(getPlanIcs, { id }, person),
    held: (request, wanted) => held(request, 'plan_changes', getPlan, wanted),
    async act(request, name, plan) {
      const said = saidIn(plan, request);
      if (name === 'say' && said.length === 0) return { refused: t('plans.say-missing') };
      const notes = said.map(({ option }, index) => [`stances[${index}].note`, `note-${option}`]);
      const fields = name === 'say' ? Object.fromEntries(notes) : ownFields;
      return await tryAct(fields, () => doIt(context, request, name, said));
    },
  });
}

const stanceNames: Readonly<Record<string, string>> = {
  works: 'works',
  not: 'doesnt_work',
  approve: 'approve',
};

function saidIn(
  { options }: Plan,
  { field, given }: OwnForm,
): { option: number; stance: string; note?: string }[] {
  return options.flatMap(({ id }) => {
    const stance = stanceNames[field(`o${id}`)];
    return stance === undefined ? [] : [{ option: id, stance, ...given({ note: `note-${id}` }) }];
  });
}

async function doIt(
  { send }: Context,
  request: OwnForm,
  name: string,
  said: readonly JsonRecord[],
): Promise<unknown> {
  const { field, given, person } = request;
  const id = request.param('id');
  const option = Number(field('option'));
  switch (name) {
    case 'say':
      return await send(takeStance, { id, ...given('for'), stances: [...said] }, person);
    case 'choose':
      return await send(chooseOption, { id, option }, person);
    case 'settle':
      return await send(
        settlePlan,
        { id, option, confirm_refused: field('confirm_refused') === 'on' },
        person,
      );
    case 'add':
      return await send(addOption, { id, ...given('starts_at', 'ends_at', 'date', 'label') }, person);
    case 'extend':
      return await send(extendPlan, { id, deadline_hours: Number(field('hours')) }, person);
    default:
      return await send(cancelPlan, { id, ...given('reason') }, person);
  }
}
