import { t, verbatim } from '@hearth/i18n';
import * as web from '@hearth/web';

const now = Date.UTC(2026, 4, 3, 14, 5);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

type Theirs = (text: string) => string;

const capped = (weeklyCap: number | null): web.Rule => ({ action: 'ask', checkedOnly: false, weeklyCap });
const polite: web.Rule = { action: 'decline', checkedOnly: false, weeklyCap: null };
const presentRules: web.RuleRows = {
  personal: capped(10),
  introduction: capped(10),
  recruiting: polite,
  sales: polite,
  offer: { action: 'front_door', checkedOnly: true, weeklyCap: null },
  other: capped(10),
};
const changes: Partial<web.RuleRows> = {
  personal: { action: 'ask', checkedOnly: true, weeklyCap: 5 },
  sales: { action: 'turn_away', checkedOnly: false, weeklyCap: null },
};
const proposedRules = { present: presentRules, changes, next: { ...presentRules, ...changes } };

export function requestPages(anybody: web.Frame, ada: web.Frame, theirs: Theirs): Record<string, string> {
  return { ...listPages(ada, theirs), ...askPages(anybody, ada, theirs), ...rulePages(ada, theirs) };
}

function listPages(frame: web.Frame, theirs: Theirs): Record<string, string> {
  const group = web.othersText(theirs('Rowing club'));
  const ada = { ...frame, requests: { waiting: 4 } };
  const ask: web.RequestItem = {
    id: 'apr_01',
    type: 'approval',
    title: theirs('May I book the 9:30 train to Hamburg?'),
    preview: theirs('Second class, 49 euros, one change in Hanover. The price holds until tonight.'),
    from: '@ada.ai-robin',
    fromName: theirs('Robin'),
    nameVerified: true,
    atMs: now - 20 * minute,
    endsAtMs: now + 3 * hour,
    yes: 'tap',
    digest: 'sha-256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
  };
  const decisions: web.WaitingDecision[] = [
    {
      title: theirs('Grandma’s birthday'),
      groupName: theirs('The family'),
      waitsFor: 'answer',
      endsAtMs: now + 20 * hour,
      href: '/d/7',
    },
    { title: theirs('A summer trip'), waitsFor: 'stance', href: '/p/pln_8' },
  ];
  const items: web.RequestItem[] = [
    ask,
    {
      ...ask,
      id: 'apr_02',
      title: theirs('Which evening suits you for the club meeting?'),
      preview: '',
      from: '&rowing',
      fromName: theirs('Rowing club'),
      endsAtMs: now + 5 * day,
      atMs: now - 5 * hour,
      yes: 'answer',
      aboutChild: theirs('Byron Lovelace'),
    },
    {
      id: 'msg_03',
      type: 'message',
      title: '',
      preview: theirs('Hello Ada, we have a position that would fit you very well, may I tell you more?'),
      from: '@free-k3x9qa.ai-otter',
      fromName: theirs('Otter'),
      nameVerified: false,
      purpose: 'recruiting',
      passedNote: theirs('This may be real: the firm exists. I did not answer.'),
      atMs: now - 3 * day,
      yes: 'tap',
    },
    {
      id: 'inv_04',
      type: 'invite',
      title: theirs('Allotment gardeners of the north side'),
      preview: theirs('Charles invites you'),
      from: '@charles',
      fromName: theirs('Charles Babbage'),
      nameVerified: true,
      purpose: 'personal',
      atMs: now - 30 * hour,
      endsAtMs: now + 6 * day,
      yes: 'tap',
    },
  ];
  const robin = '@ada.ai-robin';
  const oneMessage: web.OneMessage = {
    id: 'msg_03',
    thread: 'thr_03',
    title: theirs('A position'),
    text: theirs('Hello Ada, we have a position that would fit you very well.\n\nMay I tell you more?'),
    from: '@free-k3x9qa.ai-otter',
    fromName: theirs('Otter'),
    nameVerified: false,
    atMs: now - 3 * day,
    waits: true,
    retracted: false,
  };
  return {
    'one-message': web.oneMessagePage(ada, oneMessage),
    'one-message-retracted': web.oneMessagePage(ada, {
      ...oneMessage,
      ...{ title: '', text: '', nameVerified: true, waits: false, retracted: true },
    }),
    requests: web.requestsPage(ada, { decisions, items, putOff: [], more: false, nowMs: now }),
    'requests-done': web.requestsPage(ada, {
      decisions: [],
      items: [{ ...ask, id: 'apr_05', yes: 'rules', endsAtMs: now + 30 * day }],
      putOff: items.slice(2),
      more: true,
      nowMs: now,
      done: { words: t('requests.done.approved'), ask: 'apr_06' },
    }),
    'requests-rules': web.requestsPage(ada, {
      decisions: [],
      items: [
        {
          ...ask,
          id: 'apr_09',
          title: theirs('Robin proposes other rules for what reaches you'),
          preview: theirs('personal: ask, only from those who are known'),
          yes: 'rules',
          rules: {
            present: proposedRules.present,
            changes: proposedRules.changes,
          },
        },
        ask,
      ],
      putOff: [],
      more: false,
      nowMs: now,
    }),
    'invite-followed': web.followedInvitePage(ada, {
      joined: true,
      next: t('invites.next.joined', { whom: 'other', name: web.othersText(theirs('Byron')), group }),
    }),
    'invite-followed-waiting': web.followedInvitePage(ada, {
      joined: false,
      next: t('invites.next.organizer', { whom: 'you', name: '', group }),
    }),
    'requests-partial': web.requestsPage(ada, {
      decisions: [],
      items: [],
      putOff: items.slice(3),
      more: false,
      nowMs: now,
      partial: true,
      done: { words: t('requests.done-yes', { count: 2, left: 1 }), care: true },
    }),
    'requests-empty': web.requestsPage(
      { ...frame, requests: { waiting: 0 } },
      { decisions: [], items: [], putOff: [], more: false, nowMs: now },
    ),
    'requests-settled': web.requestsSettledPage(ada, [
      ...web.settledStatuses.map((status, index) => ({
        id: `apr_1${index}`,
        title: theirs('May we use your photo of the regatta?'),
        status,
        mine: index === 1,
        fromName: theirs('Otter'),
        nameVerified: index !== 0,
        settledAtMs: index === 3 ? undefined : now - index * day,
      })),
    ]),
    'requests-settled-empty': web.requestsSettledPage(ada, []),
    blocked: web.blockedPage(ada, {
      blocked: [
        {
          target: '@free-k3x9qa.ai-otter',
          reason: theirs('Sells the same thing every day'),
          sinceMs: now - day,
        },
        { target: '@shop.example', sinceMs: now - 40 * day },
      ],
      more: true,
      done: t('requests.unblocked'),
    }),
    'blocked-none': web.blockedPage(
      { ...ada, person: { name: theirs('Ada') } },
      { blocked: [], more: false },
    ),
    ...receiptPages(frame, theirs, robin),
  };
}

