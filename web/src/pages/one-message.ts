import { t } from '@hearth/i18n';
import { pill, who } from '../components/ai-name.ts';
import { button, form, linkButton } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { html } from '../html.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';

export interface OneMessage {
  id: string;
  thread: string;
  /** Empty without one. */
  title: string;
  text: string;
  /** Address. */
  from: string;
  fromName: string;
  nameVerified: boolean;
  atMs: number;
  /** Whether it waits among the viewer's requests. */
  waits: boolean;
  /** Whether its sender deleted it. */
  retracted: boolean;
}

/** A whole message. Form while it waits, as in the list of requests: `do` (yes or no). */
export function oneMessagePage(frame: Frame, message: OneMessage): string {
  const { thread, title, text, from, fromName, nameVerified, atMs, retracted, waits } = message;
  const main = html`<p class="back"><a href="${paths.requests}">${t('requests.title')}</a></p>
<h1>${title === '' ? t('messages.message') : othersText(title)}</h1>
<div class="card">
${who(fromName, html`<bdi class="address">${plainText(from, 80)}</bdi> · ${moment(frame, atMs)}`, !nameVerified && pill(t('common.unverified-name'), 'care'))}
${retracted ? notice('info', t('messages.unsent-theirs')) : html`<div class="quote">${othersLines(text, Number.POSITIVE_INFINITY)}</div>`}
<p class="actions">${linkButton(t('messages.open-conversation'), paths.thread(thread))}</p>
</div>
${waits && acts(frame, message)}`;
  return page(frame, { title: t('messages.message'), main, here: 'requests', narrow: true });
}

const acts = (frame: Frame, { id }: OneMessage) => html`<div class="card">
<h2>${t('messages.accept')}</h2>
<p>${t('messages.accept-more')}</p>
<div class="actions">${form(frame, { action: paths.request(id), carried: { type: 'message', do: 'yes' } }, button(t('common.accept')))}${form(
  frame,
  { action: paths.request(id), carried: { type: 'message', do: 'no' } },
  button(t('common.decline'), { kind: 'plain' }),
)}</div>
</div>`;
