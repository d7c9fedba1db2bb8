import { t } from '@hearth/i18n';
import { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import { decisionPage, paths } from '@hearth/web';
import type { Context } from '../pages/module.ts';
import { addCoursePages } from './course-pages.ts';
import { answersIn, decisionActs, emptiesList } from './decision-acts.ts';
import { decisionView, valuesOf } from './decision-view.ts';
import { tryAct } from './refusal.ts';

const { getDecision, getDecisionIcs, listDecisionPeople } = DecisionsService.method;

export function addDecisionPages(context: Context): void {
  const { ask, config, held } = context;
  addCoursePages(context, {
    name: 'decision',
    path: '/d/:id',
    pathOf: paths.decision,
    done: Object.fromEntries(Object.entries(decisionActs).map(([name, { done }]) => [name, done])),
    async find(id, person) {
      const asked = [ask(getDecision, { id }, person), ask(listDecisionPeople, { id }, person)] as const;
      return decisionView(...(await Promise.all(asked)), config.siteUrl);
    },
    page: (frame, decision, more) => decisionPage(frame, { decision, ...more }),
    valuesOf,
    calendar: (id, person) => ask(getDecisionIcs, { id }, person),
    held: (request, wanted) => held(request, 'decision_changes', getDecision, wanted),
    async act({ field, form, given, person }, name, decision) {
      const sent = { field, form, given, decision };
      const answered = answersIn(sent);
      if (name === 'answer' && answered.length === 0)
        return { errors: { [`q${decision.questions[0]?.id}`]: t('decisions.answer-missing') } };
      if (name === 'edit' && emptiesList(sent)) return { refused: t('decisions.edit-bring-missing') };
      const fields = fieldsOf(
        name,
        field('line'),
        answered.map(({ question }) => question),
      );
      return await tryAct(fields, () => decisionActs[name]!.act(context, sent, person));
    },
  });
}

/** Maps the request's fields to the page's fields. */
function fieldsOf(name: string, line: string, answered: readonly number[]): Record<string, string> {
  if (name === 'change') return { note: `change-${line === '' ? 'all' : line}-note` };
  if (name === 'accept') return { review_on: 'accept-review' };
  if (name !== 'answer') return {};
  return Object.fromEntries(
    answered.flatMap((id, index) => [
      [`answers[${index}].answer`, `q${id}`],
      [`answers[${index}].note`, `note-${id}`],
    ]),
  );
}
