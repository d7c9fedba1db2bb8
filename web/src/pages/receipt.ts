import { assets } from '../assets.ts';
import { pill } from '../components/ai-name.ts';
import type { Errors } from '../components/field.ts';
import { button, form } from '../components/form.ts';
import { errorSummary, hasErrors } from '../components/notice.ts';
import { outcomeCard, type SignedOutcome } from '../components/signed-outcome.ts';
import { textArea } from '../components/text-area.ts';
import { moment } from '../components/time.ts';
import { voidWords } from '../components/void-words.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';

export type Verdict = 'valid' | 'invalid' | 'revoked' | 'unknown';

export interface SignedAnswerOfOne {
  to: string;
  name: string;
  decision: string;
  answer?: string | undefined;
  note?: string | undefined;
  atMs?: number | undefined;
  /** Any other author than a person, by the record, counts as an AI. */
  by: 'person' | 'ai';
  /** web, mcp, api, app, home. */
  via: string;
  /** tap, passkey, email, key. */
  proof: string;
}

/** The answer that a record holds. */
export interface SignedAnswer {
  askId: string;
  title: string;
  digest: string;
  status: string;
  /** Why it counts for nothing although it was approved. */
  void?: string | undefined;
  requestedBy: string;
  requestedNameVerified: boolean;
  requestedAtMs?: number | undefined;
  settledAtMs?: number | undefined;
  aboutChild: boolean;
  answers: readonly SignedAnswerOfOne[];
}

export interface CheckedRecord {
  verdict: Verdict;
  /** Its faults, in words. */
  problems: readonly string[];
  /** As it says of itself: rec_ id, kind of record, home. */
  id: string;
  type: string;
  home: string;
  issuedAtMs?: number | undefined;
  kid?: string | undefined;
  keyStatus?: string | undefined;
  /** The content of a signed answer. */
  answer?: SignedAnswer | undefined;
  /** That of a decision, a plan, an agreement or a meeting; other records show the members that all have. */
  outcome?: SignedOutcome | undefined;
}

export interface Receipt {
  record: CheckedRecord;
  /** The record itself, to take along. */
  json: string;
}

/** The receipt of whatever the home signed. Form: `record` (JSON) to paths.checkRecord; the script checks it in its place. */
export function receiptPage(frame: Frame, { record, json }: Receipt): string {
  const main = html`<h1>Receipt</h1>
${verdictPanel(frame, record)}
${content(frame, record)}
${signatureCard(frame, record)}
${jsonCard(json)}
${checkCard(frame, {})}`;
  return page(frame, {
    title: `Receipt: ${verdictWords[record.verdict].title}`,
    main,
    module: assets.receipt,
  });
}

export interface CheckRecord {
  /** The text that was pasted. */
  pasted?: string;
  errors?: Errors<'record'>;
  /** The findings of the home, for a browser without scripts. */
  record?: CheckedRecord | undefined;
}

