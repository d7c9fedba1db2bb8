import { t } from '@hearth/i18n';
import type { Fault } from '@hearth/signing';
import { assets } from '../assets.ts';
import { pill } from '../components/ai-name.ts';
import type { Errors } from '../components/field.ts';
import { button, form } from '../components/form.ts';
import { errorSummary, hasErrors } from '../components/notice.ts';
import { faultWords, scriptWords } from '../components/receipt-words.ts';
import { outcomeCard, type SignedOutcome } from '../components/signed-outcome.ts';
import { textArea } from '../components/text-area.ts';
import { moment } from '../components/time.ts';
import { voidWords } from '../components/void-words.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece, strong, type Words } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { oneOf } from '../request-copy.ts';
import { STATUS_COPY, settledStatuses } from '../status-copy.ts';

export type Verdict = 'valid' | 'invalid' | 'revoked' | 'unknown';

export interface RecipientAnswer {
  to: string;
  name: string;
  decision: string;
  answer?: string | undefined;
  note?: string | undefined;
  atMs?: number | undefined;
  /** By the record; any author other than a person counts as an AI. */
  by: 'person' | 'ai';
  /** web, mcp, api, app, home. */
  via: string;
  /** tap, passkey, email, key. */
  proof: string;
}

/** The answer in a record. */
export interface SignedAnswer {
  askId: string;
  title: string;
  digest: string;
  status: string;
  /** Why it doesn't count, although it was approved. */
  void?: string | undefined;
  requestedBy: string;
  requestedNameVerified: boolean;
  requestedAtMs?: number | undefined;
  settledAtMs?: number | undefined;
  aboutChild: boolean;
  answers: readonly RecipientAnswer[];
}

export interface CheckedRecord {
  verdict: Verdict;
  faults: readonly Fault[];
  /** As it claims itself: rec_ id, kind of record, home. */
  id: string;
  type: string;
  home: string;
  issuedAtMs?: number | undefined;
  kid?: string | undefined;
  keyStatus?: string | undefined;
  /** The content of a signed answer. */
  answer?: SignedAnswer | undefined;
  /**
   * The content of a decision's, plan's, agreement's or meeting's record; other records show only the common
   * members.
   */
  outcome?: SignedOutcome | undefined;
}

export interface Receipt {
  record: CheckedRecord;
  /** The record itself, to download. */
  json: string;
}

/**
 * The receipt of anything that the home signed. Form: `record` (JSON) to paths.checkRecord; the script
 * verifies it instead.
 */
export function receiptPage(frame: Frame, { record, json }: Receipt): string {
  const main = html`<h1>${t('receipt.title')}</h1>
${verdictPanel(frame, record)}
${content(frame, record)}
${signatureCard(frame, record)}
${jsonCard(json)}
${checkCard(frame, {})}`;
  return page(frame, {
    title: t('receipt.page', { verdict: t(`receipt.verdict.${record.verdict}`) }),
    main,
    module: assets.receipt,
  });
}

export interface CheckRecord {
  /** The pasted text. */
  pasted?: string;
  errors?: Errors<'record'>;
  /** The home's findings, for a browser without scripts. */
  record?: CheckedRecord | undefined;
}

/** Verifies a visitor's record. Form: `record` (JSON) to paths.checkRecord. */
export function checkRecordPage(frame: Frame, model: CheckRecord): string {
  const { record, errors = {} } = model;
  const main = html`<h1>${t('receipt.check')}</h1>
${errorSummary(errors)}
${
  record &&
  html`${verdictPanel(frame, record)}
${content(frame, record)}
${signatureCard(frame, record)}`
}
${checkCard(frame, model)}`;
  return page(frame, {
    title: t('receipt.check'),
    main,
    module: assets.receipt,
    hasErrors: hasErrors(errors),
  });
}