function askPages(anybody: web.Frame, frame: web.Frame, theirs: Theirs): Record<string, string> {
  const ada = { ...frame, requests: {} };
  const viewer: web.AskRecipient = {
    to: '@ada',
    name: theirs('Ada Lovelace'),
    decision: 'waiting',
    isViewer: true,
  };
  const grace: web.AskRecipient = {
    to: '@grace',
    name: theirs('Grace Hopper'),
    decision: 'approved',
    answer: theirs('Friday'),
    note: theirs('I bring the cake'),
    atMs: now - hour,
    by: 'ai',
    isViewer: false,
  };
  const ask: web.Ask = {
    id: 'apr_01',
    title: theirs('May I book the 9:30 train to Hamburg?'),
    details: theirs(
      'Second class, 49 euros.\nOne change in Hanover: 12 minutes.\n\nThe price holds until tonight.',
    ),
    kind: 'ask',
    requestKind: 'other',
    choices: [],
    freeText: false,
    needs: 'any',
    from: '@ada.ai-robin',
    fromName: theirs('Robin'),
    nameVerified: true,
    people: [viewer],
    status: 'waiting',
    askedAtMs: now - hour,
    expiresAtMs: now + 2 * hour,
    digest: 'sha-256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
  };
  const question: web.Ask = {
    ...ask,
    title: theirs('Which evening suits you for the club meeting?'),
    choices: [theirs('Thursday, 19:00'), theirs('Friday, 18:30'), theirs('None of them')],
    people: [viewer, grace, { ...viewer, to: '@charles', name: theirs('Charles Babbage'), isViewer: false }],
    needs: 'all',
    groupName: theirs('Rowing club'),
    expiresAtMs: now + 5 * day,
  };
  const settled: web.Ask = {
    ...question,
    status: 'approved',
    settledAtMs: now,
    receipt: '/r/rec_01?k=abcdefghijklmnopqrstuv',
    people: [{ ...viewer, decision: 'approved', atMs: now, by: 'person', answer: theirs('Friday') }, grace],
  };
  const nowMs = now;
  return {
    ask: web.askPage(ada, { ask, nowMs, canAnswer: true }),
    'ask-question': web.askPage(ada, {
      ask: question,
      nowMs,
      canAnswer: true,
      values: { answer: 'Thursday', note: theirs('Not before seven') },
      errors: { answer: verbatim('Pick one of them.') },
    }),
    'ask-text': web.askPage(ada, {
      ask: {
        ...ask,
        details: undefined,
        freeText: true,
        requestKind: 'recruiting',
        from: '@free-k3x9qa.ai-otter',
        nameVerified: false,
      },
      nowMs,
      canAnswer: true,
    }),
    'ask-child': web.askPage(ada, {
      ask: {
        ...ask,
        kind: 'photo',
        title: theirs('May this photo of the regatta be shown?'),
        preview: theirs('regatta-04.jpg: four boats at the finish, Byron in the second'),
        about: { name: theirs('Byron Lovelace'), address: '@byron' },
        groupName: theirs('Rowing club'),
        needs: 'any',
        people: [viewer, { ...viewer, to: '@william', name: theirs('William'), isViewer: false }],
      },
      nowMs,
      canAnswer: true,
    }),
    'ask-by-link': web.askPage(
      { ...ada, byLink: { signIn: '/in?next=%2Fa%2Fapr_1' } },
      { ask, nowMs, canAnswer: true },
    ),
    'ask-changed': web.askPage(ada, { ask, nowMs, canAnswer: true, changed: true }),
    'ask-rules': web.askPage(ada, { ask: { ...ask, kind: 'rules' }, nowMs, canAnswer: true }),
    'ask-answered': web.askPage(ada, {
      ask: { ...question, people: [{ ...viewer, decision: 'declined', atMs: now, by: 'person' }, grace] },
      nowMs,
      canAnswer: false,
    }),
    'ask-settled': web.askPage(ada, { ask: settled, nowMs, canAnswer: false, answered: true }),
    'ask-misstated': web.askPage(ada, {
      ask: { ...settled, home: 'far.example', disputed: true },
      ...{ nowMs, canAnswer: false },
    }),
    'ask-expired': web.askPage(ada, {
      ask: { ...settled, status: 'expired', receipt: undefined, why: 'recipient_gone' },
      nowMs,
      canAnswer: false,
      tooLate: true,
    }),
    'ask-mail': web.askPage(anybody, {
      ask: { ...ask, people: [{ ...viewer, to: theirs('ada@example.org') }] },
      nowMs,
      canAnswer: true,
      mail: { email: theirs('ada@example.org'), key: 'abcdefghijklmnopqrstuv' },
    }),
  };
}

