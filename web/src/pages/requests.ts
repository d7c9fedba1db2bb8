import { t } from '@hearth/i18n';
import { assets } from '../assets.ts';
import { pill } from '../components/ai-name.ts';
import { button, form, linkButton } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { type RequestItem, requestRow } from '../components/request-row.ts';
import { requestTabs } from '../components/request-tabs.ts';
import { tick } from '../components/tick.ts';
import { timeLeft } from '../components/time-left.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, strong, type Words } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';

/** A decision or plan that waits for the viewer. */
export interface WaitingDecision {
  title: string;
  /** Absent for a plan. */
  groupName?: string | undefined;
  /** The kind of answer that it waits for. */
  waitsFor: 'answer' | 'pick' | 'approval' | 'review' | 'stance';
  endsAtMs?: number | undefined;
  /** The path of its page. */
  href: string;
}

export interface Requests {
  decisions: readonly WaitingDecision[];
  /** Newest first. */
  items: readonly RequestItem[];
  /** Requests put off until tomorrow. */
  putOff: readonly RequestItem[];
  /** Whether there are more. */
  more: boolean;
  nowMs: number;
  done?: RequestsDone | undefined;
  /** Whether a service was unavailable, so that some may be missing. */
  partial?: boolean;
}

/** The notice of an act that was just done. */
export interface RequestsDone {
  words: Words;
  /** Whether some of it failed. */
  care?: boolean;
  /** The settled ask, for a link to its outcome. */
  ask?: string | undefined;
}

/**
 * A person's waiting requests. Form `ticked` to paths.requests: `item` for each ticked request, `do` (yes,
 * no, later).
 */
export function requestsPage(frame: Frame, model: Requests): string {
  const { decisions, items, putOff, more, nowMs, done, partial } = model;
  const row = (item: RequestItem, index: number, isPutOff: boolean) =>
    requestRow(frame, item, { nowMs, index, putOff: isPutOff });
  const main = html`<h1>${t('requests.title')}</h1>
${requestTabs('waiting')}
${done && doneNotice(done)}
${partial && notice('care', t('requests.partial'), t('requests.partial-more'))}
${decisions.length > 0 && decisionsThatWait(decisions, nowMs)}
<section aria-labelledby="waiting">
<h2 id="waiting">${more ? t('requests.waiting-more', { count: items.length }) : t('requests.waiting', { count: items.length })}</h2>
${items.length === 0 ? nothing(putOff.length > 0, decisions.length > 0) : html`<ul class="requests">${items.map((item, index) => row(item, index, false))}</ul>`}
${more && html`<p class="soft">${t('requests.more')}</p>`}
</section>
${
  putOff.length > 0 &&
  html`<details class="card put-off"><summary>${t('requests.put-off', { count: putOff.length })}</summary>
<ul class="requests">${putOff.map((item, index) => row(item, items.length + index, true))}</ul>
</details>`
}
${items.length + putOff.length > 0 && html`${tickedForm(frame)}${keys}`}`;
  return page(frame, {
    title: t('requests.title'),
    main,
    here: 'requests',
    waiting: decisions.length + items.length,
    module: assets.requests,
  });
}

function decisionsThatWait(decisions: readonly WaitingDecision[], nowMs: number): Html {
  return html`<section aria-labelledby="decisions">
<h2 id="decisions">${t('requests.decisions', { count: decisions.length })}</h2>
<ul class="cards">${decisions.map(
    ({ title, groupName, waitsFor, endsAtMs, href }) => html`<li class="card settled">
<p class="settled-title"><a href="${href}">${othersText(title, 140)}</a></p>
<p class="settled-state">${groupName !== undefined && othersText(groupName)} ${pill(t(`requests.needs.${waitsFor}`), 'care')}${endsAtMs !== undefined && html` ${timeLeft(endsAtMs, nowMs)}`}</p>
</li>`,
  )}</ul>
</section>`;
}

function doneNotice({ words, care, ask }: RequestsDone): Html {
  const link = ask === undefined ? undefined : html`<a href="${paths.ask(ask)}">${t('requests.outcome')}</a>`;
  return notice(care ? 'care' : 'good', words, link);
}

function nothing(somePutOff: boolean, decisionsWait: boolean): Html {
  return html`<div class="card">
<p>${nothingWords(somePutOff, decisionsWait)}</p>
<p class="actions">${linkButton(t('rules.title'), paths.rules)}</p>
</div>`;
}

function nothingWords(somePutOff: boolean, decisionsWait: boolean): Words {
  if (somePutOff) return t('requests.none-fresh');
  return decisionsWait ? t('requests.none-else', { strong }) : t('requests.none', { strong });
}

/** The rows' checkboxes belong to this form, wherever they are. */
function tickedForm(frame: Frame): Html {
  return html`<section class="card" aria-labelledby="together">
<h2 id="together">${t('requests.selected')}</h2>
<p class="soft">${t('requests.selected-hint')}</p>
${form(
  frame,
  { action: paths.requests, id: 'ticked' },
  html`<div class="actions even">
${button(t('common.approve'), { kind: 'plain', name: 'do', value: 'yes' })}
${button(t('common.decline'), { kind: 'plain', name: 'do', value: 'no' })}
${button(t('requests.later'), { kind: 'plain', name: 'do', value: 'later' })}
</div>`,
)}
</section>`;
}

const shortcuts = ['j', 'k', 'a', 'd', 'n', 'x'] as const;

/** Shown by the script, because there are no shortcuts without it. */
const keys = html`<details class="card keys" data-keys hidden><summary>${t('requests.keys')}</summary>
<dl class="facts">${shortcuts.map((key) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t(`requests.key.${key}`)}</dd></div>`)}</dl>
${tick({ name: 'keys', value: 'on', label: t('requests.keys-use'), hint: t('requests.keys-hint'), ticked: true })}
</details>`;
