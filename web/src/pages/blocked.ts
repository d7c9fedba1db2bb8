import { t } from '@hearth/i18n';
import { button, form } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { requestTabs } from '../components/request-tabs.ts';
import { day } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, unseen, type Words } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';

export interface BlockedSender {
  /** An address, or @home for everyone there. */
  target: string;
  /** The person's private note. */
  reason?: string | undefined;
  sinceMs: number;
}

export interface Blocked {
  blocked: readonly BlockedSender[];
  /** Whether there are more. */
  more: boolean;
  done?: Words | undefined;
}

/** The senders that a person blocked. Form for each: `target` to paths.blocked, to unblock. */
export function blockedPage(frame: Frame, { blocked, more, done }: Blocked): string {
  const main = html`<h1>${t('requests.tab.blocked')}</h1>
${requestTabs('blocked')}
<p class="lead">${t('requests.blocked-lead')}</p>
${done !== undefined && notice('good', done)}
${
  blocked.length === 0
    ? html`<div class="card"><p class="soft">${t('requests.blocked-none')}</p></div>`
    : html`<ul class="cards">${blocked.map((sender) => blockedRow(frame, sender))}</ul>`
}
${more && html`<p class="soft">${t('requests.blocked-more')}</p>`}`;
  return page(frame, { title: t('requests.tab.blocked'), main, here: 'requests' });
}

function blockedRow(frame: Frame, { target, reason, sinceMs }: BlockedSender): Html {
  const name = html`<bdi class="address">${plainText(target, 120)}</bdi>`;
  return html`<li class="card blocked">
<div class="blocked-words"><p class="settled-title">${name}</p>
<p class="soft">${t('requests.blocked-since', { date: day(frame, sinceMs) })}${reason !== undefined && html` · ${othersText(reason, 140)}`}</p></div>
${form(frame, { action: paths.blocked, carried: { target } }, button(t('requests.unblock', { name, unseen }), { kind: 'plain' }))}
</li>`;
}
