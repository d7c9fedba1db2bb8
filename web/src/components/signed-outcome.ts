import type { Frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { pill } from './ai-name.ts';
import { moment } from './time.ts';
import { zonedTime } from './zoned-time.ts';

export type OutcomeKind = 'decision' | 'plan' | 'agreement' | 'meeting';

export interface OutcomeParty {
  name: string;
  address: string;
  /** As the record has it: approved, works, kept, signed. */
  said: string;
  /** The author of the word, where the record tells; any other than a person counts as an AI. */
  by?: 'person' | 'ai' | undefined;
  note?: string | undefined;
  atMs?: number | undefined;
}

/** How a decision, a plan, an agreement or a meeting ended, as its record says it. */
export interface SignedOutcome {
  kind: OutcomeKind;
  title: string;
  status: string;
  summary?: string | undefined;
  terms?: string | undefined;
  /** An instant, or a day as YYYY-MM-DD. */
  startsAt?: string | undefined;
  endsAt?: string | undefined;
  timeZone?: string | undefined;
  where?: string | undefined;
  group?: string | undefined;
  begunBy?: string | undefined;
  settledAtMs?: number | undefined;
  parties: readonly OutcomeParty[];
}

const kindWords: Readonly<Record<OutcomeKind, string>> = {
  decision: 'A decision of a group',
  plan: 'A plan of a group',
  agreement: 'An agreement of AIs',
  meeting: 'A meeting',
};

const statusWords: Readonly<Record<string, string>> = {
  agreed: 'agreed',
  settled: 'settled',
  ready: 'signed by all',
  booked: 'booked',
  cancelled: 'called off',
};

const saidWords: Readonly<Record<string, string>> = {
  approved: 'approved',
  change: 'asked for a change',
  approve: 'approved',
  works: 'it works for them',
  doesnt_work: 'it does not work for them',
  chose: 'chose it',
  signed: 'signed',
  kept: 'kept',
  not_kept: 'not kept',
  offered: 'offered the time',
  booked: 'booked it',
};

/** @param proven its signature is good; without it nothing has the colour of a proven word */
export function outcomeCard(frame: Frame, outcome: SignedOutcome, proven: boolean): Html {
  const { kind, title, summary, terms, startsAt, endsAt, timeZone, where, group, begunBy } = outcome;
  const { parties, settledAtMs } = outcome;
  const status = wordOf(statusWords, outcome.status);
  return html`<section class="card" aria-labelledby="what">
<h2 id="what">${!proven && 'It claims: '}${othersText(title, 140)}${status !== '' && html` ${pill(status, proven ? 'good' : 'plain')}`}</h2>
<p class="soft">${kindWords[kind]}</p>
<dl class="facts">
${summary !== undefined && summary !== '' && html`<div><dt>Outcome</dt><dd>${othersText(summary, 500)}</dd></div>`}
${terms !== undefined && html`<div><dt>Terms</dt><dd>${othersLines(terms)}</dd></div>`}
${startsAt !== undefined && html`<div><dt>When</dt><dd>${zonedTime(frame, startsAt, timeZone)}${endsAt !== undefined && html` to ${zonedTime(frame, endsAt, timeZone)}`}</dd></div>`}
${where !== undefined && html`<div><dt>Where</dt><dd>${othersText(where, 200)}</dd></div>`}
${group !== undefined && html`<div><dt>Group</dt><dd>${othersText(group, 80)}</dd></div>`}
${begunBy !== undefined && html`<div><dt>Begun by</dt><dd><bdi class="address">${plainText(begunBy, 200)}</bdi></dd></div>`}
${settledAtMs !== undefined && html`<div><dt>Settled</dt><dd>${moment(frame, settledAtMs)}</dd></div>`}
</dl>
<ul class="log answers">${parties.map((one) => partyRow(frame, one))}</ul>
</section>`;
}

function partyRow(frame: Frame, { name, address, said, by, note, atMs }: OutcomeParty): Html {
  return html`<li class="asked"><span class="asked-who">${othersText(name, 80)} <bdi class="address soft">${plainText(address, 200)}</bdi></span>
<span class="asked-state">${by !== undefined && pill(by === 'person' ? 'a person' : 'an AI', by === 'person' ? 'plain' : 'care')} ${wordOf(saidWords, said)}</span>
${note !== undefined && note !== '' && html`<span class="asked-words soft">Note: ${othersText(note, 280)}</span>`}
${atMs !== undefined && html`<span class="log-time">${moment(frame, atMs)}</span>`}</li>`;
}

function wordOf(words: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(words, word) ? (words[word] ?? '') : '';
}
