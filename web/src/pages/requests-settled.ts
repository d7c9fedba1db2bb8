import { t } from '@hearth/i18n';
import { pill } from '../components/ai-name.ts';
import { requestTabs } from '../components/request-tabs.ts';
import { moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Words } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { type SettledStatus, STATUS_COPY } from '../status-copy.ts';

export interface SettledItem {
  id: string;
  title: string;
  /** The title as this home words it, unless its asker wrote it. */
  ownTitle?: Words | undefined;
  status: SettledStatus;
  /** Whether the viewer sent it. */
  mine: boolean;
  fromName: string;
  nameVerified: boolean;
  /** Undefined if it was not recorded. */
  settledAtMs?: number | undefined;
}

/** The outcomes of asks. Read-only. */
export function requestsSettledPage(frame: Frame, items: readonly SettledItem[]): string {
  const main = html`<h1>${t('requests.tab.settled')}</h1>
${requestTabs('settled')}
<p class="lead">${t('requests.history-lead')}</p>
${
  items.length === 0
    ? html`<div class="card"><p class="soft">${t('requests.history-none')}</p></div>`
    : html`<ul class="cards">${items.map((item) => settledRow(frame, item))}</ul>`
}`;
  return page(frame, { title: t('requests.history'), main, here: 'requests' });
}

function settledRow(frame: Frame, item: SettledItem): Html {
  const { id, title, ownTitle, status, mine, fromName, nameVerified, settledAtMs } = item;
  const { words, tone } = STATUS_COPY[status];
  return html`<li class="card settled">
<p class="settled-title"><a href="${paths.ask(id)}">${ownTitle ?? othersText(title, 140)}</a></p>
<p class="settled-state">${pill(words, tone)}
<span class="soft">${mine ? t('requests.history-mine') : t('requests.history-from', { name: othersText(fromName) })}</span>
${!mine && !nameVerified && pill(t('common.unverified-name'), 'care')}
${settledAtMs !== undefined && html`<span class="soft">${moment(frame, settledAtMs)}</span>`}</p>
</li>`;
}
