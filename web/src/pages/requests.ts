import { assets } from '../assets.ts';
import { pill } from '../components/ai-name.ts';
import { button, form, linkButton } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { type RequestItem, requestRow } from '../components/request-row.ts';
import { requestTabs } from '../components/request-tabs.ts';
import { tick } from '../components/tick.ts';
import { timeLeft } from '../components/time-left.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';

/** A decision or a plan that waits for a word of the viewer. */
export interface WaitingDecision {
  title: string;
  /** Absent of a plan. */
  groupName?: string | undefined;
  /** The word that it waits for. */
  waitsFor: 'answer' | 'pick' | 'approval' | 'review' | 'stance';
  endsAtMs?: number | undefined;
  /** Its page. */
  href: string;
}

export interface Requests {
  decisions: readonly WaitingDecision[];
  /** Newest first. */
  items: readonly RequestItem[];
  /** Those that were put off until tomorrow. */
  putOff: readonly RequestItem[];
  /** There are more than are shown. */
  more: boolean;
  nowMs: number;
  done?: RequestsDone | undefined;
  /** Some of what waits could not be had. */
  partial?: boolean;
}

/** The notice of an act that was just done. */
export interface RequestsDone {
  words: string;
  /** Not all went as it was meant. */
  care?: boolean;
  /** The ask that it was, to see what came of it. */
  ask?: string | undefined;
}

/** All that waits for a person. Form `ticked` to paths.requests: `item` for each that is ticked, `do` (yes, no, later). */
export function requestsPage(frame: Frame, model: Requests): string {
  const { decisions, items, putOff, more, nowMs, done, partial } = model;
  const row = (item: RequestItem, index: number, isPutOff: boolean) =>
    requestRow(frame, item, { nowMs, index, putOff: isPutOff });
  const main = html`<h1>Requests</h1>
${requestTabs('waiting')}
${done && doneNotice(done)}
${partial && notice('care', 'Not everything can be shown at the moment', 'What is missing is not lost: look again in a minute.')}
${decisions.length > 0 && decisionsThatWait(decisions, nowMs)}
<section aria-labelledby="waiting">
<h2 id="waiting">${waitingWords(items.length, more)}</h2>
${items.length === 0 ? nothing(putOff.length > 0, decisions.length > 0) : html`<ul class="requests">${items.map((item, index) => row(item, index, false))}</ul>`}
${more && html`<p class="soft">There are more. They come up as these are answered.</p>`}
</section>
${
  putOff.length > 0 &&
  html`<details class="card put-off"><summary>Put off until tomorrow (${putOff.length})</summary>
<ul class="requests">${putOff.map((item, index) => row(item, items.length + index, true))}</ul>
</details>`
}
${items.length + putOff.length > 0 && html`${tickedForm(frame)}${keys}`}`;
  return page(frame, {
    title: 'Requests',
    main,
    here: 'requests',
    waiting: decisions.length + items.length,
    module: assets.requests,
  });
}

const waitWords: Readonly<Record<WaitingDecision['waitsFor'], string>> = {
  answer: 'your answer',
  pick: 'your pick',
  approval: 'your approval',
  review: 'you as an organizer',
  stance: 'a word on its times',
};

function decisionsThatWait(decisions: readonly WaitingDecision[], nowMs: number): Html {
  return html`<section aria-labelledby="decisions">
<h2 id="decisions">Decisions and plans of your groups (${decisions.length})</h2>
<ul class="cards">${decisions.map(
    ({ title, groupName, waitsFor, endsAtMs, href }) => html`<li class="card settled">
<p class="settled-title"><a href="${href}">${othersText(title, 140)}</a></p>
<p class="settled-state">${groupName !== undefined && othersText(groupName)} ${pill(`waits for ${waitWords[waitsFor]}`, 'care')}${endsAtMs !== undefined && html` ${timeLeft(endsAtMs, nowMs)}`}</p>
</li>`,
  )}</ul>
</section>`;
}

function waitingWords(count: number, more: boolean): string {
  if (count === 0) return 'Nothing new';
  if (more) return `More than ${count} wait for you`;
  return count === 1 ? 'One waits for you' : `${count} wait for you`;
}

function doneNotice({ words, care, ask }: RequestsDone): Html {
  const link = ask === undefined ? undefined : html`<a href="${paths.ask(ask)}">See what came of it</a>`;
  return notice(care ? 'care' : 'good', words, link);
}

function nothing(somePutOff: boolean, decisionsWait: boolean): Html {
  return html`<div class="card">
<p>${somePutOff ? 'Everything else was put off.' : html`<strong>${decisionsWait ? 'Nothing else' : 'Nothing'} waits for you.</strong> Here you will find what others ask of you, and messages and invites from those with whom you share no group.`}</p>
<p class="actions">${linkButton('Who may reach me', paths.rules)}</p>
</div>`;
}

/** The boxes of the rows belong to this form, wherever they stand. */
function tickedForm(frame: Frame): Html {
  return html`<section class="card" aria-labelledby="together">
<h2 id="together">All that you ticked</h2>
<p class="soft">What needs an answer in words, or a choice, is left for its own page.</p>
${form(
  frame,
  { action: paths.requests, id: 'ticked' },
  html`<div class="actions even">
${button('Approve', { kind: 'plain', name: 'do', value: 'yes' })}
${button('Decline', { kind: 'plain', name: 'do', value: 'no' })}
${button('Not now', { kind: 'plain', name: 'do', value: 'later' })}
</div>`,
)}
</section>`;
}

const keyWords = [
  ['j', 'the next one'],
  ['k', 'the one before'],
  ['a', 'approve it, or open it when it needs more'],
  ['d', 'decline it: asks for the reason first'],
  ['n', 'not now'],
  ['x', 'tick it'],
] as const;

/** Shown by the script, without which there are none. */
const keys = html`<details class="card keys" data-keys hidden><summary>Keyboard shortcuts</summary>
<dl class="facts">${keyWords.map(([key, words]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${words}</dd></div>`)}</dl>
${tick({ name: 'keys', value: 'on', label: 'Use these keys', hint: 'Remembered in this browser.', ticked: true })}
</details>`;
