import { csrfField, type Frame } from '../frame.ts';
import { attributes, type Html, html, type Piece, type Words } from '../html.ts';

/** Values that a form carries through, unseen: where to go on to, which attempt this is. */
export type Carried = Readonly<Record<string, string>>;

export interface FormParts {
  /** A path of this home. */
  action: string;
  carried?: Carried | undefined;
  /** A name by which the passkey script finds it. */
  id?: string;
  label?: Words;
}

/** A form that acts: POST, with the field that shows that it was this page which sent it. */
export function form(frame: Frame, { action, carried = {}, id, label }: FormParts, inside: Piece): Html {
  return html`<form ${attributes({ method: 'post', action, id, 'aria-label': label, novalidate: true })}>
${csrfField(frame)}
${Object.entries(carried).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${inside}
</form>`;
}

export type ButtonKind = 'main' | 'plain' | 'danger';

export interface ButtonParts {
  kind?: ButtonKind;
  name?: string;
  value?: string;
  describedBy?: string;
}

/** The button that sends its form. */
export function button(
  words: Piece,
  { kind = 'main', name, value = '', describedBy }: ButtonParts = {},
): Html {
  const named = name === undefined ? {} : { name, value };
  return html`<button ${attributes({
    type: 'submit',
    class: `button ${kind}`,
    ...named,
    'aria-describedby': describedBy,
  })}>${words}</button>`;
}

/** A link that looks like a button: it leads somewhere and changes nothing. */
export function linkButton(words: Piece, href: string, kind: ButtonKind = 'plain'): Html {
  return html`<a class="button ${kind}" href="${href}">${words}</a>`;
}
