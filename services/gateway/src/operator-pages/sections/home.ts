import { day } from '@hearth/clock';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { AdminDeliveriesService } from '@hearth/proto/delivery/v1/admin_deliveries';
import { AuditService } from '@hearth/proto/delivery/v1/audit';
import { HomesService } from '@hearth/proto/federation/v1/homes';
import { KeysService } from '@hearth/proto/federation/v1/keys';
import { CommonsService } from '@hearth/proto/messages/v1/commons';
import { reason, type Section, textOf, whole } from '../section.ts';
import { suspendAi, suspendPerson } from './people.ts';

export const reports: Section = {
  ...{ place: 'reports', title: 'Reports', rows: 'reports', list: RequestsService.method.listReports },
  lead: 'What callers report, that about the safety of a child first.',
  views: [
    { show: 'open', words: 'Open' },
    { show: 'closed', words: 'Closed ones too', query: { resolved: true } },
  ],
  titleOf: (row) => `${textOf(row, 'reason').replaceAll('_', ' ')}: ${textOf(row, 'about')}`,
  waits: { words: 'open', urgent: (row) => row['reason'] === 'child_safety' },
  acts: {
    suspend: {
      ...suspendAi,
      idField: 'about',
      offered: (row) => /^ai_|^@[^.]+\.ai-/.test(textOf(row, 'about')),
    },
    suspend_author: {
      ...suspendAi,
      words: 'Suspend its author',
      idField: 'author',
      offered: (row) => textOf(row, 'author').startsWith('ai_'),
    },
    suspend_person: {
      ...{ ...suspendPerson, idField: 'about' },
      offered: (row) => /^(per_|@[a-z0-9-]+$)/.test(textOf(row, 'about')),
    },
    suspend_writer: {
      ...{ ...suspendPerson, words: 'Suspend its author', idField: 'author' },
      offered: (row) => textOf(row, 'author').startsWith('per_'),
    },
    remove: {
      ...{ words: 'Remove the post', danger: true, done: 'The post is removed. Its author reads why.' },
      ...{ method: CommonsService.method.removeCommons, idField: 'about' },
      fields: [
        { name: 'reason', label: 'Why?', hint: 'Its author and every reader see it.', maxLength: 280 },
      ],
      offered: (row) => textOf(row, 'about').startsWith('pst_'),
    },
    resolve: {
      ...{ words: 'Close', done: 'The report is closed.' },
      method: RequestsService.method.resolveReport,
      offered: (row) => row['resolved_at'] === undefined,
      fields: [
        {
          ...{ name: 'resolution', label: 'What was done', maxLength: 280 },
          hint: 'Closing does nothing else: suspend an AI or remove a post first.',
        },
      ],
    },
  },
};

const stopped = ['suspended', 'disabled'];

export const deliveries: Section = {
  ...{ place: 'deliveries', title: 'Deliveries', rows: 'destinations' },
  list: AdminDeliveriesService.method.listDestinations,
  lead: 'The addresses that this home sends to: of apps, subscriptions, callbacks, and its mail server.',
  views: [
    whole,
    { show: 'failing', words: 'Failing', query: { status: 'failing' } },
    { show: 'suspended', words: 'Suspended', query: { status: 'suspended' } },
    { show: 'disabled', words: 'Disabled', query: { status: 'disabled' } },
  ],
  titleOf: (row) =>
    [textOf(row, 'kind'), textOf(row, 'owner'), textOf(row, 'origin')].filter(Boolean).join(' · '),
  waits: { words: 'stopped', is: (row) => stopped.includes(textOf(row, 'status')) },
  acts: {
    resume: {
      ...{ words: 'Resume', done: 'It is sent to again.' },
      method: AdminDeliveriesService.method.resumeDestination,
      fields: [reason('Its owner reads it.')],
      offered: (row) => stopped.includes(textOf(row, 'status')),
    },
    replay: {
      ...{
        words: 'Send again what failed',
        done: 'What failed in that time, if anything did, is on its way again.',
      },
      method: AdminDeliveriesService.method.replayForApp,
      fields: [
        {
          ...{ name: 'days', label: 'Since when?' },
          choices: [
            { value: '1', words: 'the last day' },
            { value: '7', words: 'the last 7 days' },
            { value: '30', words: 'the last 30 days' },
          ],
        },
        reason('An app reads it in its activity.'),
      ],
      offered: ({ kind }) => kind !== 'subscription',
      request: (id, { days = '', ...fields }, now) => ({
        ...fields,
        ...(id.startsWith('app_') ? { app: id } : { destination: id }),
        ...(days !== '' && { since: new Date(now - Number(days) * day).toISOString() }),
        status: 'failed',
      }),
    },
  },
};

