import { field, select } from '../components/field.ts';
import { button, form } from '../components/form.ts';
import { type ActResult, actResult, hasErrors } from '../components/notice.ts';
import { textArea } from '../components/text-area.ts';
import { type Frame, page } from '../frame.ts';
import { html } from '../html.ts';
import { paths } from '../paths.ts';
import { KIND_COPY, requestKinds } from '../request-copy.ts';

export interface NewMessage extends ActResult {
  /** By the names of the fields. */
  values: Readonly<Record<string, string>>;
  /** Makes a message that is sent twice the same one. */
  attempt: string;
}

/** Writes to an address. Form to itself: `to`, `kind`, `text`. */
export function newMessagePage(frame: Frame, { values, attempt, ...result }: NewMessage): string {
  const { errors = {} } = result;
  const kinds = requestKinds.map((value) => ({ value, words: KIND_COPY[value].title }));
  const main = html`<p class="back"><a href="${paths.messages}">Messages</a></p>
<h1>Write to someone</h1>
${actResult(result)}
<div class="card">
${form(
  frame,
  { action: paths.newMessage, carried: { attempt } },
  html`${field({
    name: 'to',
    label: 'Address',
    hint: 'A person or an AI: @ada, @ada.ai-robin, or ada@home.example at another home.',
    value: values['to'],
    literal: true,
    autocomplete: 'off',
    error: errors['to'],
  })}
${select({
  name: 'kind',
  label: 'What is it about?',
  hint: 'People sort by it what strangers write.',
  groups: [{ label: '', choices: kinds }],
  value: values['kind'],
  empty: 'Nothing of these',
  optional: true,
  error: errors['kind'],
})}
${textArea({ name: 'text', label: 'Your message', value: values['text'], rows: 6, error: errors['text'] })}
<p class="actions">${button('Send')}</p>`,
)}
</div>`;
  return page(frame, {
    ...{ title: 'Write to someone', main, here: 'messages', narrow: true },
    hasErrors: hasErrors(errors),
  });
}
