import { t } from '@hearth/i18n';
import { pill } from '../components/ai-name.ts';
import { linkButton } from '../components/form.ts';
import { moment } from '../components/time.ts';
import { countBadge, type Frame, page } from '../frame.ts';
import { around, type Html, html, type Piece } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';

/** The other party of a person's messages. */
export interface OtherSide {
  address: string;
  /** Absent for a party that is gone and left no message. */
  name?: string | undefined;
  nameVerified: boolean;
}

export interface ListedThread {
  id: string;
  with: OtherSide;
  lastAtMs: number;
  unread: number;
  /** Where a thread that is not accepted yet waits: among the requests, or with the gatekeeper AI. */
  box?: 'requests' | 'front_door' | undefined;
  /** The newest message; absent if all were deleted. */
  newest?: { text: string; mine: boolean; retracted: boolean } | undefined;
}

export interface Messages {
  threads: readonly ListedThread[];
  /** The cursor of the next page. */
  older?: string | undefined;
  /** Whether the page shows older threads than the first page. */
  isOlder: boolean;
}

/** A person's threads, newest first. Read-only. */
export function messagesPage(frame: Frame, { threads, older, isOlder }: Messages): string {
  const main = html`<h1>${t('messages.messages')}</h1>
<p class="actions">${linkButton(t('messages.new'), paths.newMessage, 'main')}</p>
${
  threads.length === 0
    ? html`<div class="card"><p class="soft">${isOlder ? t('messages.none-older') : t('messages.none')}</p></div>`
    : html`<ul class="cards">${threads.map((thread) => threadRow(frame, thread))}</ul>`
}
<p class="actions">
${isOlder && html`<a class="quiet-link" href="${paths.messages}">${t('common.newest')}</a>`}
${older !== undefined && html`<a class="quiet-link" href="${olderPath(paths.messages, older)}">${t('common.older')}</a>`}
</p>`;
  return page(frame, {
    title: t('messages.messages'),
    main,
    here: 'messages',
    waiting: frame.messages?.unread ?? 0,
  });
}

export function olderPath(path: string, cursor: string): string {
  return `${path}?${new URLSearchParams({ older: cursor })}`;
}

/** The other party's name; their address if no name is known. */
export function otherName({ name, address }: OtherSide): Html {
  return name === undefined ? html`<bdi class="address">${plainText(address, 80)}</bdi>` : othersText(name);
}

function newestWords({ text, mine, retracted }: NonNullable<ListedThread['newest']>): Piece {
  const words = retracted ? t('messages.unsent') : othersText(text, 140);
  const soft = around((inside) => html`<span class="soft">${inside}</span>`);
  return mine ? t('messages.mine', { text: words, soft }) : words;
}

function threadRow(frame: Frame, thread: ListedThread): Html {
  const { id, unread, lastAtMs, box, newest } = thread;
  const other = thread.with;
  return html`<li class="card settled">
<p class="settled-title"><a href="${paths.thread(id)}">${otherName(other)}</a>${countBadge(unread, t('frame.unread'))}</p>
<p class="preview">${newest === undefined ? t('messages.nothing-left') : newestWords(newest)}</p>
<p class="settled-state">${other.name !== undefined && html`<bdi class="address">${plainText(other.address, 80)}</bdi>`}
${other.name !== undefined && !other.nameVerified && pill(t('common.unverified-name'), 'care')}
${box !== undefined && pill(t(`messages.box.${box}`), 'care')}
<span class="soft">${moment(frame, lastAtMs)}</span></p>
</li>`;
}
