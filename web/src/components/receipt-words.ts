import { t } from '@hearth/i18n';
import { type Fault, faults } from '@hearth/signing';
import { type Html, html, type Words } from '../html.ts';
import { STATUS_COPY, settledStatuses } from '../status-copy.ts';
import { statuses } from './signed-outcome.ts';

/** The text of a fault. @param parts for `other_home`, the home that the record names and the one that verifies */
export const faultWords = (fault: Fault, parts: Record<'signer' | 'home', Html>): Words =>
  fault === 'other_home' ? t('receipt.fault.other_home', parts) : t(`receipt.fault.${fault}`);

/** Filled in by the script. */
const value = (name: string): Html => html`<bdi class="theirs" data-value="${name}"></bdi>`;

const named = { signer: value('signer'), home: value('home') };
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
  ...Object.fromEntries(faults.map((fault) => [`fault.${fault}`, faultWords(fault, named)])),
  'fault.no_keys': t('receipt.fault.no_keys'),
  'fault.insecure': t('receipt.fault.insecure'),
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
