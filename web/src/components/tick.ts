import { attributes, type Html, html, type Piece, type Words } from '../html.ts';

export interface TickParts {
  kind?: 'checkbox' | 'radio';
  name: string;
  value: string;
  label: Piece;
  hint?: Piece;
  /** The one thing to know before ticking it. */
  caution?: Words | undefined;
  ticked: boolean;
  /** If the value cannot be an id: ids are unique on a page. */
  id?: string;
}

/** A row with a checkbox; the whole row is clickable. */
export function tick(parts: TickParts): Html {
  const { kind = 'checkbox', name, value, label, hint, caution, ticked } = parts;
  const { id = `${name}-${value}` } = parts;
  const described = [hint && `${id}-hint`, caution && `${id}-caution`].filter(Boolean).join(' ');
  return html`<div class="tick">
<input ${attributes({ type: kind, id, name, value, checked: ticked, 'aria-describedby': described !== '' && described })}>
<div class="tick-words">
<label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${caution && html`<p class="caution" id="${id}-caution">${caution}</p>`}
</div>
</div>`;
}

export function ticks(rows: readonly Html[]): Html {
  return html`<div class="ticks">${rows}</div>`;
}
