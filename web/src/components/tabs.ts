import { attributes, type Html, html } from '../html.ts';

export interface Tab {
  words: string;
  href: string;
}

/** Pages beside each other. @param here the path of the present one */
export function tabs(label: string, all: readonly Tab[], here?: string): Html {
  return html`<nav class="tabs" aria-label="${label}">${all.map(
    ({ words, href }) =>
      html`<a ${attributes({ class: 'tab', href, 'aria-current': href === here && 'page' })}>${words}</a>`,
  )}</nav>`;
}