function content(frame: Frame, record: CheckedRecord): Html {
  const { answer, outcome, verdict } = record;
  if (answer !== undefined) return answerCard(frame, answer, verdict);
  return outcome === undefined ? otherRecord(record) : outcomeCard(frame, outcome, verdict === 'valid');
}

const signs: Readonly<Record<Verdict, string>> = { valid: '✓', invalid: '×', revoked: '×', unknown: '?' };

/** In colour and in words, before anything else. */
function verdictPanel(frame: Frame, { verdict, faults, home }: CheckedRecord): Html {
  const parts = { signer: othersText(home, 80), home: html`${frame.home}` };
  return html`<div class="verdict ${verdict}">
<span class="verdict-sign" aria-hidden="true">${signs[verdict]}</span>
<div><p class="verdict-title">${t(`receipt.verdict.${verdict}`)}</p>
<p>${t(`receipt.verdict.${verdict}-more`)}</p>
${verdict === 'invalid' && faults.length > 0 && html`<ul>${faults.map((fault) => html`<li>${faultWords(fault, parts)}</li>`)}</ul>`}
<p class="verdict-by">${t('receipt.by', { home: frame.home, strong })}</p></div>
</div>`;
}

/** An unproven status isn't coloured as proven, nor is one that doesn't count. */
function stateOf(status: string, counts: boolean): Html {
  const known = oneOf(settledStatuses, status);
  if (known === undefined) return pill(t('ask.said.waiting'));
  const { words, tone } = STATUS_COPY[known];
  return pill(words, counts ? tone : 'plain');
}

function answerCard(frame: Frame, answer: SignedAnswer, verdict: Verdict): Html {
  const { title, status, askId, requestedBy, requestedNameVerified, requestedAtMs, settledAtMs } = answer;
  return html`<section class="card" aria-labelledby="what">
<h2 id="what">${verdict === 'valid' ? othersText(title, 140) : t('receipt.claims', { title: othersText(title, 140) })} ${stateOf(status, verdict === 'valid' && answer.void === undefined)}</h2>
${answer.void !== undefined && html`<p class="tap-only">${voidWords(answer.void)}</p>`}
${answer.aboutChild && html`<p class="tap-only">${t('receipt.about-child')}</p>`}
<ul class="log answers">${answer.answers.map((each) => answerRow(frame, each, verdict))}</ul>
${answer.answers.length === 0 && html`<p class="soft">${t('receipt.none')}</p>`}
<dl class="facts">
<div><dt>${t('receipt.asked-by')}</dt><dd><bdi class="address">${plainText(requestedBy, 80)}</bdi>${!requestedNameVerified && html` ${pill(t('common.unverified-name'), 'care')}`}</dd></div>
${requestedAtMs !== undefined && html`<div><dt>${t('ask.sent')}</dt><dd>${moment(frame, requestedAtMs)}</dd></div>`}
${settledAtMs !== undefined && html`<div><dt>${t('receipt.settled')}</dt><dd>${moment(frame, settledAtMs)}</dd></div>`}
<div><dt>${t('receipt.ask')}</dt><dd><code>${othersText(askId, 80)}</code></dd></div>
<div><dt>${t('receipt.digest')}</dt><dd><code>${othersText(answer.digest, 80)}</code><p class="hint">${t('receipt.digest-hint')}</p></dd></div>
</dl>
</section>`;
}

const proofs = ['tap', 'passkey', 'email', 'key'] as const;
const vias = ['web', 'mcp', 'api', 'app', 'home'] as const;

/** How the answer was given, as far as the record tells. */
function howWords(answer: RecipientAnswer): Words | undefined {
  const [knownProof, knownVia] = [oneOf(proofs, answer.proof), oneOf(vias, answer.via)];
  const proof = knownProof && t(`receipt.proof.${knownProof}`);
  const via = knownVia && t(`receipt.via.${knownVia}`);
  return proof && via ? t('receipt.how', { proof, via }) : (proof ?? via);
}

