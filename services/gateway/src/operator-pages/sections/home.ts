import { day } from '@hearth/clock';
import { t } from '@hearth/i18n';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { AdminDeliveriesService } from '@hearth/proto/delivery/v1/admin_deliveries';
import { AuditService } from '@hearth/proto/delivery/v1/audit';
import { HomesService } from '@hearth/proto/federation/v1/homes';
import { KeysService } from '@hearth/proto/federation/v1/keys';
import { CommonsService } from '@hearth/proto/messages/v1/commons';
import { reason, type Section, textOf, whole } from '../section.ts';
import { suspendAi, suspendPerson } from './people.ts';

export const reports: Section = {
  ...{
    place: 'reports',
    title: t('operator.reports'),
    rows: 'reports',
    list: RequestsService.method.listReports,
  },
  lead: t('operator.reports-lead'),
  views: [
    { show: 'open', words: t('operator.view.open') },
    { show: 'closed', words: t('operator.view.all'), query: { resolved: true } },
  ],
  kindField: 'reason',
  titleOf: (row) => textOf(row, 'about'),
  waits: { words: 'open', urgent: (row) => row['reason'] === 'child_safety' },
  acts: {
    suspend: {
      ...suspendAi,
      idField: 'about',
      offered: (row) => /^ai_|^@[^.]+\.ai-/.test(textOf(row, 'about')),
    },
    suspend_author: {
      ...suspendAi,
      words: t('operator.suspend-author'),
      idField: 'author',
      offered: (row) => textOf(row, 'author').startsWith('ai_'),
    },
    suspend_person: {
      ...{ ...suspendPerson, idField: 'about' },
      offered: (row) => /^(per_|@[a-z0-9-]+$)/.test(textOf(row, 'about')),
    },
    suspend_writer: {
      ...{ ...suspendPerson, words: t('operator.suspend-author'), idField: 'author' },
      offered: (row) => textOf(row, 'author').startsWith('per_'),
    },
    remove: {
      ...{ words: t('operator.post-remove'), danger: true, done: t('operator.post-removed') },
      ...{ method: CommonsService.method.removeCommons, idField: 'about' },
      fields: [
        { name: 'reason', label: t('operator.reason'), hint: t('operator.reads.everyone'), maxLength: 280 },
      ],
      offered: (row) => textOf(row, 'about').startsWith('pst_'),
    },
    resolve: {
      ...{ words: t('operator.report-close'), done: t('operator.report-closed') },
      method: RequestsService.method.resolveReport,
      offered: (row) => row['resolved_at'] === undefined,
      fields: [
        {
          ...{ name: 'resolution', label: t('operator.report-resolution'), maxLength: 280 },
          hint: t('operator.report-resolution-hint'),
        },
      ],
    },
  },
};

const stopped = ['suspended', 'disabled'];

