import type { ProposalContent } from '@hearth/calendar/decision-summary';
import { t } from '@hearth/i18n';
import type { Frame } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { oneOf } from '../request-copy.ts';
import { pill } from './ai-name.ts';
import { summaryWords } from './summary-words.ts';
import { moment } from './time.ts';
import { zonedTime } from './zoned-time.ts';

export type OutcomeKind = 'decision' | 'plan' | 'agreement' | 'meeting';

export interface OutcomeParty {
  name: string;
  address: string;
  /** As in the record: approved, works, kept, signed. */
  said: string;
  /** The author, if the record tells; anything but a person counts as an AI. */
  by?: 'person' | 'ai' | undefined;
  note?: string | undefined;
  atMs?: number | undefined;
}

/** The outcome of a decision, plan, agreement or meeting, from its record. */
export interface SignedOutcome {
  kind: OutcomeKind;
  title: string;
  status: string;
  summary?: string | undefined;
  /** The answers and things of a decision, from which its summary follows. */
  content?: ProposalContent | undefined;
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

export const statuses = ['agreed', 'settled', 'ready', 'booked', 'cancelled'] as const;

const saidWords = [
  ...(['approved', 'change', 'approve', 'works', 'doesnt_work', 'chose'] as const),
  ...(['signed', 'kept', 'not_kept', 'offered', 'booked'] as const),
];

/** @param proven whether its signature is valid; without it, nothing is coloured as proven */
export function outcomeCard(frame: Frame, outcome: SignedOutcome, proven: boolean): Html {
  const { kind, title, summary, terms, startsAt, endsAt, timeZone, where, group, begunBy } = outcome;
  const { parties, settledAtMs } = outcome;
  const status = oneOf(statuses, outcome.status);
  return html`<section class="card" aria-labelledby="what">
<h2 id="what">${proven ? othersText(title, 140) : t('receipt.claims', { title: othersText(title, 140) })}${status !== undefined && html` ${pill(t(`receipt.status.${status}`), proven ? 'good' : 'plain')}`}</h2>
<p class="soft">${t(`receipt.kind.${kind}`)}</p>
<dl class="facts">
${summary !== undefined && summary !== '' && html`<div><dt>${t('receipt.outcome')}</dt><dd>${summaryWords(frame, summary, outcome.content, timeZone)}</dd></div>`}
${terms !== undefined && html`<div><dt>${t('receipt.terms')}</dt><dd>${othersLines(terms)}</dd></div>`}
${startsAt !== undefined && html`<div><dt>${t('receipt.when')}</dt><dd>${whenWords(frame, startsAt, endsAt, timeZone)}</dd></div>`}
${where !== undefined && html`<div><dt>${t('receipt.where')}</dt><dd>${othersText(where, 200)}</dd></div>`}
${group !== undefined && html`<div><dt>${t('receipt.group')}</dt><dd>${othersText(group, 80)}</dd></div>`}
${begunBy !== undefined && html`<div><dt>${t('receipt.started-by')}</dt><dd><bdi class="address">${plainText(begunBy, 200)}</bdi></dd></div>`}
${settledAtMs !== undefined && html`<div><dt>${t('receipt.settled')}</dt><dd>${moment(frame, settledAtMs)}</dd></div>`}
</dl>
<ul class="log answers">${parties.map((party) => partyRow(frame, party))}</ul>
</section>`;
}

function partyRow(frame: Frame, { name, address, by, note, atMs, ...party }: OutcomeParty): Html {
  const word = oneOf(saidWords, party.said);
  return html`<li class="asked"><span class="asked-who">${othersText(name, 80)} <bdi class="address soft">${plainText(address, 200)}</bdi></span>
<span class="asked-state">${by !== undefined && pill(t(`receipt.author.${by}`), by === 'person' ? 'plain' : 'care')} ${word && t(`receipt.said.${word}`)}</span>
${note !== undefined && note !== '' && html`<span class="asked-words soft">${t('ask.note-of', { note: othersText(note, 280) })}</span>`}
${atMs !== undefined && html`<span class="log-time">${moment(frame, atMs)}</span>`}</li>`;
}

function whenWords(frame: Frame, startsAt: string, endsAt: string | undefined, timeZone?: string): Piece {
  const start = zonedTime(frame, startsAt, timeZone);
  return endsAt === undefined
    ? start
    : t('common.period', { start, end: zonedTime(frame, endsAt, timeZone) });
}
