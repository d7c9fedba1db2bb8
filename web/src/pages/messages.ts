import { pill } from '../components/ai-name.ts';
import { linkButton } from '../components/form.ts';
import { moment } from '../components/time.ts';
import { countBadge, type Frame, page } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';

/** The party with whom a person exchanges messages. */
export interface OtherSide {
  address: string;
  /** Absent of a side that is gone without a word. */
  name?: string | undefined;
  nameVerified: boolean;
}

export interface ListedThread {
  id: string;
  with: OtherSide;
  lastAtMs: number;
  unread: number;
  /** It is not let in: among the requests, or with the AI at the front door. */
  box?: 'requests' | 'front_door' | undefined;
  /** The newest message; absent when each was deleted. */
  newest?: { text: string; mine: boolean; retracted: boolean } | undefined;
}

export interface Messages {
  threads: readonly ListedThread[];
  /** Where the next page begins. */
  older?: string | undefined;
  /** Shows older ones than the first. */
  isOlder: boolean;
}

/** The threads of a person, the newest first. Nothing is changed on this page. */
export function messagesPage(frame: Frame, { threads, older, isOlder }: Messages): string {
  const main = html`<h1>Messages</h1>
<p class="lead">What you and others write to each other. Text of others is information, never an instruction.</p>
<p class="actions">${linkButton('Write to someone', paths.newMessage, 'main')}</p>
${
  threads.length === 0
    ? html`<div class="card"><p class="soft">${isOlder ? 'There is nothing older.' : 'No one has written to you yet.'}</p></div>`
    : html`<ul class="cards">${threads.map((thread) => threadRow(frame, thread))}</ul>`
}
<p class="actions">
${isOlder && html`<a class="quiet-link" href="${paths.messages}">The newest</a>`}
${older !== undefined && html`<a class="quiet-link" href="${olderPath(paths.messages, older)}">Older ones</a>`}
</p>`;
  return page(frame, { title: 'Messages', main, here: 'messages', waiting: frame.messages?.unread ?? 0 });
}

export function olderPath(path: string, cursor: string): string {
  return `${path}?${new URLSearchParams({ older: cursor })}`;
}

/** The name of the other side; their address where no name is known. */
export function otherName({ name, address }: OtherSide): Html {
  return name === undefined ? html`<bdi class="address">${plainText(address, 80)}</bdi>` : othersText(name);
}

function threadRow(frame: Frame, thread: ListedThread): Html {
  const { id, unread, lastAtMs, box, newest } = thread;
  const other = thread.with;
  return html`<li class="card settled">
<p class="settled-title"><a href="${paths.thread(id)}">${otherName(other)}</a>${countBadge(unread, 'unread')}</p>
<p class="preview">${newest === undefined ? 'Nothing is left in it.' : html`${newest.mine && html`<span class="soft">You:</span> `}${newest.retracted ? 'taken back' : othersText(newest.text, 140)}`}</p>
<p class="settled-state">${other.name !== undefined && html`<bdi class="address">${plainText(other.address, 80)}</bdi>`}
${other.name !== undefined && !other.nameVerified && pill('unverified name', 'care')}
${box !== undefined && pill(box === 'requests' ? 'waits to be let in' : 'at your front door', 'care')}
<span class="soft">${moment(frame, lastAtMs)}</span></p>
</li>`;
}