export const deliveries: Section = {
  ...{ place: 'deliveries', title: t('operator.deliveries'), rows: 'destinations' },
  list: AdminDeliveriesService.method.listDestinations,
  lead: t('operator.deliveries-lead'),
  views: [
    whole,
    { show: 'failing', words: t('operator.view.failing'), query: { status: 'failing' } },
    { show: 'suspended', words: t('operator.view.suspended'), query: { status: 'suspended' } },
    { show: 'disabled', words: t('operator.view.disabled'), query: { status: 'disabled' } },
  ],
  kindField: 'kind',
  titleOf: (row) => [textOf(row, 'owner'), textOf(row, 'origin')].filter(Boolean).join(' · '),
  waits: { words: 'stopped', is: (row) => stopped.includes(textOf(row, 'status')) },
  acts: {
    resume: {
      ...{ words: t('operator.resume'), done: t('operator.resumed') },
      method: AdminDeliveriesService.method.resumeDestination,
      fields: [reason(t('operator.reads.owner'))],
      offered: (row) => stopped.includes(textOf(row, 'status')),
    },
    replay: {
      ...{
        words: t('operator.replay'),
        done: t('operator.replayed'),
      },
      method: AdminDeliveriesService.method.replayForApp,
      fields: [
        {
          ...{ name: 'days', label: t('operator.since') },
          choices: [1, 7, 30].map((days) => ({
            value: String(days),
            words: t('operator.since-days', { days }),
          })),
        },
        reason(t('operator.reads.activity')),
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
  ...{ place: 'failed', title: t('operator.failed'), rows: 'deliveries' },
  list: AdminDeliveriesService.method.listAllDeliveries,
  query: { status: 'failed' },
  lead: t('operator.failed-lead'),
  kindField: 'kind',
  titleOf: (row) => textOf(row, 'type'),
};

const policyFields = [
  {
    ...{ name: 'mode', label: t('operator.policy') },
    choices: [
      { value: 'allowed', words: t('operator.policy-allowed') },
      { value: 'limited', words: t('operator.policy-limited') },
      { value: 'denied', words: t('operator.policy-denied') },
      { value: 'unset', words: t('operator.policy-unset') },
    ],
  },
  reason(t('operator.reads.audit'), true),
];

const trouble = ['failing', 'lapsed', 'key_change', 'key_revoked'];

export const homes: Section = {
  ...{
    place: 'homes',
    title: t('operator.homes'),
    rows: 'homes',
    idField: 'home',
    list: HomesService.method.listHomes,
  },
  lead: t('operator.homes-lead'),
  titleOf: (row) => textOf(row, 'home'),
  waits: { words: 'problems', is: (row) => trouble.includes(textOf(row, 'status')) },
  acts: {
    decide: {
      ...{ words: t('operator.policy-set'), done: t('operator.policy-set-done'), alone: true },
      method: HomesService.method.setHomePolicy,
      fields: [
        { name: 'home', label: t('operator.home-name'), hint: t('operator.home-name-hint'), maxLength: 253 },
        ...policyFields,
      ],
      request: (_id, { home = '', ...fields }) => ({ home: home.toLowerCase(), ...fields }),
    },
    policy: {
      ...{ words: t('operator.policy-change'), done: t('operator.policy-changed') },
      method: HomesService.method.setHomePolicy,
      fields: policyFields,
      request: (home, fields) => ({ home, ...fields }),
    },
    refetch: {
      ...{ words: t('operator.home-refresh'), fields: [], done: t('operator.home-refreshed') },
      method: HomesService.method.refetchHome,
      offered: ({ talks }) => talks === true,
      request: (home) => ({ home }),
    },
    accept_key: {
      ...{ words: t('operator.home-key'), danger: true, done: t('operator.home-key-accepted') },
      method: HomesService.method.acceptHomeKey,
      fields: [
        {
          ...{ name: 'kid', label: t('operator.home-key-id'), maxLength: 128 },
          hint: t('operator.home-key-id-hint'),
        },
        reason(t('operator.reads.audit'), true),
      ],
      offered: (row) => row['waiting'] !== undefined,
      request: (home, fields) => ({ home, ...fields }),
    },
    begin_anew: {
      ...{ words: t('operator.home-reconnect'), danger: true, done: t('operator.home-reconnected') },
      method: HomesService.method.beginHomeAnew,
      fields: [reason(t('operator.reads.audit'), true)],
      request: (home, fields) => ({ home, ...fields }),
    },
  },
};

export const keys: Section = {
  ...{
    place: 'keys',
    title: t('operator.keys'),
    rows: 'keys',
    idField: 'kid',
    list: KeysService.method.listKeys,
  },
  lead: t('operator.keys-lead'),
  titleOf: (row) => textOf(row, 'kid'),
  acts: {
    rotate: {
      ...{
        words: t('operator.rotate'),
        done: t('operator.rotated'),
      },
      method: KeysService.method.rotateKey,
      fields: [reason(t('operator.reads.audit'), true)],
      offered: (row) => row['status'] === 'active' && !(row['uses'] as string[]).includes('recovery'),
      request: (_kid, fields) => fields,
    },
  },
};

export const audit: Section = {
  ...{ place: 'audit', title: t('operator.audit'), rows: 'audit', list: AuditService.method.listAudit },
  lead: t('operator.audit-lead'),
  titleOf: (row) => textOf(row, 'summary'),
};