function outcomeOf(theirs: Theirs): web.SignedOutcome {
  return {
    kind: 'plan',
    title: theirs('Rehearsal'),
    status: 'settled',
    summary: theirs('Sun, 3 May 2026, 18:00'),
    terms: theirs('Everyone brings their own cup.'),
    startsAt: '2026-05-03T16:00:00Z',
    endsAt: '2026-05-03T18:00:00Z',
    timeZone: 'Europe/Zurich',
    where: theirs('Town house'),
    group: theirs('The choir'),
    begunBy: '@ada',
    settledAtMs: Date.parse('2026-04-30T12:00:00Z'),
    parties: [
      {
        name: theirs('Ada'),
        address: '@ada',
        said: 'approve',
        by: 'person',
        atMs: Date.parse('2026-04-30T12:00:00Z'),
      },
      { name: theirs('Ben'), address: '@ben', said: 'works', by: 'ai', note: theirs('A little late') },
    ],
  };
}

function receiptPages(frame: web.Frame, theirs: Theirs, requestedBy: string): Record<string, string> {
  const record: web.CheckedRecord = {
    verdict: 'valid',
    faults: [],
    id: 'rec_019bc0f0a1b27c3d8e4f5a6b7c8d9e01',
    type: 'approval.answer',
    home: 'hearth.example',
    issuedAtMs: now,
    kid: 'vaGfV_Ld9Xi1hoVUXE9rR8pgQMuu5yRzTX9QZPj6oWs',
    keyStatus: 'active',
    answer: {
      askId: 'apr_019bc0f0a1b27c3d8e4f5a6b7c8d9e02',
      title: theirs('May we book the hall on Friday?'),
      digest: 'sha-256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
      status: 'approved',
      requestedBy,
      requestedNameVerified: true,
      requestedAtMs: now - hour,
      settledAtMs: now,
      aboutChild: false,
      answers: [
        {
          ...{ to: '@ada', name: theirs('Ada Lovelace'), decision: 'approved', answer: theirs('Friday') },
          ...{ note: theirs('Fine with me'), atMs: now, by: 'person', via: 'web', proof: 'passkey' },
        },
        {
          ...{ to: '@grace', name: theirs('Grace Hopper'), decision: 'declined', atMs: now - minute },
          ...{ by: 'ai', via: 'mcp', proof: 'key' },
        },
      ],
    },
  };
  const json = JSON.stringify({ v: 1, type: 'approval.answer', title: theirs('May we book') }, null, 2);
  const anybody = { language: frame.language, home: frame.home, csrf: frame.csrf };
  return {
    receipt: web.receiptPage(anybody, { record, json }),
    'receipt-outcome': web.receiptPage(frame, {
      record: { ...record, type: 'plan.outcome', answer: undefined, outcome: outcomeOf(theirs) },
      json,
    }),
    'receipt-void': web.receiptPage(frame, {
      record: { ...record, answer: { ...record.answer!, void: 'archived' } },
      json,
    }),
    'receipt-void-otherwise': web.receiptPage(frame, {
      record: { ...record, answer: { ...record.answer!, void: theirs('a new reason') } },
      json,
    }),
    'receipt-invalid': web.receiptPage(frame, {
      record: {
        ...record,
        verdict: 'invalid',
        faults: ['mismatch'],
        answer: { ...record.answer!, status: 'declined', requestedNameVerified: false, aboutChild: true },
      },
      json,
    }),
    'receipt-unknown': web.receiptPage(frame, {
      record: {
        ...record,
        verdict: 'unknown',
        faults: [],
      },
      json,
    }),
    'receipt-revoked': web.receiptPage(anybody, {
      record: {
        ...record,
        verdict: 'revoked',
        keyStatus: 'revoked',
        answer: undefined,
        type: theirs('vote'),
      },
      json,
    }),
    'receipt-check': web.checkRecordPage(anybody, {}),
    'receipt-check-error': web.checkRecordPage(anybody, {
      pasted: theirs('{"v": 1'),
      errors: { record: verbatim('This is not JSON, or not all of it: copy it once more, from { to }.') },
    }),
    'receipt-check-done': web.checkRecordPage(frame, { pasted: json, record }),
  };
}

