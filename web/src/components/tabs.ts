import { attributes, type Html, html, type Words } from '../html.ts';

export interface Tab {
  words: Words;
  href: string;
}

/** Pages beside each other. @param here the path of the present one */
export function tabs(label: Words, all: readonly Tab[], here?: string): Html {
  return html`<nav class="tabs" aria-label="${label}">${all.map(
    ({ words, href }) =>
      html`<a ${attributes({ class: 'tab', href, 'aria-current': href === here && 'page' })}>${words}</a>`,
  )}</nav>`;
}
