import { attributes, type Html, html, type Piece } from '../html.ts';

/** A line of words, and below it what they open. @param id keeps it open when a page that changes by itself is shown anew */
export function disclosure(
  { summary, id, open = false }: { summary: Piece; id?: string | undefined; open?: boolean },
  inside: Piece,
): Html {
  return html`<details ${attributes({ class: 'note', id, open })}><summary class="button quiet">${summary}</summary>
${inside}</details>`;
}
