import { attributes, type Html, html, type Words } from '../html.ts';
import { type Described, describedBy, descriptions, labelWords } from './field.ts';

export interface TextAreaParts extends Described {
  name: string;
  /** Where it has to differ from the name: a page has each id once. */
  id?: string;
  label: Words;
  value?: string | undefined;
  maxLength?: number;
  rows?: number;
  optional?: boolean;
}

/** Several lines to type in. The Enter key makes a line in it and sends nothing. */
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
