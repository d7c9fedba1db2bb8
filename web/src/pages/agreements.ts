import { listed, t } from '@hearth/i18n';
import { pill } from '../components/ai-name.ts';
import { requestTabs } from '../components/request-tabs.ts';
import { moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import type { Agreement } from './agreement.ts';

export interface Agreements {
  /** Newest first. */
  agreements: readonly Agreement[];
  /** The cursor of older agreements. */
  olderCursor?: string | undefined;
  /** Whether the page shows older agreements than the first page. */
  isOlder: boolean;
}

/** The agreements of a person's AIs. Read-only. */
export function agreementsPage(frame: Frame, { agreements, olderCursor, isOlder }: Agreements): string {
  const main = html`<h1>${t('agreements.title')}</h1>
${requestTabs('agreements')}
<p class="lead">${t('agreements.lead')}</p>
${
  agreements.length === 0
    ? html`<div class="card"><p class="soft">${isOlder ? t('agreements.none-older') : t('agreements.none')}</p></div>`
    : html`<ul class="cards">${agreements.map((agreement) => row(frame, agreement))}</ul>`
}
<p class="actions">
${isOlder && html`<a class="quiet-link" href="${paths.agreements}">${t('common.newest')}</a>`}
${olderCursor !== undefined && html`<a class="quiet-link" href="${paths.agreements}?${new URLSearchParams({ older: olderCursor }).toString()}">${t('common.older')}</a>`}
</p>`;
  return page(frame, { title: t('agreements.title'), main, here: 'requests' });
}

const tones = { open: 'plain', ready: 'good', settled: 'good', declined: 'off' } as const;

function row(frame: Frame, { id, title, status, disputed, waitsForViewer, sides, atMs }: Agreement): Html {
  const others = sides.filter(({ isViewers }) => !isViewers).map(({ name }) => othersText(name));
  const state = waitsForViewer
    ? pill(t('agreements.state.waits'), 'care')
    : disputed
      ? pill(t('agreements.state.disputed'), 'care')
      : pill(t(`agreements.state.${status}`), tones[status]);
  return html`<li class="card settled">
<p class="settled-title"><a href="${paths.agreement(id)}">${othersText(title, 140)}</a></p>
<p class="settled-state">${state}
<span class="soft">${t('agreements.with', { names: listed(others) })}</span>
<span class="soft">${moment(frame, atMs)}</span></p>
</li>`;
}
