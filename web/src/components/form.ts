import { csrfField, type Frame } from '../frame.ts';
import { attributes, type Html, html, type Piece, type Words } from '../html.ts';

/** Hidden values of a form: the next page, the attempt. */
export type Carried = Readonly<Record<string, string>>;

export interface FormParts {
  /** A path of this home. */
  action: string;
  carried?: Carried | undefined;
  /** The id by which the passkey script finds it. */
  id?: string;
  label?: Words;
}

/** A POST form with the CSRF field. */
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

/** A submit button. */
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

/** A link styled as a button; it leads somewhere and changes nothing. */
export function linkButton(words: Piece, href: string, kind: ButtonKind = 'plain'): Html {
  return html`<a class="button ${kind}" href="${href}">${words}</a>`;
}
