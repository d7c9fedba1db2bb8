import * as web from '@hearth/web';

/** The pages of the operator. */
export function operatorSamples(ada: web.Frame, theirs: (text: string) => string): Record<string, string> {
  const frame: web.Frame = { ...ada, person: { ...ada.person!, operator: true } };
  const places = [
    { place: 'reports', title: 'Reports' },
    { place: 'ais', title: 'AIs' },
    { place: 'audit', title: 'Audit' },
  ];
  const suspend = (id: string): web.OperatorAct => ({
    ...{ act: 'suspend', id, words: 'Suspend' },
    fields: [
      {
        ...{ name: 'days', label: 'For how long?' },
        choices: [
          { value: '1', words: '1 day' },
          { value: '7', words: '7 days' },
        ],
      },
      { name: 'reason', label: 'Reason', hint: 'The AI and its owner can read this.', maxLength: 200 },
    ],
  });
  const row = (id: string, name: string): web.OperatorRow => ({
    title: theirs(`@ada.ai-${id}`),
    facts: [
      { label: 'Name', value: { text: theirs(name) } },
      { label: 'State', value: { text: 'active' } },
      { label: 'Created at', value: { atMs: Date.UTC(2026, 4, 1, 9, 30) } },
    ],
    acts: [suspend(id), { act: 'revoke', id, words: 'Remove', danger: true, fields: [] }],
  });
  const list: web.OperatorList = {
    ...{ place: 'ais', title: 'AIs', places, lead: 'Every AI of this home, newest first.' },
    acts: [],
    path: '/ops/ais?cursor=b',
    views: {
      all: [
        { words: 'All', href: '/ops/ais' },
        { words: 'Suspended', href: '/ops/ais?show=suspended' },
      ],
      here: '/ops/ais',
    },
    rows: [row('robin', 'Robin'), row('wren', 'Wren')],
    more: '/ops/ais?cursor=c',
  };
  const refused: web.OperatorRefusal = {
    ...{ id: 'wren', act: 'suspend', values: { days: '7', reason: '' } },
    errors: { reason: 'Fill in this field.' },
  };
  return {
    operator: web.operatorPage(frame, {
      places,
      counts: [
        { ...places[0]!, words: '3 open', urgent: true },
        { place: 'feedback', title: 'Feedback', words: '100 or more new', urgent: false },
      ],
    }),
    'operator-list': web.operatorListPage(frame, { ...list, done: 'The AI is suspended.' }),
    'operator-list-errors': web.operatorListPage(frame, { ...list, refused }),
    'operator-list-refused': web.operatorListPage(frame, {
      ...list,
      refused: { id: 'gone', act: 'suspend', values: {}, refused: 'This AI was removed.' },
    }),
    'operator-list-old': web.operatorListPage(frame, { ...list, signIn: '/in?fresh=1&next=%2Fops%2Fais' }),
    'operator-list-empty': web.operatorListPage(frame, {
      ...list,
      acts: [{ ...suspend(''), act: 'decide', words: 'Suspend an AI by its address' }],
      rows: [],
      more: undefined,
    }),
  };
}
