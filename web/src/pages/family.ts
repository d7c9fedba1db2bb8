import { listed, type Text, t } from '@hearth/i18n';
import { AGE_COPY, type AgeBand } from '../age-copy.ts';
import { type AiName, aiFacts, pill, who } from '../components/ai-name.ts';
import { type AppAsk, appAskCard } from '../components/app-ask.ts';
import { waitingDeletion } from '../components/deletion.ts';
import { button, form, linkButton } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { calendarMonth, day } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, strong, unseen, type Words } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { type AskStatus, STATUS_COPY } from '../status-copy.ts';
import type { Guardianship } from './account.ts';

/** A group of a child, or a person who exchanges messages with the child. */
export interface Dealing {
  name: string;
  address: string;
  /** Since when, or the last time. */
  atMs?: number | undefined;
  /** Only for groups. */
  archived?: boolean;
}

/** An ask that was answered for a child. */
export interface Answered {
  /** apr_ and 32 hex digits */
  id: string;
  title: string;
  status: AskStatus;
  /** When it settled, or, before that, when it was sent. */
  atMs?: number | undefined;
}

/** A child's groups and contacts, and the answers given for them; never the content of messages. */
export interface Dealings {
  groups: readonly Dealing[];
  /** Newest first. */
  contacts: readonly Dealing[];
  ais: readonly AiName[];
  /** Newest first. */
  answered: readonly Answered[];
}

export interface Child {
  /** per_ and 32 hex digits */
  id: string;
  name: string;
  /** Without the @. */
  handle: string;
  ageBand: AgeBand;
  /** `month` is YYYY-MM; undefined if the birth is unknown. */
  next?: { ageBand: AgeBand; month: string } | undefined;
  /** Whether AIs may act for them. */
  aiShare: boolean;
  /** Includes the viewer. */
  guardians: readonly (Guardianship & { viewer: boolean })[];
  /** The name of the app that acts for the account. */
  app?: string | undefined;
  deletesAtMs?: number | undefined;
  /** Whether the law where they live lets them have a sign-in of their own. */
  maySignIn: boolean;
  /** Whether they have an email address to sign in with. */
  signsIn: boolean;
  /** Undefined if they could not be loaded. */
  dealings: Dealings | undefined;
}

/** A child's request to join a group, which waits for the viewer. */
export interface ChildJoin {
  invite: string;
  child: Pick<Child, 'id' | 'name'>;
  groupName: string;
  note?: string | undefined;
  askedAtMs: number;
  /** Whether an organizer must agree as well. */
  organizersToo: boolean;
}

export interface ChildAppAsk extends AppAsk {
  child: Pick<Child, 'id' | 'name' | 'app'>;
}

export interface Family {
  children: readonly Child[];
  /** Grown-up children who cannot sign in to their account yet. */
  grown?: readonly Pick<Child, 'id' | 'name'>[];
  /** Undefined if they could not be loaded. */
  joins: readonly ChildJoin[] | undefined;
  appsAsking: readonly ChildAppAsk[] | undefined;
  /** The notice of an act that was just done. */
  done?: Words | undefined;
}

/**
 * The viewer's children. Forms: `decision` (approved, declined) to paths.childJoin(id, invite); `answer`
 * (accept, decline) to paths.childAppAsk(id, app); `share` (yes, no) to paths.childAis(id); without fields to
 * paths.keepChild(id).
 */
export function familyPage(frame: Frame, model: Family): string {
  const { children, done, grown = [] } = model;
  const main = html`<h1>${t('family.title')}</h1>
<p class="lead">${t('family.lead')}</p>
${done && notice('good', done)}
${children.length > 0 && waiting(frame, model)}
${grown.map(grownCard)}
${
  children.length === 0
    ? noChild(frame)
    : html`<section aria-labelledby="children">
<h2 id="children">${t('family.children')}</h2>
<ul class="cards">${children.map((child) => childCard(frame, child))}</ul>
</section>`
}
${mayMakeChild(frame) && html`<p class="actions">${linkButton(t('family.create'), paths.newChild)}</p>`}`;
  return page(frame, { title: t('family.title'), main, here: 'family' });
}