/** Checks a record that a visitor brings along. Form: `record` (JSON) to paths.checkRecord. */
export function checkRecordPage(frame: Frame, model: CheckRecord): string {
  const { record, errors = {} } = model;
  const main = html`<h1>Check a receipt</h1>
${errorSummary(errors)}
${
  record &&
  html`${verdictPanel(frame, record)}
${content(frame, record)}
${signatureCard(frame, record)}`
}
${checkCard(frame, model)}`;
  return page(frame, {
    title: 'Check a receipt',
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

const verdictWords: Readonly<Record<Verdict, { sign: string; title: string; words: string }>> = {
  valid: {
    sign: '✓',
    title: 'Valid',
    words: 'The signature fits: not a letter has changed since the home signed it.',
  },
  invalid: {
    sign: '×',
    title: 'Not valid',
    words: 'Do not rely on it: the home did not sign this as it stands.',
  },
  revoked: {
    sign: '×',
    title: 'Key revoked',
    words: 'Do not rely on it: the key that signed it was revoked, so a stranger may have used it.',
  },
  unknown: {
    sign: '?',
    title: 'Not checked',
    words: "The keys of the home that this names can't be had now. Check it again later.",
  },
};

/** Green or red, and in words, before anything else. */
function verdictPanel(frame: Frame, { verdict, problems }: CheckedRecord): Html {
  const { sign, title, words } = verdictWords[verdict];
  return html`<div class="verdict ${verdict}">
<span class="verdict-sign" aria-hidden="true">${sign}</span>
<div><p class="verdict-title">${title}</p>
<p>${words}</p>
${(verdict === 'invalid' || verdict === 'unknown') && problems.length > 0 && html`<ul>${problems.map((problem) => html`<li>${othersText(problem, 200)}</li>`)}</ul>`}
<p class="verdict-by">Found by <strong>${frame.home}</strong>. You can check it yourself below.</p></div>
</div>`;
}

const becameWords: Readonly<Record<string, { words: string; tone: 'good' | 'care' | 'plain' }>> = {
  approved: { words: 'approved', tone: 'good' },
  declined: { words: 'declined', tone: 'care' },
  cancelled: { words: 'taken back', tone: 'plain' },
  expired: { words: 'ran out of time', tone: 'plain' },
};

/** An unproven status does not have the colour of a proven one, nor does one that counts for nothing. */
function stateOf(status: string, counts: boolean): Html {
  const known = Object.hasOwn(becameWords, status) ? becameWords[status] : undefined;
  if (known === undefined) return pill('no answer');
  return pill(known.words, counts ? known.tone : 'plain');
}

function answerCard(frame: Frame, answer: SignedAnswer, verdict: Verdict): Html {
  const { title, status, askId, requestedBy, requestedNameVerified, requestedAtMs, settledAtMs } = answer;
  return html`<section class="card" aria-labelledby="what">
<h2 id="what">${verdict !== 'valid' && 'It claims: '}${othersText(title, 140)} ${stateOf(status, verdict === 'valid' && answer.void === undefined)}</h2>
${answer.void !== undefined && html`<p class="tap-only">${voidWords(answer.void)}</p>`}
${answer.aboutChild && html`<p class="tap-only">It is about a person under 18, who is not named.</p>`}
<ul class="log answers">${answer.answers.map((one) => answerRow(frame, one, verdict))}</ul>
${answer.answers.length === 0 && html`<p class="soft">No recipient answered.</p>`}
<dl class="facts">
<div><dt>Asked by</dt><dd><bdi class="address">${plainText(requestedBy, 80)}</bdi>${!requestedNameVerified && html` ${pill('unverified name', 'care')}`}</dd></div>
${requestedAtMs !== undefined && html`<div><dt>Asked</dt><dd>${moment(frame, requestedAtMs)}</dd></div>`}
${settledAtMs !== undefined && html`<div><dt>Settled</dt><dd>${moment(frame, settledAtMs)}</dd></div>`}
<div><dt>Ask</dt><dd><code>${othersText(askId, 80)}</code></dd></div>
<div><dt>Digest</dt><dd><code>${othersText(answer.digest, 80)}</code><p class="hint">Over all that was asked. Who has the ask compares it; the details are not part of the receipt.</p></dd></div>
</dl>
</section>`;
}

const proofWords: Readonly<Record<string, string>> = {
  tap: 'by a tap',
  passkey: 'signed in with a passkey',
  email: 'known by an e-mail address',
  key: 'by its key',
};

const viaWords: Readonly<Record<string, string>> = {
  web: 'on the pages of the home',
  mcp: 'through a program',
  api: 'through a program',
  app: 'in an app',
  home: 'from another home',
};

function answerRow(frame: Frame, one: SignedAnswerOfOne, verdict: Verdict): Html {
  const { name, to, by, decision, answer, note, atMs, via, proof } = one;
  const how = [wordOf(proofWords, proof), wordOf(viaWords, via)].filter((words) => words !== '').join(', ');
  return html`<li class="asked"><span class="asked-who">${othersText(name)} <bdi class="address soft">${plainText(to, 80)}</bdi></span>
<span class="asked-state">${pill(by === 'person' ? 'a person' : 'an AI', by === 'person' ? 'plain' : 'care')} ${stateOf(decision, verdict === 'valid')}</span>
${answer !== undefined && html`<span class="asked-words">${othersText(answer, 500)}</span>`}
${note !== undefined && html`<span class="asked-words soft">Note: ${othersText(note, 280)}</span>`}
<span class="log-time">${how}${atMs !== undefined && html`${how !== '' && ' · '}${moment(frame, atMs)}`}</span></li>`;
}

function wordOf(words: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(words, word) ? (words[word] ?? '') : '';
}

function otherRecord({ type }: CheckedRecord): Html {
  return html`<section class="card" aria-labelledby="what"><h2 id="what">A record of another kind</h2>
<p>It calls itself <code>${othersText(type, 60)}</code>. What it says stands in it, below.</p></section>`;
}

const keyWords: Readonly<Record<string, Piece>> = {
  active: pill('in use', 'good'),
  next: pill('not in use yet', 'care'),
  retired: pill('retired', 'plain'),
  revoked: pill('revoked', 'care'),
};

function signatureCard(frame: Frame, { id, home, issuedAtMs, kid, keyStatus = '' }: CheckedRecord): Html {
  return html`<section class="card" aria-labelledby="signature">
<h2 id="signature">Home and key</h2>
<dl class="facts">
<div><dt>Home</dt><dd><strong class="address">${othersText(home === '' ? 'not named' : home, 80)}</strong></dd></div>
${issuedAtMs !== undefined && html`<div><dt>Signed</dt><dd>${moment(frame, issuedAtMs)}</dd></div>`}
<div><dt>Key</dt><dd>${kid === undefined ? 'none is named' : html`<code>${othersText(kid, 128)}</code> ${Object.hasOwn(keyWords, keyStatus) && keyWords[keyStatus]}`}</dd></div>
<div><dt>Record</dt><dd><code>${othersText(id, 80)}</code></dd></div>
</dl>
</section>`;
}

function jsonCard(json: string): Html {
  return html`<section class="card" aria-labelledby="take">
<h2 id="take">Take it along</h2>
<p>This is the whole receipt. Whoever has it can check it without asking this home, with an ordinary JOSE library and the keys at <code>${paths.homeDocument}</code>.</p>
<div class="field"><label for="json">The receipt as JSON</label>
<textarea id="json" class="json" rows="8" readonly spellcheck="false">${json}</textarea></div>
<p class="actions"><button type="button" class="button plain" data-copy="json" hidden>Copy it</button><span role="status"></span></p>
</section>`;
}

/** Without scripts the home looks at it; the script checks it within the browser, with the keys of the home's document. */
function checkCard(frame: Frame, { pasted, errors = {} }: CheckRecord): Html {
  const box = {
    name: 'record',
    label: 'Paste the JSON of a receipt',
    value: pasted,
    rows: 6,
    error: errors.record,
  };
  return html`<section class="card" aria-labelledby="check" data-check data-document="${paths.homeDocument}" data-verify="${assets.verify.path}" data-ed25519="${assets.ed25519.path}">
<h2 id="check">Check one yourself</h2>
<p class="soft" data-check-where>It is sent to this home, which tells you what it finds. With scripts your browser checks it by itself.</p>
${form(
  frame,
  { action: paths.checkRecord },
  html`${textArea(box)}
<div class="actions">${button('Check it', { kind: 'plain' })}</div>`,
)}
<div class="checked" data-check-verdict role="status"></div>
</section>`;
}