function rulePages(frame: web.Frame, theirs: Theirs): Record<string, string> {
  const ada = { ...frame, requests: { waiting: 2 } };
  const { present: rows, next } = proposedRules;
  const ais = [
    { id: 'ai_01', name: theirs('Robin'), address: '@ada.ai-robin' },
    { id: 'ai_02', name: theirs('Scheduler'), address: '@ada.ai-scheduler' },
  ];
  return {
    rules: web.rulesPage(ada, {
      rows,
      ais,
      frontDoor: '@ada.ai-robin',
      turnedAway: { sales: 3, recruiting: 1 },
      preset: 'founder',
    }),
    'rules-proposal': web.rulesPage(ada, {
      rows,
      ais: undefined,
      turnedAway: {},
      proposal: {
        id: 'apr_09',
        by: '@ada.ai-robin',
        preset: 'just_me',
        changes,
        atMs: now - hour,
      },
      done: t('account.saved'),
    }),
    'rules-errors': web.rulesPage(ada, {
      rows,
      ais: [],
      turnedAway: {},
      caps: { personal: theirs('many') },
      errors: { personal_cap: verbatim('Write a number from 1 to 1,000, or nothing for as many as come.') },
    }),
    'rules-start': web.rulesStartPage(ada, { preset: 'just_me', present: rows, next }),
    'rules-start-same': web.rulesStartPage(ada, { preset: 'family', present: rows, next: rows }),
  };
}
