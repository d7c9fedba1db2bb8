import { attributes, type Html, html, type Words } from '../html.ts';

export interface Tab {
  words: Words;
  href: string;
}

/** Tabs. @param here the path of the current page */
export function tabs(label: Words, all: readonly Tab[], here?: string): Html {
  return html`<nav class="tabs" aria-label="${label}">${all.map(
    ({ words, href }) =>
      html`<a ${attributes({ class: 'tab', href, 'aria-current': href === here && 'page' })}>${words}</a>`,
  )}</nav>`;
}
