import { button, form } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { requestTabs } from '../components/request-tabs.ts';
import { day } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Words } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';

export interface BlockedSender {
  /** An address, or @home for everybody there. */
  target: string;
  /** The note of the person for themselves. */
  reason?: string | undefined;
  sinceMs: number;
}

export interface Blocked {
  blocked: readonly BlockedSender[];
  /** There are more than are shown. */
  more: boolean;
  done?: Words | undefined;
}

/** The senders whom a person blocked. Form for each: `target` to paths.blocked lifts the block. */
export function blockedPage(frame: Frame, { blocked, more, done }: Blocked): string {
  const main = html`<h1>Blocked</h1>
${requestTabs('blocked')}
<p class="lead">Nothing of theirs reaches you, and they are never told.</p>
${done !== undefined && notice('good', done)}
${
  blocked.length === 0
    ? html`<div class="card"><p class="soft">You block no sender. Each request has a button for it.</p></div>`
    : html`<ul class="cards">${blocked.map((sender) => blockedRow(frame, sender))}</ul>`
}
${more && html`<p class="soft">There are more. They come up as blocks are lifted.</p>`}`;
  return page(frame, { title: 'Blocked', main, here: 'requests' });
}

function blockedRow(frame: Frame, { target, reason, sinceMs }: BlockedSender): Html {
  const name = html`<bdi class="address">${plainText(target, 120)}</bdi>`;
  return html`<li class="card blocked">
<div class="blocked-words"><p class="settled-title">${name}</p>
<p class="soft">since ${day(frame, sinceMs)}${reason !== undefined && html` · ${othersText(reason, 140)}`}</p></div>
${form(frame, { action: paths.blocked, carried: { target } }, button(html`Lift the block<span class="unseen"> of ${name}</span>`, { kind: 'plain' }))}
</li>`;
}