function noChild(frame: Frame): Html {
  return html`<div class="card">
<p><strong>${t('family.none')}</strong> ${mayMakeChild(frame) ? t('family.none-create') : t('family.none-named')}</p>
</div>`;
}

function grownCard({ id, name }: Pick<Child, 'id' | 'name'>): Html {
  return html`<div class="card">
<p>${t('family.grown', { strong, name: othersText(name) })}</p>
<div class="actions">${linkButton(t('family.grown-sign-in', { unseen, name: othersText(name) }), paths.childSignIn(id))}</div>
</div>`;
}

/** Only adults with a sign-in of their own. */
function mayMakeChild({ person }: Frame): boolean {
  return person !== undefined && !person.guest && !person.minor;
}

function waiting(frame: Frame, { joins, appsAsking }: Family): Html {
  const unknown = joins === undefined || appsAsking === undefined;
  const cards = [
    ...(joins ?? []).map((join) => joinCard(frame, join)),
    ...(appsAsking ?? []).map(({ child, ...ask }) =>
      appAskCard(frame, {
        ask,
        action: paths.childAppAsk(child.id, ask.app),
        child: child.name,
        heldBy: child.app,
      }),
    ),
  ];
  return html`${unknown && notice('care', t('family.waiting-unknown'))}
${
  cards.length > 0 &&
  html`<section aria-labelledby="waiting">
<h2 id="waiting">${t('family.waiting')}</h2>
<ul class="cards">${cards}</ul>
</section>`
}`;
}

function joinCard(
  frame: Frame,
  { invite, child, groupName, note, askedAtMs, organizersToo }: ChildJoin,
): Html {
  const name = othersText(child.name);
  const joining = { unseen, child: name, group: othersText(groupName) };
  return html`<li class="card">
${who(groupName, t('family.wants-to-join', { child: name, day: day(frame, askedAtMs) }))}
${note !== undefined && note !== '' && html`<p>${t('family.wrote', { child: name, note: othersText(note, 200) })}</p>`}
<p>${t('family.group-sees', { child: name })}${organizersToo && html` ${t('family.organizer-too')}`}</p>
${form(
  frame,
  { action: paths.childJoin(child.id, invite) },
  html`<div class="actions even">
${button(t('family.approve-join', joining), { name: 'decision', value: 'approved' })}
${button(t('family.decline-join', joining), { kind: 'plain', name: 'decision', value: 'declined' })}
</div>`,
)}
</li>`;
}

function childCard(frame: Frame, child: Child): Html {
  const { id, name, handle } = child;
  return html`<li>
${deletionOf(frame, child)}
<div class="card">
${who(name, html`<span class="address">@${handle}</span>`)}
${childFacts(child)}
${child.dealings === undefined ? html`<p class="soft">${t('common.not-shown')}</p>` : briefly(child.dealings)}
<div class="actions">${linkButton(t('family.manage', { name: othersText(name) }), paths.child(id))}${aiSwitch(frame, child)}</div>
</div>
</li>`;
}

/** Lets AIs act for a child, or stops them. Form: `share` (yes, no) to paths.childAis(id). */
export function aiSwitch(frame: Frame, { id, name, aiShare }: Child): Html {
  const parts = { unseen, name: othersText(name) };
  return form(
    frame,
    { action: paths.childAis(id), carried: { share: aiShare ? 'no' : 'yes' } },
    aiShare
      ? button(t('family.stop-ais', parts), { kind: 'danger' })
      : button(t('family.let-ais', parts), { kind: 'plain' }),
  );
}

const shownBriefly = 3;

function briefly({ groups, contacts, ais, answered }: Dealings): Html {
  return html`<dl class="facts">
<div><dt>${t('family.groups')}</dt><dd>${few(
    groups.filter(({ archived }) => !archived),
    t('family.groups-none'),
  )}</dd></div>
<div><dt>${t('family.contacts')}</dt><dd>${few(contacts, t('family.contacts-none'))}</dd></div>
${ais.length > 0 && html`<div><dt>${t('family.ai-names')}</dt><dd>${few(ais)}</dd></div>`}
${
  answered.length > 0 &&
  html`<div><dt>${t('family.answers')}</dt><dd>${few(answered.map(({ title }) => ({ name: title })))}</dd></div>`
}
</dl>`;
}

