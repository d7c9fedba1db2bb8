import { t } from '@hearth/i18n';
import { type Html, html, type Words } from '../html.ts';
import { STATUS_COPY, settledStatuses } from '../status-copy.ts';
import { statuses } from './signed-outcome.ts';

/** Faults that the script reports, in a record or of its own. */
const faults = [
  ...(['not_json', 'unreadable', 'twice', 'no_home', 'no_signature', 'signature_form'] as const),
  ...(['mismatch', 'unknown_key', 'key_form', 'key_early', 'key_ended', 'key_revoked'] as const),
  ...(['undated', 'expired', 'no_keys', 'insecure'] as const),
];

/** Filled in by the script. */
const value = (name: string): Html => html`<bdi class="theirs" data-value="${name}"></bdi>`;

const given = { name: value('name'), decision: value('decision') };
const answered = { ...given, answer: value('answer') };

const words: Readonly<Record<string, Words>> = {
  copied: t('receipt.copied'),
  'copy-failed': t('receipt.copy-failed'),
  where: t('receipt.check-here'),
  'verdict.valid': t('receipt.verdict.valid'),
  'verdict.invalid': t('receipt.verdict.invalid'),
  'verdict.revoked': t('receipt.verdict.revoked'),
  'verdict.elsewhere': t('receipt.verdict.elsewhere'),
  'verdict.unknown': t('receipt.verdict.unknown'),
  ...Object.fromEntries(faults.map((fault) => [`fault.${fault}`, t(`receipt.fault.${fault}`)])),
  'fault.other_home': t('receipt.fault.other_home', { signer: value('signer'), home: value('home') }),
  type: t('receipt.said-type', { type: value('type') }),
  about: t('receipt.said-about', { title: value('title') }),
  asked: t('receipt.said-asked', { title: value('title') }),
  became: t('receipt.said-became', { status: value('status') }),
  outcome: t('receipt.said-outcome', { summary: value('summary') }),
  person: t('receipt.said-person', given),
  'person-answer': t('receipt.said-person-answer', answered),
  ai: t('receipt.said-ai', given),
  'ai-answer': t('receipt.said-ai-answer', answered),
  ...Object.fromEntries(statuses.map((status) => [`status.${status}`, t(`receipt.status.${status}`)])),
  ...Object.fromEntries(settledStatuses.map((status) => [`status.${status}`, STATUS_COPY[status].words])),
};

/** The texts of the script that verifies receipts, by name. */
export const scriptWords = html`<template data-words>${Object.entries(words).map(
  ([name, text]) => html`<p data-word="${name}">${text}</p>`,
)}</template>`;
