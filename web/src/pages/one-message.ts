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
  /** It waits among the requests of the viewer. */
  waits: boolean;
  /** The sender took it back. */
  retracted: boolean;
}

/** A message as a whole. Form, while it waits: as in the list of requests, `do` yes or no. */
export function oneMessagePage(frame: Frame, message: OneMessage): string {
  const { thread, title, text, from, fromName, nameVerified, atMs, retracted, waits } = message;
  const main = html`<p class="back"><a href="${paths.requests}">Requests</a></p>
<h1>${title === '' ? 'A message' : othersText(title)}</h1>
<div class="card">
${who(fromName, html`<bdi class="address">${plainText(from, 80)}</bdi> · ${moment(frame, atMs)}`, !nameVerified && pill('unverified name', 'care'))}
${retracted ? notice('info', 'Its sender took it back') : html`<div class="quote">${othersLines(text, Number.POSITIVE_INFINITY)}</div>`}
<p class="actions">${linkButton('The whole conversation', paths.thread(thread))}</p>
</div>
${waits && acts(frame, message)}`;
  return page(frame, { title: 'A message', main, here: 'requests', narrow: true });
}

const acts = (frame: Frame, { id }: OneMessage) => html`<div class="card">
<h2>Let it in?</h2>
<p>Then what they write reaches you without being asked about.</p>
<div class="actions">${form(frame, { action: paths.request(id), carried: { type: 'message', do: 'yes' } }, button('Accept'))}${form(
  frame,
  { action: paths.request(id), carried: { type: 'message', do: 'no' } },
  button('Decline', { kind: 'plain' }),
)}</div>
</div>`;
