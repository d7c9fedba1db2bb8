import { attributes, type Html, html, type Words } from '../html.ts';
import { type Described, describedBy, descriptions, labelWords } from './field.ts';

export interface TextAreaParts extends Described {
  name: string;
  /** If it must differ from the name: ids are unique on a page. */
  id?: string;
  label: Words;
  value?: string | undefined;
  maxLength?: number;
  rows?: number;
  optional?: boolean;
}

/** A text field of several lines. Enter adds a line and doesn't submit. */
export function textArea(parts: TextAreaParts): Html {
  const { name, id = name, label, value = '', optional, maxLength, rows = 3 } = parts;
  const area = {
    ...{ id, name, rows, maxlength: maxLength, autocomplete: 'off', required: optional !== true },
    ...describedBy(id, parts),
  };
  return html`<div class="field">
<label for="${id}">${labelWords(label, optional)}</label>
${descriptions(id, parts)}
<textarea ${attributes(area)}>${value}</textarea>
</div>`;
}
