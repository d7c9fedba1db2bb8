import { attributes, type Html, html, type Piece } from '../html.ts';

/** A summary that expands. @param id keeps it open when a live page reloads */
export function disclosure(
  { summary, id, open = false }: { summary: Piece; id?: string | undefined; open?: boolean },
  inside: Piece,
): Html {
  return html`<details ${attributes({ class: 'note', id, open })}><summary class="button quiet">${summary}</summary>
${inside}</details>`;
}
