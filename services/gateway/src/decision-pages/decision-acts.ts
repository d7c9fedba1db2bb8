import { type Text, t } from '@hearth/i18n';
import { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { JsonRecord } from '@hearth/proto-json';
import type { Caller } from '@hearth/rpc';
import type { Decision } from '@hearth/web';
import type { Context, FormRequest } from '../pages/module.ts';

const {
  answerDecision,
  approveDecision,
  cancelDecision,
  extendDecision,
  remindDecision,
  reviewDecision,
  settleClash,
} = DecisionsService.method;

/** A form of a decision's page. */
export interface DecisionForm extends Pick<FormRequest, 'field' | 'form' | 'given'> {
  /** The decision when the form was read. */
  decision: Decision;
}

type Act = (context: Pick<Context, 'send'>, form: DecisionForm, person: Caller) => Promise<unknown>;

/** The acts of the page's buttons by the value of `do`, each with its notice. */
export const decisionActs: Readonly<Record<string, { act: Act; done: Text }>> = {
  answer: {
    done: t('courses.done.answers'),
    act: ({ send }, form, person) =>
      send(
        answerDecision,
        { ...about(form), ...form.given('for'), answers: answersIn(form).map(({ json }) => json) },
        person,
      ),
  },
  pick: {
    done: t('courses.done.choice'),
    act({ send }, form, person) {
      const id = form.field('question');
      const question = form.decision.questions.find((each) => String(each.id) === id);
      const answer = question?.options[Number(form.field('pick'))] ?? '';
      return send(settleClash, { ...about(form), question_id: Number(id), answer }, person);
    },
  },
  approve: {
    done: t('decisions.done.approve'),
    act: ({ send }, form, person) =>
      send(
        approveDecision,
        { ...about(form), ...form.given('for'), version: version(form), decision: 'approved' },
        person,
      ),
  },
  change: {
    done: t('decisions.done.change'),
    act({ send }, form, person) {
      const line = form.decision.questions.find(({ id }) => String(id) === form.field('line'));
      const said = form.field('note');
      const note = line === undefined || said === '' ? said : `${shortened(line.prompt)}: ${said}`;
      return send(
        approveDecision,
        { ...about(form), version: version(form), decision: 'change', note },
        person,
      );
    },
  },
  remind: {
    done: t('decisions.done.remind'),
    act: ({ send }, form, person) => send(remindDecision, about(form), person),
  },
  extend: {
    done: t('courses.done.extend'),
    act: ({ send }, form, person) =>
      send(extendDecision, { ...about(form), deadline_hours: Number(form.field('hours')) }, person),
  },
  cancel: {
    done: t('decisions.done.cancel'),
    act: ({ send }, form, person) => send(cancelDecision, about(form), person),
  },
  accept: {
    done: t('decisions.done.accept'),
    act: ({ send }, form, person) =>
      send(reviewDecision, { ...about(form), action: 'accept', ...form.given('review_on') }, person),
  },
  edit: {
    done: t('decisions.done.edit'),
    act: ({ send }, form, person) =>
      send(reviewDecision, { ...about(form), action: 'edit', ...editIn(form) }, person),
  },
  reopen: {
    done: t('decisions.done.reopen'),
    act: ({ send }, form, person) =>
      send(
        reviewDecision,
        { ...about(form), action: 'reopen', deadline_hours: Number(form.field('hours')) },
        person,
      ),
  },
};

const about = ({ decision }: DecisionForm) => ({ id: decision.id });
const version = ({ field }: DecisionForm) => Number(field('version'));
const shortened = (prompt: string) => [...prompt].slice(0, 60).join('');

interface Said {
  question: number;
  json: JsonRecord;
}

/**
 * The form's answers, in the order in which they are sent. If any question is answered, an empty "bring"
 * field counts as an answer; other empty fields stay unanswered.
 */
export function answersIn({ decision, field, given }: DecisionForm): Said[] {
  const said = (id: number, answer: string | string[]): Said[] => {
    const more = { firm: field(`firm-${id}`) === 'on', ...given({ note: `note-${id}` }) };
    return [{ question: id, json: { question_id: id, answer, ...more } }];
  };
  const answers = decision.questions.map(({ id, kind, options }) => {
    const answer = field(`q${id}`);
    if (kind === 'when') {
      const words = options.map((_, index) => field(`q${id}-${index}`));
      return words.every((word) => word === '')
        ? []
        : said(
            id,
            options.filter((_, index) => words[index] === 'works'),
          );
    }
    if (answer === '') return [];
    return said(id, kind === 'choice' ? (options[Number(answer)] ?? '') : answer);
  });
  if (answers.every((answer) => answer.length === 0)) return [];
  return decision.questions.flatMap(({ id, kind }, index) => {
    const answer = answers[index] ?? [];
    return answer.length === 0 && kind === 'bring' ? said(id, '') : answer;
  });
}

/** The things to bring that stay in the proposal. */
function keptIn({ decision, form }: DecisionForm) {
  const { bring = [] } = decision.proposal ?? {};
  return form.getAll('keep').flatMap((index) => bring[Number(index)] ?? []);
}

/** Whether the form removes every thing to bring. */
export function emptiesList(form: DecisionForm): boolean {
  const { bring = [] } = form.decision.proposal ?? {};
  return bring.length > 0 && keptIn(form).length === 0;
}

function editIn(sent: DecisionForm): JsonRecord {
  const { decision, field, given } = sent;
  const answers = decision.questions.flatMap(({ id, kind, options }) => {
    const said = field(`q${id}`);
    if (kind === 'bring' || said === '') return [];
    return [{ question_id: id, answer: kind === 'text' ? said : (options[Number(said)] ?? '') }];
  });
  const { bring = [], where = '' } = decision.proposal ?? {};
  const kept = keptIn(sent);
  return {
    answers,
    ...given('summary'),
    ...(field('where') !== where && { where: field('where') }),
    ...(kept.length < bring.length && { bring: kept.map(({ person, what }) => ({ person, what })) }),
  };
}