function answerRow(frame: Frame, given: RecipientAnswer, verdict: Verdict): Html {
  const { name, to, by, decision, answer, note, atMs } = given;
  const how = howWords(given);
  return html`<li class="asked"><span class="asked-who">${othersText(name)} <bdi class="address soft">${plainText(to, 80)}</bdi></span>
<span class="asked-state">${pill(t(`receipt.author.${by}`), by === 'person' ? 'plain' : 'care')} ${stateOf(decision, verdict === 'valid')}</span>
${answer !== undefined && html`<span class="asked-words">${othersText(answer, 500)}</span>`}
${note !== undefined && html`<span class="asked-words soft">${t('ask.note-of', { note: othersText(note, 280) })}</span>`}
<span class="log-time">${how}${atMs !== undefined && html`${how !== undefined && ' · '}${moment(frame, atMs)}`}</span></li>`;
}

function otherRecord({ type }: CheckedRecord): Html {
  return html`<section class="card" aria-labelledby="what"><h2 id="what">${t('receipt.other')}</h2>
<p>${t('receipt.other-more', { type: html`<code>${othersText(type, 60)}</code>` })}</p></section>`;
}

const keyWords: Readonly<Record<string, Piece>> = {
  active: pill(t('receipt.key.active'), 'good'),
  next: pill(t('receipt.key.next'), 'care'),
  retired: pill(t('receipt.key.retired'), 'plain'),
  revoked: pill(t('receipt.key.revoked'), 'care'),
};

function signatureCard(frame: Frame, { id, home, issuedAtMs, kid, keyStatus = '' }: CheckedRecord): Html {
  return html`<section class="card" aria-labelledby="signature">
<h2 id="signature">${t('receipt.signature')}</h2>
<dl class="facts">
<div><dt>${t('ask.home')}</dt><dd><strong class="address">${home === '' ? t('receipt.not-named') : othersText(home, 80)}</strong></dd></div>
${issuedAtMs !== undefined && html`<div><dt>${t('receipt.signed')}</dt><dd>${moment(frame, issuedAtMs)}</dd></div>`}
<div><dt>${t('receipt.key')}</dt><dd>${kid === undefined ? t('receipt.not-named') : html`<code>${othersText(kid, 128)}</code> ${Object.hasOwn(keyWords, keyStatus) && keyWords[keyStatus]}`}</dd></div>
<div><dt>${t('receipt.record')}</dt><dd><code>${othersText(id, 80)}</code></dd></div>
</dl>
</section>`;
}

function jsonCard(json: string): Html {
  return html`<section class="card" aria-labelledby="take">
<h2 id="take">${t('receipt.copy-title')}</h2>
<p>${t('receipt.copy-lead', { path: html`<code>${paths.homeDocument}</code>` })}</p>
<div class="field"><label for="json">${t('receipt.json')}</label>
<textarea id="json" class="json" rows="8" readonly spellcheck="false">${json}</textarea></div>
<p class="actions"><button type="button" class="button plain" data-copy="json" hidden>${t('receipt.copy')}</button><span role="status"></span></p>
</section>`;
}

/** Without scripts the home verifies it; the script does so in the browser, with the keys of the home's document. */
function checkCard(frame: Frame, { pasted, errors = {} }: CheckRecord): Html {
  const box = {
    name: 'record',
    label: t('receipt.paste'),
    value: pasted,
    rows: 6,
    error: errors.record,
  };
  return html`<section class="card" aria-labelledby="check" data-check data-document="${paths.homeDocument}" data-verify="${assets.verify.path}" data-ed25519="${assets.ed25519.path}">
<h2 id="check">${t('receipt.check-yourself')}</h2>
<p class="soft" data-check-where>${t('receipt.check-where')}</p>
${form(
  frame,
  { action: paths.checkRecord },
  html`${textArea(box)}
<div class="actions">${button(t('receipt.verify'), { kind: 'plain' })}</div>`,
)}
<div class="checked" data-check-verdict role="status"></div>
</section>
${scriptWords}`;
}