export const failed: Section = {
  ...{ place: 'failed', title: 'Failed sends', rows: 'deliveries' },
  list: AdminDeliveriesService.method.listAllDeliveries,
  query: { status: 'failed' },
  lead: 'What was given up, each with why, and without what it says. Deliveries sends it again.',
  titleOf: (row) => `${textOf(row, 'kind')}: ${textOf(row, 'type')}`,
};

const policyFields = [
  {
    ...{ name: 'mode', label: 'Policy' },
    choices: [
      { value: 'allowed', words: 'allowed: talk with it' },
      { value: 'limited', words: 'limited: its people and AIs count as strangers' },
      { value: 'denied', words: 'denied: exchange nothing' },
      { value: 'unset', words: 'as HEARTH_FEDERATION says' },
    ],
  },
  reason('It stands in the audit log.', true),
];

const trouble = ['failing', 'lapsed', 'key_change', 'key_revoked'];

export const homes: Section = {
  ...{
    place: 'homes',
    title: 'Other homes',
    rows: 'homes',
    idField: 'home',
    list: HomesService.method.listHomes,
  },
  lead: 'The homes that this one has heard of, and how it stands with them.',
  titleOf: (row) => textOf(row, 'home'),
  waits: { words: 'in trouble', is: (row) => trouble.includes(textOf(row, 'status')) },
  acts: {
    decide: {
      ...{ words: 'Set the policy of a home by its name', done: 'The policy is set.', alone: true },
      method: HomesService.method.setHomePolicy,
      fields: [
        { name: 'home', label: 'The name of the home', hint: 'For example home.example.', maxLength: 253 },
        ...policyFields,
      ],
      request: (_id, { home = '', ...fields }) => ({ home: home.toLowerCase(), ...fields }),
    },
    policy: {
      ...{ words: 'Change the policy', done: 'The policy is changed.' },
      method: HomesService.method.setHomePolicy,
      fields: policyFields,
      request: (home, fields) => ({ home, ...fields }),
    },
    refetch: {
      ...{ words: 'Read its document again', fields: [], done: 'Its document is read again.' },
      method: HomesService.method.refetchHome,
      offered: ({ talks }) => talks === true,
      request: (home) => ({ home }),
    },
    accept_key: {
      ...{ words: 'Accept its new key', danger: true, done: 'The key is accepted.' },
      method: HomesService.method.acceptHomeKey,
      fields: [
        {
          ...{ name: 'kid', label: 'The key', maxLength: 128 },
          hint: 'The kid as the operator of that home told it to you, by another way than this home.',
        },
        reason('It stands in the audit log.', true),
      ],
      offered: (row) => row['waiting'] !== undefined,
      request: (home, fields) => ({ home, ...fields }),
    },
    begin_anew: {
      ...{ words: 'Begin anew with it', danger: true, done: 'Both directions begin anew.' },
      method: HomesService.method.beginHomeAnew,
      fields: [reason('It stands in the audit log.', true)],
      request: (home, fields) => ({ home, ...fields }),
    },
  },
};

export const keys: Section = {
  ...{ place: 'keys', title: 'Keys', rows: 'keys', idField: 'kid', list: KeysService.method.listKeys },
  lead: 'The keys with which this home signs. A stolen or lost key is changed by the command line: hearth key.',
  titleOf: (row) => textOf(row, 'kid'),
  acts: {
    rotate: {
      ...{
        words: 'Rotate',
        done: 'A new key is listed as the next. It signs once other homes have seen it.',
      },
      method: KeysService.method.rotateKey,
      fields: [reason('It stands in the audit log.', true)],
      offered: (row) => row['status'] === 'active' && !(row['uses'] as string[]).includes('recovery'),
      request: (_kid, fields) => fields,
    },
  },
};

export const audit: Section = {
  ...{ place: 'audit', title: 'Audit', rows: 'audit', list: AuditService.method.listAudit },
  lead: 'What operators did, and what the home did by itself with its keys, the newest first.',
  titleOf: (row) => textOf(row, 'summary'),
};
