import { t } from '@hearth/i18n';
import { pill, who } from '../components/ai-name.ts';
import { blockOrReport } from '../components/block-or-report.ts';
import { button, form } from '../components/form.ts';
import { type ActResult, actResult, hasErrors, notice } from '../components/notice.ts';
import { textArea } from '../components/text-area.ts';
import { moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, unseen, type Words } from '../html.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { SENDER_COPY } from '../status-copy.ts';
import { type OtherSide, olderPath, otherName } from './messages.ts';

export interface ThreadMessage {
  id: string;
  /** Whether the viewer sent it. */
  mine: boolean;
  fromName: string;
  /** Absent for a person. */
  ai?: { status: keyof typeof SENDER_COPY /** The owner's address. */; of?: string | undefined } | undefined;
  nameVerified: boolean;
  atMs: number;
  /** Empty without one. */
  title: string;
  text: string;
  /** Whether it was unread until now. */
  isNew: boolean;
  retracted: boolean;
  /** How the viewer's own message was sent, if by another program. */
  through?: 'app' | 'program' | undefined;
  /** The delivery state of a message to a remote home, until it arrives. */
  delivery?: 'held' | 'undeliverable' | undefined;
  /** Whether its sender may still delete it, unless it was read. */
  mayTakeBack: boolean;
}

export interface Thread extends ActResult {
  id: string;
  with: OtherSide;
  /** Oldest first. */
  messages: readonly ThreadMessage[];
  /** The message that waits to be accepted. */
  waits?: string | undefined;
  older?: string | undefined;
  isOlder: boolean;
  /** By field name. */
  values: Readonly<Record<string, string>>;
  /** Makes sending a reply twice send one message. */
  attempt: string;
}

/**
 * A thread's messages. Forms, by `do`: reply (`text`), take-back (`message`), block, report and both
 * (`reason`, `text`).
 */
export function threadPage(frame: Frame, thread: Thread): string {
  const { id, messages, waits, older, isOlder, errors = {}, values, attempt } = thread;
  const other = thread.with;
  const action = paths.thread(id);
  const main = html`<p class="back"><a href="${paths.messages}">${t('messages.messages')}</a></p>
<h1>${otherName(other)}</h1>
${actResult(thread)}
<p class="lead"><bdi class="address">${plainText(other.address, 80)}</bdi> ${other.name !== undefined && !other.nameVerified && pill(t('common.unverified-name'), 'care')}</p>
${
  waits !== undefined &&
  notice('info', t('messages.waits'), html`<a href="${paths.request(waits)}">${t('messages.waits-link')}</a>`)
}
${older !== undefined && html`<p class="actions"><a class="quiet-link" href="${olderPath(action, older)}">${t('common.older')}</a></p>`}
${
  messages.length === 0
    ? html`<div class="card"><p class="soft">${isOlder ? t('messages.none-older') : t('messages.nothing-left')}</p></div>`
    : html`<ol class="cards">${messages.map((message) => messageCard(frame, action, message))}</ol>`
}
${isOlder && html`<p class="actions"><a class="quiet-link" href="${action}">${t('common.newest')}</a></p>`}
<div class="card">
${form(
  frame,
  { action, carried: { do: 'reply', attempt }, label: t('messages.reply') },
  html`${textArea({ name: 'text', label: t('messages.your-reply'), value: values['text'], rows: 4, error: errors['text'] })}
<p class="actions">${button(t('messages.send'))}</p>`,
)}
</div>
${blockOrReport(frame, { action }, { text: values['text-0'], error: errors['text-0'] })}`;
  return page(frame, {
    title: t('messages.conversation'),
    main,
    here: 'messages',
    hasErrors: hasErrors(errors),
  });
}

function messageCard(frame: Frame, action: string, message: ThreadMessage): Html {
  const { id, mine, ai, atMs, title, text, isNew, retracted, delivery, mayTakeBack } = message;
  return html`<li class="card" id="${id}">
${mine ? html`<p><strong>${t('messages.you')}</strong> <span class="soft">${moment(frame, atMs)}${throughWords(message)}</span></p>` : who(message.fromName, html`${moment(frame, atMs)}${ai?.of !== undefined && html` · ${t('messages.ai-of', { owner: html`<bdi class="address">${plainText(ai.of, 80)}</bdi>` })}`}${!message.nameVerified && html` · ${t('common.unverified-name')}`}`, html`${ai !== undefined && statusPill(SENDER_COPY[ai.status])} ${isNew && pill(t('common.new'), 'good')}`)}
${title !== '' && html`<p class="settled-title">${othersText(title, 140)}</p>`}
${
  retracted
    ? html`<p class="soft">${mine ? t('messages.unsent-mine') : t('messages.unsent-theirs')}</p>`
    : html`<div class="quote">${othersLines(text, Number.POSITIVE_INFINITY)}</div>`
}
${delivery !== undefined && html`<p>${pill(t(`messages.delivery.${delivery}`), 'care')}</p>`}
${
  mayTakeBack &&
  form(
    frame,
    { action, carried: { do: 'take-back', message: id } },
    button(t('messages.unsend', { text: othersText(text), unseen }), { kind: 'plain' }),
  )
}
</li>`;
}

const statusPill = ([words, tone]: readonly [Words, Parameters<typeof pill>[1]]) => pill(words, tone);

const throughWords = ({ through }: ThreadMessage) =>
  through !== undefined && html` · ${t(`messages.through.${through}`)}`;
