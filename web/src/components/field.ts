import { t } from '@hearth/i18n';
import { around, attributes, type Html, html, type Piece, type Words } from '../html.ts';

/** The errors of a submitted form, by field name. */
export type Errors<Name extends string = string> = Readonly<Partial<Record<Name, Words>>>;

export interface Described {
  /** Shown before the field is filled in. */
  hint?: Piece;
  /** The error, as a sentence that says what to do. */
  error?: Words | undefined;
}

export interface FieldParts extends Described {
  name: string;
  /** If it must differ from the name: ids are unique on a page. */
  id?: string;
  label: Piece;
  value?: string | undefined;
  type?: 'text' | 'email' | 'date' | 'datetime-local';
  autocomplete?: string;
  inputMode?: 'numeric' | 'email';
  maxLength?: number;
  optional?: boolean;
  /** Only needed with some other choice of the form, as the hint says. */
  sometimes?: boolean;
  /** A fixed text in front of the input. */
  prefix?: string;
  look?: 'short' | 'code';
  /** For codes and handles: no spelling check, no capitals. */
  literal?: boolean;
  /** For the only purpose of a page. */
  autofocus?: boolean;
}

/** A one-line text field with its label, hint and error. */
export function field(parts: FieldParts): Html {
  const { name, id = name, label, optional, prefix, literal } = parts;
  const input = html`<input ${attributes({
    id,
    name,
    type: parts.type ?? 'text',
    value: parts.value,
    class: parts.look,
    autocomplete: parts.autocomplete,
    inputmode: parts.inputMode,
    maxlength: parts.maxLength,
    spellcheck: literal && 'false',
    autocapitalize: literal && 'none',
    required: optional !== true && parts.sometimes !== true,
    autofocus: parts.autofocus,
    ...describedBy(id, parts),
  })}>`;
  return html`<div class="field">
<label for="${id}">${labelWords(label, optional)}</label>
${descriptions(id, parts)}
${prefix === undefined ? input : html`<div class="prefixed"><span class="prefix" aria-hidden="true">${prefix}</span>${input}</div>`}
</div>`;
}

export interface Choice {
  value: string;
  words: Words;
  /** The older name of the value, which some browsers use. */
  was?: string | undefined;
  /** The language (BCP 47) of its text, if it differs from the page's. */
  lang?: string | undefined;
}

export interface SelectParts extends Described {
  name: string;
  /** If it must differ from the name: ids are unique on a page. */
  id?: string;
  label: Piece;
  /** Labelled groups; choices of a group without a label are listed on their own. */
  groups: readonly { label?: Words; choices: readonly Choice[] }[];
  value?: string | undefined;
  /** Shown while nothing is selected; absent if a choice always is. */
  empty?: Words;
  optional?: boolean;
  autocomplete?: string;
  /** Lets the script select the browser's value. */
  fill?: 'time-zone';
}

/** A drop-down list. */
export function select(parts: SelectParts): Html {
  const { name, id = name, label, groups, empty, optional } = parts;
  const chosen = parts.value ?? '';
  const option = ({ value, words, was, lang }: Choice) =>
    html`<option ${attributes({ value, selected: value === chosen, lang, 'data-was': was })}>${words}</option>`;
  const frame = {
    id,
    name,
    required: empty !== undefined && optional !== true,
    autocomplete: parts.autocomplete,
    'data-fill': parts.fill,
  };
  return html`<div class="field">
<label for="${id}">${labelWords(label, optional)}</label>
${descriptions(id, parts)}
<select ${attributes({ ...frame, ...describedBy(id, parts) })}>
${empty !== undefined && option({ value: '', words: empty })}
${groups.map(({ label: title, choices }) =>
  title === undefined
    ? choices.map(option)
    : html`<optgroup label="${title}">${choices.map(option)}</optgroup>`,
)}
</select>
</div>`;
}

export interface FieldsetParts extends Described {
  id: string;
  legend: Words;
}

/** Several fields that answer one question. */
export function fieldset(parts: FieldsetParts, inside: Piece): Html {
  return html`<fieldset ${attributes({ id: parts.id, tabindex: -1, ...describedBy(parts.id, parts) })}>
<legend>${parts.legend}</legend>
${descriptions(parts.id, parts)}
${inside}
</fieldset>`;
}

/** A control's label, marked if it is optional. */
export function labelWords(label: Piece, optional = false): Piece {
  if (!optional) return label;
  return t('common.optional', {
    label: html`${label}`,
    optional: around((inside) => html`<span class="optional">${inside}</span>`),
  });
}

/** Associates a control with its hint and its error. */
export function describedBy(
  id: string,
  { hint, error }: Described,
): Readonly<Record<string, string | false>> {
  const ids = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return {
    'aria-describedby': ids.length > 0 && ids.join(' '),
    'aria-invalid': error !== undefined && 'true',
  };
}

/** The hint and the error that `describedBy` refers to. */
export function descriptions(id: string, { hint, error }: Described): Html {
  return html`${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${error !== undefined && html`<p class="error" id="${id}-error">${t('common.error-at-field', { word: around((inside) => html`<span class="error-word">${inside}</span>`), error })}</p>`}`;
}
