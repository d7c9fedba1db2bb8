import { day } from '@hearth/clock';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import { FeedbackService } from '@hearth/proto/identity/v1/feedback';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { reason, type Section, type SectionAct, textOf, whole } from '../section.ts';

export const feedback: Section = {
  ...{ place: 'feedback', title: 'Feedback', rows: 'feedback', list: FeedbackService.method.listFeedback },
  lead: 'What callers say about this home. They can read your answer.',
  views: [whole, { show: 'new', words: 'New', query: { status: 'received' } }],
  titleOf: (row) => `${textOf(row, 'kind')}: ${textOf(row, 'title')}`,
  waits: { words: 'new', query: { status: 'received' } },
  acts: {
    read: {
      ...{ words: 'Mark as read', fields: [], done: 'It is marked as read.' },
      method: FeedbackService.method.answerFeedback,
      offered: ({ status }) => status === 'received',
      request: (id) => ({ id, status: 'read' }),
    },
    answer: {
      ...{ words: 'Answer', done: 'Your answer is there.' },
      method: FeedbackService.method.answerFeedback,
      fields: [{ name: 'answer', label: 'Your answer', lines: true }],
      offered: ({ status }) => status !== 'done',
    },
  },
};

const days = {
  ...{ name: 'days', label: 'For how long?' },
  choices: ['1', '3', '7', '14', '30'].map((days) => ({
    value: days,
    words: days === '1' ? 'a day' : `${days} days`,
  })),
};

/** @param readers who read the reason */
const suspend = (method: SectionAct['method'], done: string, readers: string): SectionAct => ({
  ...{ words: 'Suspend', method, done, fields: [days, reason(readers)] },
  request: (id, { days = '', ...fields }, now) => ({
    ...{ id, ...fields },
    ...(days !== '' && { until: new Date(now + Number(days) * day).toISOString() }),
  }),
});

const restore = (method: SectionAct['method'], done: string, readers: string): SectionAct => ({
  ...{ words: 'End the suspension', method, done, fields: [reason(readers)] },
  offered: ({ suspended_until }) => suspended_until !== undefined,
});

const personReads = 'The person reads it.';

const restorePerson = restore(PeopleService.method.restorePerson, 'They can act again.', personReads);

export const suspendAi = suspend(
  AisService.method.suspendAi,
  'It is suspended. The reason is told to it and to its owner, if it has one.',
  'The AI and its owner read it.',
);

export const suspendPerson = suspend(
  PeopleService.method.suspendPerson,
  'They are suspended, and are told the reason.',
  personReads,
);

export const ais: Section = {
  ...{ place: 'ais', title: 'AIs', rows: 'ais', list: AisService.method.listAllAis },
  lead: 'Every AI of this home, the newest first.',
  views: [
    whole,
    { show: 'suspended', words: 'Suspended', query: { state: 'suspended' } },
    { show: 'off', words: 'Switched off', query: { state: 'revoked' } },
  ],
  titleOf: (row) => textOf(row, 'address') || textOf(row, 'id'),
  acts: {
    suspend: { ...suspendAi, offered: ({ state }) => state === 'active' },
    restore: {
      ...restore(AisService.method.restoreAi, 'Its suspension is over.', 'Its owner reads it.'),
      offered: ({ state, suspended_with_owner }) => state === 'suspended' && !suspended_with_owner,
    },
    restore_owner: {
      ...restorePerson,
      words: 'End the suspension of its owner',
      idField: 'owner',
      offered: ({ suspended_with_owner }) => suspended_with_owner === true,
    },
    revoke: {
      ...{ words: 'Switch off for good', danger: true, done: 'It is switched off.' },
      method: IdentityService.method.revokeAi,
      fields: [reason('Its owner reads it.', true)],
      offered: ({ state }) => state !== 'revoked',
    },
  },
};

export const people: Section = {
  ...{ place: 'people', title: 'People', rows: 'people', list: PeopleService.method.listAllPeople },
  lead: 'Every person of this home, the newest first. People under 18 are shown shortened.',
  views: [
    whole,
    { show: 'guests', words: 'Guests', query: { guest: true } },
    { show: 'deleting', words: 'Being deleted', query: { deleting: true } },
    { show: 'suspended', words: 'Suspended', query: { suspended: true } },
  ],
  titleOf: (row) => (row['handle'] === undefined ? textOf(row, 'name') : `@${textOf(row, 'handle')}`),
  acts: {
    suspend: suspendPerson,
    restore: restorePerson,
    delete: {
      ...{
        words: 'Delete the account',
        danger: true,
        done: 'The account goes on the day that stands there.',
      },
      method: PeopleService.method.deletePerson,
      fields: [reason(personReads)],
      offered: ({ deletes_at }) => deletes_at === undefined,
    },
    keep: {
      ...{ words: 'Keep the account', done: 'The account stays.' },
      method: PeopleService.method.keepPerson,
      fields: [reason(personReads)],
      offered: ({ deletes_at }) => deletes_at !== undefined,
    },
  },
};

export const apps: Section = {
  ...{ place: 'apps', title: 'Apps', rows: 'apps', list: AppsService.method.listApps },
  lead: 'The apps of this home. A new one is made by the command line, which shows its secrets once: hearth app create.',
  titleOf: (row) => textOf(row, 'name'),
  acts: {
    suspend: suspend(
      AppsService.method.suspendApp,
      'It is suspended: its key is refused with the reason, and its webhook is sent nothing.',
      'The app reads it.',
    ),
    restore: restore(
      AppsService.method.restoreApp,
      'It is active again. Deliveries can be sent again to it.',
      'The audit log keeps it.',
    ),
  },
};
