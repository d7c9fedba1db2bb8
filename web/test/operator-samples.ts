import { t, verbatim } from '@hearth/i18n';
import * as web from '@hearth/web';

/** The operator's pages. */
export function operatorSamples(ada: web.Frame, theirs: (text: string) => string): Record<string, string> {
  const frame: web.Frame = { ...ada, person: { ...ada.person!, operator: true } };
  const places = [
    { place: 'reports', title: t('operator.reports') },
    { place: 'ais', title: t('operator.ais') },
    { place: 'audit', title: t('operator.audit') },
  ];
  const suspend = (id: string): web.OperatorAct => ({
    ...{ act: 'suspend', id, words: t('operator.suspend') },
    fields: [
      {
        ...{ name: 'days', label: t('operator.days') },
        choices: [
          { value: '1', words: t('operator.days-count', { days: 1 }) },
          { value: '7', words: t('operator.days-count', { days: 7 }) },
        ],
      },
      { name: 'reason', label: t('operator.reason'), hint: t('operator.reads.ai'), maxLength: 200 },
    ],
  });
  const row = (id: string, name: string): web.OperatorRow => ({
    title: theirs(`@ada.ai-${id}`),
    kind: t('report.reason.spam'),
    facts: [
      { label: t('family.name'), value: { text: theirs(name) } },
      {
        label: t('operator.fact.status'),
        value: [{ words: t('operator.ai.active') }, { text: theirs('x') }],
      },
      { label: t('receipt.signed'), value: { atMs: Date.UTC(2026, 4, 1, 9, 30) } },
    ],
    acts: [suspend(id), { act: 'revoke', id, words: t('common.remove'), danger: true, fields: [] }],
  });
  const list: web.OperatorList = {
    ...{ place: 'ais', title: t('operator.ais'), places, lead: t('operator.ais-lead') },
    acts: [],
    path: '/ops/ais?cursor=b',
    views: {
      all: [
        { words: t('operator.view.all'), href: '/ops/ais' },
        { words: t('operator.view.suspended'), href: '/ops/ais?show=suspended' },
      ],
      here: '/ops/ais',
    },
    rows: [row('robin', 'Robin'), row('wren', 'Wren')],
    more: '/ops/ais?cursor=c',
  };
  const refused: web.OperatorRefusal = {
    ...{ id: 'wren', act: 'suspend', values: { days: '7', reason: '' } },
    errors: { reason: t('operator.required') },
  };
  return {
    operator: web.operatorPage(frame, {
      places,
      counts: [
        { ...places[0]!, words: t('operator.waits.open', { count: 3, more: 'other' }), urgent: true },
        {
          place: 'feedback',
          title: t('operator.feedback'),
          words: t('operator.waits.new', { count: 100, more: 'yes' }),
          urgent: false,
        },
      ],
    }),
    'operator-list': web.operatorListPage(frame, { ...list, done: t('operator.ai-suspended') }),
    'operator-list-errors': web.operatorListPage(frame, { ...list, refused }),
    'operator-list-refused': web.operatorListPage(frame, {
      ...list,
      refused: { id: 'gone', act: 'suspend', values: {}, refused: verbatim('This AI was removed.') },
    }),
    'operator-list-old': web.operatorListPage(frame, { ...list, signIn: '/in?fresh=1&next=%2Fops%2Fais' }),
    'operator-list-empty': web.operatorListPage(frame, {
      ...list,
      acts: [{ ...suspend(''), act: 'decide', words: t('operator.policy-set') }],
      rows: [],
      more: undefined,
    }),
  };
}