function few(all: readonly { name: string }[], none?: Text): Text | undefined {
  if (all.length === 0) return none;
  const more = all.length - shownBriefly;
  const shown = all.slice(0, shownBriefly).map(({ name }) => othersText(name));
  return listed(more > 0 ? [...shown, t('family.more', { count: more })] : shown);
}

/** Facts about a child, including when their rules change. */
export function childFacts({ ageBand, next, aiShare, guardians, app }: Child): Html {
  return html`<dl class="facts">
<div><dt>${t('family.age')}</dt><dd>${AGE_COPY[ageBand]}</dd></div>
<div><dt>${t('family.next-age')}</dt><dd>${nextAge(next)}</dd></div>
<div><dt>${t('family.guardians', { count: guardians.length })}</dt><dd>${listed(guardians.map(({ name, viewer }) => (viewer ? t('common.you') : othersText(name))))}</dd></div>
<div><dt>${t('family.ais')}</dt><dd>${aiShare ? t('family.ais-on') : t('family.ais-off')}</dd></div>
<div><dt>${t('family.app')}</dt><dd>${app === undefined ? t('family.no-app') : othersText(app)}</dd></div>
</dl>`;
}

function nextAge(next: Child['next']): Text {
  if (next === undefined) return t('family.next-age-unknown');
  const parts = { age: AGE_COPY[next.ageBand], month: calendarMonth(next.month) };
  return next.ageBand === 'adult' ? t('family.next-age-adult', parts) : t('family.next-age-from', parts);
}

/** The notice of a pending deletion, with the form that undoes it. */
export function deletionOf(frame: Frame, { id, name, deletesAtMs }: Child): Html | false {
  if (deletesAtMs === undefined) return false;
  return waitingDeletion(frame, {
    child: name,
    deletesAtMs,
    keep: paths.keepChild(id),
  });
}

/** A list of groups or people, each with its address and date. */
export function dealingList(
  frame: Frame,
  all: readonly Dealing[],
  dayWords: (day: Html) => Text,
  none: Text,
  act?: (dealing: Dealing) => Html,
): Html {
  if (all.length === 0) return html`<p class="soft">${none}</p>`;
  return html`<ul class="log">${all.map((dealing) => {
    const { name, address, archived, atMs } = dealing;
    return html`<li>
<span class="log-words">${othersText(name)} ${shownAddress(address)}${archived && html` ${pill(t('groups.archived'), 'off')}`}</span>
${atMs !== undefined && html`<span class="log-time">${dayWords(day(frame, atMs))}</span>`}
${act?.(dealing)}
</li>`;
  })}</ul>`;
}

/** The asks that were answered for a child, with their outcomes. */
export function answeredList(frame: Frame, all: readonly Answered[]): Html {
  if (all.length === 0) return html`<p class="soft">${t('family.answers-none')}</p>`;
  return html`<ul class="log">${all.map(
    ({ id, title, status, atMs }) => html`<li>
<span class="log-words"><a href="${paths.ask(id)}">${othersText(title)}</a> <span class="soft">${STATUS_COPY[status].words}</span></span>
${atMs !== undefined && html`<span class="log-time">${day(frame, atMs)}</span>`}
</li>`,
  )}</ul>`;
}

/** A shielded person's id means nothing to a reader. */
function shownAddress(address: string): Html {
  if (address.startsWith('shp_')) return html`<span class="soft">${t('family.under-18')}</span>`;
  return html`<span class="address soft">${othersText(address, 120)}</span>`;
}

/** A child's own AIs. */
export function childAis(ais: readonly AiName[]): Html | false {
  if (ais.length === 0) return false;
  return html`<ul class="log">${ais.map((ai) => html`<li><span class="log-words">${othersText(ai.name)} <span class="soft">${aiFacts(ai)}</span></span></li>`)}</ul>`;
}
