import { day } from '@hearth/clock';
import { t } from '@hearth/i18n';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import { FeedbackService } from '@hearth/proto/identity/v1/feedback';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Words } from '@hearth/web';
import { reason, type Section, type SectionAct, textOf, whole } from '../section.ts';

export const feedback: Section = {
  ...{
    place: 'feedback',
    title: t('operator.feedback'),
    rows: 'feedback',
    list: FeedbackService.method.listFeedback,
  },
  lead: t('operator.feedback-lead'),
  views: [whole, { show: 'new', words: t('operator.view.new'), query: { status: 'received' } }],
  kindField: 'kind',
  titleOf: (row) => textOf(row, 'title'),
  waits: { words: 'new', query: { status: 'received' } },
  acts: {
    read: {
      ...{ words: t('operator.feedback-read'), fields: [], done: t('operator.feedback-marked') },
      method: FeedbackService.method.answerFeedback,
      offered: ({ status }) => status === 'received',
      request: (id) => ({ id, status: 'read' }),
    },
    answer: {
      ...{ words: t('operator.feedback-answer'), done: t('operator.feedback-answered') },
      method: FeedbackService.method.answerFeedback,
      fields: [{ name: 'answer', label: t('operator.feedback-your-answer'), lines: true }],
      offered: ({ status }) => status !== 'done',
    },
  },
};

const days = {
  ...{ name: 'days', label: t('operator.days') },
  choices: [1, 3, 7, 14, 30].map((days) => ({
    value: String(days),
    words: t('operator.days-count', { days }),
  })),
};

/** @param readers the hint about who can read the reason */
const suspend = (method: SectionAct['method'], done: Words, readers: Words): SectionAct => ({
  ...{ words: t('operator.suspend'), method, done, fields: [days, reason(readers)] },
  request: (id, { days = '', ...fields }, now) => ({
    ...{ id, ...fields },
    ...(days !== '' && { until: new Date(now + Number(days) * day).toISOString() }),
  }),
});

const restore = (method: SectionAct['method'], done: Words, readers: Words): SectionAct => ({
  ...{ words: t('operator.restore'), method, done, fields: [reason(readers)] },
  offered: ({ suspended_until }) => suspended_until !== undefined,
});

const personReads = t('operator.reads.person');

const restorePerson = restore(PeopleService.method.restorePerson, t('operator.person-restored'), personReads);

export const suspendAi = suspend(
  AisService.method.suspendAi,
  t('operator.ai-suspended'),
  t('operator.reads.ai'),
);

export const suspendPerson = suspend(
  PeopleService.method.suspendPerson,
  t('operator.person-suspended'),
  personReads,
);

export const ais: Section = {
  ...{ place: 'ais', title: t('operator.ais'), rows: 'ais', list: AisService.method.listAllAis },
  lead: t('operator.ais-lead'),
  views: [
    whole,
    { show: 'suspended', words: t('operator.view.suspended'), query: { state: 'suspended' } },
    { show: 'off', words: t('operator.view.removed'), query: { state: 'revoked' } },
  ],
  titleOf: (row) => textOf(row, 'address') || textOf(row, 'id'),
  acts: {
    suspend: { ...suspendAi, offered: ({ state }) => state === 'active' },
    restore: {
      ...restore(AisService.method.restoreAi, t('operator.ai-restored'), t('operator.reads.owner')),
      offered: ({ state, suspended_with_owner }) => state === 'suspended' && !suspended_with_owner,
    },
    restore_owner: {
      ...restorePerson,
      words: t('operator.restore-owner'),
      idField: 'owner',
      offered: ({ suspended_with_owner }) => suspended_with_owner === true,
    },
    revoke: {
      ...{ words: t('common.remove'), danger: true, done: t('ais.removed-done') },
      method: IdentityService.method.revokeAi,
      fields: [reason(t('operator.reads.owner'), true)],
      offered: ({ state }) => state !== 'revoked',
    },
  },
};

export const people: Section = {
  ...{
    place: 'people',
    title: t('operator.people'),
    rows: 'people',
    list: PeopleService.method.listAllPeople,
  },
  lead: t('operator.people-lead'),
  views: [
    whole,
    { show: 'guests', words: t('operator.view.guests'), query: { guest: true } },
    { show: 'deleting', words: t('operator.view.deleting'), query: { deleting: true } },
    { show: 'suspended', words: t('operator.view.suspended'), query: { suspended: true } },
  ],
  titleOf: (row) => (row['handle'] === undefined ? textOf(row, 'name') : `@${textOf(row, 'handle')}`),
  acts: {
    suspend: suspendPerson,
    restore: restorePerson,
    delete: {
      ...{
        words: t('operator.account-delete'),
        danger: true,
        done: t('operator.account-deleting'),
      },
      method: PeopleService.method.deletePerson,
      fields: [reason(personReads)],
      offered: ({ deletes_at }) => deletes_at === undefined,
    },
    keep: {
      ...{ words: t('operator.account-keep'), done: t('operator.account-kept') },
      method: PeopleService.method.keepPerson,
      fields: [reason(personReads)],
      offered: ({ deletes_at }) => deletes_at !== undefined,
    },
  },
};

export const apps: Section = {
  ...{ place: 'apps', title: t('operator.apps'), rows: 'apps', list: AppsService.method.listApps },
  lead: t('operator.apps-lead'),
  titleOf: (row) => textOf(row, 'name'),
  acts: {
    suspend: suspend(AppsService.method.suspendApp, t('operator.app-suspended'), t('operator.reads.app')),
    restore: restore(AppsService.method.restoreApp, t('operator.app-restored'), t('operator.reads.audit')),
  },
};
