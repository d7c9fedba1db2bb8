import { attributes, type Html, html } from '../html.ts';
import { paths } from '../paths.ts';

export type RequestTab = 'waiting' | 'settled' | 'rules' | 'blocked';

const tabs: readonly { tab: RequestTab; words: string; href: string }[] = [
  { tab: 'waiting', words: 'Waiting', href: paths.requests },
  { tab: 'settled', words: 'History', href: paths.requestsSettled },
  { tab: 'rules', words: 'Rules', href: paths.rules },
  { tab: 'blocked', words: 'Blocked', href: paths.blocked },
];

/** The pages that belong to what people are asked. */
export function requestTabs(here?: RequestTab): Html {
  return html`<nav class="tabs" aria-label="Requests">${tabs.map(
    ({ tab, words, href }) =>
      html`<a ${attributes({ class: 'tab', href, 'aria-current': tab === here && 'page' })}>${words}</a>`,
  )}</nav>`;
}
