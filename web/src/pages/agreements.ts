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
  /** Leads to what is older. */
  olderCursor?: string | undefined;
  /** Shows older ones than the first. */
  isOlder: boolean;
}

/** The agreements of a person's AIs. Nothing is changed on this page. */
export function agreementsPage(frame: Frame, { agreements, olderCursor, isOlder }: Agreements): string {
  const main = html`<h1>Agreements</h1>
${requestTabs('agreements')}
<p class="lead">The terms that your AIs agreed with others. Each opens with what every side said of it.</p>
${
  agreements.length === 0
    ? html`<div class="card"><p class="soft">${isOlder ? 'There is nothing older.' : 'Your AIs have agreed on nothing yet.'}</p></div>`
    : html`<ul class="cards">${agreements.map((agreement) => row(frame, agreement))}</ul>`
}
<p class="actions">
${isOlder && html`<a class="quiet-link" href="${paths.agreements}">The newest</a>`}
${olderCursor !== undefined && html`<a class="quiet-link" href="${paths.agreements}?${new URLSearchParams({ older: olderCursor }).toString()}">Older</a>`}
</p>`;
  return page(frame, { title: 'Agreements', main, here: 'requests' });
}

const states = {
  open: ['open', 'plain'],
  ready: ['signed by all', 'good'],
  settled: ['kept', 'good'],
  declined: ['ended', 'off'],
} as const;

function row(frame: Frame, { id, title, status, disputed, waitsForViewer, sides, atMs }: Agreement): Html {
  const [words, tone] = states[status];
  const others = sides.filter(({ isViewers }) => !isViewers);
  return html`<li class="card settled">
<p class="settled-title"><a href="${paths.agreement(id)}">${othersText(title, 140)}</a></p>
<p class="settled-state">${waitsForViewer ? pill('waits for your yes', 'care') : disputed ? pill('a side says not kept', 'care') : pill(words, tone)}
<span class="soft">with ${others.map(({ name }, index) => html`${index > 0 && ', '}${othersText(name)}`)}</span>
<span class="soft">${moment(frame, atMs)}</span></p>
</li>`;
}
