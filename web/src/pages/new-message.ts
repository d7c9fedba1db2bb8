import { t } from '@hearth/i18n';
import { field, select } from '../components/field.ts';
import { button, form } from '../components/form.ts';
import { type ActResult, actResult, hasErrors } from '../components/notice.ts';
import { textArea } from '../components/text-area.ts';
import { type Frame, page } from '../frame.ts';
import { html } from '../html.ts';
import { paths } from '../paths.ts';
import { requestKinds } from '../request-copy.ts';

export interface NewMessage extends ActResult {
  /** By field name. */
  values: Readonly<Record<string, string>>;
  /** Makes sending the form twice send one message. */
  attempt: string;
}

/** Writes to an address. Form to itself: `to`, `kind`, `text`. */
export function newMessagePage(frame: Frame, { values, attempt, ...result }: NewMessage): string {
  const { errors = {} } = result;
  const kinds = requestKinds.map((value) => ({ value, words: t(`requests.kind.${value}`) }));
  const main = html`<p class="back"><a href="${paths.messages}">${t('messages.messages')}</a></p>
<h1>${t('messages.new')}</h1>
${actResult(result)}
<div class="card">
${form(
  frame,
  { action: paths.newMessage, carried: { attempt } },
  html`${field({
    name: 'to',
    label: t('messages.to'),
    hint: t('messages.to-hint'),
    value: values['to'],
    literal: true,
    autocomplete: 'off',
    error: errors['to'],
  })}
${select({
  name: 'kind',
  label: t('messages.kind'),
  hint: t('messages.kind-hint'),
  groups: [{ choices: kinds }],
  value: values['kind'],
  empty: t('messages.kind-none'),
  optional: true,
  error: errors['kind'],
})}
${textArea({ name: 'text', label: t('messages.text'), value: values['text'], rows: 6, error: errors['text'] })}
<p class="actions">${button(t('messages.send'))}</p>`,
)}
</div>`;
  return page(frame, {
    ...{ title: t('messages.new'), main, here: 'messages', narrow: true },
    hasErrors: hasErrors(errors),
  });
}
